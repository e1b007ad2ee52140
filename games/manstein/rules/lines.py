"""Communication lines (3.3), and their rail-only form for reinforcements (12.1)."""

from __future__ import annotations

from engine import hexset
from engine.hexset import HexSet
from engine.rules import supply, zones
from engine.rules.ground import held, held_without
from engine.rules.marks import marked
from engine.table import kept, kept_while_still
from games.manstein.data import Table
from games.manstein.rules.ground import SOVIET, enemy_zoc

AIRHEAD = "airhead"
OWN_GROUND = "own ground"  # 12.1(1), 14.2(1) as they are read unless the option says otherwise
FARTHER = "the enemy's units, sources and cities are nearer to it than your own"


def sources(table: Table, side: str) -> HexSet:
    """2.1.2, 13.2(2): where lines end: the map's sources, and the airborne bridgehead as long as it stands."""
    found = table.data.area(table.data.scenario["sources"][side]["area"])
    return found | _airheads(table) if side == SOVIET else found


@kept_while_still(AIRHEAD)
def _airheads(table: Table) -> HexSet:
    return hexset.of(table.grid.hex(subject[1:]) for subject in marked(table, AIRHEAD))


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


@kept
def own_ground(table: Table, side: str, *lifted: str) -> HexSet:
    """12.1(1), 14.2(1): where units and HQs are put down: no enemy unit, source or city is nearer than one's own."""
    if table.data.switch["placement"] != OWN_GROUND:
        return table.grid.everything
    enemy = table.enemy(side)
    ours = held_without(table, side, lifted) | sources(table, side) | cities_of(table, side)
    theirs = held(table, enemy) | sources(table, enemy) | cities_of(table, enemy)
    found = nearer = 0
    while new := ours & ~nearer & ~found:
        found |= new
        nearer, theirs, ours = theirs, hexset.spread(table.grid, theirs), hexset.spread(table.grid, ours)
    return found


@kept
def rail_lines(table: Table, side: str) -> HexSet:
    """12.1: railroad hexes joined by rail to a source, none in an enemy zone, nor through an enemy city."""
    enemy = table.enemy(side)
    shut = held(table, enemy) | enemy_zoc(table, side) | cities_of(table, enemy)
    return hexset.flood(table.grid, sources(table, side), table.data.rail_hexes & ~shut, table.data.rails)


def railheads(table: Table, side: str) -> HexSet:
    """12.1(1): the hexes of rail lines in which reinforcements are placed."""
    return rail_lines(table, side) & own_ground(table, side)
