"""Movement (5.0): how far, by which way, and what it leaves behind in the phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine import hexset
from engine.facts import Eliminated, Fact, Marked, Moved
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.movement import Exits, closed_to, cost_of_step
from engine.table import Table
from games.korsun_spi.data import HALF, numbers
from games.korsun_spi.rules.ground import (
    crosses_major,
    disrupted,
    enemy_zoc,
    gait,
    held,
    is_hq,
    number,
    place,
    units_at,
    zoc,
)

CLOSED = 999  # more than any allowance: the unit may spend nothing more in this phase


@dataclass(frozen=True)
class Leaving:
    """How units may leave an enemy zone of control they stand in: what it costs more, and what they may enter."""

    case: str
    extra: int  # half points on top of the first hex
    avoids_zones: bool  # may not enter an enemy zone in this phase
    first_step_clear: bool = False  # may not go from one enemy zone straight into another, unless a friend is there
    cost_case: str = ""  # where the extra cost is printed, if not in the same case


def spent(table: Table, unit: str) -> int:
    """Half points spent in this phase."""
    value = table.position.mark(unit, "spent")
    return int(value) if value is not None else 0


def moving(table: Table) -> list[str]:
    """5.0: the units whose move is still open, because nobody else has moved since."""
    return str(table.position.mark("game", "moving") or "").split()


def left_behind(table: Table) -> list[str]:
    """6.24: the units that overran and wait in the hex while others of their stack go on first."""
    return str(table.position.mark("game", "together") or "").split()


def moved_as_one(table: Table, units: Sequence[str]) -> bool:
    """5.0, 6.13: whether the move of all these is still open, and nobody among them has moved by himself."""
    return set(units) <= set(moving(table)) or set(units) <= set(left_behind(table))


def allowance(table: Table, unit: str) -> int:
    """Half points a unit has for a phase: printed, mud (20.12), supply when the phase began (5.25)."""
    points = table.position.value(unit, "move")
    weather = table.data.weather(weather_at(table, unit))
    if "allowance" in weather and table.unit(unit).classes & set(weather["allowance_classes"]):
        points = min(points, weather["allowance"]) if table.data.switch["weather"] == "rostov" else weather["allowance"]
    if table.position.mark(unit, "unsupplied") is not None:
        points //= 2
    return int(points * HALF)


def weather_at(table: Table, unit: str) -> str:
    """The weather of the turn; on the proving ground it may differ between north and south."""
    position = table.position
    h = position.hex_of(unit)
    if table.data.switch["weather"] == "rostov" and h is not None:
        zone = "north" if table.board.areas["north"] >> h & 1 else "south"
        return str(position.mark("game", f"weather {zone}") or "moderate")
    return str(position.mark("game", "weather") or "snow")


def left(table: Table, unit: str) -> int:
    return max(0, allowance(table, unit) - spent(table, unit))


def moves_second(table: Table, unit: str) -> bool:
    """4.2-c: mechanised units, cavalry and HQs."""
    return gait(table, unit) in ("mech", "hq")


def check_may_move(table: Table, side: str, units: Sequence[str]) -> Hex:
    """5.0: these units stand together and may still move in this phase. Gives their hex; raises Illegal."""
    if not units:
        raise Illegal("5.0", "no unit was named")
    for unit in units:
        _check_one(table, side, unit)
    spots = {place(table, unit) for unit in units}
    if len(spots) > 1:
        where = ", ".join(f"{unit} in {number(table, place(table, unit))}" for unit in units)
        raise Illegal("5.0-a", f"only units in one hex move together: {where}")
    started = [unit for unit in units if table.position.mark(unit, "spent") is not None]
    if started and not moved_as_one(table, units):
        raise Illegal("5.0", f"{started[0]} has moved in this phase already", unit=started[0])
    return spots.pop()


def _check_one(table: Table, side: str, unit: str) -> None:
    position = table.position
    if table.unit(unit).side != side:
        raise Illegal("5.21", f"{unit} is not yours to move", unit=unit)
    if position.hex_of(unit) is None:
        raise Illegal("5.0", f"{unit} is not on the map", unit=unit)
    if disrupted(table, unit):
        raise Illegal("6.32", f"{unit} is disrupted and may not move", unit=unit)
    if position.mark(unit, "covering") is not None:
        raise Illegal("22.11", f"{unit} covers a delay and may not leave in this phase", unit=unit)
    if position.mark(unit, "stopped") is not None:
        raise Illegal("22.12", f"{unit} delayed into an enemy zone of control and moves no further", unit=unit)
    if position.stage.endswith("mechanised"):
        check_second_move(table, unit)


def check_second_move(table: Table, unit: str) -> None:
    """4.2-c, 23.13, 23.14: who may move in the Mechanised Movement Phase."""
    if not moves_second(table, unit):
        raise Illegal("4.2-c", f"{unit} moves only in the Initial Movement Phase", unit=unit)
    if table.unit(unit).side != "soviet" or table.data.switch["headquarters"] != "scheduled":
        return
    if is_hq(table, unit):
        if table.position.mark(unit, "active") is None:
            raise Illegal("23.13", f"{unit} is inactive and may not move in this phase", unit=unit)
    elif table.position.mark(unit, "entered") is None and not table.position.mark(unit, "command"):
        if table.data.switch["no_hq"] == "half move" and table.position.mark(unit, "no hq") is not None:
            return
        raise Illegal("23.14", f"{unit} had no line to an active HQ when the phase began", unit=unit)


def exits_for(table: Table, side: str, kind: str) -> Exits:
    """Every step units of that kind may take: not into enemies (5.22), 10.13-a and 11.23 observed."""

    def work_out() -> Exits:
        enemy = table.enemy(side)
        never = held(table, enemy)
        if kind == "hq":
            never |= zoc(table, enemy) & ~_combat_units(table, side)
        return closed_to(table.grid, table.data.exits(side, kind), never, river_closed(table, side))

    return table.keep(("exits", side, kind), work_out)


def _combat_units(table: Table, side: str) -> HexSet:
    """11.23: hexes with a friendly unit that is not an HQ."""

    def work_out() -> HexSet:
        return hexset.of(
            h
            for h in hexset.members(held(table, side))
            if any(not is_hq(table, unit) for unit in units_at(table, h, side))
        )

    return table.keep(("combat units", side), work_out)


def river_closed(table: Table, side: str) -> list[HexSet]:
    """10.13-a: major-river hexsides that lead into the zone of an enemy who stands on the river, friends excepted."""

    def work_out() -> list[HexSet]:
        enemy = table.enemy(side)
        on_river = held(table, enemy) & table.data.on_river
        covered = hexset.across(table.grid, on_river, table.data.zone_sides) & ~held(table, side)
        major = table.data.sides("major")
        return [major[d] & hexset.step(table.grid, covered, opposite(d)) for d in range(6)]

    return table.keep(("river", side), work_out)


def reachable(table: Table, side: str, units: Sequence[str], leaving: Leaving | None = None) -> HexSet:
    """Every hex these units can all reach together."""
    common = -1
    for unit in units:
        total = _always(table, side, unit, leaving)
        for layer in _layers(table, side, unit, leaving):
            total |= layer
        common &= total
    return common & ~(1 << place(table, units[0])) if units else 0


def can_leave(table: Table, side: str, unit: str) -> HexSet:
    """The hexes a unit can take its next step into."""
    if enemy_zoc(table, side) >> place(table, unit) & 1:
        return 0
    near = _always(table, side, unit, None)
    start, budget = 1 << place(table, unit), left(table, unit)
    for cost, masks in exits_for(table, side, gait(table, unit)).items():
        if cost <= budget:
            near |= hexset.across(table.grid, start, masks)
    return near


def _always(table: Table, side: str, unit: str, leaving: Leaving | None) -> HexSet:
    """5.14: one hex is always possible, but not out of an enemy zone (22.13, 22.23)."""
    start = place(table, unit)
    if leaving is not None or spent(table, unit) or enemy_zoc(table, side) >> start & 1:
        return 0
    near = 0
    for masks in exits_for(table, side, gait(table, unit)).values():
        near |= hexset.across(table.grid, 1 << start, masks)
    return near


def _layers(table: Table, side: str, unit: str, leaving: Leaving | None) -> list[HexSet]:
    """What a unit can pay for, by cost; whoever leaves a zone pays the extra first."""
    start = place(table, unit)
    budget = left(table, unit) - (leaving.extra if leaving is not None else 0)
    if budget < 0 or (leaving is None and enemy_zoc(table, side) >> start & 1):
        return [1 << start]
    return _reach(table, side, gait(table, unit), start, budget, leaving)


def _reach(table: Table, side: str, kind: str, start: Hex, budget: int, leaving: Leaving | None) -> list[HexSet]:
    def work_out() -> list[HexSet]:
        exits = _exits_from(table, side, kind, start, leaving)
        return hexset.reach(table.grid, 1 << start, exits, budget, enemy_zoc(table, side))

    return table.keep(("reach", side, kind, start, budget, leaving), work_out)


def _exits_from(table: Table, side: str, kind: str, start: Hex, leaving: Leaving | None) -> Exits:
    """The steps open to a unit, less those that its way of leaving a zone forbids."""
    exits = exits_for(table, side, kind)
    if leaving is None:
        return exits
    if leaving.avoids_zones:
        return closed_to(table.grid, exits, enemy_zoc(table, side))
    if leaving.first_step_clear:
        shut = enemy_zoc(table, side) & ~held(table, side)
        clear = [_clear_step(table, start, d, shut) for d in range(6)]
        return {cost: tuple(masks[d] & clear[d] for d in range(6)) for cost, masks in exits.items()}
    return exits


def _clear_step(table: Table, start: Hex, direction: int, shut: HexSet) -> HexSet:
    there = table.grid.neighbour(start, direction)
    return ~(1 << start) if there is not None and shut >> there & 1 else -1


@dataclass(frozen=True)
class Walk:
    """A way that was checked, and what each unit has spent at its end."""

    path: tuple[Hex, ...]
    spent: dict[str, int]


def plan(
    table: Table, side: str, units: Sequence[str], to: Hex, via: Sequence[Hex], leaving: Leaving | None = None
) -> Walk:
    """The way to a hex, named or the cheapest, checked step by step. Raises Illegal."""
    key = ("plan", side, tuple(units), to, tuple(via), leaving)
    return table.keep(key, lambda: _plan(table, side, units, to, via, leaving))


def _plan(table: Table, side: str, units: Sequence[str], to: Hex, via: Sequence[Hex], leaving: Leaving | None) -> Walk:
    start = check_may_move(table, side, units)
    if to == start and not via:
        raise Illegal("5.0", f"the units are in {number(table, to)} already", at=number(table, to))
    stops = [*([] if via and via[0] == start else [start]), *via, *([to] if not via or via[-1] != to else [])]
    if via and all(table.grid.direction(a, b) is not None for a, b in pairwise(stops)):
        return walk(table, side, units, stops, leaving)
    refusal: Illegal | None = None
    for unit in _one_of_each_gait(table, units):
        try:
            return walk(table, side, units, _cheapest(table, side, unit, stops, units, leaving), leaving)
        except Illegal as problem:
            refusal = refusal or problem
    assert refusal is not None
    raise refusal


def _one_of_each_gait(table: Table, units: Sequence[str]) -> list[str]:
    """Whose costs a way is chosen by: the unit with the fewest points left first."""
    slowest = sorted(units, key=lambda unit: (left(table, unit), gait(table, unit) == "mech"))
    return list({gait(table, unit): unit for unit in reversed(slowest)}.values())[::-1]


def _cheapest(
    table: Table, side: str, unit: str, stops: Sequence[Hex], units: Sequence[str], leaving: Leaving | None
) -> list[Hex]:
    """The cheapest way through the stops by a unit's costs; one it cannot pay for if there is no other."""
    kind, zones = gait(table, unit), enemy_zoc(table, side)
    budget = left(table, unit) - (leaving.extra if leaving is not None else 0)
    path = [stops[0]]
    for here, there in pairwise(stops):
        exits = _exits_from(table, side, kind, here, leaving)
        layers = _reach(table, side, kind, here, max(budget, 0), leaving)
        leg = hexset.path(table.grid, layers, exits, there, zones)
        if not leg and table.grid.direction(here, there) is not None:
            leg = [here, there]  # 5.14, or the walk says what is wrong with it
        if not leg:
            layers = _reach(table, side, kind, here, CLOSED, leaving)
            leg = hexset.path(table.grid, layers, exits, there, zones)
        if not leg:
            raise _out_of_reach(table, side, units, there, leaving)
        path += leg[1:]
    return path


