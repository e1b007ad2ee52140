"""Where a unit can go (10.0): by movement points, in half points, over a field that may be supposed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rules.marks import game_mark
from engine.rules.movement import Exits, closed_to, cost_of_step
from games.kharkov.data import GERMAN, HALF, SOVIET, Data, Table
from games.kharkov.rules.fields import Field, zone
from games.kharkov.rules.ground import ISOLATED, OUT, is_mech, supply_state

KEPT = 1 << 15
MUD = "light mud"
FAR = 99  # hexes: as far as points go


@dataclass(frozen=True)
class Legs:
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
    mech = is_mech(table, unit)
    points = table.position.value(unit, "move")
    if strategic and not mech:
        points += table.data.tables["movement"]["infantry_strategic"]
    mud = game_mark(table, "ground") == MUD
    state = supply_state(table, unit)
    return Legs(table.unit(unit).side, mech, points * HALF, state, mud, strategic, edge, ignoring)


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


def beside_enemies(data: Data, now: Field) -> HexSet:
    """10.6: next to a Soviet unit, which over a blocked hexside it is not (9.3-adjacent), or to a garrison."""
    grid = data.board.grid
    return hexset.across(grid, now.soviet, data.open_sides) | zone(grid, now.garrisons)


def _shut(data: Data, now: Field, how: Legs) -> HexSet:
    """The hexes that a unit may not enter."""
    enemy = now.german if how.side == SOVIET else now.soviet | now.garrisons & ~how.ignoring
    if how.strategic:  # 10.6: never next to an enemy on the way
        enemy |= beside_enemies(data, now) | now.soviet_towns
    if how.state == ISOLATED:
        enemy |= now.german_towns if how.side == SOVIET else now.soviet_towns  # 13.22
    return enemy


@lru_cache(maxsize=KEPT)
def _ground(data: Data, now: Field, how: Legs) -> tuple[Exits, HexSet, HexSet]:
    """The exits open to a unit, the enemy's zone, and all hexes in which it must stop (10.1)."""
    grid = data.board.grid
    if how.side == SOVIET:
        zoc, stop = now.german_zoc, now.german_zoc | now.german_towns
    else:
        near = hexset.spread(grid, now.garrisons & ~how.ignoring)  # 10.1-c
        zoc, stop = now.soviet_zoc, now.soviet_zoc | now.soviet_towns | near
    return closed_to(grid, _exits(data, how.mech, how.mud, how.strategic), _shut(data, now, how)), zoc, stop


@lru_cache(maxsize=KEPT)
def reach(data: Data, now: Field, how: Legs, here: Hex) -> HexSet:
    """Every hex that a unit can get to, the one it stands in among them; room for it is not looked at."""
    exits, zoc, stop = _ground(data, now, how)
    start, most = 1 << here, _hexes(data, how)
    if not most or (how.state == ISOLATED and zoc & start):
        return start  # 13.22: not out of an enemy zone
    layers = [0] * (how.points + 1)
    for there, spent in _first_steps(data, now, how, here).items():
        layers[spent] |= 1 << there
    if most > 1:
        layers = _farther(data.board.grid, layers, exits, stop, once=most == 2)
    return start | hexset.union(layers)


def _farther(grid: Grid, layers: list[HexSet], exits: Exits, stop: HexSet, *, once: bool) -> list[HexSet]:
    """The layers of what is reached from these, by points spent; one step farther only, or as far as points go."""
    found, seen = list(layers), 0
    for spent in range(len(layers)):
        new = (layers if once else found)[spent] & ~seen
        seen |= new
        leaving = new & ~stop
        for cost, sides in exits.items() if leaving else ():
            if spent + cost < len(found):
                found[spent + cost] |= hexset.across(grid, leaving, sides)
    return found


def _hexes(data: Data, how: Legs) -> int:
    """13.21, 13.22: how many hexes a unit may go at the most."""
    rules = data.tables["movement"]
    if how.state == ISOLATED:
        return 0 if how.mech else rules["isolated_foot"]
    return rules["out_of_supply_mech"] if how.state == OUT and how.mech else FAR


def _first_steps(data: Data, now: Field, how: Legs, here: Hex) -> dict[Hex, int]:
    """The neighbours that a unit can enter, with the half points spent there: one hex is always allowed (10.0-b)."""
    _, zoc, _ = _ground(data, now, how)
    shut, costs = _shut(data, now, how), dict(_steps(data, how.mech, how.mud, how.strategic)[here])
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
        elif _ferried(data, now, how, here, there):
            found[there] = how.points
    return found


def walks(data: Data, now: Field, how: Legs, path: Sequence[Hex]) -> bool:
    """Whether a unit can go just this way, both ends included."""
    exits, _, stop = _ground(data, now, how)
    if len(path) - 1 > _hexes(data, how) or (how.state == ISOLATED and _ground(data, now, how)[1] >> path[0] & 1):
        return False
    spent = _first_steps(data, now, how, path[0]).get(path[1])
    for here, there in pairwise(path[1:]):
        step = cost_of_step(exits, data.board.grid, here, there)
        if spent is None or step is None or stop >> here & 1:
            return False
        spent += step
    return spent is not None and spent <= how.points


def _ferried(data: Data, now: Field, how: Legs, here: Hex, there: Hex) -> bool:
    """10.31: the unbridged Dniepr takes the whole allowance."""
    direction = data.board.grid.direction(here, there)
    wide = direction is not None and bool(data.wide[direction] >> here & 1)
    return wide and not _shut(data, now, how) >> there & 1


def way(data: Data, now: Field, how: Legs, here: Hex, there: Hex) -> list[Hex]:
    """One cheapest way, both ends included (9.2-c); empty if there is none."""
    _, _, stop = _ground(data, now, how)
    shut, onward_of, most = _shut(data, now, how), _steps(data, how.mech, how.mud, how.strategic), _hexes(data, how)
    first = _first_steps(data, now, how, here)
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
