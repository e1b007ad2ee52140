"""Combat (10.0): one attack from its declaration to the advance."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Fought, Noted
from engine.forecast import Forecast, Working, even_chances, outlook
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, nothing
from engine.refusals import Illegal
from engine.rules.combat import attack_ask, attacks
from engine.rules.ground import held, number, place, units_at
from engine.table import kept_while_side_still
from games.manstein.data import Table
from games.manstein.orders import Attack, End
from games.manstein.rules import odds as reckoning
from games.manstein.rules.advance import advance
from games.manstein.rules.air import HELPS, air_in_defence, check_air, count, kind_of, marker_of, use_marker
from games.manstein.rules.crossings import ORDER, under_order
from games.manstein.rules.falling_back import retreat
from games.manstein.rules.ground import AXIS, NOBODY, absent, activated, is_hq, touches
from games.manstein.rules.losses import Toll, take_losses

FOUGHT = "fought"  # a hex that was attacked in this segment
ATTACKED = "attacked"  # a unit that has attacked in this segment


# Who may attack whom (10.1)


def check_attack(table: Table, side: str, order: Attack) -> None:
    """Everything that must hold before an attack. Raises Illegal."""
    target = table.grid.hex(order.target)
    if spared := _spared(table, side, target):
        near = [number(table, h) for h in targets(table, side) if h != target]
        raise Illegal(*spared, at=order.target, instead="Enemies next to your units", alternatives=near or (NOBODY,))
    for unit in order.units:
        check_attacker(table, side, unit)
        if not touches(table, place(table, unit), target):
            case, why = "10.0-a", "it is not next to it"
            if table.grid.direction(place(table, unit), target) is not None:
                case, why = "10.1.6", "an impassable hexside lies between"
            able = attackers_of(table, side, target) or (NOBODY,)
            raise Illegal(case, f"{unit} may not attack {order.target}: {why}", unit=unit, at=order.target,
                          instead="These could", alternatives=able)  # fmt: skip
    found = reckoning.odds(table, order.units, target)
    if found.column < 0:
        ratio = f"{found.attack} to {found.defence}"
        more = [unit for unit in attackers_of(table, side, target) if unit not in order.units]
        raise Illegal("10.3.4", f"{ratio} against {order.target} is less than 1-1 after terrain", at=order.target,
                      instead="These could join", alternatives=more or (NOBODY,))  # fmt: skip
    check_air(table, side, order.air, defending=False, anyway=order.anyway)


def _spared(table: Table, side: str, target: Hex) -> tuple[str, str] | None:
    """By which case, and why, nobody attacks a hex."""
    spot, there = number(table, target), units_at(table, target, table.enemy(side))
    if not there:
        return "10.0-b", f"there is nobody to attack in {spot}"
    if table.data.switch["hq_alone"] == "safe" and all(is_hq(table, unit) for unit in there):
        return "10.0-b", f"an HQ alone in {spot} may not be attacked in this game"
    if table.position.mark(f"@{spot}", FOUGHT) is not None:
        return "10.1.4-a", f"{spot} was attacked in this segment already"
    return None


def check_attacker(table: Table, side: str, unit: str) -> None:
    """Raises Illegal."""
    position = table.position
    case, why = "", ""
    if gone := absent(table, side, unit):
        case, why = "10.0-a", gone
    elif position.mark(unit, "activated") is None:
        case, why = "10.1.1", f"{unit} is not activated"
    elif position.mark(unit, ATTACKED) is not None:
        case, why = "10.1.1", f"{unit} has attacked in this segment already"
    if case:
        raise Illegal(case, why, unit=unit, instead="These may attack", alternatives=ready(table, side) or (NOBODY,))


@kept_while_side_still("activated", ATTACKED)
def ready(table: Table, side: str) -> list[str]:
    """The activated units that have not attacked yet."""
    return [unit for unit in activated(table, side) if table.position.mark(unit, ATTACKED) is None]


def targets(table: Table, side: str) -> list[Hex]:
    """The enemy hexes next to units that may attack."""
    spots = hexset.of(place(table, unit) for unit in ready(table, side))
    return list(hexset.members(hexset.spread(table.grid, spots) & held(table, table.enemy(side))))


def attackers_of(table: Table, side: str, target: Hex) -> list[str]:
    """The units that could join an attack on a hex."""
    return [unit for unit in ready(table, side) if touches(table, place(table, unit), target)]


def _choices(table: Table, side: str) -> list[Choice]:
    """Attacks that may be ordered: the hexes that would fall under the attack of all who can join."""
    found = []
    for target in targets(table, side):
        everybody = tuple(attackers_of(table, side, target))
        if everybody and not _spared(table, side, target) and reckoning.odds(table, everybody, target).column >= 0:
            found.append(_assault(table, side, everybody, {"target": number(table, target)}))
    return found


def _assault(table: Table, side: str, able: Sequence[str], given: Given) -> Choice:
    """One attacker after another, of those who are able; whole where they are strong enough."""
    units: tuple[str, ...] = given.get("units", ())
    left = [unit for unit in able if unit not in units]
    enough = bool(units) and reckoning.odds(table, units, table.grid.hex(given["target"])).column >= 0
    stuka = marker_of(table, HELPS["attacker"]) if side == AXIS and enough else ""
    also = (lambda: [Choice(Attack, {**given, "air": stuka})]) if stuka else nothing  # 15.2(1)
    onward = partial(_assault, table, side, able)
    return Choice(Attack, given, "units" if left else "", lambda: left, enough, onward, also)


# Resolution (10.2)


def resolve(table: Table, side: str, order: Attack) -> Procedure:
    """10.2: ratio, air, die, losses, retreat, advance."""
    target = table.grid.hex(order.target)
    units, defenders = list(order.units), units_at(table, target, table.enemy(side))
    seen = table.seen_by(side)  # whose odds the check has worked out
    found, working = reckoning.odds(seen, order.units, target), reckoning.working(seen, order.units, target)
    yield from _spent(table, units, order.target)
    marker = marker_of(table, order.air)
    if marker:
        yield from use_marker(table, marker)
    else:
        marker = yield from air_in_defence(table, side, target, found.column)
    kind = kind_of(table, marker)
    column = reckoning.with_air(table, found.column, kind)
    die = yield Roll(f"attack on {order.target}")
    result = table.data.result(column, reckoning.with_ace(table, die, kind))
    yield Fought(
        kind="attack", attackers=tuple(units), defenders=tuple(defenders), targets=(order.target,),
        column=table.data.columns[column], decided=(("die", str(die)),), result=result, because="10.4.1(1)",
        working=tuple(w.noted for w in (*working, *_air_working(table, marker))),
    )  # fmt: skip
    yield from apply_result(table, side, units, target, result)


def _spent(table: Table, units: Sequence[str], spot: str) -> Iterator[Fact]:
    for unit in units:
        yield Noted(subject=unit, mark=ATTACKED, because="10.1.1")
    yield Noted(subject=f"@{spot}", mark=FOUGHT, because="10.1.4-a")


def _air_working(table: Table, marker: str) -> list[Working]:
    kind = kind_of(table, marker)
    if not kind:
        return []
    stuka, ace = table.data.tables["air"]["stuka"], table.data.tables["air"]["ace"]
    if kind == "stuka":
        return [Working(marker, f"{stuka['columns']} to the right", stuka["case"])]
    return [Working(marker, f"{ace['die']} on the die", ace["case"])]


def apply_result(table: Table, side: str, units: list[str], target: Hex, result: str) -> Procedure:
    """10.4.1(3): the attacker's losses, or the defender's losses and retreat, then the advance."""
    enemy = table.enemy(side)
    if result.startswith("A"):
        yield from take_losses(table, Toll(side, tuple(units), int(result[1:]), "attacker"))
        return
    if result == "-":
        return
    defenders = tuple(units_at(table, target, enemy))
    lost, retreats = harm(table, target, enemy, result)
    yield from take_losses(table, Toll(enemy, defenders, lost, "defender"))
    if retreats:
        yield from retreat(table, enemy, units_at(table, target, enemy), retreats)
    yield from advance(table, side, units, target)


def harm(table: Table, target: Hex, side: str, result: str) -> tuple[int, int]:
    """Steps lost and hexes to retreat by a result; 16.2(1): under an Absolute Order nobody goes."""
    lost = int(result.rstrip("R") or 0)
    hexes = result.count("R")
    if side == AXIS and under_order(table, target):
        return lost + table.data.tables["absolute_order"]["steps"]["R" * hexes], 0
    return lost, hexes


def forecast(table: Table, side: str, order: Attack) -> Forecast:
    """What an attack would come to, but for the air power of the defence. Raises Illegal."""
    check_attack(table, side, order)
    target = table.grid.hex(order.target)
    marker = marker_of(table, order.air)
    kind = kind_of(table, marker)
    column = reckoning.with_air(table, reckoning.odds(table, order.units, target).column, kind)
    chances = even_chances([table.data.result(column, reckoning.with_ace(table, d, kind)) for d in range(1, 7)])
    lines = reckoning.working(table, order.units, target)
    working = (*lines, *_air_working(table, marker), *_reservations(table, side, target))
    title = f"{', '.join(order.units)} attack {order.target}"
    meaning = partial(_meaning, table, table.enemy(side), target)
    return Forecast(title, table.data.columns[column], working, chances, outlook(chances, meaning))


def _meaning(table: Table, side: str, target: Hex, result: str) -> tuple[bool, bool, bool]:
    """Whether a result clears the hex of a side for sure, may clear it, costs the attacker; nobody has a choice."""
    if result.startswith("A") or result == "-":
        return False, False, result != "-"
    there = units_at(table, target, side)
    lost, hexes = harm(table, target, side, result)
    cleared = hexes > 0 or lost >= sum(table.position.steps_left(unit) for unit in there)
    return cleared, cleared, False


def _reservations(table: Table, side: str, target: Hex) -> Iterator[Working]:
    """What the chances do not show: air power that may yet come, and a garrison that does not retreat."""
    if side != AXIS and count(table):
        yield Working(f"air markers in Axis hands: {count(table)}", "not counted", "15.2(1)")
    if under_order(table, target):
        steps = table.data.tables["absolute_order"]["steps"]
        said = ", ".join(f"{result} costs {lost}" for result, lost in steps.items())
        yield Working(f"{ORDER} in {number(table, target)}", f"{said} instead of the retreat", "16.2(1)")


def combat_segment(table: Table, side: str) -> Procedure:
    """5.5(2): one attack after another, in the order the player chooses as he goes."""
    yield from attacks(lambda: _ask(table, side), lambda order: resolve(table, side, order))


def _ask(table: Table, side: str) -> Ask:
    """The next attack, or the end of the segment."""
    seen = table.seen_by(side)
    prompt = "attacks of the activated units; `end` closes the segment"
    check, offers = partial(check_attack, seen, side), partial(_choices, seen, side)
    return attack_ask(side, prompt, "5.5(2)", Attack, End, check, offers)