def walk(table: Table, side: str, units: Sequence[str], path: Sequence[Hex], leaving: Leaving | None = None) -> Walk:
    """Checks a way hex by hex. Raises Illegal with the case, the hex and what could be reached instead."""
    zones = enemy_zoc(table, side)
    totals = {unit: spent(table, unit) for unit in units}
    for index, (here, there) in enumerate(pairwise(path)):
        first = index == 0
        _check_entry(table, side, here, there)
        _check_leaving(table, here, there, first, zones, leaving, side)
        _check_company(table, side, units, there)
        for unit in units:
            totals[unit] = _pay(table, side, unit, here, there, totals[unit], leaving if first else None, units)
    return Walk(tuple(path), totals)


def _check_company(table: Table, side: str, units: Sequence[str], there: Hex) -> None:
    """11.23: an HQ enters an enemy zone of control only where a friend that is no HQ stands. Raises Illegal."""
    if not enemy_zoc(table, side) >> there & 1 or _combat_units(table, side) >> there & 1:
        return
    spot = number(table, there)
    for hq in units:
        if is_hq(table, hq):
            problem = f"{hq} may enter {spot}, an enemy zone of control, only if a friendly unit is there first"
            raise Illegal("11.23", problem, unit=hq, at=spot)


def _check_leaving(
    table: Table, here: Hex, there: Hex, first: bool, zones: HexSet, leaving: Leaving | None, side: str
) -> None:
    spot = number(table, here)
    if zones >> here & 1 and not (first and leaving is not None):
        if first:
            instead = "It may overrun from there, or delay or disengage where the rules allow"
            raise Illegal(
                "5.24",
                f"units in an enemy zone of control may not walk out of it: {spot}",
                at=spot,
                instead=instead,
            )
        raise Illegal("5.23", f"units stop on entering an enemy zone of control: {spot}", at=spot)
    if leaving is None or not zones >> there & 1:
        return
    target = number(table, there)
    if leaving.avoids_zones:
        raise Illegal(leaving.case, f"disengaging units may not enter an enemy zone of control: {target}", at=target)
    if first and leaving.first_step_clear and not held(table, side) >> there & 1:
        raise Illegal(leaving.case, f"from one enemy zone into another only where a friend stands: {target}", at=target)


