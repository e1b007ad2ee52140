"""How far units get (9.0, 10.2, 10.3): every hex, by the costs of terrain and of zones, past the enemy."""

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from operator import le
from typing import NamedTuple

from engine import hexset
from engine.hexes import Grid, Hex, opposite
from engine.hexset import HexSet, Sides
from engine.rules.ground import crosses, is_a, place
from engine.rules.marks import game_mark
from engine.rules.movement import Exits, closed_to, cost_of_step
from engine.table import kept, kept_under
from games.jaws.data import NO_SIDES, SIXTH, SOVIET, Data, Table, joined
from games.jaws.rules.allowance import STRATEGIC, TRUCK, How, allowance, class_of, spent, under_way
from games.jaws.rules.escorts import guards, is_escort
from games.jaws.rules.extension import IN_STEP, leash, twin
from games.jaws.rules.fords import may_ford, over_fords
from games.jaws.rules.ground import BRIDGE, MINES, bridged, exits, ground, marked_sides, open_fords
from games.jaws.rules.mines import ARMOR, FOOT, fields, meets, over_mines
from games.jaws.rules.partisans import is_partisan, lair
from games.jaws.rules.stacking import fit
from games.jaws.rules.units import attack_capable, going, levels, standing, starred
from games.jaws.rules.zones import crossfire, over_rivers, projectors, zones
from games.jaws.shapes import Going, Ground

STEPS_KEPT = 64  # past as many zones and by as many gaits; each some ten thousand bytes
FREE, REGROUPING, BARRED = "free", "regroup", "barred"  # 10.3: how a unit may go from ZOC to ZOC


class Gait(NamedTuple):
    """All that decides what steps a unit may take and what they cost."""

    going: Going
    on: Ground
    strategic: bool
    heavy: bool  # a Panther or Tiger: no K bridge carries it
    crosses: bool  # 10.3: may go from ZOC to ZOC
    halts: bool  # 10.3.1: stops on entering a ZOC
    mines: str = ""  # 15.3.2: how minefields meet it
    fords: Sides = NO_SIDES  # 18.6: the fords that it may cross
    wild: bool = False  # 18.1.2: for partisans there are no zones


def crossing(table: Table, unit: str, stack: Sequence[str]) -> str:
    """10.3: whether a unit that moves with this stack may go from ZOC to ZOC: freely, into Regroup, or not."""
    if table.unit(unit).side == SOVIET:
        return FREE if is_partisan(table, unit) or _soviet_crosses(table, unit, stack) else BARRED
    if is_a(table, unit, "armor"):
        return FREE
    if not is_a(table, unit, "infantry") or not attack_capable(table, unit):
        return BARRED  # 10.3.2-3
    panzer = any(body.kind == "panzer" for body in levels(table, table.unit(unit).formation))
    carried = panzer and not is_a(table, unit, "foot") and any(is_a(table, other, "armor") for other in stack)
    return FREE if carried else REGROUPING


def _soviet_crosses(table: Table, unit: str, stack: Sequence[str]) -> bool:
    """10.3.1"""
    if starred(table, unit):
        return True
    if is_a(table, unit, "cavalry"):
        return any(is_escort(table, other) and unit in guards(table, other) for other in stack)
    mates = guards(table, unit) if is_escort(table, unit) else []
    if mates and is_a(table, mates[0], "cavalry"):
        return any(mate in stack for mate in mates)
    led = any(starred(table, other) for other in stack) and fit(table, SOVIET, stack)
    mounted = is_a(table, unit, "infantry") and is_a(table, unit, "motorized")
    return led and (mounted or is_a(table, unit, "su"))


@kept
def gait(table: Table, unit: str, stack: tuple[str, ...], how: How) -> Gait:
    crosses, by = crossing(table, unit, stack) != BARRED, class_of(table, unit, how)
    fords = open_fords(table, table.unit(unit).side)
    afloat = any(fords) and may_ford(table, unit) and by == going(table, unit)  # 18.5.2: no truck crosses a ford
    return Gait(
        going=by,
        on=ground(table),
        strategic=how in STRATEGIC,
        heavy=is_a(table, unit, "pz5") or is_a(table, unit, "pz6"),
        crosses=crosses,
        halts=not crosses and table.unit(unit).side == SOVIET,
        mines=meets(table, unit),
        fords=fords if afloat else NO_SIDES,
        wild=is_partisan(table, unit),
    )


@kept
def enemy_state(table: Table, enemy: str) -> tuple[object, ...]:
    """All that steps past an enemy rest on: where he stands, his zones, bridges and minefields."""
    marked = table.position.marked.get
    return standing(table, enemy), projectors(table, enemy), marked(BRIDGE), marked(MINES)


def _past(table: Table, enemy: str, by: object) -> object:
    return enemy_state(table, enemy)


