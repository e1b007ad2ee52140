"""Leaving an enemy zone: delay (22.1), disengagement (22.2), and how Rostov and Operation Star do it."""

from collections.abc import Generator, Sequence
from typing import Any

from engine.asks import Ask, Procedure, Roll, Step
from engine.facts import Moved, Noted, Told
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import is_a, number, path_numbers, place, units_at
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Delay, Disengage, Retreat
from games.korsun_spi.rules import retreat
from games.korsun_spi.rules.allowance import check_may_move, moves_second
from games.korsun_spi.rules.ground import GERMAN, enemy_zoc
from games.korsun_spi.rules.losses import eliminate
from games.korsun_spi.rules.movement import close_move, go
from games.korsun_spi.rules.reach import Leaving
from games.korsun_spi.rules.results import Suffering, suffer
from games.korsun_spi.rules.walking import Walk, plan


def check_delay(table: Table, side: str, order: Delay) -> tuple[Walk, str]:
    """22.1: the way, and who stays behind. Raises Illegal."""
    cover = may_delay(table, side, order.units, order.cover)
    return plan(table, side, order.units, order.to, order.via, delay_rule(table)), cover


def delay_rule(table: Table) -> Leaving:
    return Leaving("22.13", table.data.cost("delay"), avoids_zones=False)


def may_delay(table: Table, side: str, units: Sequence[str], cover: str = "") -> str:
    """22.11: who stays behind, one unit that started there, and covers the others. Raises Illegal."""
    if side != GERMAN or not table.data.switch["delay"]:
        raise Illegal("22.0", "only German units delay")
    start = check_may_move(table, side, units)
    spot = number(table, start)
    if not enemy_zoc(table, side) >> start & 1:
        raise Illegal("22.1", f"{spot} is in no enemy zone of control: simply move", at=spot)
    there = units_at(table, start, side)
    staying = [unit for unit in there if unit not in units]
    covering = [unit for unit in staying if table.position.mark(unit, "covering") is not None]
    if not covering:
        arrived = [unit for unit in there if table.position.mark(unit, "spent") is not None]
        if arrived:
            problem = f"{arrived[0]} has spent Movement Points in this phase: no delay from {spot}"
            raise Illegal("22.11", problem, unit=arrived[0], at=spot)
    elif any(table.position.mark(unit, "spent") is not None for unit in units):
        raise Illegal("22.11", f"whoever delays must have begun the phase in {spot}", at=spot)
    able = covering or staying
    if cover:
        if cover not in able:
            raise Illegal("22.11", f"{cover} cannot cover a delay from {spot}", unit=cover, at=spot,
                          instead="These can", alternatives=able)  # fmt: skip
        return cover
    if not able:
        raise Illegal("22.1", f"one unit must stay in {spot} to cover the others", at=spot)
    return able[0]


def delay(table: Table, side: str, order: Delay) -> Procedure:
    way, cover = check_delay(table, side, order)
    if table.position.mark(cover, "covering") is None:
        yield Noted(subject=cover, mark="covering", because="22.11")
    yield from go(table, side, order.units, way, "delay", "22.1")
    if enemy_zoc(table, side) >> way.path[-1] & 1:
        for unit in order.units:
            yield Noted(subject=unit, mark="stopped", because="22.12")


def disengage_rule(table: Table, side: str) -> Leaving:
    """How a side may disengage this turn. Raises Illegal when it may not."""
    name = table.data.switch["disengage"]
    if name == "none":
        raise Illegal("5.24", "there is no disengagement in this game")
    row = table.data.tables["disengagement"][name]
    if side not in row["sides"]:
        raise Illegal("22.24" if name == "korsun" else row["case"], f"{side} units do not disengage")
    if table.position.turn < row["first_turn"]:
        raise Illegal("22.24", f"nobody disengages before turn {row['first_turn']}")
    extra = table.data.cost("disengage")
    if name == "star":
        if side == GERMAN:
            return Leaving("star-22.12", extra, avoids_zones=False, first_step_clear=True)
        return Leaving("star-22.11", extra, avoids_zones=True)
    if name == "rostov":
        return Leaving("rostov-21.3", 0, avoids_zones=False)
    return Leaving("22.21", extra, avoids_zones=True, cost_case="22.23")


def onward(table: Table, units: Sequence[str]) -> Leaving | None:
    """22.21, star-22.11: units that disengaged enter no enemy zone for the rest of the phase."""
    cases = [str(case) for unit in units if (case := table.position.mark(unit, "disengaged")) is not None]
    return Leaving(cases[0], 0, avoids_zones=True) if cases else None


def check_disengage(table: Table, side: str, order: Disengage) -> Walk:
    """22.2, 22.21: out of an enemy zone and into no other. Raises Illegal."""
    return plan(table, side, order.units, order.to, order.via, may_disengage(table, side, order.units))