def _check_entry(table: Table, side: str, here: Hex, there: Hex) -> None:
    target = number(table, there)
    if held(table, table.enemy(side)) >> there & 1:
        raise Illegal("5.22", f"{target} holds enemy units", at=target, instead="Overrun is the only way in")
    direction = table.grid.direction(here, there)
    if direction is None:
        raise Illegal("5.0", f"{number(table, here)} and {target} do not touch", at=target)
    if not table.board.land >> there & 1:
        raise Illegal("5.0", f"{target} is not on the map", at=target)
    if not table.data.passable >> there & 1 or table.data.shut_sides[direction] >> here & 1:
        case = "19.25" if table.board.kinds.get(there) == "river" else "10.16"
        raise Illegal(case, f"nothing may enter {target} from {number(table, here)}: it is water", at=target)
    if crosses_major(table, here, there) and river_closed(table, side)[direction] >> here & 1:
        problem = f"no crossing the river into {target}: an enemy on the bank controls it"
        raise Illegal("10.13-a", problem, at=target)


def _pay(
    table: Table,
    side: str,
    unit: str,
    here: Hex,
    there: Hex,
    before: int,
    leaving: Leaving | None,
    units: Sequence[str],
) -> int:
    """What a unit has spent after one more step. Raises Illegal when it cannot pay."""
    cost = cost_of_step(table.data.exits(side, gait(table, unit)), table.grid, here, there)
    assert cost is not None
    extra = leaving.extra if leaving is not None else 0
    limit = allowance(table, unit)
    if before + cost + extra <= limit:
        return before + cost + extra
    if before == 0 and not extra:  # 5.14
        return CLOSED
    have, need = (limit - before) / HALF, (cost + extra) / HALF
    problem = f"{unit} has {max(have, 0):g} Movement Points left and needs {need:g} to enter {number(table, there)}"
    reach = numbers(table.data, reachable(table, side, units, leaving))
    raise Illegal(
        (leaving.cost_case or leaving.case) if leaving else "5.11", problem, unit=unit, at=number(table, there),
        instead="In reach", alternatives=reach,
    )  # fmt: skip


