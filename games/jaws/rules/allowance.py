"""What a unit may spend on a move (9.0, 9.3, 12.17.2, 13.5), in sixths of a point, and who may move at all."""

from collections.abc import Sequence
from typing import Literal, get_args

from engine.refusals import Illegal
from engine.rules.ground import is_a
from engine.rules.marks import game_mark
from engine.table import kept
from games.jaws.data import SIXTH, SOVIET, Table
from games.jaws.rules.extension import body, halves, is_marker
from games.jaws.rules.ground import ground
from games.jaws.rules.recovery import SPOKE
from games.jaws.rules.units import OOS, going, is_sdm, on_wheels, upset
from games.jaws.shapes import Going

How = Literal["move", "foot", "strategic", "strategic on foot", "reserve", "reserve on foot"]
RESERVES: tuple[How, ...] = ("reserve", "reserve on foot")  # 9.7
STRATEGIC: tuple[How, ...] = ("strategic", "strategic on foot")  # 9.4.2
ON_FOOT: tuple[How, ...] = ("foot", "strategic on foot", "reserve on foot")  # 9.1.1
SPENT = "spent"  # sixths that a unit has spent in this phase
STOOD = "stood"  # 9.12-2: a unit that has spent points in a storm, and still stands where it began the phase
SPARED = "spared"  # 9.12: a hex whose Alarm unit cannot be stormed, as those who tried have found
CLOSED = 10_000  # spent by a unit that may not go on
HOW = "how"  # in which way its open move began
MOVING = "moving"  # the units whose move is open: 9.0-a, one stack after another
WORN = "worn"  # 10.3.2, 9.4.2-r2, -r3: in Regroup when its move is over: by which case
STRAINED = "strained"  # 13.5.1-d: has gone more than one hex by wheel at OOS1: at OOS2 when its move is over
AFOOT = "afoot"  # 9.2.1-2: its vehicles are beyond a river
RESERVE = "reserve"  # 9.6
ENTERED = "entered"  # 7.1-c2: came onto the map this turn
REPLACED = "replaced"  # 8.4-c4: how many steps a unit has taken in this turn
EMPLACED = "emplaced"  # 17.1.5-c3: a component of a Barrage unit that was broken up this turn
TRUCK = "truck"  # 18.5.1: infantry on trucks in this phase
ALARM_UP = "alarm"  # 4.8.2-b: on its Alarm side


def class_of(table: Table, unit: str, how: How) -> Going:
    """9.1.1, 9.2.1-2x: the column by which it moves now; 18.5.2: on trucks the motorized one."""
    if table.position.mark(unit, TRUCK) is not None:
        return "motor"
    walks = how in ON_FOOT or table.position.mark(unit, AFOOT) is not None
    return "foot" if walks and on_wheels(table, unit) else going(table, unit)


