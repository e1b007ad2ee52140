"""Where a unit can go (10.0): by movement points, in half points, over a field that may be supposed."""

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rules.marks import game_mark
from engine.rules.movement import Exits, closed_to, cost_of_step
from engine.table import kept_for_good
from games.kharkov.data import GERMAN, HALF, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, zone
from games.kharkov.rules.ground import ISOLATED, OUT, is_mech, supply_state

KEPT = 1 << 15
MUD = "light mud"
FAR = 99  # hexes: as far as points go


class Legs(NamedTuple):
    """How a unit goes: all that its way depends on besides the field."""

    side: str
    mech: bool
    points: int  # in half points
    state: str = ""  # out of supply, isolated (13.21, 13.22)
    mud: bool = False
    strategic: bool = False  # 10.6
    edge: bool = False  # 10.7: map-edge movement, in a German activation
    ignoring: HexSet = 0  # garrisons that this unit would remove (9.3-proximate)


def legs(table: Table, unit: str, *, strategic: bool = False, edge: bool = False, ignoring: HexSet = 0) -> Legs:
    """As a unit goes now."""
    mud, state = game_mark(table, "ground") == MUD, supply_state(table, unit)
    return Legs(
        *_points(table, unit, table.position.lost.get(unit, 0), strategic), state, mud, strategic, edge, ignoring
    )


@kept_for_good
def _points(table: Table, unit: str, lost: int, strategic: bool) -> tuple[str, bool, int]:
    """Whose it is, whether it is mechanized, and its half points with so many steps lost."""
    mech, points = is_mech(table, unit), table.unit(unit).value("move", lost)
    if strategic and not mech:
        points += table.data.tables["movement"]["infantry_strategic"]
    return table.unit(unit).side, mech, points * HALF


@lru_cache(maxsize=16)
def _exits(data: Data, mech: bool, mud: bool, strategic: bool) -> Exits:
    """TEC, 10.2, 10.3: what a step costs, enemies apart; the unbridged Dniepr is no step by points."""
    board, rules = data.board, data.tables["movement"]
    charts, rivers = data.tables["terrain"]["hex"], data.tables["terrain"]["hexside"]
    road = rules["strategic_road"] if strategic and mech else rules["road"]

    def cost(a: Hex, b: Hex) -> int | None:
        features = board.feature(a, b)
        if board.way(a, b):
            return int(road * HALF)
        if features & {"blocked", "dnieper"}:
            return None
        row = charts[data.terrain(b)]
        points = row["mech"] if mech else row["foot"]
        for feature in features:
            river = rivers[feature]
            if mud:
                points += river["mud_mech"] if mech else river["mud_foot"]
            else:
                points += river["mech"] if mech else river["foot"]
        return points * HALF

    return {cost_: tuple(sides) for cost_, sides in board.exits(cost).items()}


@lru_cache(maxsize=16)
def _steps(data: Data, mech: bool, mud: bool, strategic: bool) -> dict[Hex, list[tuple[Hex, int]]]:
    """The same hex by hex: every hex of the map that a step leads to, with its cost."""
    grid, land, exits = data.board.grid, data.board.land, _exits(data, mech, mud, strategic)
    found = {}
    for h in hexset.members(land):
        costs = ((there, cost_of_step(exits, grid, h, there)) for there in grid.neighbours(h) if land >> there & 1)
        found[h] = [(there, cost) for there, cost in costs if cost is not None]
    return found


def beside_enemies(data: Data, held: HexSet, garrisons: HexSet) -> HexSet:
    """10.6: next to a Soviet unit, which over a blocked hexside it is not (9.3-adjacent), or to a garrison."""
    grid = data.board.grid
    return hexset.across(grid, held, data.open_sides) | zone(grid, garrisons)


class Foe(NamedTuple):
    """What of the field stands in a unit's way."""

    held: HexSet
    zoc: HexSet
    towns: HexSet
    garrisons: HexSet


def _foe(now: Field, how: Legs, near: HexSet = -1) -> Foe:
    """As a unit meets it, in these hexes."""
    if how.side == SOVIET:
        return Foe(now.german & near, now.german_zoc & near, now.german_towns & near, 0)
    garrisons = now.garrisons & ~how.ignoring
    return Foe(now.soviet & near, now.soviet_zoc & near, now.soviet_towns & near, garrisons & near)


def _shut(data: Data, foe: Foe, how: Legs) -> HexSet:
    """The hexes that a unit may not enter."""
    enemy = foe.held | foe.garrisons
    if how.strategic:  # 10.6: never next to an enemy on the way
        enemy |= beside_enemies(data, foe.held, foe.garrisons) | foe.towns
    return enemy | foe.towns if how.state == ISOLATED else enemy  # 13.22


def _stop(data: Data, foe: Foe) -> HexSet:
    """The hexes in which a unit must stop (10.1), those beside a garrison too (10.1-c)."""
    return foe.zoc | foe.towns | hexset.spread(data.board.grid, foe.garrisons)


def _ground(data: Data, now: Field, how: Legs) -> tuple[Exits, HexSet, HexSet]:
    """The exits open to a unit, the enemy's zone, and all hexes in which it must stop."""
    foe = _foe(now, how)
    exits = closed_to(data.board.grid, _exits(data, how.mech, how.mud, how.strategic), _shut(data, foe, how))
    return exits, foe.zoc, _stop(data, foe)


def reach(data: Data, now: Field, how: Legs, here: Hex) -> HexSet:
    """Every hex that a unit can get to, the one it stands in among them; room for it is not looked at."""
    near = _within_legs(data, how.mech, how.mud, how.strategic, how.points, here)
    return _reach(data, _foe(now, how, near), how, here)