def _out_of_reach(table: Table, side: str, units: Sequence[str], there: Hex, leaving: Leaving | None) -> Illegal:
    """There is no way at all: say which rule stands in it."""
    start = place(table, units[0])
    if enemy_zoc(table, side) >> start & 1 and leaving is None:
        spot = number(table, start)
        instead = "It may overrun from there, or delay or disengage where the rules allow"
        return Illegal(
            "5.24",
            f"units in an enemy zone of control may not walk out of it: {spot}",
            at=spot,
            instead=instead,
        )
    for near in table.grid.neighbours(there):
        if table.board.land >> near & 1:
            try:
                _check_entry(table, side, near, there)
                _check_company(table, side, units, there)
            except Illegal as refusal:
                return refusal
    reach = numbers(table.data, reachable(table, side, units, leaving))
    target = number(table, there)
    return Illegal(
        "5.23",
        f"there is no way to {target} past the enemy",
        at=target,
        instead="In reach",
        alternatives=reach,
    )


def go(table: Table, side: str, units: Sequence[str], result: Walk, how: str, case: str) -> Iterator[Fact]:
    """The units move; their move stays open for the same units until others move (5.0)."""
    path = tuple(number(table, h) for h in result.path)
    for unit in units:
        if table.position.mark(unit, "spent") is None:
            yield Marked(subject=unit, mark="from", value=path[0], because="21.15")
        yield Moved(unit=unit, path=path, how=how, spent=result.spent[unit] - spent(table, unit), because=case)
        yield Marked(subject=unit, mark="spent", value=result.spent[unit], because="5.12")
        if table.data.switch["untried"] and is_hq(table, unit):
            yield Marked(subject=unit, mark="came from", value=path[-2], because="11.23")
    yield from open_move(table, units)
    yield from passed_towns(table, side, result.path[1:])