def allowance(table: Table, unit: str, how: How) -> int:
    """9.3: less in mud; then halved for Disorganized and for being out of supply, rounded up each time."""
    rows, by = table.data.tables["movement"], class_of(table, unit, how)
    walks = by == "foot" and on_wheels(table, unit)
    points = rows["on_foot"]["points"] if walks else _printed(table, unit)
    if ground(table) == "mud":
        points -= rows["mud"][by]
    if how in RESERVES:
        points -= rows["reserve"][by]
    if upset(table, unit):
        points = -(-points // rows["disorganized"]["divisor"])
    state = table.position.mark(unit, OOS)
    if state is not None and by != "foot":
        points = -(-points // rows["oos1" if state == 1 else "oos2"]["divisor"])
    return max(0, points) * SIXTH


def _printed(table: Table, unit: str) -> int:
    if table.position.mark(unit, TRUCK) is not None:
        return table.data.tables["options"]["trucks"]["move"]
    return table.position.value(unit, "move") if table.unit(unit).has("move") else 0


def spent(table: Table, unit: str) -> int:
    return int(table.position.mark(unit, SPENT) or 0)


def began(table: Table, unit: str, usual: How) -> How:
    """9.4: the way in which its move began; the usual one if it has not."""
    said = table.position.mark(unit, HOW)
    return next((how for how in get_args(How) if how == said), usual)


def under_way(table: Table, units: Sequence[str]) -> bool:
    """Whether one of them has entered a hex in this phase."""
    return any(spent(table, unit) and table.position.mark(unit, STOOD) is None for unit in units)


@kept
def moving(table: Table) -> list[str]:
    """Those whose move is open: an extended division's is that of both halves (4.7.1-6)."""
    return halves(table, game_mark(table, MOVING).split())


def check_ever_moves(table: Table, side: str, unit: str) -> None:
    """Whether a unit is one that moves. Raises Illegal."""
    if table.unit(unit).side != side:
        raise Illegal("9.0-a", f"{unit} is not yours", unit=unit)
    if table.position.hex_of(unit) is None:
        parts = [part.id for part in table.roster.parts(unit) if table.position.hex_of(part.id) is not None]
        laid = f"It is laid by `extend {body(table, unit)} to HEX`" if is_marker(table, unit) else ""
        instead = "It has broken down into" if parts else laid
        raise Illegal("9.0-a", f"{unit} is not on the map", unit=unit, instead=instead, alternatives=parts)
    if is_sdm(table, unit):
        raise Illegal("13.2.1", f"{unit} is placed in the Supply Marker Phase and stays there for the turn", unit=unit)
    if is_a(table, unit, "barrage"):
        raise Illegal("17.1.2-a", f"{unit} does not move", unit=unit)
    if side == SOVIET and table.position.mark(body(table, unit), REPLACED) is not None:
        raise Illegal("8.4-c4a", f"{unit} has taken replacements and may not move this turn", unit=unit)
    if table.position.mark(unit, ALARM_UP) is not None:
        raise Illegal("4.8.2-b", f"{unit} does not move while it lies on its Alarm side", unit=unit)


def _way_of(table: Table, unit: str, how: str) -> str:
    """9.1.1: on foot or not is one to whoever has no wheels, and may be of a stack that walks (9.9.4)."""
    usual = {"foot": "move", "strategic on foot": "strategic", "reserve on foot": "reserve"}
    return how if on_wheels(table, unit) else usual.get(how, how)


def check_may_move(table: Table, side: str, unit: str, how: How) -> None:
    """Whether a unit may move now, and in this way. Raises Illegal."""
    check_ever_moves(table, side, unit)
    if (how in RESERVES) != (table.position.mark(unit, RESERVE) is not None):
        if how in RESERVES:
            raise Illegal("9.7", f"{unit} is not in Reserve", unit=unit)
        raise Illegal("9.6", f"{unit} is in Reserve and moves in the Reserve Movement Segment", unit=unit)
    if how not in RESERVES and table.position.mark(unit, EMPLACED) is not None:
        raise Illegal("17.1.5-c3", f"{unit} has come back from a Barrage unit and does not move in this phase",
                      unit=unit)  # fmt: skip
    if table.position.mark(unit, SPOKE) is not None:
        raise Illegal("9.10.3", f"{unit} has fired in this phase and may not move any more", unit=unit)
    if table.position.mark(unit, SPENT) is not None and unit not in moving(table):
        raise Illegal("9.0-a", f"{unit} has moved: a move is finished before the next begins", unit=unit)
    began = table.position.mark(unit, HOW)
    if began is not None and _way_of(table, unit, str(began)) != _way_of(table, unit, how):
        case = "9.1.1" if (began in ON_FOOT) != (how in ON_FOOT) else "9.4.2"
        raise Illegal(case, f"{unit} began its move by another kind of movement ({began})", unit=unit)
    if how in ON_FOOT and class_of(table, unit, how) != "foot":
        raise Illegal("9.1.1", f"{unit} is no motorized or mechanized infantry and no reconnaissance unit", unit=unit)
    if how in STRATEGIC and upset(table, unit):
        raise Illegal("9.4.2-r1", f"{unit} is Disorganized or in Regroup", unit=unit)
    if how in STRATEGIC and (state := table.position.mark(unit, OOS)) is not None:
        raise Illegal("13.5.1-d" if state == 1 else "13.5.2-f", f"{unit} is out of supply", unit=unit)