@kept_under(_past)
def steps(table: Table, enemy: str, by: Gait) -> Exits:
    """What every step costs past an enemy: terrain, and zones left and entered (10.2); none into him (9.10.4)."""
    base = over_fords(table, exits(table, BRIDGE, by.going, by.on, by.strategic, by.heavy), by.going, by.on, by.fords)
    base = over_mines(table, base, by.mines)
    if by.strategic:
        near = table.data.tables["movement"]["strategic"]["hexes"] - 1
        return closed_to(table.grid, base, hexset.within(table.grid, standing(table, enemy), near))
    base = closed_to(table.grid, base, standing(table, enemy))
    if by.wild:
        return base
    wet = joined(_wet(table), by.fords) if any(by.fords) else _wet(table)
    zoned = Zoned(*zones(table, enemy), over_rivers(table, enemy))
    return _through(table.data, tuple(base.items()), by.going, by.crosses, wet, zoned)


class Zoned(NamedTuple):
    """10.5.1, 10.6.2-1: the hexes in a ZOC, in a ZOI only, and in a ZOC for whoever crosses a river out of them."""

    strong: HexSet
    weak: HexSet
    over_rivers: HexSet


# Who moves sees zones as they are: his view and the truth ask the same.
@lru_cache(maxsize=STEPS_KEPT)
def _through(
    data: Data, base: tuple[tuple[int, tuple[HexSet, ...]], ...], going: Going, crosses: bool, wet: Sides, zoned: Zoned
) -> Exits:
    """The same steps at the price of zones left and entered."""
    found: dict[int, list[HexSet]] = {}
    around = [(name, cost, _from_around(data.board.grid, hexes)) for name, cost, hexes in _entered(data, going, zoned)]
    for left, leaves, dry, over in _left(data, going, zoned):
        leaving = [sides & over | dry & ~sides for sides in wet]
        for entered, enters, before in around:
            if left == entered == "zoc" and not crosses:
                continue
            steps_so = [here & there for here, there in zip(leaving, before, strict=True)]
            for cost, masks in base if any(steps_so) else ():
                into = found.setdefault(cost + leaves + enters, [0] * 6)
                for d in range(6):
                    into[d] |= masks[d] & steps_so[d]
    return {cost: tuple(masks) for cost, masks in sorted(found.items()) if any(masks)}


def _from_around(grid: Grid, hexes: HexSet) -> list[HexSet]:
    """By direction, the hexes from which that way leads into one of these."""
    return [hexset.step(grid, hexes, opposite(d)) for d in range(6)]


def _wet(table: Table) -> Sides:
    """The river hexsides that a bridge leads over."""
    rivers, stand = table.data.sides("river"), bridged(table, BRIDGE)
    a, b, c, d, e, f = (river & bridge for river, bridge in zip(rivers, stand, strict=True))
    return (a, b, c, d, e, f)


def _left(data: Data, going: Going, zoned: Zoned) -> list[tuple[str, int, HexSet, HexSet]]:
    """What it costs to leave a hex of each zone, by the hexes: for a dry step, and for one over a river (10.6.2-1)."""
    rows, everything, (strong, weak, over) = data.tables["terrain"]["zone"], data.land, zoned
    wet = strong | over
    return [
        ("zoc", rows["zoc"][going][1] * SIXTH, strong, wet),
        ("zoi", rows["zoi"][going][1] * SIXTH, weak, weak & ~wet),
        ("", 0, everything & ~strong & ~weak, everything & ~wet & ~weak),
    ]


def _entered(data: Data, going: Going, zoned: Zoned) -> list[tuple[str, int, HexSet]]:
    rows, everything, (strong, weak, _) = data.tables["terrain"]["zone"], data.land, zoned
    return [
        ("zoc", rows["zoc"][going][0] * SIXTH, strong),
        ("zoi", rows["zoi"][going][0] * SIXTH, weak),
        ("", 0, everything & ~strong & ~weak),
    ]


@kept_under(_past)
def together(table: Table, enemy: str, gaits: tuple[Gait, ...]) -> Exits:
    """The steps that units of several gaits can take side by side, each at the price of whom it costs most."""
    found = steps(table, enemy, gaits[0])
    for by in gaits[1:]:
        more: dict[int, list[HexSet]] = {}
        for cost, masks in found.items():
            for other, also in steps(table, enemy, by).items():
                into = more.setdefault(max(cost, other), [0] * 6)
                for d in range(6):
                    into[d] |= masks[d] & also[d]
        found = {cost: tuple(masks) for cost, masks in sorted(more.items()) if any(masks)}
    return found


