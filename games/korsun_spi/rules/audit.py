"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from typing import TypeGuard

from engine import audit
from engine.facts import Fact, Marked
from engine.position import ELIMINATED
from engine.rules.ground import is_a, number
from engine.rules.marks import marked
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET, crowded
from games.korsun_spi.rules.losses import german_kind, points
from games.korsun_spi.rules.phases import COMBAT_MARKS, PHASE_MARKS, begin_movement
from games.korsun_spi.rules.victory import end_bonus


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    found = audit.pieces(table) + audit.ground(table, table.data.passable)
    checks = (_stacks, _marks, _phase_marks, _snapshot, _staff, _air, _german_score, _soviet_score)
    return found + [fault for check in checks for fault in check(table)]


def _stacks(table: Table) -> list[str]:
    """7.0: at phase ends and in combat; while a side moves its own stacks may be too large."""
    found = []
    for side in (SOVIET, GERMAN):
        mover = table.position.side == side and table.position.stage.endswith(("initial", "mechanised"))
        if not mover and not table.position.stage.startswith(("setup", "start")):
            found += [f"too many units in {number(table, h)}" for h in crowded(table, side)]
    return found


def _marks(table: Table) -> list[str]:
    corps = [unit for unit in marked(table, "supported") if not is_a(table, unit, "corps")]
    return audit.marks(table) + [f"{unit} is supported and no corps" for unit in corps]


def _phase_marks(table: Table) -> list[str]:
    """What lasts for a phase is gone after it."""
    stage = table.position.stage
    gone: tuple[str, ...] = () if stage.endswith(("initial", "mechanised")) else PHASE_MARKS
    gone += () if stage.endswith("combat") else COMBAT_MARKS
    return [f"{unit} is marked {mark!r} in {stage}" for mark in gone for unit in marked(table, mark)]


def _snapshot(table: Table) -> list[str]:
    """12.21: before anybody has moved, supply and command are marked as they would be found now."""
    position = table.position
    moving = position.stage.endswith(("initial", "mechanised")) and not position.ended
    if not moving or marked(table, "spent"):
        return []
    found, now = [], list(begin_movement(table, position.side))
    for mark in ("unsupplied", "unfed", "command", "no hq"):
        due = {f.subject: f.value for f in now if _is_mark(f, mark)}
        there = {unit: position.mark(unit, mark) for unit in marked(table, mark)}
        wrong = sorted(unit for unit in due.keys() | there.keys() if due.get(unit) != there.get(unit))
        found += [f"{unit} is marked {mark} {there.get(unit)}, not {due.get(unit)}" for unit in wrong]
    return found


def _is_mark(fact: Fact, mark: str) -> TypeGuard[Marked]:
    return isinstance(fact, Marked) and fact.mark == mark


def _staff(table: Table) -> list[str]:
    """23.11, 23.2, 24.2: as many active HQs, operations and supported corps as the schedule has, once it is settled."""
    data, turn = table.data, table.position.turn
    if data.switch["headquarters"] != "scheduled" or turn < 1 or table.position.stage.endswith("command"):
        return []
    found = []
    if len(marked(table, "active")) > data.active_headquarters(turn):
        found.append(f"{len(marked(table, 'active'))} HQs are active on turn {turn}")
    if len(marked(table, "supported")) > data.supported(turn):
        found.append(f"{len(marked(table, 'supported'))} corps are supported on turn {turn}")
    for hq in marked(table, "operations"):
        limit, run = data.operations(turn, table.position.value(hq, "rating")), table.position.mark(hq, "operations")
        if table.position.side == SOVIET and limit is not None and int(run or 0) > limit:
            found.append(f"{hq} has run {run} operations of {limit}")
    return found


def _air(table: Table) -> list[str]:
    """19.8: no more Air Points than the weather gives."""
    if not table.data.switch["air_phase"] or table.position.turn < 1:
        return []
    most = max(row["air_points"] for row in table.data.tables["weather"].values())
    points_left = {side: table.position.tracks.get(f"air_{side}", 0) for side in (SOVIET, GERMAN)}
    return [f"{side} has {left} Air Points" for side, left in points_left.items() if not 0 <= left <= most]


def _german_score(table: Table) -> list[str]:
    """27.2: the German score follows from the Soviet losses alone, so it can be counted again."""
    position, row = table.position, table.data.tables["victory_points"]["german"]
    prices = {"hq": row["hq"], "brigade": row["brigade"], "division": row["division"]}
    total = 0
    for unit in table.roster.by_side(SOVIET):
        dead = position.where.get(unit.id) == ELIMINATED
        if "corps" in unit.classes:
            total += row["corps"] if dead else row["corps_step"] * position.lost.get(unit.id, 0)
        elif dead and not _blank(table, unit.id):
            total += next(price for kind, price in prices.items() if kind in unit.classes)
    scored = points(table, GERMAN)
    return [f"German points are {scored} and should be {total}"] if scored != total else []


def _soviet_score(table: Table) -> list[str]:
    """27.1: between all the dead as not isolated and all as isolated; what the end adds comes on top."""
    rows = table.data.tables["victory_points"]["soviet"]
    dead = [u.id for u in table.roster.by_side(GERMAN) if table.position.where.get(u.id) == ELIMINATED]
    kinds = [german_kind(table, unit) for unit in dead if not _blank(table, unit)]
    least = sum(rows["destroyed"][kind] for kind in kinds)
    most = sum(rows["destroyed_isolated"][kind] for kind in kinds)
    if table.position.ended:
        added = sum(worth for _, worth, _ in end_bonus(table))
        least, most = least + added, most + added
    scored = points(table, SOVIET)
    return [] if least <= scored <= most else [f"Soviet points are {scored}, not {least} to {most}"]


def _blank(table: Table, unit: str) -> bool:
    """13.3: a unit without any strength is removed, not destroyed."""
    steps = table.unit(unit).steps
    return not any(steps[0].get(key, 0) for key in ("attack", "defence", "rating"))
