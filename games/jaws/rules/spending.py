"""Supply points (14.1 to 14.3): what an SDM has left, and how it is spent."""

from collections.abc import Iterator

from engine.facts import Counted, Fact, Noted
from engine.refusals import Illegal
from engine.rules.ground import is_a
from games.jaws.data import Table
from games.jaws.rules.korsun import TRACK
from games.jaws.rules.stores import held, put
from games.jaws.rules.units import OOS, upset

SUPPLIED = "supplied"  # 14.3: the SDM that put a unit in supply and pays for it, or the source
FEEDERS = "feeders"  # 14.3: a unit's mark: the SDMs, joined by +, that could put it in supply, if several could
BY_SOURCE, EXTENDED, BY_AIR = "source", "extended", "air"  # in supply, but nobody pays (14.7, 14.6.4)
TRACED = "traced"  # 12.16.1: a unit that nobody feeds, though a path leads to its source, too long a one
DROPPED = "dropped"  # 14.6.4-p4a: an SDM's mark: the SPs on it that came by air
STORED = "stored"  # 8.6.4-p3: an SDM's mark: the SPs on it that it keeps until they are spent
FROM_KORSUN = "from korsun"  # 14.5.1-b: an SDM's mark: what it spends comes off the Korsun Supply Track


def sp_track(sdm: str) -> str:
    """14.1: how many SPs an SDM has left."""
    return f"sp {sdm}"


def points(table: Table, sdm: str) -> int:
    """14.1, 14.5.1-b: what it may spend; fed from Korsun, no more than is there, and what was dropped to it."""
    left, own = table.position.tracks.get(sp_track(sdm), 0), _dropped(table, sdm) + stored(table, sdm)
    if table.position.mark(sdm, FROM_KORSUN) is None:
        return left
    return min(left - own, held(table, store_of(table, sdm))) + own


def store_of(table: Table, sdm: str) -> str:
    """14.5.1-b, 18.8-c4: the track that an SDM draws on: Korsun's, or that of an option's depot."""
    said = table.position.mark(sdm, FROM_KORSUN)
    return TRACK if said == 1 else str(said)


def _dropped(table: Table, sdm: str) -> int:
    return int(table.position.mark(sdm, DROPPED) or 0)


def stored(table: Table, sdm: str) -> int:
    return int(table.position.mark(sdm, STORED) or 0)


def spend(table: Table, sdm: str, number: int, case: str) -> Iterator[Fact]:
    """14.3: SPs are gone from the SDM, first those dropped to it, last those that it may keep (8.6.4-p3); 14.5.1-b: and
    from Korsun, if that feeds it."""
    dropped = min(number, _dropped(table, sdm))
    fresh = points(table, sdm) - _dropped(table, sdm) - stored(table, sdm)
    kept = max(0, number - dropped - fresh)
    yield Counted(track=sp_track(sdm), value=table.position.tracks.get(sp_track(sdm), 0) - number, because=case)
    if dropped:
        yield Noted(subject=sdm, mark=DROPPED, value=_dropped(table, sdm) - dropped or None, because=case)
    if kept:
        yield Noted(subject=sdm, mark=STORED, value=stored(table, sdm) - kept or None, because=case)
    if table.position.mark(sdm, FROM_KORSUN) is not None:
        track = store_of(table, sdm)
        yield from put(table, track, held(table, track) - (number - dropped - kept), "14.5.1-b")


def payer(table: Table, unit: str) -> str:
    """14.3: the SDM that put a unit in supply; empty if it is out of supply, or fed by none."""
    sdm = str(table.position.mark(unit, SUPPLIED) or "")
    return sdm if sdm in table.roster and table.position.mark(unit, OOS) is None else ""


def unfit(table: Table, unit: str) -> bool:
    """12.17.2-7: an engineer who is Disorganized or in Regroup; a division that lays mines (15.3.1) is none."""
    return is_a(table, unit, "engineer") and upset(table, unit)


def check_pays(table: Table, unit: str, price: int, case: str) -> None:
    """13.5.1-a, 12.17.2-7, 14.3: whether a unit can work now, and its SDM pay for it. Raises Illegal."""
    if unfit(table, unit):
        raise Illegal("12.17.2-7", f"{unit} is Disorganized or in Regroup", unit=unit)
    if table.position.mark(unit, OOS) is not None:
        raise Illegal("13.5.1-a", f"{unit} is out of supply, and gets no SPs", unit=unit)
    sdm = payer(table, unit)
    if not sdm:
        raise Illegal("14.3", f"no SDM put {unit} in supply, so none pays for it", unit=unit)
    if points(table, sdm) < price:
        raise Illegal(case, f"{sdm} has {points(table, sdm)} SPs, and {price} is needed", unit=unit)
