"""Who controls what (3.4, 16.3): cities, crossing points, the airborne bridgehead, breakthrough hexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Counted, Fact, GameEnded, Marked, TookHex
from engine.hexes import Hex
from engine.rules.ground import held, number
from games.manstein.data import Table
from games.manstein.rules.ground import AXIS, SOVIET
from games.manstein.rules.lines import AIRHEAD, lines, take_rail
from games.manstein.rules.victory import points

ORDER = "absolute order"


def under_order(table: Table, h: Hex) -> bool:
    """16.2: whether an Absolute Order stands in a city."""
    return table.position.mark(f"@{number(table, h)}", ORDER) is not None


def counted_points(table: Table) -> int:
    """16.3: CP, the crossing points in Soviet hands, the airborne one included."""
    data = table.data
    row = data.tables["crossing_points"]
    soviet = {number(table, h) for h in data.crossings if controlled(table, h)}
    pair = set(row["kremencuk"]["points"])
    found = len(soviet)
    if data.switch["kremencuk"] == "one point" and pair <= soviet:
        found -= 1
    if table.position.tracks.get("airborne", 0):
        found += row["airborne"]["points"]
    return found


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
    """16.3(2)-b as the option reads it: a point once controlled from near by stays so until the Axis enter it."""
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
    """17.1(1)-g: once for each unit, when it goes into a breakthrough hex with a communication line."""
    if table.data.switch["breakthrough"] != "on entry" or table.position.mark(unit, "broke through") is not None:
        return
    area = table.data.area("breakthrough")
    if any(area >> h & 1 and lines(table, SOVIET) >> h & 1 for h in path):
        worth = table.data.tables["victory"]["breakthrough"]["points"]
        yield Marked(subject=unit, mark="broke through", value=1, because="17.1(1)-g")
        total = table.position.tracks.get("vp_breakthrough", 0) + worth
        yield Counted(track="vp_breakthrough", value=total, because="17.1(1)-g")
