"""Support markers (1.6): where they lie, who may use them, and what becomes of them afterwards."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Fact, Told
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import place
from engine.rules.pools import in_pool, pour, put, take
from games.korsun_vv.data import MUD, Table
from games.korsun_vv.names import BY_AIR, RUSSIAN, SUPPLY
from games.korsun_vv.orders import Supports
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import formation, headquarters, in_range, weather

KATYUSHA, STUG = "katyusha", "stug"


def pool(side: str) -> str:
    return f"{side} pool"


def available(hq: str) -> str:
    return f"{hq} available"


def used(hq: str) -> str:
    return f"{hq} used"


def track(owner: str, turn: int) -> str:
    """The place on the turn track; its owner is a side, or HQ Stemmermann (13.4-d)."""
    return f"{owner} turn {turn}"


def holdings(table: Table, hq: str) -> list[str]:
    """What counts against an HQ's rating: both its boxes."""
    return [*in_pool(table, available(hq)), *in_pool(table, used(hq))]


def holds_katyusha(table: Table, hq: str) -> bool:
    """1.6.2-b."""
    return KATYUSHA in holdings(table, hq)


def hq_destroyed(table: Table, hq: str) -> Iterator[Fact]:
    """1.5-g: its markers go back to the pool."""
    side = table.unit(hq).side
    for box in (available(hq), used(hq)):
        yield from pour(table, box, pool(side), "1.5-g")


# Who may use them in a combat (1.5-b, 1.5-d)


def usable(table: Table, side: str, units: Sequence[str], armour: bool) -> list[tuple[str, str]]:
    """What could support these units: of HQs with one of their own among them in range (`armour`: tanks can fight)."""
    found = []
    for hq in headquarters(table, side):
        lying = in_pool(table, available(hq))
        reach = in_range(table, hq) if lying else 0
        if any(formation(table, u) == hq and reach >> place(table, u) & 1 for u in units):
            found += [(hq, marker) for marker in lying if armour or not table.data.marker(marker).get("armour")]
    return found


def chosen(
    table: Table, side: str, units: Sequence[str], named: Supports, most: int, armour: bool, case: str
) -> Supports:
    """The markers that an order names, each with its HQ. Raises Illegal."""
    if len(named) > most:
        raise Illegal(case, f"this attack takes {most} support at most on each side, not {len(named)}",
                      instead="Leave out some of", alternatives=[marker for _, marker in named])  # fmt: skip
    left = usable(table, side, units, armour)
    found: list[tuple[str, str]] = []
    for hq, marker in named:
        fitting = [pair for pair in left if pair[1] == marker and hq in ("", pair[0])]
        if not fitting:
            raise _cannot(table, side, hq, marker, found, tuple(left), armour)
        left.remove(fitting[0])
        found.append(fitting[0])
    return tuple(found)


def _cannot(
    table: Table, side: str, hq: str, marker: str, taken: Sequence[tuple[str, str]], left: Supports, armour: bool
) -> Illegal:
    row = table.data.marker(marker)
    givers = [hq] if hq else headquarters(table, side)
    if not any(in_pool(table, available(giver)).count(marker) > taken.count((giver, marker)) for giver in givers):
        case, why = "1.6-c", f"no {'more ' if taken else ''}{marker} is available" + (f" to {hq}" if hq else "")
    elif row.get("armour") and not armour:
        case, why = ("1.6.2-d" if side == RUSSIAN else "1.6.1-g"), f"{marker} cannot fight on that ground"
    else:
        case, why = "1.5-d", f"the HQ with {marker} has no unit of its own formation in this combat and in range"
    return Illegal(case, why, unit=hq, instead="Supports that can be given",
                   alternatives=[f"{giver} {name}" for giver, name in left])  # fmt: skip


def shift(table: Table, supports: Supports) -> int:
    """7.4-d."""
    return sum(table.data.marker(marker)["shift"] for _, marker in supports)


def stars(table: Table, supports: Supports) -> int:
    """7.5-d."""
    return sum(table.data.marker(marker).get("stars", 0) for _, marker in supports)


def commit(table: Table, supports: Supports, target: Hex) -> Iterator[Fact]:
    """1.5-c: markers leave the Available box and lie on the combat."""
    for hq, marker in supports:
        yield from take(table, available(hq), [marker], "1.6-c")
        row = table.data.marker(marker)
        spot = table.grid.number_of(target)
        yield Told(text=f"{hq} gives {row['title']} to the combat for {spot}.", because=row["case"])


# Fate (1.6-d)


def fates(table: Table, supports: Supports) -> Generator[Step, Any, None]:
    """A die for every marker that was used."""
    for hq, marker in supports:
        die = yield Roll(f"fate of {marker} of {hq}")
        yield from _fate(table, hq, marker, die)


def _fate(table: Table, hq: str, marker: str, die: int) -> Iterator[Fact]:
    row = table.data.marker(marker)
    total = die + modifier(table, hq)
    side = table.unit(hq).side
    gone = die == row["natural"] if "natural" in row else False
    turns = table.data.tables["support"]["returns"]["turns"]
    if gone:
        yield from put(table, f"{side} out", [marker], row["case"])
        told = "is lost for the game"
    elif total <= row["used"]:
        box = used(hq) if table.position.hex_of(hq) is not None else pool(side)
        yield from put(table, box, [marker], row["case"])
        told = "may be used again next turn"
    else:
        due = table.position.turn + turns
        owner = hq if hq == chief(table) else side
        yield from put(table, track(owner, due), [marker], row["case"])
        told = f"comes back on turn {due}"
    yield Told(text=f"{row['title']} of {hq}: {die}, it {told}.", because="1.6-d")


def modifier(table: Table, hq: str) -> int:
    """1.6-e, 13.4-d: mud, and how well the pocket is fed by air."""
    found = 0
    if weather(table) == MUD:
        found += table.data.tables["support"]["mud"]["die"]
    if table.position.mark(hq, SUPPLY) == BY_AIR:
        found += table.position.tracks.get("air fate", 0)
    return found
