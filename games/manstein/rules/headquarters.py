"""Headquarters that relocate (14.2): hit in combat, without a line, or by choice."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Placed, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import pick
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers
from engine.table import kept
from games.manstein.data import Table
from games.manstein.orders import Relocate
from games.manstein.rules.crossings import entered, settle
from games.manstein.rules.ground import AXIS, enemy_zoc, full, is_hq
from games.manstein.rules.lines import anywhere, cities_of, lines
from games.manstein.rules.victory import add

OFF_MAP = "off map"  # 14.2(1): where an HQ waits that has no legal hex


@kept
def refuges(table: Table, hq: str) -> HexSet:
    """14.2(1): the hexes that an HQ may be relocated to."""
    return table.data.passable & ~hexset.union(hexes for hexes, _ in _bars(table, hq))


def _bars(table: Table, hq: str) -> Iterator[tuple[HexSet, str]]:
    """14.2(1): hexes that an HQ may not be relocated to, and in words what is wrong with them."""
    side, here = table.unit(hq).side, table.position.hex_of(hq)
    yield held(table, table.enemy(side)), "the enemy is there"
    if here is not None:
        yield hexset.within(table.grid, 1 << here, _least(table) - 1), f"it is not {_least(table)} hexes away"
    if not anywhere(table):
        yield cities_of(table, table.enemy(side)), "the enemy controls that city"
    yield enemy_zoc(table, side), "it is in an enemy zone of control"
    yield ~lines(table, side, hq), "no communication line leads there"
    yield full(table, side, "headquarters"), "it is full"


def _least(table: Table) -> int:
    """How far away a relocated HQ goes at least."""
    return table.data.tables["headquarters"]["relocation"]["hexes"]


def check_relocation(table: Table, hq: str, order: Relocate) -> None:
    """Raises Illegal."""
    if order.hq != hq:
        raise Illegal("14.2(1)", f"it is {hq} that relocates, not {order.hq}", unit=order.hq)
    h = table.grid.hex(order.to)
    if not refuges(table, hq) >> h & 1:
        why = next((why for hexes, why in _bars(table, hq) if hexes >> h & 1), "nobody goes there")
        raise Illegal(
            "14.2(1)", f"{hq} may not be relocated to {order.to}: {why}", unit=hq, at=order.to,
            instead="It may go to", alternatives=numbers(table, refuges(table, hq)),
        )  # fmt: skip


def relocate(table: Table, hq: str, to: str, case: str, *, scores: bool = True) -> Iterator[Fact]:
    """The HQ is put down elsewhere; 14.2(2): it scores."""
    if scores:
        yield from _score(table, hq)
    yield Placed(unit=hq, at=to, because=case)
    h = table.position.hex_of(hq)
    if h is not None:
        yield from entered(table, hq, [h], placed=True)


def _score(table: Table, hq: str) -> Iterator[Fact]:
    rows = table.data.tables["victory"]
    row = rows["german_relocation"] if table.unit(hq).side == AXIS else rows["soviet_relocation"]
    yield from add(table, "vp_relocations", row["points"], row["case"])


def must_relocate(table: Table, hq: str, case: str) -> Procedure:
    """14.1(2), 14.1(3): the owner says where; with no legal hex the HQ waits off the map."""
    if not refuges(table, hq):
        yield from _score(table, hq)
        yield from _off(table, hq, case)
        return
    order = yield _ask(table, hq, case)
    yield from relocate(table, hq, order.to, case)


def _off(table: Table, hq: str, case: str) -> Iterator[Fact]:
    yield Placed(unit=hq, at=OFF_MAP, because=case)
    for mark in sorted(table.position.marks.get(hq, {})):
        yield Marked(subject=hq, mark=mark, value=None, because=case)
    yield Told(text=f"There is no hex for {hq}; it waits off the map.", because="14.2(1)")
    yield from settle(table)


def come_back(table: Table) -> Procedure:
    """14.2(1): at the start of a turn HQs that waited off the map return if they can."""
    for unit in table.roster:
        if table.position.where.get(unit.id) == OFF_MAP and refuges(table, unit.id):
            order = yield _ask(table, unit.id, "14.2(1)")
            yield from relocate(table, unit.id, order.to, "14.2(1)", scores=False)


def best_refuge(table: Table, hq: str) -> Hex:
    """The nearest legal hex, and among those the one with the most friends in range."""
    side, here = table.unit(hq).side, table.position.hex_of(hq)
    reach = table.position.value(hq, "range")

    def badness(h: Hex) -> tuple[int, int, str]:
        friends = (hexset.within(table.grid, 1 << h, reach) & held(table, side)).bit_count()
        far = table.grid.distance(here, h) if here is not None else 0
        return far, -friends, number(table, h)

    return min(hexset.members(refuges(table, hq)), key=badness)


def _ask(table: Table, hq: str, case: str) -> Ask:
    side = table.unit(hq).side
    seen = table.seen_by(side)
    spot = table.position.where[hq]
    what, away = "must be relocated", f"at least {_least(table)} hexes away, "
    if spot == OFF_MAP:
        what, away = "comes back", ""
    return Ask(
        side=side,
        name="relocate",
        subject=f"{spot} {hq}",
        prompt=f"{hq} {what}: {away}with a line, out of enemy zones of control",
        verbs=(Relocate,),
        check=partial(check_relocation, seen, hq),
        offers=lambda: [pick(Relocate, "to", lambda: numbers(seen, refuges(seen, hq)), hq=hq)],
        default=lambda: Relocate(hq=hq, to=number(seen, best_refuge(seen, hq))),
        case=case,
        passable=True,
        units=(hq,),
    )


def headquarters(table: Table, side: str) -> list[str]:
    """The HQs of a side on the map."""
    return [unit for unit in table.position.on_map(side) if is_hq(table, unit)]
