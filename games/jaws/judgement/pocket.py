"""The pocket as both sides look at it: whether it is shut, who goes for whom, and whether to break out."""

from engine import hexset
from engine.asks import Ask
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.order import Order
from engine.refusals import passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.judgement.outlook import far_from
from games.jaws.judgement.weights import weights
from games.jaws.orders.breakout import BreakOut, Consolidate, Shift
from games.jaws.orders.turn import End
from games.jaws.rules import pocket
from games.jaws.rules.breakout.consolidation import steps_given
from games.jaws.rules.breakout.waves import STEP, check_path, check_step, left_to, stack_in, stacks
from games.jaws.rules.campaign import wins_by_staying
from games.jaws.rules.ground import open_to, supply_sides
from games.jaws.rules.korsun import POCKET, isolated, town
from games.jaws.rules.pocket import counts, gruppe, linked, out, relief, sources, steps_of, whole
from games.jaws.rules.units import is_sdm, standing

POCKET_SCENARIOS = ("wanda", "hells_gate", "campaign")


@kept
def shut(table: Table) -> bool:
    """Whether there is a pocket to be fought for."""
    if table.data.scenario["victory"] not in POCKET_SCENARIOS:
        return False
    if table.data.scenario["victory"] != "campaign":
        return True
    return bool(isolated(table)) and cut_off(table)


@kept
def cut_off(table: Table) -> bool:
    """Whether most of the pocket is: a Breakout of single units that are shut in would end the game too soon."""
    there = gruppe(table)
    return 2 * steps_of(table, [unit for unit in there if pocket.cut_off(table, unit)]) > steps_of(table, there)


@kept
def cauldron(table: Table) -> HexSet:
    """Where the pocket stands, as far as one knows."""
    return hexset.of(place(table, unit) for unit in gruppe(table))


@kept
def rescuers(table: Table) -> HexSet:
    return relief(table)


def _near(table: Table, start: Hex, goal: HexSet) -> int:
    return far_from(table, goal)[start]


@kept
def gap(table: Table) -> tuple[HexSet, HexSet]:
    """The hex of the pocket and the hex of the relief that are nearest to each other; nothing if there are none."""
    inner, outer = cauldron(table), rescuers(table)
    if not inner or not outer:
        return inner, outer
    there = min(hexset.members(outer), key=lambda h: (_near(table, h, inner), h))
    here = min(hexset.members(inner), key=lambda h: (table.grid.distance(h, there), h))
    return 1 << here, 1 << there


@kept
def leak(table: Table) -> HexSet:
    """The shortest way by which the pocket is linked to a source, as far as one sees; nothing if the ring is tight.

    Before Korsun is isolated it is Korsun's own way that counts (23.3), not that of whoever else is cut off.
    """
    open_, sides, goal = open_to(table, GERMAN), supply_sides(table, GERMAN), sources(table)
    start = (cauldron(table) if isolated(table) else 1 << town(table)) & linked(table)
    layer = reached = start
    layers = []
    while layer and not layer & goal:
        layers.append(layer)
        layer = hexset.across(table.grid, layer, sides) & open_ & ~reached
        reached |= layer
    if not layer:
        return 0
    at = min(hexset.members(layer & goal))
    way = 1 << at
    for before in reversed(layers):
        at = min(hexset.members(hexset.across(table.grid, 1 << at, sides) & before))
        way |= 1 << at
    return way & hexset.within(table.grid, start, int(weights("pocket")["ring"]))


def inside(table: Table, unit: str) -> bool:
    return table.position.mark(unit, POCKET) is not None


def presses(table: Table, unit: str) -> bool:
    """Who comes forward: the relief always, the pocket late, the Soviets of the inner ring."""
    here = table.position.hex_of(unit)
    if here is None:
        return False
    if table.unit(unit).side == GERMAN:
        late = table.data.turns - weights("pocket")["late"]
        return not inside(table, unit) or table.position.turn >= late
    return bool(leak(table)) or _near(table, here, cauldron(table)) <= _near(table, here, rescuers(table))


