"""Who controls what (3.4, 16.3): cities, crossing points, the airborne bridgehead, breakthrough hexes."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Fact, GameEnded, Marked, Noted, TookHex
from engine.hexes import Hex
from engine.rules.ground import held, number, place
from engine.rules.marks import marked
from games.manstein.data import Table
from games.manstein.rules.ground import AXIS, SOVIET
from games.manstein.rules.lines import AIRHEAD, lines, take_rail
from games.manstein.rules.victory import add, points, tracked

ORDER = "absolute order"
THROUGH = "broke through"
AWAITS = "awaits a line"  # a unit that went into a breakthrough hex and has none yet


def under_order(table: Table, h: Hex) -> bool:
    """16.2: whether an Absolute Order stands in a city."""
    return table.position.mark(f"@{number(table, h)}", ORDER) is not None


def counted_points(table: Table) -> int:
    """16.3: CP, the crossing points in Soviet hands, the airborne one included."""
    landed = table.data.tables["crossing_points"]["airborne"]["points"] if tracked(table, "airborne") else 0
    return sum(controlled(table, h) for h in table.data.crossings) + landed


def controlled(table: Table, h: Hex) -> bool:
    """16.3(2): whether a crossing point is Soviet: entered, near by with no Axis unit in it, or late in the game."""
    row = table.data.tables["crossing_points"]
    if table.position.owners.get(number(table, h)) == SOVIET:
        return True
    if held(table, AXIS) >> h & 1:
        return False
    return _near(table, h) or table.position.turn >= row["late"]["turn"]


def _near(table: Table, h: Hex) -> bool:
    """16.3(2)-b: a Soviet unit within two hexes; for the two of Kremenchug, one in the town."""
    row = table.data.tables["crossing_points"]
    if number(table, h) in row["kremencuk"]["points"]:
        return bool(held(table, SOVIET) >> table.grid.hex(row["kremencuk"]["city"]) & 1)
    return bool(hexset.within(table.grid, 1 << h, row["near"]["hexes"]) & held(table, SOVIET))


def settle(table: Table) -> Iterator[Fact]:
    """What units that came or went change far off: 17.1(1)-g, and 16.3(2)-b as the option reads it."""
    yield from _lines_opened(table)
    if table.data.switch["crossing_control"] != "lasting":
        return
    for h in table.data.crossings:
        spot = number(table, h)
        if table.position.owners.get(spot) != SOVIET and controlled(table, h):
            yield TookHex(hex=spot, side=SOVIET, because="16.3(2)-b")


def entered(table: Table, unit: str, path: Sequence[Hex], *, placed: bool = False) -> Iterator[Fact]:
    """3.4(2), 12.1(1), 13.2(2), 16.3(2)-a, 16.2(3): what a unit changes in hexes that it entered, or was placed in."""
    side = table.unit(unit).side
    for h in path:
        spot = number(table, h)
        yield from take_rail(table, side, h)
        if side == AXIS and table.position.mark(f"@{spot}", AIRHEAD) is not None:
            yield Marked(subject=f"@{spot}", mark=AIRHEAD, value=None, because="13.2(2)")
        city = bool(table.data.cities >> h & 1)
        if (city or h in table.data.crossings) and table.position.owners.get(spot) != side:
            case = "3.4(2)" if city else "16.3(2)-a"
            yield TookHex(hex=spot, side=side, because=case)
        if side == SOVIET and city and under_order(table, h):
            yield from _sudden_death(table, spot)
    if side == SOVIET and not placed:
        yield from _broke_through(table, unit, path)
    yield from settle(table)


def _sudden_death(table: Table, spot: str) -> Iterator[Fact]:
    """16.2(3): the result names the city, and whether it was taken from the air."""
    name = table.board.places[table.grid.hex(spot)].name
    how = "to paratroops " if table.position.stage == f"{SOVIET}.drop" else ""
    result = f"Soviet victory: {name} fell {how}under an Absolute Order"
    yield GameEnded(result=result, winner=SOVIET, points=((SOVIET, points(table)),), because="16.2(3)")


def _broke_through(table: Table, unit: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """17.1(1)-g: once for each unit, when it goes into a breakthrough hex and has its line, there and then or later."""
    if table.data.switch["breakthrough"] != "on entry" or table.position.mark(unit, THROUGH) is not None:
        return
    entered_of_it = table.data.area("breakthrough") & hexset.of(path)
    if not entered_of_it:
        return
    if entered_of_it & lines(table, SOVIET):
        yield Marked(subject=unit, mark=THROUGH, value=1, because="17.1(1)-g")
        yield from add(table, "vp_breakthrough", table.data.tables["victory"]["breakthrough"]["points"], "17.1(1)-g")
    elif entered_of_it >> path[-1] & 1:
        yield Noted(subject=unit, mark=AWAITS, because="17.1(1)-g")


def _lines_opened(table: Table) -> Iterator[Fact]:
    """17.1(1)-g: a unit that waits in a breakthrough hex has its line, or has left."""
    for unit in marked(table, AWAITS):
        h = place(table, unit)
        if (lines(table, SOVIET) | ~table.data.area("breakthrough")) >> h & 1:
            yield Noted(subject=unit, mark=AWAITS, value=None, because="17.1(1)-g")
            yield from _broke_through(table, unit, [h])
