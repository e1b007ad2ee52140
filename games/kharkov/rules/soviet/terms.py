"""The terms of Soviet activations (9.3): surrounded, nearly surrounded, proximate, closer; each one function."""

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import place, units_at
from engine.table import kept_while_side_still, kept_while_still
from games.kharkov.data import GERMAN, HALF, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, field, supposed, zone
from games.kharkov.rules.ground import (
    DISPERSED,
    GARRISON,
    full,
    is_dispersed,
    is_isolated,
    is_supplied,
    on_map,
)
from games.kharkov.rules.reach import Legs, legs, reach
from games.kharkov.rules.supply import supplied

KEPT = 1 << 14


@lru_cache(maxsize=KEPT)
def around(data: Data, h: Hex) -> HexSet:
    """9.3-adjacent: the hexes next to one, not over a blocked hexside."""
    return hexset.across(data.board.grid, 1 << h, data.open_sides) & data.board.land


@lru_cache(maxsize=KEPT)
def ring_of(data: Data, h: Hex) -> HexSet:
    """Every hex that shares a hexside with one: hexes are adjacent even where units are not (9.3-adjacent)."""
    return zone(data.board.grid, 1 << h) & data.board.land


@lru_cache(maxsize=KEPT)
def _ball(data: Data, h: Hex, points: int) -> HexSet:
    """No unit gets farther than its points, a hex each on a road; the first hex is always allowed (10.0-b)."""
    return hexset.within(data.board.grid, 1 << h, max(1, points // HALF))


def surrounded(data: Data, now: Field, h: Hex, side: str) -> bool:
    """9.3-surround: every adjacent hex is enemy-occupied or in an enemy zone, whatever friends stand there."""
    enemy = SOVIET if side == GERMAN else GERMAN
    return not ring_of(data, h) & ~(now.held(enemy) | now.zoc(enemy))


@lru_cache(maxsize=KEPT)
def ringed(data: Data, now: Field) -> HexSet:
    """The German hexes that are surrounded: no hex beside them is free of Soviets and their zones."""
    free = data.board.land & ~(now.soviet | now.soviet_zoc)
    return now.german & ~zone(data.board.grid, free)


# Who can get where.


@kept_while_side_still("supply", DISPERSED, GARRISON, "ground")
def movers(table: Table, side: str) -> tuple[tuple[str, Legs, Hex], ...]:
    """The undispersed units of a side with how they go: regular movement, supply states counted (9.3-proximate)."""
    units = (unit for unit in on_map(table, side) if not is_dispersed(table, unit))
    return tuple((unit, _legs_of(table, unit), place(table, unit)) for unit in units)


def _legs_of(table: Table, unit: str) -> Legs:
    """A German would remove the garrisons next to him."""
    if table.unit(unit).side == SOVIET:
        return legs(table, unit)
    return legs(table, unit, ignoring=ring_of(table.data, place(table, unit)) & field(table).garrisons)


def proximate(table: Table, unit: str, now: Field | None = None) -> HexSet:
    """9.3-proximate: the hexes that a unit could move into in this activation, its own among them."""
    here = place(table, unit)
    if is_dispersed(table, unit):
        return 1 << here
    can = reach(table.data, now or field(table), _legs_of(table, unit), here)
    return can & ~_no_room(table, unit) | 1 << here


def _no_room(table: Table, unit: str) -> HexSet:
    return full(table, table.unit(unit).side, table.position.steps_left(unit))


def _german_reach(table: Table, now: Field, unit: str, how: Legs, spot: Hex) -> HexSet:
    """Where a German could go."""
    return reach(table.data, now, how, spot) & ~_no_room(table, unit) | 1 << spot


@kept_while_still("supply", DISPERSED, GARRISON, "ground", owners=True)
def _german_threat(table: Table) -> HexSet:
    """Where some German could go as things stand."""
    now = field(table)
    return hexset.union(_german_reach(table, now, unit, how, spot) for unit, how, spot in movers(table, GERMAN))


def german_near(table: Table, h: Hex, now: Field | None = None, *, ready: bool = False) -> bool:
    """9.3-proximate: whether a German unit (a supplied one, if `ready`) is proximate to a hex that is not German.

    To a hex that is garrisoned, or held by Soviets, who is or can move next to it is proximate.
    """
    base = field(table)
    now = now or base
    data = table.data
    close = 1 << h
    if (now.soviet | now.garrisons) >> h & 1:
        close |= around(data, h)
        beside = hexset.members(now.german & close)
        if any(not ready or is_supplied(table, unit) for there in beside for unit in units_at(table, there, GERMAN)):
            return True
    if now is base and not ready:
        return bool(_german_threat(table) & close)
    return any(
        _german_reach(table, now, unit, how, spot) & close
        for unit, how, spot in movers(table, GERMAN)
        if _ball(data, spot, how.points) & close and (not ready or is_supplied(table, unit))
    )


@kept_while_still("supply", DISPERSED, GARRISON, "ground", owners=True)
def _threatened(table: Table) -> HexSet:
    """The Soviet towns to which a German is proximate as things stand."""
    now = field(table)
    return hexset.of(h for h in hexset.members(now.soviet_towns) if german_near(table, h))


@kept_while_side_still("supply", DISPERSED, GARRISON, "ground")
def _german_legs(table: Table, side: str) -> HexSet:
    """No German gets farther, wherever the Soviets are."""
    return hexset.union(_ball(table.data, spot, how.points) for _, how, spot in movers(table, side))


def exposes(table: Table, now: Field, then: Field) -> bool:
    """9.23.b: whether a move opens an empty or garrisoned Soviet town to a German, or (4+) to German supply.

    A town that is left empty by the move was not in that situation before, whoever stood next to it.
    """
    data, grid = table.data, table.grid
    left = now.soviet & ~then.soviet
    opened = left | now.soviet_zoc & ~then.soviet_zoc | hexset.spread(grid, now.garrisons & ~then.garrisons)
    towns = then.soviet_towns & ~then.soviet
    if not opened or not towns:
        return False
    if data.on("expose_by_supply", table.position.turn):
        before = supplied(data, now, GERMAN) & ~left
        if supplied(data, then, GERMAN) & ~before & towns:
            return True
    fresh = towns & (left | ~_threatened(table))
    if not _german_legs(table, GERMAN) & opened:
        return any(german_near(table, h, then) for h in hexset.members(fresh & left))
    return any(german_near(table, h, then) for h in hexset.members(fresh))


# Surrounded by one move more.


def nearly_surrounded(table: Table, unit: str, at: Hex | None = None, now: Field | None = None) -> bool:
    """9.3-nearly: whether one move of an undispersed German could surround a Soviet unit; never on its own edge."""
    data = table.data
    here = place(table, unit) if at is None else at
    now = now or (field(table) if at is None else supposed(table, unit, at))
    if data.edges[SOVIET] >> here & 1:
        return False
    ring = ring_of(data, here)
    gaps = ring & ~(now.german | now.german_zoc)
    if not gaps:
        return True
    close = hexset.within(table.grid, 1 << here, 2)
    closing = _closing(data, gaps)
    for german, how, spot in movers(table, GERMAN):
        isolated = is_isolated(table, german)
        if close >> spot & 1 or isolated:
            own = _left_open(table, now, ring, german, spot)
            can = (own if own.bit_count() == 1 else 0) if isolated else _closing(data, own)
        else:
            can = closing
        can &= _ball(data, spot, how.points)
        if can and can & _german_reach(table, now, german, how, spot):
            return True
    return False


@lru_cache(maxsize=KEPT)
def _closing(data: Data, gaps: HexSet) -> HexSet:
    """The hexes from which one unit with a zone of control closes all gaps of a ring."""
    found = data.board.land
    for h in hexset.members(gaps):
        found &= 1 << h | ring_of(data, h)
    return found


def _left_open(table: Table, now: Field, ring: HexSet, unit: str, spot: Hex) -> HexSet:
    """The gaps of a ring once one German is lifted off the map."""
    others = [other for other in units_at(table, spot, GERMAN) if other != unit]
    held = now.german if others else now.german & ~(1 << spot)
    control = now.german_control
    if all(is_isolated(table, other) for other in others):
        control &= ~(1 << spot)
    return ring & ~(held | zone(table.grid, control))


# How far.


@lru_cache(maxsize=KEPT)
def distances(data: Data, h: Hex) -> dict[Hex, int]:
    layers = hexset.distance_layers(data.board.grid, 1 << h, data.board.land, sides=data.open_sides)
    return {there: far for far, layer in enumerate(layers) for there in hexset.members(layer)}


FARTHEST = 999


def distance(data: Data, here: Hex, there: Hex) -> int:
    """9.3-closer: hexes, whatever the ground and whoever stands there, but not over a blocked hexside."""
    return distances(data, there).get(here, FARTHEST)


@lru_cache(maxsize=512)
def _nearest(data: Data, hexes: HexSet) -> dict[Hex, int]:
    layers = hexset.distance_layers(data.board.grid, hexes, data.board.land, sides=data.open_sides)
    return {there: far for far, layer in enumerate(layers) for there in hexset.members(layer)}


def nearest(data: Data, here: Hex, hexes: HexSet) -> int:
    """How far the nearest of these hexes is."""
    return _nearest(data, hexes).get(here, FARTHEST)


def westward(data: Data, h: Hex) -> float:
    """How far west a hex lies: its place in the row, half a hex more in even rows (9.24)."""
    number = data.board.grid.number_of(h)
    return int(number[2:]) + (0.5 if int(number[:2]) % 2 == 0 else 0.0)


def southward(data: Data, h: Hex) -> int:
    return int(data.board.grid.number_of(h)[:2])
