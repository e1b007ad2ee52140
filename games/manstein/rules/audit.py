"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from __future__ import annotations

from engine import hexset
from engine.position import ELIMINATED
from engine.table import Table
from games.manstein.rules.air import HAND as AIR_HAND
from games.manstein.rules.air import count as air_count
from games.manstein.rules.air import in_hand as air_in_hand
from games.manstein.rules.chits import COMMON, cup_count, hand_count, in_cup, in_hand
from games.manstein.rules.ground import AXIS, SOVIET, crowded, held, is_hq, number
from games.manstein.rules.headquarters import OFF_MAP
from games.manstein.rules.lines import AIRHEAD
from games.manstein.rules.victory import tracked, worth

ACTION_MARKS = ("activated", "moved", "attacked")


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    checks = (_pieces, _ground, _stacks, _marks, _control, _chits, _air, _destroyed)
    return [fault for check in checks for fault in check(table)]


def _pieces(table: Table) -> list[str]:
    """Every counter is on the map, in a box or eliminated, and has lost no more steps than it has."""
    found = []
    for unit in table.roster:
        where, lost = table.position.where.get(unit.id), table.position.lost.get(unit.id, 0)
        if where is None:
            found.append(f"{unit.id} is nowhere: not on the map, in a box or eliminated")
        elif table.grid.has(where) and not 0 <= lost < len(unit.steps):
            found.append(f"{unit.id} is on the map and has lost {lost} of {len(unit.steps)} steps")
        elif where == ELIMINATED and is_hq(table, unit.id):
            found.append(f"{unit.id} is an HQ and eliminated")
        elif not table.grid.has(where) and where not in (ELIMINATED, "turned", OFF_MAP) and lost:
            found.append(f"{unit.id} has lost {lost} steps in the box {where!r}")
    return found


def _ground(table: Table) -> list[str]:
    both = held(table, SOVIET) & held(table, AXIS)
    shut = (held(table, SOVIET) | held(table, AXIS)) & ~table.data.passable
    found = [f"both sides stand in {number(table, h)}" for h in hexset.members(both)]
    return found + [f"units stand in {number(table, h)}, where none can be" for h in hexset.members(shut)]


def _stacks(table: Table) -> list[str]:
    """3.1(3): but for the side that is moving."""
    found = []
    for side in (SOVIET, AXIS):
        if table.position.stage != f"{side}.move":
            found += [f"too many units in {number(table, h)}" for h in crowded(table, side)]
    return found


def _marks(table: Table) -> list[str]:
    found = []
    acting = table.position.stage.endswith((".mode", ".move", ".combat"))
    for subject, marks in table.position.marks.items():
        known = subject in table.roster or subject == "game" or subject.startswith("@")
        if not known:
            found.append(f"a mark on {subject}, which is nothing")
        elif subject in table.roster and table.position.hex_of(subject) is None:
            found.append(f"a mark on {subject}, which is not on the map")
        if not acting and not table.position.ended:
            found += [f"{subject} is marked {mark!r} outside an activation" for mark in ACTION_MARKS if mark in marks]
    return found


def _control(table: Table) -> list[str]:
    """3.4(2): who stands in a city or crossing point controls it; 13.2(2): no bridgehead under an Axis unit."""
    found = []
    for h in (*hexset.members(table.data.cities), *table.data.crossings):
        for side in (SOVIET, AXIS):
            if held(table, side) >> h & 1 and table.position.owners.get(number(table, h)) != side:
                found.append(f"{side} stand in {number(table, h)} and do not control it")
    for h in hexset.members(held(table, AXIS)):
        if table.position.mark(f"@{number(table, h)}", AIRHEAD) is not None:
            found.append(f"an Axis unit stands on the bridgehead in {number(table, h)}")
    return found


def _chits(table: Table) -> list[str]:
    """6.1: what the tracks say of cup and hand is what is in them."""
    inside = sum(len(in_cup(table, side)) for side in (SOVIET, AXIS, COMMON))
    found = []
    if inside != cup_count(table):
        found.append(f"{inside} chits are in the cup, not {cup_count(table)}")
    if len(in_hand(table)) != hand_count(table):
        found.append(f"{len(in_hand(table))} chits are held, not {hand_count(table)}")
    return found


def _air(table: Table) -> list[str]:
    held_ = air_in_hand(table)
    most = len(table.data.tables["air_markers"]["markers"])
    found = [] if len(held_) == air_count(table) else [f"{len(held_)} markers in {AIR_HAND}, not {air_count(table)}"]
    return found + ([] if len(set(held_)) == len(held_) <= most else [f"markers {', '.join(held_)} are held"])


def _destroyed(table: Table) -> list[str]:
    """17.1(1): the points for destroyed units can be counted again."""
    dead = [u.id for u in table.roster.by_side(AXIS) if table.position.where.get(u.id) == ELIMINATED]
    due = sum(worth(table, unit)[0] for unit in dead)
    scored = tracked(table, "vp_destroyed")
    return [] if due == scored else [f"destroyed units have scored {scored} and should have scored {due}"]
