"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from engine import audit, hexset
from engine.position import ELIMINATED
from engine.rules.ground import held, number
from engine.rules.pools import in_pool
from games.manstein.data import Table
from games.manstein.rules import air
from games.manstein.rules.chits import COMMON, cup, cup_count, hand_count, in_hand
from games.manstein.rules.ground import AXIS, SOVIET, crowded, is_hq
from games.manstein.rules.headquarters import OFF_MAP
from games.manstein.rules.lines import AIRHEAD
from games.manstein.rules.victory import tracked, worth

ACTION_MARKS = ("activated", "moved", "attacked")


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    checks = (_headquarters, _stacks, _marks, _control, _chits, _air, _destroyed)
    found = audit.pieces(table, keep_losses=("turned", OFF_MAP)) + audit.ground(table, table.data.passable)
    return found + [fault for check in checks for fault in check(table)]


def _headquarters(table: Table) -> list[str]:
    """14.1: an HQ is never eliminated."""
    dead = [unit.id for unit in table.roster if table.position.where.get(unit.id) == ELIMINATED]
    return [f"{unit} is an HQ and eliminated" for unit in dead if is_hq(table, unit)]


def _stacks(table: Table) -> list[str]:
    """3.1(3): but for the side that is moving."""
    found = []
    for side in (SOVIET, AXIS):
        if table.position.stage != f"{side}.move":
            found += [f"too many units in {number(table, h)}" for h in crowded(table, side)]
    return found


def _marks(table: Table) -> list[str]:
    found = audit.marks(table)
    acting = table.position.stage.endswith((".mode", ".move", ".combat"))
    for subject, marks in table.position.marks.items():
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
    inside = sum(len(in_pool(table, cup(side))) for side in (SOVIET, AXIS, COMMON))
    found = []
    if inside != cup_count(table):
        found.append(f"{inside} chits are in the cup, not {cup_count(table)}")
    if len(in_hand(table)) != hand_count(table):
        found.append(f"{len(in_hand(table))} chits are held, not {hand_count(table)}")
    return found


def _air(table: Table) -> list[str]:
    markers, count = air.in_hand(table), air.count(table)
    found = [] if len(markers) == count else [f"{len(markers)} markers in {air.HAND}, not {count}"]
    known = len(set(markers)) == len(markers) and set(markers) <= set(air.markers(table))
    return found if known else [*found, f"markers {', '.join(markers)} are held"]


def _destroyed(table: Table) -> list[str]:
    """17.1(1): the points for destroyed units can be counted again."""
    dead = [u.id for u in table.roster.by_side(AXIS) if table.position.where.get(u.id) == ELIMINATED]
    due = sum(worth(table, unit)[0] for unit in dead)
    scored = tracked(table, "vp_destroyed")
    return [] if due == scored else [f"destroyed units have scored {scored} and should have scored {due}"]
