"""Hits on Soviets who defend (12.53): retreats, Hold Checks and steps, hit by hit."""

from collections.abc import Generator, Sequence
from typing import Any

from engine.asks import Procedure, Roll, Step
from engine.facts import Marked, Told
from engine.hexes import Hex
from engine.rules.ground import number, place, units_at
from games.kharkov.data import SOVIET, Table
from games.kharkov.rules.combat.losses import Losses, gone, soviet_losses
from games.kharkov.rules.combat.retreat import Flight, Group, fall_back, most_hexes, soviet_plan
from games.kharkov.rules.combat.situation import RETREATED, Combat, across, defenders
from games.kharkov.rules.combat.tactics import COVER
from games.kharkov.rules.ground import DISPERSED, is_dispersed, steps
from games.kharkov.rules.supply import in_supply

DIE, FARTHEST = 10, 2


def soviet_defenders_hit(table: Table, combat: Combat, d: int) -> Generator[Step, Any, Flight]:
    """12.53: steps once they have gone as far as they may; a retreat where hits reach the steps; else a Hold Check."""
    units, flight, taken = defenders(table, combat), Flight(), Losses()
    limit = most_hexes(table, units, combat.defence_tactics)
    must_go_on = False
    while d > 0 and (alive := _alive(table, units)):
        plan = []
        if flight.hexes < limit:
            through = limit - flight.hexes > 1 and d > 1  # 12.75: only with a hit left for the second hex
            plan = soviet_plan(table, _groups(table, alive), combat.target, second=bool(flight.hexes), through=through)
        back = bool(plan) and (must_go_on or d >= steps(table, alive))
        if plan and not back:
            costs = any(chosen.best.costs for _, chosen in plan)
            back = not (yield from _holds(table, combat, alive, flight, costs=costs))
        d -= 1
        if not back:
            yield from soviet_losses(table, alive, 1, "12.53", taken)
            continue
        flight.hexes += 1
        for group, chosen in plan:
            flight.trail += [chosen.best.hex] if flight.hexes == 1 else []
            yield chosen.told(", ".join(group), "retreats to", "12.7-c")
            yield from fall_back(table, group, chosen.best.hex, "12.53")
        must_go_on = any(chosen.best.full for _, chosen in plan)
        if flight.hexes == FARTHEST:
            yield from _dispersed(table, units)
    yield from trampled(table, combat, SOVIET)
    return flight


def _alive(table: Table, units: Sequence[str]) -> list[str]:
    return [unit for unit in units if table.position.hex_of(unit) is not None]


def _groups(table: Table, units: Sequence[str]) -> list[Group]:
    """Who stands together: one group, unless they had to split (12.73)."""
    found: dict[Hex, list[str]] = {}
    for unit in units:
        found.setdefault(place(table, unit), []).append(unit)
    return [(group, h) for h, group in found.items()]


def _dispersed(table: Table, units: Sequence[str]) -> Procedure:
    for unit in _alive(table, units):
        if not is_dispersed(table, unit):
            yield Marked(subject=unit, mark=DISPERSED, because="12.75")


def trampled(table: Table, combat: Combat, side: str) -> Procedure:
    """12.74: who had retreated into the hex before is eliminated with it, if the defenders go or die."""
    if not defenders(table, combat):
        for unit in [u for u in units_at(table, combat.target, side) if table.position.mark(u, RETREATED)]:
            yield from gone(table, unit, "12.74")


def hold_chance(table: Table, combat: Combat, units: Sequence[str], flight: Flight, *, costs: bool) -> dict[str, int]:
    """12.53-b, part by part; after a retreat by the hex they stand in now, and the river counts no more."""
    rules, here = table.data.tables["hold"], place(table, units[0])
    ground = table.data.terrain(here)
    return {
        "steps": steps(table, units) * rules["steps"],
        "VP": rules["vp"] * table.data.points.get(here, 0),
        ground: rules["cover"] * (ground in COVER),
        "river": rules["river"] * (across(table, combat) and not flight.hexes),
        "no supply": rules["no_supply"] * (not in_supply(table, SOVIET, here)),
        "costly retreat": rules["costly_retreat"] * costs,
        "retreated": rules["retreated"] * bool(flight.hexes),
    }


def _holds(
    table: Table, combat: Combat, units: Sequence[str], flight: Flight, *, costs: bool
) -> Generator[Step, Any, bool]:
    """12.53-b: the Hold Check."""
    parts = hold_chance(table, combat, units, flight, costs=costs)
    chance, here = max(0, sum(parts.values())), number(table, place(table, units[0]))
    reasons = ", ".join(f"{what} {points}" for what, points in parts.items() if points)
    yield Told(text=f"Hold Check at {here}: {chance} or less ({reasons}).", because="12.53-b")
    die: int = yield Roll(f"hold at {here}, {chance} or less", sides=DIE, stream=f"hold {table.position.turn}")
    return die <= chance