def aim(table: Table, unit: str) -> HexSet:
    """Where a unit goes while there is a pocket: to each other; the Soviets between them, then to the pocket."""
    if table.unit(unit).side == GERMAN and inside(table, unit):
        late = table.data.turns - weights("pocket")["late"]
        if table.position.turn >= late or not linked_home(table):
            return gap(table)[1]
        return 1 << town(table) & table.data.land
    return gap(table)[0] if table.unit(unit).side == GERMAN else leak(table) or cauldron(table)


def linked_home(table: Table) -> bool:
    """Whether Korsun is still worth holding."""
    return not standing(table, SOVIET) >> town(table) & 1


# 16.4, 16.5


def within_reach(table: Table) -> int:
    """The steps of the pocket that could get out: a hex, and then four."""
    row = table.data.tables["breakout"]
    near = hexset.within(table.grid, rescuers(table), row["hexes"] + 1) if rescuers(table) else 0
    return steps_of(
        table, [u for u in gruppe(table) if near >> place(table, u) & ~linked(table) >> place(table, u) & 1]
    )


def breakout_worth(table: Table) -> float:
    """16.4: now, if enough can get out; later on, if any more can; on the last turns in any case; 23.8: not while so
    many have a way out that it would be a draw at best."""
    if wins_by_staying(table):
        return 0.0
    w, left = weights("pocket"), table.data.turns - table.position.turn
    total = max(1, whole(table))
    now, then = 100 * out(table) / total, 100 * (out(table) + within_reach(table) * w["survive"]) / total
    wanted = w["enough"] - w["patience"] * max(0.0, w["late"] - left)
    return then - now if then > now and (then >= wanted or left < w["last"]) else 0.0


def wanda_worth(table: Table) -> float:
    """16.3: when there is a pocket to be relieved."""
    return 1.0 if isolated(table) else 0.0


def merged_worth(table: Table, order: Consolidate) -> float:
    """16.5.1: what did not count before, and does now."""
    return float(sum(steps_given(table, u) for u in order.units if is_sdm(table, u) or not counts(table, u)))


def shift_worth(table: Table, order: Shift) -> float:
    """16.5.2: nearer to the relief, for those that four hexes would not bring there."""
    far, found = table.data.tables["breakout"]["hexes"], 0.0
    for unit, (spot,) in order.paths:
        before = _near(table, place(table, unit), rescuers(table))
        after = _near(table, table.grid.hex(spot), rescuers(table))
        found += before - after if before > far else 0.0
    return found


def _way_out(table: Table, at: Hex, wave: int) -> tuple[Hex, ...] | None:
    """The way to the relief that leads through the fewest Soviet hexes, then the shortest."""
    units, goal, enemy = stack_in(table, at, wave), rescuers(table), standing(table, SOVIET)
    best: dict[Hex, tuple[int, tuple[Hex, ...]]] = {at: (0, ())}
    for _ in range(left_to(table, units)):
        for here, (fights, way) in list(best.items()):
            if goal >> here & 1:
                continue
            for there in table.grid.neighbours(here):
                price = (fights + (enemy >> there & 1), (*way, there))
                known = best.get(there)
                if known is not None and (known[0], len(known[1])) <= (price[0], len(price[1])):
                    continue
                if passes(check_step, table, units, here, there):
                    best[there] = price
    found = [row for h, row in best.items() if goal >> h & 1]
    return min(found, key=lambda row: (row[0], len(row[1]), row[1]))[1] if found else None


def advise(table: Table, ask: Ask) -> Order | None:
    """16.5.3: stack after stack by the way out with the fewest Soviets; who has none stays."""
    wave = int(game_mark(table, STEP).removeprefix("wave ") or 0)
    for h in stacks(table, wave):
        way = _way_out(table, h, wave)
        if way:
            order = BreakOut(at=number(table, h), hexes=tuple(number(table, step) for step in way))
            if passes(check_path, table, wave, order):
                return order
    return End()