def may_disengage(table: Table, side: str, units: Sequence[str]) -> Leaving:
    """22.2: how these units may disengage from where they stand. Raises Illegal."""
    rule = disengage_rule(table, side)
    start = check_may_move(table, side, units)
    spot = number(table, start)
    if not enemy_zoc(table, side) >> start & 1:
        raise Illegal("22.21", f"{spot} is in no enemy zone of control: simply move", at=spot)
    case = {"star": "star-22.13", "rostov": "rostov-21.3"}.get(table.data.switch["disengage"], "22.21")
    # Nobody retreats into a zone (8.25): whoever has not moved and stands in one stood in it when the phase began.
    begun = [unit for unit in units if table.position.mark(unit, "spent") is not None]
    if begun:
        raise Illegal(case, f"{begun[0]} has moved already; units disengage from where they began", unit=begun[0])
    return rule


def disengage(table: Table, side: str, order: Disengage) -> Procedure:
    way = check_disengage(table, side, order)
    units = list(order.units)
    if table.data.switch["disengage"] == "rostov":
        units = yield from _rostov(table, side, units)
        if not units:
            return
    yield from go(table, side, units, way, "disengage", "22.2")
    rule = disengage_rule(table, side)
    if rule.avoids_zones:
        for unit in units:
            yield Noted(subject=unit, mark="disengaged", value=rule.case, because=rule.case)


# Rostov 21.3


def modifiers(table: Table, side: str, units: Sequence[str]) -> list[tuple[str, int]]:
    """rostov-21.3-e: what is added to the die."""
    rows = {row["name"]: row["add"] for row in table.data.tables["disengagement"]["rostov"]["modifiers"]}
    start = place(table, units[0])
    mobile = any(moves_second(table, unit) for unit in units)
    enemies = [(h, unit) for h in table.grid.neighbours(start) for unit in units_at(table, h, table.enemy(side))]
    armour = any(
        is_a(table, unit, "mech") and not is_a(table, unit, "cavalry") and _controls(table, h, start)
        for h, unit in enemies
    )
    behind = bool(enemies) and all("minor" in table.board.feature(start, h) for h, _ in enemies)
    found = []
    if mobile and not armour:
        found.append("mobile, no enemy armour")
    if behind:
        found.append("behind minor rivers")
    if not mobile and armour:
        found.append("on foot, enemy armour")
    return [(name, rows[name]) for name in found]


def _controls(table: Table, here: Hex, there: Hex) -> bool:
    direction = table.grid.direction(here, there)
    return direction is not None and bool(table.data.zone_sides[direction] >> here & 1)


def _rostov(table: Table, side: str, units: list[str]) -> Generator[Step, Any, list[str]]:
    """rostov-21.3: a die for leaving; gives the units that may go on."""
    row = table.data.tables["disengagement"]["rostov"]
    added = modifiers(table, side, units)
    die = yield Roll(f"disengagement from {number(table, place(table, units[0]))}")
    total = max(row["least"], min(row["most"], die + sum(amount for _, amount in added)))
    effect = row["die"][str(total)]
    said = "".join(f", {amount:+d} {name}" for name, amount in added)
    yield Told(text=f"disengagement of {', '.join(units)}: {die}{said}: {total}", because="rostov-21.3")
    if "retreat" in effect:
        yield from _driven_back(table, side, units, effect["retreat"])
        return []
    if "steps" in effect:
        steps = effect["steps"]
        case = "rostov-21.3-a" if steps > 1 else "rostov-21.3-b"
        yield from suffer(table, Suffering(side, units, steps, "overrun", "attacker", set(), 0, False, case))
    return [unit for unit in units if table.position.hex_of(unit) is not None]


def _driven_back(table: Table, side: str, units: list[str], length: int) -> Procedure:
    """rostov-21.3-c: the other player retreats them; they move no further."""
    enemy = table.enemy(side)
    seen = table.seen_by(enemy)
    spot = number(table, place(table, units[0]))

    def check(order: Retreat) -> None:
        retreat.ordered(seen, units, length, order)

    order = yield Ask(
        side=enemy, name="drive back", subject=spot, prompt=f"retreat {', '.join(units)} {length} hexes from {spot}",
        verbs=(Retreat,), check=check, offers=lambda: [retreat.choice(seen, units, length)], default=Retreat,
        case="rostov-21.3-c", units=tuple(units),
    )  # fmt: skip
    for unit, way in retreat.ordered(table, units, length, order).items():
        if way is None:
            yield from eliminate(table, unit, case="9.71")
        else:
            yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="rostov-21.3-c")
    yield from close_move(table, units)
