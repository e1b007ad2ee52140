"""Communication lines (3.3), and their rail-only form for reinforcements (12.1)."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import supply, zones
from engine.rules.ground import held, held_without, number
from engine.rules.marks import marked
from engine.table import kept, kept_while_marked, kept_while_still
from games.manstein.data import Table
from games.manstein.rules.ground import AXIS, SOVIET, enemy_zoc

AIRHEAD = "airhead"
RAIL = "rail taken"  # a rail hex that the other side passed after the one that held it at the start


def sources(table: Table, side: str) -> HexSet:
    """2.1.2, 13.2(2): where lines end: the map's sources, and the airborne bridgehead as long as it stands."""
    found = table.data.area(table.data.scenario["sources"][side]["area"])
    return found | _marked_hexes(table, AIRHEAD) if side == SOVIET else found


@kept_while_marked
def _marked_hexes(table: Table, mark: str) -> HexSet:
    return hexset.of(table.grid.hex(subject[1:]) for subject in marked(table, mark))


@kept_while_still(AIRHEAD)
def lines(table: Table, side: str, *lifted: str) -> HexSet:
    """3.3: every hex from which a side can trace a line; `lifted` are units taken off the map for the question."""
    friends = held_without(table, side, lifted)
    open_ = zones.uncontrolled(table.data.passable, held(table, table.enemy(side)), enemy_zoc(table, side), friends)
    return supply.traced(table.grid, sources(table, side), open_, table.data.line_sides)


def has_line(table: Table, unit: str) -> bool:
    h = table.position.hex_of(unit)
    return h is not None and bool(lines(table, table.unit(unit).side) >> h & 1)


def cities_of(table: Table, side: str) -> HexSet:
    """3.4: the major cities that a side controls."""
    owners = table.position.owners
    return hexset.of(h for h in hexset.members(table.data.cities) if owners.get(table.grid.number_of(h)) == side)


def anywhere(table: Table) -> bool:
    """12.1(1), 14.2(1) as the option reads them: whoever held a railroad or a city, nobody is kept out of it."""
    return table.data.switch["placement"] == "any hex"


def own_rails(table: Table, side: str) -> HexSet:
    """12.1(1): the railroad hexes that a side held at the start or was the last to pass through."""
    axis = table.data.axis_ground ^ _marked_hexes(table, RAIL)
    return table.data.rail_hexes & (axis if side == AXIS else ~axis)


def take_rail(table: Table, side: str, h: Hex) -> Iterator[Fact]:
    """12.1(1): a unit in a rail hex of the enemy's takes it."""
    subject = f"@{number(table, h)}"
    taken = table.position.mark(subject, RAIL) is not None
    axis = bool(table.data.axis_ground >> h & 1) != taken
    if table.data.rail_hexes >> h & 1 and axis != (side == AXIS):
        yield Noted(subject=subject, mark=RAIL, value=None if taken else 1, because="12.1(1)")


@kept
def railheads(table: Table, side: str) -> HexSet:
    """12.1: hexes joined to a source by one's own railroad, none in an enemy zone, nor through an enemy city."""
    enemy = table.enemy(side)
    shut = held(table, enemy) | enemy_zoc(table, side) | cities_of(table, enemy)
    rails = table.data.rail_hexes if anywhere(table) else own_rails(table, side)
    return hexset.flood(table.grid, sources(table, side), rails & ~shut, table.data.rails)
