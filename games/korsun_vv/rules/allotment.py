"""The Support Phase (2.1-b): arrivals, markers back to their boxes, and allotment by both sides in secret."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Ask, Step, Together
from engine.facts import Fact, Pooled
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import place
from engine.rules.pools import in_pool, pour, put
from engine.table import kept_while_still
from games.korsun_vv.data import SNOW, Table
from games.korsun_vv.names import BREAKTHROUGH, GERMAN, RUSSIAN, SUPPLY, UNSUPPLIED
from games.korsun_vv.orders import POOL, Allot, NoAllotment
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import enemy_zoc, headquarters, weather
from games.korsun_vv.rules.markers import available, holdings, pool, track, used
from games.korsun_vv.rules.reinforcements import due

POCKET_POOL = "Stemmermann pool"
Item = tuple[str, str, str]  # HQ, marker, giver (empty: the pool)


def begin_support(table: Table) -> Iterator[Fact]:
    """What arrives or comes back goes to the pool, and used markers are ready again with their HQ (1.6-f, 1.6-g)."""
    turn, tables = table.position.turn, table.data.tables["support"]
    hq = chief(table)
    for side in (RUSSIAN, GERMAN):
        row = tables["start"][side] if turn == 1 else tables["arrivals"][side].get(str(turn), {})
        coming = [m for m, count in row.items() if isinstance(count, int) for _ in range(count)]
        yield from put(table, pool(side), coming, str(row.get("case")))
        yield from pour(table, track(side, turn), pool(side), "2.1-b")
        for unit in table.roster.by_side(side):
            if "hq" in unit.classes and table.position.mark(unit.id, SUPPLY) != UNSUPPLIED:  # 10.3-g
                yield from pour(table, used(unit.id), available(unit.id), "1.6-f")
    yield from pour(table, track(hq, turn), POCKET_POOL, "13.4-d")


def support_phase(table: Table) -> Generator[Step, Any, None]:
    """1.6-b: whoever has something to allot; neither sees the other's before both are in."""
    asks = tuple(_ask(table, side) for side in (RUSSIAN, GERMAN) if _next_items(table, side, ()))
    if not asks:
        return
    answers = (yield Together(asks)) if len(asks) > 1 else [(yield asks[0])]
    for order in answers:
        if isinstance(order, Allot):
            yield from _carry_out(table, order)


def _carry_out(table: Table, order: Allot) -> Iterator[Fact]:
    """One fact for every box that changes."""
    boxes: dict[str, Counter[str]] = {}

    def box(name: str) -> Counter[str]:
        return boxes.setdefault(name, Counter(in_pool(table, name)))

    for hq, marker, giver in order.allotments:
        side = table.unit(giver or hq).side
        source = next(name for name in _sources(table, side, hq, giver) if box(name)[marker])
        box(source)[marker] -= 1
        box(_back(table, giver) if hq == POOL else available(hq))[marker] += 1
    for name, markers in boxes.items():
        items = tuple(sorted(markers.elements()))
        if items != in_pool(table, name):
            yield Pooled(pool=name, items=items, because="1.6-b")


def _sources(table: Table, side: str, hq: str, giver: str) -> tuple[str, ...]:
    """The boxes from which a marker for an HQ comes; first what could go nowhere else (13.4-d) or is not ready."""
    if giver:
        return used(giver), available(giver)
    return (POCKET_POOL, pool(side)) if hq == chief(table) else (pool(side),)


def _back(table: Table, giver: str) -> str:
    """2.1-b: the pool to which an HQ gives back; the pocket's own for HQ Stemmermann (13.4-d)."""
    return POCKET_POOL if giver == chief(table) else pool(table.unit(giver).side)


# What is legal


def receivers(table: Table, side: str) -> list[str]:
    """1.6-b, 10.3-g: HQs on the map or arriving this turn, not the unsupplied."""
    arriving = [unit for unit in due(table, side) if "hq" in table.unit(unit).classes]
    fed = [hq for hq in headquarters(table, side) if table.position.mark(hq, SUPPLY) != UNSUPPLIED]
    return [*fed, *arriving]


def joined(table: Table, one: str, other: str) -> bool:
    """1.6-h: a path of hexes without enemies and their zones from one HQ to the other."""
    side = table.unit(one).side
    if table.position.hex_of(one) is None or table.position.hex_of(other) is None:
        return False
    return bool(_paths(table, side, place(table, one)) >> place(table, other) & 1)


@kept_while_still(BREAKTHROUGH)
def _paths(table: Table, side: str, start: Hex) -> HexSet:
    return hexset.flood(table.grid, 1 << start, table.data.land & ~enemy_zoc(table, side))


