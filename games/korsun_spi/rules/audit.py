"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from __future__ import annotations

from engine import hexset
from engine.table import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET, crowded, held, is_a, number
from games.korsun_spi.rules.losses import points
from games.korsun_spi.rules.phases import marked


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    return [*_pieces(table), *_ground(table), *_stacks(table), *_marks(table), *_score(table)]


def _pieces(table: Table) -> list[str]:
    position = table.position
    found = []
    for unit in table.roster:
        where = position.where.get(unit.id)
        if where is None:
            found.append(f"{unit.id} is nowhere: not on the map, in a box or eliminated")
        elif table.grid.has(where) and position.lost.get(unit.id, 0) >= len(unit.steps):
            found.append(f"{unit.id} is on the map with no step left")
    return found


def _ground(table: Table) -> list[str]:
    both = held(table, SOVIET) & held(table, GERMAN)
    water = (held(table, SOVIET) | held(table, GERMAN)) & ~table.data.passable
    found = [f"both sides stand in {number(table, h)}" for h in hexset.members(both)]
    return found + [f"units stand in water in {number(table, h)}" for h in hexset.members(water)]


def _stacks(table: Table) -> list[str]:
    """7.0: at phase ends and in combat; while a side moves its own stacks may be too large."""
    found = []
    for side in (SOVIET, GERMAN):
        mover = table.position.side == side and table.position.stage.endswith(("initial", "mechanised"))
        if not mover and not table.position.stage.startswith(("setup", "start")):
            found += [f"too many units in {number(table, h)}" for h in crowded(table, side)]
    return found


def _marks(table: Table) -> list[str]:
    found = []
    for subject in table.position.marks:
        known = subject in table.roster or subject == "game" or subject.startswith("@")
        if not known:
            found.append(f"a mark on {subject}, which is nothing")
    for unit in marked(table, "supported"):
        if not is_a(table, unit, "corps"):
            found.append(f"{unit} is supported and no corps")
    for side in (SOVIET, GERMAN):
        air = table.position.tracks.get(f"air_{side}", 0)
        if air < 0:
            found.append(f"{side} has {air} Air Points")
    return found


def _score(table: Table) -> list[str]:
    """27.2: the German score follows from the Soviet losses alone, so it can be counted again."""
    position, row = table.position, table.data.tables["victory_points"]["german"]
    total = 0
    for unit in table.roster.by_side(SOVIET):
        if "corps" in unit.classes:
            dead = position.where.get(unit.id) == "eliminated"
            total += row["corps"] if dead else row["corps_step"] * position.lost.get(unit.id, 0)
        elif position.where.get(unit.id) == "eliminated" and not _blank(table, unit.id):
            kind = next(k for k in ("hq", "brigade", "division") if k in unit.classes)
            total += row[kind]
    scored = points(table, GERMAN)
    return [f"German points are {scored} and should be {total}"] if scored != total else []


def _blank(table: Table, unit: str) -> bool:
    """13.3: a unit without any strength is removed, not destroyed."""
    steps = table.unit(unit).steps
    return not any(steps[0].get(key, 0) for key in ("attack", "defence", "rating"))
