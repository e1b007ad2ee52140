"""No Retreat (12.14): who may declare it, and what it costs both sides."""

from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Any

from engine.asks import Ask, Roll, Step
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, number, place
from games.jaws.data import SOVIET, Table
from games.jaws.orders.combat import GiveWay, NoRetreat
from games.jaws.rules.combat.battle import Battle, alive, infantry_steps, infantry_type, stacks
from games.jaws.rules.combat.casualties import Payment, strongest, suffer
from games.jaws.rules.combat.odds import rows_of
from games.jaws.rules.ground import has_position
from games.jaws.rules.mines import fields
from games.jaws.rules.partisans import exposed
from games.jaws.rules.units import OOS, attack_capable, units_in, upset

CAREFUL = 3  # infantry steps with which a careful player holds a town or a forest


def fit_steps(table: Table, units: list[str]) -> int:
    """12.14.1, 12.17.2-5, 13.5.2-e: the attack-capable infantry steps that may declare it."""
    fit = [unit for unit in units if not upset(table, unit) and table.position.mark(unit, OOS) != 2]
    return sum(infantry_steps(table, unit) for unit in fit)


def _ground(table: Table, battle: Battle, h: Hex) -> bool:
    """12.14.1: woods, village, town, forest; an improved position or a minefield; clear if all attack across a river
    or stream."""
    if exposed(table, h):
        return False
    if any(row.get("no_retreat") for row in rows_of(table, h)):
        return True
    if has_position(table, h) if battle.side == SOVIET else fields(table) >> h & 1:
        return True
    waters = [table.data.sides(name) for name in ("river", "stream")]
    return all(any(crosses(table, water, place(table, unit), h) for water in waters) for unit in battle.units)


def holders(table: Table, battle: Battle) -> Generator[Step, Any, frozenset[Hex]]:
    """12.1.3-A6: the hexes that the defender will not leave."""
    found = set()
    for h, units in stacks(table, battle.defenders).items():
        if _ground(table, battle, h):  # whether infantry is there the attacker cannot see yet
            order = yield _ask(table, battle, h, units)
            if isinstance(order, NoRetreat):
                found.add(h)
    return frozenset(found)


def declared_holding(table: Table, battle: Battle) -> Generator[Step, Any, Battle]:
    """The combat with what the defender has declared."""
    return replace(battle, holding=(yield from holders(table, battle)))


def _check(units: list[str], steps: int, order: Order) -> None:
    """12.14.1, 12.17.2-5, 13.5.2-e. Raises Illegal."""
    if isinstance(order, NoRetreat) and not steps:
        raise Illegal("12.14.1", f"{', '.join(units)} have no infantry in good order that can declare No Retreat",
                      unit=units[0], instead="Write `give way`")  # fmt: skip


def _ask(table: Table, battle: Battle, h: Hex, units: list[str]) -> Ask:
    steps, spot = fit_steps(table, units), number(table, h)
    strong = table.data.towns | table.data.forest

    def default() -> Order:
        return NoRetreat() if strong >> h & 1 and steps >= CAREFUL else GiveWay()

    return Ask(
        side=table.enemy(battle.side),
        name="hold",
        subject=spot,
        prompt=f"{', '.join(units)} in {spot} are attacked: "
        + ("No Retreat" if steps else "nobody can declare No Retreat, which the enemy does not know"),
        verbs=(NoRetreat, GiveWay),
        check=partial(_check, units, steps),
        offers=lambda: [Choice(GiveWay), *([Choice(NoRetreat)] if steps else [])],
        default=default,
        case="12.14.1",
        reaction=True,
        units=tuple(units),
        amounts=(("steps", steps),),
    )


def stands(table: Table, battle: Battle, h: Hex) -> bool:
    """12.14.3: whether infantry is left to hold a hex."""
    return any(infantry_type(table, unit) for unit in stacks(table, battle.defenders).get(h, []))


def hold(table: Table, battle: Battle, h: Hex) -> Generator[Step, Any, None]:
    """12.14.2: a step of the largest infantry unit; then a die against the infantry steps left in the hex, whoever's
    they are, for one of the attacker's largest unit."""
    spot, enemy = number(table, h), table.enemy(battle.side)
    foot = [unit for unit in stacks(table, battle.defenders)[h] if infantry_type(table, unit)]
    first = strongest(table, [unit for unit in foot if attack_capable(table, unit)] or foot)  # 12.3.1-3
    yield from suffer(table, Payment(enemy, first, 1, first, (), spot, "12.14.2-p1", active=False))
    die: int = yield Roll(f"No Retreat in {spot}")
    left = sum(infantry_steps(table, unit) for unit in units_in(table, h, enemy))
    ours = strongest(table, alive(table, battle.units))
    if die <= left and ours:
        yield from suffer(table, Payment(battle.side, ours, 1, ours, (), spot, "12.14.2-p2", active=True))