@lru_cache(maxsize=KEPT)
def _within_legs(data: Data, mech: bool, mud: bool, strategic: bool, points: int, here: Hex) -> HexSet:
    """No farther away does anything stand in a unit's way: as far as its points go at the cheapest, and beside it."""
    cheapest = min(_exits(data, mech, mud, strategic))
    return hexset.within(data.board.grid, 1 << here, max(1, points // cheapest) + 1)


@lru_cache(maxsize=KEPT)
def _reach(data: Data, foe: Foe, how: Legs, here: Hex) -> HexSet:
    start, most = 1 << here, _hexes(data, how)
    if not most or (how.state == ISOLATED and foe.zoc & start):
        return start  # 13.22: not out of an enemy zone
    layers = [0] * (how.points + 1)
    for there, spent in _first_steps(data, foe, how, here).items():
        layers[spent] |= 1 << there
    if most > 1:
        exits = _exits(data, how.mech, how.mud, how.strategic)
        layers = _farther(data.board.grid, layers, exits, _shut(data, foe, how), _stop(data, foe), once=most == 2)
    return start | hexset.union(layers)


def _farther(grid: Grid, layers: list[HexSet], exits: Exits, shut: HexSet, stop: HexSet, *, once: bool) -> list[HexSet]:
    """The layers of what is reached from these, by points spent; one step farther only, or as far as points go."""
    found, seen = list(layers), 0
    for spent in range(len(layers)):
        new = (layers if once else found)[spent] & ~seen
        seen |= new
        leaving = new & ~stop
        for cost, sides in exits.items() if leaving else ():
            if spent + cost < len(found):
                found[spent + cost] |= hexset.across(grid, leaving, sides) & ~shut
    return found


def _hexes(data: Data, how: Legs) -> int:
    """13.21, 13.22: how many hexes a unit may go at the most."""
    rules = data.tables["movement"]
    if how.state == ISOLATED:
        return 0 if how.mech else rules["isolated_foot"]
    return rules["out_of_supply_mech"] if how.state == OUT and how.mech else FAR


def _first_steps(data: Data, foe: Foe, how: Legs, here: Hex) -> dict[Hex, int]:
    """The neighbours that a unit can enter, with the half points spent there: one hex is always allowed (10.0-b)."""
    shut, zoc, costs = _shut(data, foe, how), foe.zoc, dict(_steps(data, how.mech, how.mud, how.strategic)[here])
    leaving = data.tables["movement"]["leave_zoc"] * HALF if zoc >> here & 1 else 0
    found = {}
    for there in data.board.grid.neighbours(here):
        if not data.board.land >> there & 1:
            continue
        step = None if shut >> there & 1 else costs.get(there)
        along = how.edge and bool(data.edges[GERMAN] >> here & data.edges[GERMAN] >> there & 1)  # 10.7
        if leaving and zoc >> there & 1 and not along:
            continue  # 10.1: not from one enemy zone to another
        if step is not None:
            found[there] = min(step + leaving, how.points)
        elif not shut >> there & 1 and _over_dniepr(data, foe, here, there):
            found[there] = how.points
    return found


def walks(data: Data, now: Field, how: Legs, path: Sequence[Hex]) -> bool:
    """Whether a unit can go just this way, both ends included."""
    exits, zoc, stop = _ground(data, now, how)
    if len(path) - 1 > _hexes(data, how) or (how.state == ISOLATED and zoc >> path[0] & 1):
        return False
    spent = _first_steps(data, _foe(now, how), how, path[0]).get(path[1])
    for here, there in pairwise(path[1:]):
        step = cost_of_step(exits, data.board.grid, here, there)
        if spent is None or step is None or stop >> here & 1:
            return False
        spent += step
    return spent is not None and spent <= how.points


def _ferried(data: Data, now: Field, how: Legs, here: Hex, there: Hex) -> bool:
    """10.31: the unbridged Dniepr takes the whole allowance."""
    return _over_dniepr(data, _foe(now, how), here, there)


def _over_dniepr(data: Data, foe: Foe, here: Hex, there: Hex) -> bool:
    direction = data.board.grid.direction(here, there)
    over = direction is not None and bool(data.wide[direction] >> here & 1)
    return over and not (foe.held | foe.garrisons) >> there & 1


def way(data: Data, now: Field, how: Legs, here: Hex, there: Hex) -> list[Hex]:
    """One cheapest way, both ends included (9.2-c); empty if there is none."""
    foe, most = _foe(now, how), _hexes(data, how)
    shut, stop, onward_of = _shut(data, foe, how), _stop(data, foe), _steps(data, how.mech, how.mud, how.strategic)
    first = _first_steps(data, foe, how, here)
    steps = enumerate(first.items() if most else ())
    heap: list[tuple[int, int, int, Hex, tuple[Hex, ...]]] = [(s, n, 1, h, (here, h)) for n, (h, s) in steps]
    heap.sort()
    count, done = len(heap), set[tuple[Hex, int]]()
    while heap:
        spent, _, hexes, h, path = heappop(heap)
        if h == there:
            return list(path)
        been = (h, hexes if most <= 2 else 0)
        if been in done or hexes >= most or stop >> h & 1:
            continue
        done.add(been)
        for onward, step in onward_of[h]:
            if spent + step <= how.points and not shut >> onward & 1:
                count += 1
                heappush(heap, (spent + step, count, hexes + 1, onward, (*path, onward)))
    return []
