"""Supply of hexes (13.1), reserve supply (13.3), support (13.5) and the operational limit (9.8)."""

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import place
from engine.rules.marks import game_mark
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, field
from games.kharkov.rules.ground import FORWARD, bearing, front

KEPT = 1 << 14  # fields remembered: one Soviet activation tries some thousands


@lru_cache(maxsize=KEPT)
def supplied(data: Data, now: Field, side: str, reserve: bool = False) -> HexSet:
    """13.1, 13.3: every hex from which a side can trace supply, whoever stands there."""
    own_edge = data.edges[side] & ~now.held(_other(side))  # 13.1-b
    return own_edge | _traced(data, side, _passable(data, now, side, reserve))


def traced_past(data: Data, now: Field, zone: HexSet) -> HexSet:
    """The hexes from which Germans could trace supply if the Soviets controlled these, too."""
    return data.edges[GERMAN] & ~now.soviet | _traced(
        data, GERMAN, _passable(data, now, GERMAN, False) & (~zone | now.german)
    )


@lru_cache(maxsize=KEPT)
def _traced(data: Data, side: str, passable: HexSet) -> HexSet:
    """The hexes from which a path of supply leads over these to a head: most moves change nothing of it."""
    grid, rules = data.board.grid, data.tables["supply"]
    found = _heads(data, side, passable)
    near = hexset.union(hexset.distance_layers(grid, found, passable, rules["path"] - 1, data.near_sides))
    near_by = hexset.across(grid, near, data.near_sides) & data.board.land
    return found | near_by | _over_the_dniepr(data, found, passable)


def heads(data: Data, now: Field, side: str) -> HexSet:
    """13.1-c: the supply heads of a side."""
    return _heads(data, side, _passable(data, now, side, False))


def _heads(data: Data, side: str, passable: HexSet) -> HexSet:
    """13.1-c: friendly edge hexes, and roads that lead to one with a road off the map."""
    edge = data.edges[side] & passable
    return edge | hexset.flood(data.board.grid, edge & data.road_exits, passable, data.roads)


def _passable(data: Data, now: Field, side: str, reserve: bool) -> HexSet:
    """What a path may enter: no enemy unit or town, no garrison for Germans, enemy zones only beside a friend."""
    enemy = _other(side)
    friends = 0 if reserve else now.held(side)
    shut = now.held(enemy) | now.towns(enemy) | (now.garrisons if side == GERMAN else 0)
    return data.board.land & ~shut & (~now.zoc(enemy) | friends)


def _over_the_dniepr(data: Data, found: HexSet, passable: HexSet) -> HexSet:
    """13.1: a path over an unbridged Dniepr hexside is shorter."""
    grid, rules = data.board.grid, data.tables["supply"]
    most = min(rules["path"], rules["dnieper_path"])
    near = hexset.union(hexset.distance_layers(grid, found, passable, most - 1, data.open_sides))
    return hexset.across(grid, near, data.open_sides) & data.board.land


def _other(side: str) -> str:
    return SOVIET if side == GERMAN else GERMAN


def can_trace(table: Table, unit: str) -> bool:
    """Whether a unit can trace supply from where it stands."""
    side = table.unit(unit).side
    return bool(supplied(table.data, field(table), side) >> place(table, unit) & 1)


def in_supply(table: Table, side: str, h: Hex) -> bool:
    """13.0-b: whether a side could trace from a hex, with a unit of its own imagined there."""
    return bool(supplied(table.data, field(table), side) >> h & 1)


def reserve_supply(table: Table) -> HexSet:
    """13.3: never through a German zone, even where a Soviet unit stands."""
    return supplied(table.data, field(table), SOVIET, True)


# Support and the limit.


@kept
def supported(table: Table) -> HexSet:
    """13.51: the hexes in Soviet support."""
    data, turn = table.data, table.position.turn
    if not data.on("support_lines", turn):
        return table.board.land
    line = game_mark(table, "support line") or "West Line"
    markers = hexset.within(table.grid, bearing(table, FORWARD), data.tables["supply"]["support_marker"])
    return data.inside[line] | markers & table.board.land


def limit(table: Table, of: str) -> HexSet:
    """9.8: the hexes within the operational limit of a front; all while its objective stands, or before turn 6."""
    data = table.data
    if game_mark(table, f"{of} objective") or not data.on("limit", table.position.turn):
        return table.board.land
    near = table.position.tracks["vp"] < data.tables["levels"]["limit"]
    return data.inside["West Line" if near else "Far Line"]


def within_limit(table: Table, unit: str, h: Hex) -> bool:
    return bool(limit(table, front(table, unit)) >> h & 1)
