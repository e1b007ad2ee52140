"""Action points (1.1-e): what a unit has for an activation, and how it is spent."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.refusals import Illegal
from engine.rules.ground import is_a
from engine.table import kept_while_still
from games.korsun_vv.data import HALF, MOBILE, MUD, Table
from games.korsun_vv.names import ACTIVATED, ALLOTMENT, BY_AIR, FATIGUED, POINTS, STRIDE, SUPPLY
from games.korsun_vv.rules.ground import is_armour, is_hq, is_mech, kind_of, units_of, weather
from games.korsun_vv.rules.markers import holds_katyusha
from games.korsun_vv.shapes import Kind

CLASSES: tuple[Kind, ...] = ("hq", "armour", "mechanised", "cavalry", "infantry")


def allotment(table: Table, unit: str, *, c3i_failed: bool = False) -> int:
    """1.1-e: the type's points, no more than the lowest cap that applies, less on arrival; fatigue aside."""
    rows = table.data.tables["action_points"]
    caps = rows["cap"]
    if is_a(table, unit, "alarm"):
        points = rows["alarm"]["points"]
    else:
        points = next(rows[name] for name in CLASSES if is_a(table, unit, name))
        if weather(table) == MUD and _slowed(table, unit):
            points = min(points, caps["mud"]["points"])
    supply = table.position.mark(unit, SUPPLY)
    if supply == BY_AIR:
        points = min(points, _by_air(table, unit))
    elif supply is not None:
        points = min(points, caps[str(supply)]["points"])
    if c3i_failed:
        idle = table.data.switch["c3i_failure"] == "stays idle"
        points = min(points, 0 if idle else caps["c3i_failure"]["points"])
    if table.data.tired_arrivals.get(unit) == table.position.turn and table.position.mark(unit, ACTIVATED) is None:
        points -= rows["less"]["arrival"]["points"]
    return max(0, points)


def _slowed(table: Table, unit: str) -> bool:
    """15-b: which units mud holds back."""
    return is_armour(table, unit) if table.data.switch["mud_armour"] == "armour" else is_mech(table, unit)


def _by_air(table: Table, unit: str) -> int:
    """13.4-b: the air supply roll's points."""
    mobile = any(is_a(table, unit, name) for name in table.data.tables["air_supply"]["mobile"])
    return table.position.tracks.get("air mobile" if mobile else "air foot", 0)


def usable(table: Table, unit: str) -> int:
    """The points a unit would have if it were activated now, a second activation's fatigue included."""
    again = table.position.mark(unit, ACTIVATED) is not None
    tired = again or table.position.mark(unit, FATIGUED) is not None
    points = allotment(table, unit)
    if tired and not again and points >= table.data.tables["actions"]["recover"]["points"]:
        return points  # it may recover instead
    return max(0, points - tired * table.data.tables["action_points"]["less"]["fatigued"]["points"])


def left(table: Table, unit: str) -> int:
    """What a unit may still spend; 1.6.2-b: an HQ with a Katyusha no more than one point in all."""
    points = table.position.mark(unit, POINTS)
    if points is None:
        return 0
    if is_hq(table, unit) and holds_katyusha(table, unit):
        cap = table.data.tables["action_points"]["cap"]["katyusha"]["points"]
        return max(0, min(int(points), cap - spent(table, unit)))
    return int(points)


def spent(table: Table, unit: str) -> int:
    """What a unit has used up in this activation, if it is fatigued or an HQ: of nobody else is it asked."""
    before = int(table.position.mark(unit, ALLOTMENT) or 0)
    if table.position.mark(unit, FATIGUED) is not None:
        before -= table.data.tables["action_points"]["less"]["fatigued"]["points"]
    return max(0, before - int(table.position.mark(unit, POINTS) or 0))


@kept_while_still(POINTS)
def acting(table: Table, side: str) -> list[str]:
    """The units of the activation under way, on the map or about to enter it."""
    return [u for u in units_of(table.roster, side) if POINTS in table.position.marks.get(u, ())]


def spend(table: Table, unit: str, points: int, case: str, *, stride: int = 0) -> Iterator[Fact]:
    """Points go; half movement points left over stay only between moves (6.1-c)."""
    before = int(table.position.mark(unit, POINTS) or 0)
    if points:
        yield Noted(subject=unit, mark=POINTS, value=before - points, because=case)
    if (table.position.mark(unit, STRIDE) or 0) != stride:
        yield Noted(subject=unit, mark=STRIDE, value=stride or None, because="6.1-c")


def check_acting(table: Table, side: str, unit: str, points: int, case: str) -> None:
    """Raises Illegal unless the unit is activated and can pay."""
    if table.unit(unit).side != side or table.position.mark(unit, POINTS) is None:
        raise Illegal("3.1-a", f"{unit} is not activated", unit=unit, instead="Activated units",
                      alternatives=acting(table, side))  # fmt: skip
    if left(table, unit) < points:
        able = [u for u in acting(table, side) if left(table, u) >= points]
        problem = f"{unit} has {left(table, unit)} action points left and needs {points}"
        why = "1.6.2-b" if is_hq(table, unit) and holds_katyusha(table, unit) else case
        raise Illegal(why, problem, unit=unit, instead="Units with enough", alternatives=able)


def allowance(table: Table, unit: str) -> int:
    """6.1-a: half movement points of one move action."""
    kind = kind_of(table, unit)
    if is_a(table, unit, "cavalry") and table.data.switch["cavalry_move"] == MOBILE:
        kind = MOBILE
    return table.data.tables["movement"][kind]["points"] * HALF


def stride(table: Table, unit: str) -> int:
    return int(table.position.mark(unit, STRIDE) or 0)


def bill(table: Table, unit: str, cost: int) -> tuple[int, int]:
    """6.1-c: the action points that so many half movement points take, and what is left of the last action."""
    over = cost - stride(table, unit)
    if over <= 0:
        return 0, -over
    step = allowance(table, unit)
    actions = -(-over // step)
    return actions, actions * step - over
