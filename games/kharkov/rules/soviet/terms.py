"""The terms of Soviet activations (9.3): surrounded, nearly surrounded, proximate, closer; each one function."""

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import place, units_at
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, field, supposed, zone
from games.kharkov.rules.ground import full, is_dispersed, is_isolated, is_ready, on_map
from games.kharkov.rules.reach import Legs, legs, reach

KEPT = 1 << 14


def around(data: Data, h: Hex) -> HexSet:
    """9.3-adjacent: the hexes next to one, not over a blocked hexside."""
    return hexset.across(data.board.grid, 1 << h, data.open_sides) & data.board.land


def surrounded(data: Data, now: Field, h: Hex, side: str) -> bool:
    """9.3-surround: every adjacent hex is enemy-occupied or in an enemy zone, whatever friends stand there."""
    enemy = SOVIET if side == GERMAN else GERMAN
    return not around(data, h) & ~(now.held(enemy) | now.zoc(enemy))


def ringed(data: Data, now: Field) -> HexSet:
    """The German hexes that are surrounded."""
    return hexset.of(h for h in hexset.members(now.german) if surrounded(data, now, h, GERMAN))


# Who can get where.


@kept
def movers(table: Table, side: str) -> tuple[tuple[str, Legs, Hex], ...]:
    """The undispersed units of a side with how they go: regular movement, supply states counted (9.3-proximate)."""
    garrisons = field(table).garrisons if side == GERMAN else 0
    found = []
    for unit in on_map(table, side):
        if is_dispersed(table, unit):
            continue
        here = place(table, unit)
        near = zone(table.grid, 1 << here) & garrisons if is_ready(table, unit) else 0
        found.append((unit, legs(table, unit, ignoring=near), here))
    return tuple(found)


def proximate(table: Table, unit: str, now: Field | None = None) -> HexSet:
    """9.3-proximate: the hexes that a unit could move into in this activation, its own among them."""
    here = place(table, unit)
    how = next((how for mover, how, _ in movers(table, table.unit(unit).side) if mover == unit), None)
    if how is None:
        return 1 << here
    can = reach(table.data, now or field(table), how, here)
    return can & ~_no_room(table, unit) | 1 << here


def _no_room(table: Table, unit: str) -> HexSet:
    return full(table, table.unit(unit).side, table.position.steps_left(unit))


def threat(table: Table, side: str, now: Field | None = None) -> HexSet:
    """The hexes that some undispersed unit of a side could move into."""
    now = now or field(table)
    return hexset.union(
        reach(table.data, now, how, here) & ~_no_room(table, unit) | 1 << here
        for unit, how, here in movers(table, side)
        if now.held(side) >> here & 1
    )


def german_near(table: Table, h: Hex, now: Field | None = None) -> bool:
    """9.3-proximate: whether a German unit is proximate to an empty, garrisoned or Soviet hex.

    To a hex that is garrisoned, or held by Soviets, who can move next to it is proximate.
    """
    now = now or field(table)
    can = threat(table, GERMAN, now)
    if (now.soviet | now.garrisons) >> h & 1:
        return bool(can & (around(table.data, h) | 1 << h))
    return bool(can >> h & 1)


def nearly_surrounded(table: Table, unit: str, at: Hex | None = None, now: Field | None = None) -> bool:
    """9.3-nearly: whether one move of an undispersed German could surround a Soviet unit; never on its own edge."""
    data = table.data
    here = place(table, unit) if at is None else at
    now = now or (field(table) if at is None else supposed(table, unit, at))
    if data.edges[SOVIET] >> here & 1:
        return False
    ring = around(data, here)
    if not ring & ~(now.german | now.german_zoc):
        return True
    return any(_closes(table, now, ring, unit_, how, spot) for unit_, how, spot in movers(table, GERMAN))


def _closes(table: Table, now: Field, ring: HexSet, unit: str, how: Legs, spot: Hex) -> bool:
    """Whether a German unit could go where it closes a ring: what the others leave open must be its hex or its zone."""
    held, zoc = _without(table, now, unit, spot)
    open_ = ring & ~(held | zoc)
    if open_.bit_count() > (1 if is_isolated(table, unit) else 7):
        return False
    can = reach(table.data, now, how, spot) & ~_no_room(table, unit)
    grid = table.grid
    for h in hexset.members(open_):
        can &= 1 << h if is_isolated(table, unit) else 1 << h | zone(grid, 1 << h)
        if not can:
            return False
    return True


def _without(table: Table, now: Field, unit: str, spot: Hex) -> tuple[HexSet, HexSet]:
    """What the Germans hold and control once one of them is lifted off."""
    others = [other for other in units_at(table, spot, GERMAN) if other != unit]
    held = now.german if others else now.german & ~(1 << spot)
    control = now.german_control
    if all(is_isolated(table, other) for other in others):
        control &= ~(1 << spot)
    return held, zone(table.grid, control) & table.board.land


# How far.


@lru_cache(maxsize=KEPT)
def _distances(data: Data, h: Hex) -> dict[Hex, int]:
    layers = hexset.distance_layers(data.board.grid, 1 << h, data.board.land, sides=data.open_sides)
    return {there: far for far, layer in enumerate(layers) for there in hexset.members(layer)}


FARTHEST = 999


def distance(data: Data, here: Hex, there: Hex) -> int:
    """9.3-closer: hexes, whatever the ground and whoever stands there, but not over a blocked hexside."""
    return _distances(data, there).get(here, FARTHEST)


def nearest(data: Data, here: Hex, hexes: HexSet) -> int:
    """How far the nearest of these hexes is."""
    far, seen = 0, 1 << here
    while not seen & hexes:
        wider = seen | hexset.across(data.board.grid, seen, data.open_sides) & data.board.land
        if wider == seen:
            return FARTHEST
        far, seen = far + 1, wider
    return far


def westward(data: Data, h: Hex) -> float:
    """How far west a hex lies: its place in the row, half a hex more in even rows (9.24)."""
    number = data.board.grid.number_of(h)
    return int(number[2:]) + (0.5 if int(number[:2]) % 2 == 0 else 0.0)


def southward(data: Data, h: Hex) -> int:
    return int(data.board.grid.number_of(h)[:2])