def check_allotment(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Allot):
        return
    taken: Counter[tuple[str, str]] = Counter()
    # 13.4-d: only HQ Stemmermann may dip into its own pool, so what the others ask for is counted first.
    for hq, marker, giver in sorted(order.allotments, key=lambda item: item[0] == chief(table)):
        if hq == POOL and not giver:
            raise Illegal("2.1-b", f"{marker} has no HQ that gives it back", instead=f"Write `pool {marker} from HQ`")
        if hq != POOL and hq not in receivers(table, side):
            case = "10.3-g" if table.position.mark(hq, SUPPLY) == UNSUPPLIED else "1.6-b"
            raise Illegal(case, f"{hq} can receive no support markers now", unit=hq, instead="These can",
                          alternatives=receivers(table, side))  # fmt: skip
        if giver:
            _check_transfer(table, side, hq, giver)
        taken[giver, marker] += 1
        have = _stock(table, side, hq, giver).count(marker)
        if taken[giver, marker] > have:
            where = f"with {giver}" if giver else "in the pool"
            raise Illegal("1.6-b", f"there is no {marker} {where} for {hq}", unit=hq, instead="There is",
                          alternatives=_stock(table, side, hq, giver) or ["nothing"])  # fmt: skip
    for hq in dict.fromkeys(hq for hq, _, _ in order.allotments if hq != POOL):
        more = sum(1 for taker, _, _ in order.allotments if taker == hq)
        less = sum(1 for _, _, giver in order.allotments if giver == hq)
        rating = table.position.value(hq, "support")
        if len(holdings(table, hq)) + more - less > rating:
            problem = f"{hq} holds {rating} markers at most and would have {len(holdings(table, hq)) + more - less}"
            roomy = [f"{other} ({room} more)" for other, room in _room(table, side).items() if room > 0]
            raise Illegal("1.6-b", problem, unit=hq, instead="HQs with room", alternatives=roomy)


def _room(table: Table, side: str) -> dict[str, int]:
    """How many markers more each HQ could take."""
    return {hq: table.position.value(hq, "support") - len(holdings(table, hq)) for hq in receivers(table, side)}


def _check_transfer(table: Table, side: str, hq: str, giver: str) -> None:
    if weather(table) != SNOW:
        raise Illegal("1.6-g", f"in mud the markers of {giver} stay with it", unit=giver,
                      instead="Only the pool's may be allotted")  # fmt: skip
    own = table.unit(giver).side == side
    if not own or (hq != POOL and not joined(table, giver, hq)):
        able = [other for other in receivers(table, side) if own and other != giver and joined(table, giver, other)]
        raise Illegal("1.6-h", f"no path free of enemy zones of control leads from {giver} to {hq}", unit=hq,
                      instead=f"{giver} can give to", alternatives=able or ["nobody"])  # fmt: skip


def _stock(table: Table, side: str, hq: str, giver: str) -> list[str]:
    return [marker for box in _sources(table, side, hq, giver) for marker in in_pool(table, box)]


def _next_items(table: Table, side: str, before: Sequence[Item]) -> list[Item]:
    """Every marker that could be allotted after these."""
    found: list[Item] = []
    given = {(hq, giver) for hq, _, giver in before if giver}
    givers = headquarters(table, side) if weather(table) == SNOW else []
    for hq in (*receivers(table, side), POOL):
        for giver in ("", *(giver for giver in givers if giver != hq and (giver, hq) not in given)):
            found += [(hq, marker, giver) for marker in sorted(set(_stock(table, side, hq, giver)))]
    return [item for item in found if passes(check_allotment, table, side, Allot(allotments=(*before, item)))]


# The ask


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def longer(given: Given) -> list[Item]:
        return _next_items(seen, side, given.get("allotments", ()))

    return Ask(
        side=side,
        name="support",
        subject=side,
        prompt="support markers for your HQs, all in one mail, or `no allotment`",
        verbs=(Allot, NoAllotment),
        check=lambda order: check_allotment(seen, side, order),
        offers=lambda: [Choice(NoAllotment), gather(Allot, "allotments", longer)],
        default=lambda: default_allotment(seen, side),
        join=_both,
        case="1.6-b",
        top=True,
        hidden=True,
    )


def _both(order: Order, more: Order) -> Order | None:
    """Two allotments are one."""
    if isinstance(order, Allot) and isinstance(more, Allot):
        return Allot(allotments=order.allotments + more.allotments)
    return None


def default_allotment(table: Table, side: str) -> Order:
    """The pool's markers to the HQs with the most room, the strongest markers first."""
    items: list[Item] = []
    room = _room(table, side)
    for marker in sorted(in_pool(table, pool(side)), key=lambda m: -table.data.marker(m)["shift"]):
        best = max(room, key=lambda hq: room[hq], default="")
        if best and room[best] > 0:
            items.append((best, marker, ""))
            room[best] -= 1
    return Allot(allotments=tuple(items)) if items else NoAllotment()
