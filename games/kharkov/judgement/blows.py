"""Blows: which Soviets the units of an activation could strike, from which hexes, and what is likely to come of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field as made
from fractions import Fraction
from math import exp

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, place
from engine.rules.marks import game_mark
from engine.table import kept, kept_for_good
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.judgement.danger import pressure, risk
from games.kharkov.judgement.outlook import COVER, HOLD, goals, held
from games.kharkov.rules.activation import in_supply_at_the_end
from games.kharkov.rules.combat import chits
from games.kharkov.rules.combat.chits import Circumstances
from games.kharkov.rules.combat.situation import Combat, armor, defence_strength, defenders, is_large, situations
from games.kharkov.rules.fields import field, zone
from games.kharkov.rules.ground import (
    germans,
    has_armor,
    is_dispersed,
    is_isolated,
    is_mech,
    is_supplied,
    soviets,
    steps,
    strength,
)
from games.kharkov.rules.reach import MUD, legs, reach
from games.kharkov.rules.soviet.terms import around
from games.kharkov.rules.supply import supported

A_STEP, A_STEP_OF_HIS = 0.8, 0.45  # a step of ours; a point of strength of his
SCATTERED = 0.15  # a hit beyond the first: attackers are dispersed for it (12.52)
TAKEN, DRIVEN = 1.6, 0.3  # a victory point that comes back; Soviets who have to go
A_UNIT, AT_LEAST = 0.18, 0.35  # what one more attacker must add; what a blow must be worth
STIFF = 0.4  # hits that cards of the defence are likely to spare it
ENOUGH = 8  # odds beyond which nobody else is needed
STEPS_OF_RATIO = (8, 6, 5, 4, 3, 2)


@dataclass(frozen=True)
class Quarry:
    """What a Soviet stack is to whoever attacks it."""

    strength: int
    steps: int
    terrain: str
    holds: frozenset[str]  # situations that do not depend on the attackers
    armored: bool
    more: int  # chits for the state of its supply
    spared: float  # hits that ground and cards take off
    helpless: bool
    isolated: bool
    prize: float  # what the hex is worth to us


@dataclass(frozen=True)
class Blow:
    """An attack that could be made: who would stand where, and what it is worth."""

    target: Hex
    placed: Mapping[str, Hex]
    worth: float


@dataclass
class Plan:
    """What an activation would do."""

    blows: list[Blow] = made(default_factory=list)

    @property
    def worth(self) -> float:
        return sum(blow.worth for blow in self.blows)

    @property
    def placed(self) -> dict[str, Hex]:
        return {unit: h for blow in self.blows for unit, h in blow.placed.items()}


@kept
def spots(table: Table, unit: str) -> HexSet:
    """Where a unit could end a move if it were active; its own hex is one."""
    here = place(table, unit)
    if is_dispersed(table, unit):
        return 1 << here
    can = reach(table.data, field(table), legs(table, unit, edge=True), here) & ~(1 << here)
    return in_supply_at_the_end(table, unit, can) | 1 << here


@kept
def quarry(table: Table, h: Hex) -> Quarry:
    combat = Combat(GERMAN, h, [], 0)
    own = defenders(table, combat) or soviets(table, h)
    isolated = all(is_isolated(table, unit) for unit in own)
    helpless = all(is_dispersed(table, unit) or not is_supplied(table, unit) for unit in own)
    stiff = not helpless and bool(supported(table) >> h & 1)
    rules = table.data.tables["chits_drawn"]
    out = all(not is_supplied(table, unit) for unit in own)
    holds = frozenset(situations(table, combat, 0)) - {"only defender armor", "one hex", "flank", "large"}
    ground = table.data.towns >> h & 1 or "improved position" in holds
    return Quarry(
        defence_strength(table, combat), steps(table, own), table.data.terrain(h), holds, armor(table, combat, SOVIET),
        rules["isolated"] if isolated else rules["out_of_supply"] if out else 0, int(ground) + STIFF * stiff,
        helpless, isolated, prize(table, h),
    )  # fmt: skip


def prize(table: Table, h: Hex) -> float:
    """What it is worth to have Soviets out of a hex: its points, or those of a town of ours beside it."""
    data, now = table.data, field(table)
    if data.vp_hexes >> h & 1:
        return TAKEN * data.points[h]
    near = hexset.members(around(data, h) & data.vp_hexes & ~now.soviet_towns)
    return DRIVEN + 0.2 * max((data.points[n] for n in near), default=0)


@kept_for_good
def means(table: Table, now: Circumstances) -> tuple[float, float]:
    """The mean of hits on attacker and defender that a chit gives, all of them being in the cup."""
    rows = table.data.tables["chits"]
    a, d = chits.totals(rows, rows, now)
    return a / len(rows), d / len(rows)


def step_of(ratio: float) -> Fraction:
    """The highest odds that a chit names and that are reached."""
    for least in STEPS_OF_RATIO:
        if ratio >= least:
            return Fraction(least)
    return (
        Fraction(3, 2)
        if ratio >= 1.5
        else Fraction(11, 10)
        if ratio > 1
        else Fraction(1)
        if ratio == 1
        else Fraction(1, 2)
    )


def outcome(table: Table, h: Hex, placed: Mapping[str, Hex], value: int) -> tuple[float, float]:
    """The hits on attackers and defenders to be expected."""
    found, data = quarry(table, h), table.data
    force = sum(_strength(table, unit, there, h) for unit, there in placed.items())
    number = sum(2 if table.position.steps_left(unit) > 2 else 1 for unit in placed) + found.more
    number = max(found.steps, min(number, 6) if game_mark(table, "ground") == MUD else number)
    there = {*placed.values()}
    holds = set(found.holds)
    if len(there) == 1:
        holds.add("one hex")
    elif not data.towns >> h & 1 and _flanks(table, there):
        holds.add("flank")
    if is_large(table, GERMAN, number):
        holds.add("large")
    if any(has_armor(table, unit) for unit in placed) != found.armored:
        holds.add("only defender armor" if found.armored else "only attacker armor")
    now = Circumstances(GERMAN, step_of(force / found.strength), found.terrain, value, frozenset(holds))
    a, d = means(table, now)
    wet = all(crosses(table, data.big_rivers, spot, h) for spot in there)
    a = 0.0 if found.isolated else number * a - found.helpless
    return max(0.0, a), max(0.0, number * d - found.spared - wet)


def _strength(table: Table, unit: str, there: Hex, target: Hex) -> float:
    marsh = table.data.marsh >> there & 1 or table.data.marsh >> target & 1
    return strength(table, [unit]) * (0.5 if marsh and is_mech(table, unit) else 1.0)


def _flanks(table: Table, there: Iterable[Hex]) -> bool:
    few = [*there]
    return len(few) >= 3 or (len(few) == 2 and table.grid.distance(few[0], few[1]) > 1)


def trapped(table: Table, h: Hex, there: Iterable[Hex]) -> bool:
    """Whether there is no way back for who stands there but through our zones of control."""
    now = field(table)
    own = now.german_control | hexset.of(there)
    free = around(table.data, h) & ~(own | now.german | zone(table.grid, own) & ~now.soviet)
    return not free


def gain(table: Table, h: Hex, a: float, d: float, *, no_way_back: bool) -> float:
    """What hits on both sides are worth."""
    found = quarry(table, h)
    cleared = 1.0 - exp(-d / (0.55 + 0.35 * found.steps))
    killed = min(found.steps, max(0.0, d - (0.3 if no_way_back else 1.4)))
    return (
        cleared * found.prize
        + A_STEP_OF_HIS * killed * (found.strength / found.steps + 0.8)
        - A_STEP * (1.0 - exp(-a))
        - SCATTERED * max(0.0, a - 1.0)
    )


def blow(table: Table, h: Hex, units: Sequence[str], taken: Mapping[Hex, tuple[int, int]], value: int) -> Blow | None:
    """The best that these could do to a hex together: the strongest first, as long as each adds something."""
    placed: dict[str, Hex] = {}
    room = dict(taken)
    best, found = 0.0, quarry(table, h)
    total = 0.0
    for unit in units:
        there = _beside(table, h, unit, placed, room)
        if there is None or total >= ENOUGH * found.strength:
            continue
        trial = {**placed, unit: there}
        a, d = outcome(table, h, trial, value)
        worth = gain(table, h, a, d, no_way_back=trapped(table, h, trial.values()))
        worth -= sum(_leaving(table, each, spot) for each, spot in trial.items())
        if len(placed) >= 2 and worth < best + A_UNIT:
            continue
        placed, best = trial, worth
        total += _strength(table, unit, there, h)
        count, size = room.get(there, (0, 0))
        room[there] = count + 1, size + table.position.steps_left(unit)
    if not placed or not any(is_supplied(table, unit) for unit in placed):
        return None
    return Blow(h, placed, best - A_UNIT * len(placed))


def _beside(
    table: Table, h: Hex, unit: str, placed: Mapping[str, Hex], room: Mapping[Hex, tuple[int, int]]
) -> Hex | None:
    """The hex from which a unit would best join."""
    limits, here = table.data.tables["stacking"], place(table, unit)
    size, there = table.position.steps_left(unit), {*placed.values()}
    best, chosen = float("-inf"), None
    for spot in hexset.members(spots(table, unit) & around(table.data, h)):
        count, full = room.get(spot, (0, 0))
        if count >= limits["units"] or full + size > limits["steps"]:
            continue
        if crosses(table, table.data.river("dnieper"), spot, h):
            continue
        worth = COVER[table.data.terrain(spot)] - 0.03 * pressure(table, spot) + 0.4 * (spot == here)
        worth -= 0.6 * crosses(table, table.data.big_rivers, spot, h)
        worth -= 1.0 * bool(table.data.marsh >> spot & 1 and is_mech(table, unit))
        if there and spot not in there:
            worth += 0.5 + 0.5 * _flanks(table, {*there, spot})
        if worth > best:
            best, chosen = worth, spot
    return chosen


def _leaving(table: Table, unit: str, to: Hex) -> float:
    """What a town loses by a unit that goes away."""
    here = place(table, unit)
    if to == here or not table.data.vp_hexes >> here & 1:
        return 0.0
    there = germans(table, here)
    rest = [other for other in there if other != unit]
    lost = held(strength(table, there)) - held(strength(table, rest))
    return HOLD * goals(table)[here] * lost


@kept
def struck_by(table: Table, unit: str) -> HexSet:
    """The Soviets next to whom a unit could be."""
    if is_dispersed(table, unit) or is_isolated(table, unit):
        return 0
    now, grid = field(table), table.grid
    return hexset.across(grid, spots(table, unit), table.data.open_sides) & now.soviet


@kept
def plan(table: Table, units: frozenset[str], value: int) -> Plan:
    """Blow after blow, the best first, each unit in one."""
    can = sorted((unit for unit in units if struck_by(table, unit)), key=lambda unit: (-strength(table, [unit]), unit))
    taken: dict[Hex, tuple[int, int]] = {}
    for h in hexset.members(field(table).german):
        staying = [unit for unit in germans(table, h) if unit not in units]
        if staying:
            taken[h] = len(staying), steps(table, staying)
    found = Plan()
    first = []
    for h in hexset.members(hexset.union(struck_by(table, unit) for unit in can)):
        near = [unit for unit in can if struck_by(table, unit) >> h & 1]
        if sum(strength(table, [unit]) for unit in near) < 1.5 * quarry(table, h).strength:
            continue
        trial = blow(table, h, near, taken, value)
        if trial is not None and trial.worth > AT_LEAST:
            first.append(trial)
    first.sort(key=lambda trial: (-trial.worth, trial.target))
    used: set[str] = set()
    for trial in first:
        if used & set(trial.placed):
            left = [u for u in can if u not in used and struck_by(table, u) >> trial.target & 1]
            again = blow(table, trial.target, left, taken, value) if left else None
            if again is None or again.worth <= AT_LEAST:
                continue
            trial = again
        elif any(_crowded(table, taken, trial, h) for h in {*trial.placed.values()}):
            continue
        found.blows.append(trial)
        used |= set(trial.placed)
        for unit, h in trial.placed.items():
            count, size = taken.get(h, (0, 0))
            taken[h] = count + 1, size + table.position.steps_left(unit)
    return found


def _crowded(table: Table, taken: Mapping[Hex, tuple[int, int]], trial: Blow, h: Hex) -> bool:
    limits, coming = table.data.tables["stacking"], [unit for unit, to in trial.placed.items() if to == h]
    count, size = taken.get(h, (0, 0))
    return count + len(coming) > limits["units"] or size + steps(table, coming) > limits["steps"]


def exposed(table: Table, units: Sequence[str], h: Hex) -> float:
    """What it may cost to stand there afterwards."""
    return risk(table, units, h)
