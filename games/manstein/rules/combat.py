"""Combat (10.0): one attack from its declaration to the advance."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Roll, Step
from engine.facts import Fact, Fought, Marked
from engine.forecast import Forecast, Working, even_chances
from engine.hexes import Hex
from engine.refusals import Illegal, passes
from engine.rules.combat import attack_ask, attacks
from engine.rules.ground import held, number, place, units_at
from engine.table import Table
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
    _check_target(table, side, target)
    for unit in order.units:
        check_attacker(table, side, unit)
        if not touches(table, place(table, unit), target):
            near = table.grid.direction(place(table, unit), target) is not None
            case, why = ("10.1.6", "an impassable hexside lies between") if near else ("10.0-a", "it is not next to it")
            raise Illegal(case, f"{unit} may not attack {order.target}: {why}", unit=unit, at=order.target,
                          instead="These could", alternatives=_joiners(table, side, target))  # fmt: skip
    found = reckoning.odds(table, order.units, target)
    if found.column < 0:
        ratio = f"{found.attack} to {found.defence}"
        more = [unit for unit in _joiners(table, side, target) if unit not in order.units]
        raise Illegal("10.3.4", f"{ratio} against {order.target} is less than 1-1 after terrain", at=order.target,
                      instead="These could join", alternatives=more or (NOBODY,))  # fmt: skip
    check_air(table, side, order.air, defending=False, anyway=order.anyway)


def _joiners(table: Table, side: str, target: Hex) -> list[str]:
    return attackers_of(table, side, target) or [NOBODY]


def _check_target(table: Table, side: str, target: Hex) -> None:
    spot = number(table, target)
    there = units_at(table, target, table.enemy(side))
    if not there:
        raise _no_target(table, side, "10.0-b", f"there is nobody to attack in {spot}", spot)
    if table.data.switch["hq_alone"] == "safe" and all(is_hq(table, unit) for unit in there):
        raise _no_target(table, side, "10.0-b", f"an HQ alone in {spot} may not be attacked in this game", spot)
    if table.position.mark(f"@{spot}", FOUGHT) is not None:
        raise _no_target(table, side, "10.1.4-a", f"{spot} was attacked in this segment already", spot)


def _no_target(table: Table, side: str, case: str, why: str, spot: str) -> Illegal:
    near = [number(table, h) for h in targets(table, side)]
    return Illegal(case, why, at=spot, instead="Enemies next to your units",
                   alternatives=[h for h in near if h != spot] or (NOBODY,))  # fmt: skip


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


def ready(table: Table, side: str) -> list[str]:
    """The activated units that have not attacked yet."""
    return table.keep(
        ("ready", side), lambda: [u for u in activated(table, side) if table.position.mark(u, ATTACKED) is None]
    )


def targets(table: Table, side: str) -> list[Hex]:
    """The enemy hexes next to units that may attack."""
    spots = hexset.of(place(table, unit) for unit in ready(table, side))
    return list(hexset.members(hexset.spread(table.grid, spots) & held(table, table.enemy(side))))


def attackers_of(table: Table, side: str, target: Hex) -> list[str]:
    """The units that could join an attack on a hex."""
    return [unit for unit in ready(table, side) if touches(table, place(table, unit), target)]


def attack_options(table: Table, side: str, so_far: str) -> list[Option]:
    """Attacks that may be ordered, step by step: the target, then one attacker after another."""
    if not so_far.startswith("attack"):
        return [
            Option(f"attack {number(table, target)} with", complete=False, more=True)
            for target in targets(table, side)
            if _attackable(table, side, target)
        ]
    if " air " in so_far:
        return []
    spot, _, named = so_far.removeprefix("attack ").partition(" with")
    units = [unit.strip() for unit in named.split(",") if unit.strip()]
    found = []
    for unit in attackers_of(table, side, table.grid.hex(spot)):
        if unit in units:
            continue
        order = Attack(target=spot, units=(*units, unit))
        legal = passes(check_attack, table, side, order)
        found.append(Option(order.line(), complete=legal, more=True))
    return [*found, *_with_stuka(table, side, spot, units)]


def _with_stuka(table: Table, side: str, spot: str, units: Sequence[str]) -> list[Option]:
    """15.2(1): the attack as it stands with an air marker, if one is held that helps it."""
    marker = marker_of(table, HELPS["attacker"]) if side == AXIS and units else ""
    order = Attack(target=spot, units=tuple(units), air=marker)
    return [Option(order.line())] if marker and passes(check_attack, table, side, order) else []


def _attackable(table: Table, side: str, target: Hex) -> bool:
    """Whether some attack on the hex would be legal: that of all who could join."""
    everybody = attackers_of(table, side, target)
    order = Attack(target=number(table, target), units=tuple(everybody))
    return bool(everybody) and passes(check_attack, table, side, order)


# Resolution (10.2)


def resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    """10.2: ratio, air, die, losses, retreat, advance."""
    target = table.grid.hex(order.target)
    units, defenders = list(order.units), units_at(table, target, table.enemy(side))
    found = reckoning.odds(table, units, target)
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
        column=table.data.columns[column], die=die, result=result, because="10.4.1(1)",
        working=tuple(w.noted for w in (*found.working, *_air_working(table, marker))),
    )  # fmt: skip
    yield from apply_result(table, side, units, target, result)


def _spent(table: Table, units: Sequence[str], spot: str) -> Iterator[Fact]:
    for unit in units:
        yield Marked(subject=unit, mark=ATTACKED, value=1, because="10.1.1")
    yield Marked(subject=f"@{spot}", mark=FOUGHT, value=1, because="10.1.4-a")


def _air_working(table: Table, marker: str) -> list[Working]:
    kind = kind_of(table, marker)
    if not kind:
        return []
    row = table.data.tables["air"][kind]
    said = f"{row['columns']} to the right" if kind == "stuka" else f"{row['die']} on the die"
    return [Working(marker, said, row["case"])]


def apply_result(table: Table, side: str, units: list[str], target: Hex, result: str) -> Generator[Step, Any, None]:
    """10.4.1(3): the attacker's losses, or the defender's losses and retreat, then the advance."""
    enemy = table.enemy(side)
    if result.startswith("A"):
        yield from take_losses(table, Toll(side, tuple(units), int(result[1:]), "attacker", active=True))
        return
    if result == "-":
        return
    defenders = tuple(units_at(table, target, enemy))
    lost, retreats = harm(table, target, enemy, result)
    yield from take_losses(table, Toll(enemy, defenders, lost, "defender", active=False))
    if retreats:
        yield from retreat(table, enemy, units_at(table, target, enemy), retreats, active=False)
    yield from advance(table, side, units, target)


def harm(table: Table, target: Hex, side: str, result: str) -> tuple[int, int]:
    """Steps lost and hexes to retreat by a result; 16.2(1): under an Absolute Order nobody goes."""
    lost = int(result.rstrip("R") or 0)
    hexes = result.count("R")
    if side == AXIS and under_order(table, target):
        stands: int = table.data.tables["absolute_order"]["steps"]["R" * hexes]
        return lost + stands, 0
    return lost, hexes


def forecast(table: Table, side: str, order: Attack) -> Forecast:
    """What an attack would come to, but for the air power of the defence. Raises Illegal."""
    check_attack(table, side, order)
    target = table.grid.hex(order.target)
    found = reckoning.odds(table, order.units, target)
    marker = marker_of(table, order.air)
    kind = kind_of(table, marker)
    column = reckoning.with_air(table, found.column, kind)
    results = [table.data.result(column, reckoning.with_ace(table, die, kind)) for die in range(1, 7)]
    working = (*found.working, *_air_working(table, marker), *_reservations(table, side, target))
    title = f"{', '.join(order.units)} attack {order.target}"
    return Forecast(title, table.data.columns[column], working, even_chances(results))


def _reservations(table: Table, side: str, target: Hex) -> Iterator[Working]:
    """What the chances do not show: air power that may yet come, and a garrison that does not retreat."""
    if side != AXIS and count(table):
        yield Working(f"air markers in Axis hands: {count(table)}", "not counted", "15.2(1)")
    if under_order(table, target):
        steps = table.data.tables["absolute_order"]["steps"]
        said = ", ".join(f"{result} costs {lost}" for result, lost in steps.items())
        yield Working(f"{ORDER} in {number(table, target)}", f"{said} instead of the retreat", "16.2(1)")


def combat_ask(table: Table, side: str) -> Ask:
    """The next attack, or the end of the segment."""
    seen = table.seen_by(side)

    return attack_ask(
        side,
        "attacks of the activated units; `end` closes the segment",
        "5.5(2)",
        Attack,
        End,
        lambda order: check_attack(seen, side, order),
        lambda so_far: attack_options(seen, side, so_far),
    )


def combat_segment(table: Table, side: str) -> Generator[Step, Any, None]:
    """5.5(2): one attack after another, in the order the player chooses as he goes."""
    yield from attacks(lambda: combat_ask(table, side), lambda order: resolve(table, side, order))