def open_move(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """These units have moved: everybody else's move is closed, but for stack-mates who overran with them (6.24)."""
    mates = left_behind(table)
    if mates:
        same = bool(units) and set(units) <= {*mates, *moving(table)}
        waiting = [unit for unit in mates if unit not in units] if same else []
        yield Marked(subject="game", mark="together", value=" ".join(waiting) or None, because="6.24")
    said = " ".join(units)
    if table.position.mark("game", "moving") != said:
        yield Marked(subject="game", mark="moving", value=said or None, because="5.0")


def close_move(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """These units may not move on in this phase."""
    for unit in units:
        if table.position.hex_of(unit) is not None:
            yield Marked(subject=unit, mark="spent", value=CLOSED, because="6.22")
    if table.position.mark("game", "moving") is not None:
        yield Marked(subject="game", mark="moving", value=None, because="5.0")


def passed_towns(table: Table, side: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """25.24: a Soviet unit that enters a town removes the air marker there."""
    if side == "soviet":
        for h in path:
            if table.position.mark(f"@{number(table, h)}", "air") is not None:
                yield Marked(subject=f"@{number(table, h)}", mark="air", value=None, because="25.24")


def discard(table: Table, unit: str) -> Eliminated:
    return Eliminated(unit=unit, at=number(table, place(table, unit)), because="7.0-b")
