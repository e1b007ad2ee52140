"""What must be true of every position, whatever the rulebook (for fuzzing and for whoever corrects one by hand)."""

from collections.abc import Collection

from engine import hexset
from engine.hexset import HexSet
from engine.position import ELIMINATED
from engine.table import Table


def pieces(table: Table, keep_losses: Collection[str] = ()) -> list[str]:
    """Every counter is on the map, in a box or eliminated, and whole in a box but for those that keep losses."""
    found = []
    for unit in table.roster:
        where, lost = table.position.where.get(unit.id), table.position.lost.get(unit.id, 0)
        if where is None:
            found.append(f"{unit.id} is nowhere: not on the map, in a box or eliminated")
        elif table.grid.has(where):
            if not 0 <= lost < len(unit.steps):
                found.append(f"{unit.id} is on the map and has lost {lost} of {len(unit.steps)} steps")
        elif lost and where != ELIMINATED and where not in keep_losses:
            found.append(f"{unit.id} has lost {lost} steps in the box {where!r}")
    return found


def ground(table: Table, passable: HexSet) -> list[str]:
    """No hex holds both sides, and nobody stands where nobody can."""
    number = table.grid.number_of
    one, two = (table.position.held(side) for side in table.game.sides)
    found = [f"both sides stand in {number(h)}" for h in hexset.members(one & two)]
    return found + [f"units stand in {number(h)}, where none can be" for h in hexset.members((one | two) & ~passable)]


def marks(table: Table, keep_marks: Collection[str] = ()) -> list[str]:
    """A mark lies on a unit of the map or of a box that keeps marks, a hex, a hexside or the game."""
    found = []
    for subject in table.position.marks:
        if subject in table.roster:
            if table.position.hex_of(subject) is None and table.position.where.get(subject) not in keep_marks:
                found.append(f"a mark on {subject}, which is not on the map")
        elif subject != "game" and not subject.startswith("@"):
            found.append(f"a mark on {subject}, which is nothing")
    return found
