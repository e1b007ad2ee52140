"""The boundary between the Soviet Fronts (22.11): how far a unit may go beyond it, and how it is moved."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers
from engine.table import kept_for_good, kept_while_marked
from games.jaws.data import SOVIET, Table
from games.jaws.orders.events import Boundary
from games.jaws.orders.turn import End
from games.jaws.rules.stalin import in_force
from games.jaws.rules.units import front, standing, units_in

FRONT = "front"  # a hex's mark: the Front that it was given to
WEST, EAST = "1Uk", "2Uk"


@kept_for_good
def printed(table: Table) -> HexSet:
    """The hexes of 1Uk's side when the scenario begins: up to the line's column in each row."""
    points = [(int(spot[:2]), int(spot[2:])) for spot in table.data.tables["boundary"]["line"]]
    last: dict[int, int] = {}
    for (column, row), (other, end) in pairwise(points):
        for r in range(row, end + 1):
            last[r] = column + round((other - column) * (r - row) / (end - row))
    land = hexset.members(table.data.land)
    return hexset.of(h for h in land if int((spot := number(table, h))[:2]) <= last[int(spot[2:])])


@kept_while_marked
def grounds(table: Table, mark: str) -> dict[str, HexSet]:
    """The ground of each Front as the line runs now (`mark` is that of hexes given over)."""
    west = printed(table)
    for subject, marks in table.position.marks.items():
        if mark in marks:
            bit = 1 << table.grid.hex(subject[1:])
            west = west | bit if marks[mark] == WEST else west & ~bit
    return {WEST: west, EAST: table.data.land & ~west}


@kept_while_marked
def open_ground(table: Table, mark: str, name: str) -> HexSet:
    """22.11: where the units of a Front may end a move: its own ground, and two hexes beyond the line."""
    return hexset.within(table.grid, grounds(table, mark)[name], table.data.tables["boundary"]["beyond"])


def runs(table: Table) -> bool:
    """Whether the scenario has a boundary at all."""
    return table.data.scenario["state"]["boundary"]["runs"]


def allowed(table: Table, side: str, units: Sequence[str], start: Hex) -> HexSet:
    """22.11: where units may end a move or an advance; who is too far beyond may come nearer."""
    found = table.data.land
    if in_force(table):  # 18.13-a
        return found
    fronts = {front(table, table.unit(unit)) for unit in units} - {""} if side == SOVIET and runs(table) else set()
    for name in fronts:  # 18.1: partisans have none
        near = open_ground(table, FRONT, name)
        found &= near if near >> start & 1 else near | _nearer(table, name, start)
    return found


def _nearer(table: Table, name: str, start: Hex) -> HexSet:
    """The hexes that lie nearer to a Front's ground than one beyond it."""
    reached = grounds(table, FRONT)[name]
    while reached:
        wider = hexset.within(table.grid, reached, 1)
        if wider >> start & 1 or wider == reached:
            return reached
        reached = wider
    return 0


def check_end(table: Table, side: str, units: Sequence[str], start: Hex, end: Hex) -> None:
    """Raises Illegal."""
    if not allowed(table, side, units, start) >> end & 1:
        far, spot = table.data.tables["boundary"]["beyond"], number(table, end)
        raise Illegal("22.11", f"{spot} lies more than {far} hexes beyond the boundary of {units[0]}'s Front",
                      unit=units[0], at=spot)  # fmt: skip


# 3.2-E1D


def holders(table: Table, h: Hex) -> set[str]:
    """The Fronts whose units stand in a hex."""
    return {front(table, table.unit(unit)) for unit in units_in(table, h, SOVIET)}


def shiftable(table: Table) -> dict[str, str]:
    """The hexes along the line that can be given over, with the Front that gains each: its units stand in the hex, or
    next to it with nobody else there."""
    found = {}
    for name, other in ((WEST, EAST), (EAST, WEST)) if runs(table) else ():
        ground = grounds(table, FRONT)
        rim = hexset.within(table.grid, ground[name], 1) & ground[other] & ~standing(table, table.enemy(SOVIET))
        for h in hexset.members(rim & hexset.within(table.grid, standing(table, SOVIET), 1)):
            here = holders(table, h)
            near = any(holders(table, n) == {name} for n in table.grid.neighbours(h))
            if here == {name} or (not here and near):
                found[number(table, h)] = name
    return found


def check_boundary(table: Table, order: Boundary) -> None:
    """Raises Illegal."""
    able = shiftable(table)
    for spot in order.hexes:
        if spot not in able:
            raise Illegal("22.11", f"{spot} is not along the boundary, or not in the other Front's hands", at=spot,
                          instead="These can be given over", alternatives=sorted(able))  # fmt: skip


def shifted(table: Table, order: Boundary) -> Iterator[Fact]:
    """The line moves by one hex where it was said."""
    able, west = shiftable(table), printed(table)
    for spot in dict.fromkeys(order.hexes):
        was = WEST if west >> table.grid.hex(spot) & 1 else EAST
        value = None if able[spot] == was else able[spot]
        yield Marked(subject=f"@{spot}", mark=FRONT, value=value, because="22.11")


def boundary_segment(table: Table, side: str, onward: tuple[type[Order], ...]) -> Procedure:
    """3.2-E1D: once in a turn."""
    if not in_force(table) and shiftable(table):
        order = yield _ask(table, onward)
        if isinstance(order, Boundary):
            yield from shifted(table, order)


def _check(table: Table, order: Order) -> None:
    if isinstance(order, Boundary):
        check_boundary(table, order)


def _joined(first: Order, second: Order) -> Order | None:
    """Two lines that move the boundary are one answer."""
    if isinstance(first, Boundary) and isinstance(second, Boundary):
        return Boundary(hexes=tuple(dict.fromkeys((*first.hexes, *second.hexes))))
    return None


def _ask(table: Table, onward: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(SOVIET)

    def more(given: Given) -> list[str]:
        return [spot for spot in numbers(seen, hexset.of(map(seen.grid.hex, shiftable(seen))))
                if spot not in given.get("hexes", ())]  # fmt: skip

    return Ask(
        side=SOVIET,
        name="boundary",
        subject=SOVIET,
        prompt="hexes along the boundary that go to the other Front; `end` leaves it",
        verbs=(Boundary, End),
        check=partial(_check, seen),
        offers=lambda: [Choice(End), gather(Boundary, "hexes", more)],
        default=End,
        case="22.11",
        top=True,
        onward=onward,
        course="events",
        join=_joined,
    )