@kept_under(_past)
def anywhere(table: Table, enemy: str, gaits: tuple[Gait, ...]) -> Sides:
    """The same steps, whatever they cost."""
    return joined(NO_SIDES, *((a, b, c, d, e, f) for a, b, c, d, e, f in together(table, enemy, gaits).values()))


@kept
def gaits(table: Table, stack: tuple[str, ...], how: How) -> tuple[Gait, ...]:
    """The different gaits in a stack."""
    return tuple(dict.fromkeys(gait(table, unit, stack, how) for unit in stack))


def tether(table: Table, stack: Sequence[str]) -> HexSet:
    """4.7-p1: beside the other half of an extended division; 4.7.1-5: not into its hex under two ZOCs; 18.1.2:
    partisans in woods and forest."""
    held = leash(table, stack) & lair(table, stack)
    for there in _joined(table, stack):
        held &= ~(1 << there & crossfire(table, table.enemy(table.unit(stack[0]).side)))
    return held


def _joined(table: Table, stack: Sequence[str]) -> set[Hex]:
    """4.7.1-5: the hexes in which halves of the stack would join their others; 4.7.1-6: none while both move as one."""
    others = [other for unit in stack if (other := twin(table, unit)) and other not in stack]
    return set() if game_mark(table, IN_STEP) else {place(table, other) for other in others}


def straight_in(table: Table, stack: Sequence[str]) -> list[HexSet]:
    """4.7.1-5: by direction, the hexes from which a half would come into the other's hex straight from ZOC to ZOC,
    which not even its Shermans allow."""
    found, enemy = [0] * 6, table.enemy(table.unit(stack[0]).side)
    for there in _joined(table, stack):
        for d in range(6):
            here = table.grid.neighbour(there, opposite(d))
            if here is not None and from_zoc_to_zoc(table, enemy, here, there):
                found[d] |= 1 << here
    return found


def from_zoc_to_zoc(table: Table, enemy: str, here: Hex, there: Hex) -> bool:
    """10.3; 10.6.2-1: over a river a ZOI to leave is as good as a ZOC."""
    strong = zones(table, enemy)[0]
    wet = over_rivers(table, enemy) if crosses(table, table.data.sides("river"), here, there) else 0
    return bool((strong | wet) >> here & strong >> there & 1)


def ways_of(table: Table, side: str, stack: tuple[str, ...], how: How) -> Exits:
    """The steps that a stack can take."""
    found, held = together(table, table.enemy(side), gaits(table, stack, how)), tether(table, stack)
    if held == table.data.land:
        return found
    return closed_to(table.grid, found, ~held & table.data.land, straight_in(table, stack))


def limit(table: Table, stack: tuple[str, ...], how: How) -> int:
    """9.9.4: the allowance of the slowest."""
    return min(allowance(table, unit, how) for unit in stack)


def halting(table: Table, enemy: str, by: Sequence[Gait]) -> HexSet:
    """10.3.1: where somebody of the stack stops."""
    return zones(table, enemy)[0] if any(each.halts for each in by) else 0


def stopping(table: Table, enemy: str, by: Sequence[Gait]) -> HexSet:
    """10.3.1, 15.3.2-M2: where a way that nobody names hex by hex is not led through."""
    return halting(table, enemy, by) | (fields(table) if any(each.mines == FOOT for each in by) else 0)


def layers(table: Table, side: str, stack: tuple[str, ...], how: How) -> list[HexSet]:
    """By what is still to be spent, the hexes that a stack gets to."""
    enemy, by = table.enemy(side), gaits(table, stack, how)
    budget = limit(table, stack, how) - max(spent(table, unit) for unit in stack)
    start = place(table, stack[0])
    if budget < 0:
        return [1 << start]
    if halting(table, enemy, by) >> start & 1 and under_way(table, stack):
        return [1 << start]  # 10.3.1: it has stopped here
    exits, halt = ways_of(table, side, stack, how), stopping(table, enemy, by)
    return hexset.reach(table.grid, 1 << start, exits, budget, halt)


def reachable(table: Table, side: str, stack: tuple[str, ...], how: How) -> HexSet:
    """Every hex that a stack may end in, but for what rests on who stands there."""
    start = place(table, stack[0])
    if how in STRATEGIC and near_enemy(table, side) >> start & 1:
        return 0
    found = hexset.union(layers(table, side, stack, how))
    if not any(spent(table, unit) for unit in stack):
        found |= one_hex(table, side, stack, how) | fords(table, side, stack, how)
    return (found | hexset.of(into_mines(table, side, stack, how))) & ~(1 << start)


@kept
def into_mines(table: Table, side: str, stack: tuple[str, ...], how: How) -> dict[Hex, Hex]:
    """15.3.2-M1: where a stack gets to over a last minefield hexside, and from which hex, if its armor cannot pay for
    going on: it stops there."""
    mined, by = marked_sides(table, MINES), gaits(table, stack, how)
    if not any(mined) or not any(each.mines == ARMOR for each in by):
        return {}
    enemy, budget = table.enemy(side), limit(table, stack, how) - max(spent(table, unit) for unit in stack)
    free = together(table, enemy, tuple(dict.fromkeys(each._replace(mines="") for each in by)))
    held, halt, found = tether(table, stack), stopping(table, enemy, by), dict[Hex, Hex]()
    reached = layers(table, side, stack, how)
    for paid, layer in enumerate(reached):
        leaving = layer & ~halt if paid else layer
        for cost, masks in free.items() if leaving else ():
            for d in range(6) if paid + cost <= budget else ():
                for h in hexset.members(leaving & masks[d] & mined[d]):
                    there = table.grid.neighbour(h, d)
                    if there is not None and held >> there & 1:
                        found.setdefault(there, h)
    return {there: h for there, h in found.items() if not hexset.union(reached) >> there & 1}


def uneven_way(table: Table, side: str, stack: tuple[str, ...], how: How, here: Hex, there: Hex) -> list[Hex]:
    """9.9.4: a way that every unit of a stack can pay for, though none could pay the dearest price of every step: what
    is dear to one is cheap to another. Empty if there is none."""
    enemy, by = table.enemy(side), gaits(table, stack, how)
    prices, open_ = [steps(table, enemy, each) for each in by], ways_of(table, side, stack, how)
    if any(price == together(table, enemy, by) for price in prices):
        return []  # one of them pays the dearest price of every step
    most, halt = limit(table, stack, how), stopping(table, enemy, by)
    waiting, paid = [(0, (0,) * len(by), [here])], dict[Hex, list[tuple[int, ...]]]()
    while waiting:
        _, sums, way = heappop(waiting)
        h = way[-1]
        if h == there:
            return way
        if any(all(map(le, known, sums)) for known in paid.get(h, ())):
            continue
        paid.setdefault(h, []).append(sums)
        for other in table.grid.neighbours(h) if h == here or not halt >> h & 1 else ():
            costs = [cost_of_step(each, table.grid, h, other) for each in (open_, *prices)]
            more = tuple(sum_ + cost for sum_, cost in zip(sums, costs[1:], strict=True) if cost is not None)
            if None not in costs and max(more) <= most:
                heappush(waiting, (max(more), more, [*way, other]))
    return []


def near_enemy(table: Table, side: str) -> HexSet:
    """9.4.2: nearer to enemy units than strategic movement comes."""
    near = table.data.tables["movement"]["strategic"]["hexes"] - 1
    return hexset.within(table.grid, standing(table, table.enemy(side)), near)


def one_hex(table: Table, side: str, stack: tuple[str, ...], how: How) -> HexSet:
    """9.9.2: whatever it costs."""
    start, enemy = place(table, stack[0]), table.enemy(side)
    found = hexset.beyond(table.grid, start, anywhere(table, enemy, gaits(table, stack, how))) & tether(table, stack)
    return found & ~hexset.beyond(table.grid, start, straight_in(table, stack))


def wades(table: Table, unit: str) -> bool:
    """9.2.1: whether a unit may cross a river where no bridge stands: infantry, and engineers on foot (2.8-j)."""
    if table.position.mark(unit, TRUCK) is not None:
        return False  # 18.5.2
    return is_a(table, unit, "infantry") or (is_a(table, unit, "engineer") and is_a(table, unit, "foot"))


def fords(table: Table, side: str, stack: tuple[str, ...], how: How) -> HexSet:
    """9.2.1-1: the hexes over an unbridged river that a stack of infantry may cross to, for all it has."""
    if how in STRATEGIC or not all(wades(table, unit) for unit in stack):
        return 0
    found = hexset.of(h for h in _banks(table, side, place(table, stack[0])) if _may_wade(table, side, stack, h))
    return found & tether(table, stack)


def _banks(table: Table, side: str, start: Hex) -> list[Hex]:
    rivers, stand = table.data.sides("river"), bridged(table, BRIDGE)
    sides = tuple(river & ~bridge for river, bridge in zip(rivers, stand, strict=True))
    free = table.data.land & ~standing(table, table.enemy(side))
    return list(hexset.members(hexset.beyond(table.grid, start, sides) & free))


def _may_wade(table: Table, side: str, stack: tuple[str, ...], there: Hex) -> bool:
    """10.3, 10.6.2-1: the bans of ZOC to ZOC hold."""
    enemy = table.enemy(side)
    strong, start = zones(table, enemy)[0], place(table, stack[0])
    held = (strong | over_rivers(table, enemy)) >> start & 1
    return not (held and strong >> there & 1) or all(crossing(table, unit, stack) != BARRED for unit in stack)
