"""Forecasts (12.0): what an attack would come to, exact over the 36 pairs of dice and the die of its own guns."""

from engine.forecast import Forecast, Working, even_chances, outlook
from engine.orders.order import Order
from engine.refusals import Illegal
from games.jaws.data import GERMAN, Table
from games.jaws.orders.combat import Attack
from games.jaws.rules.combat import breakthrough
from games.jaws.rules.combat.air import CAS, missions
from games.jaws.rules.combat.artillery import Row, able_to_defend, columns, offensive
from games.jaws.rules.combat.attack import battle_of
from games.jaws.rules.combat.battle import COMBAT, RESERVES, SEGMENT, Battle
from games.jaws.rules.combat.casualties import left_of, payers_of
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.combat.reserve_combat import reserve_battle
from games.jaws.rules.combat.result import Result, result

FACES = range(1, 7)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """The column and the chance of each result. Raises Illegal."""
    if not isinstance(order, Attack):
        raise Illegal("12.0", "only attacks have odds", instead="Write `attack HEX from HEXES`")
    battle = battle_meant(table, side, order)
    steps = sum(left_of(table, unit) for unit in payers_of(table, battle.defenders))
    fire = _fire(table, side, order)
    found = [odds(table, battle, rows) for rows in fire]
    cast = [result(table, battle, each, red, black) for each in found for red in FACES for black in FACES]
    names = list(dict.fromkeys(each.name for each in found))
    spread = sorted({by for rows in fire for _, by, _ in rows})
    guns = [Working("offensive artillery", f"{spread[0]:+} to {spread[-1]:+} columns", "12.10.2-7")] if spread else []
    return Forecast(
        f"{', '.join(battle.units)} attack {', '.join(battle.spots(table))}",
        names[0] if len(names) == 1 else f"{names[-1]} to {names[0]}",
        (*odds(table, battle).working, *guns, *_left_out(table, battle)),
        even_chances([came.text for came in cast]),
        outlook(even_chances([str(n) for n in range(len(cast))]), lambda n: _means(cast[int(n)], steps)),
    )


def battle_meant(table: Table, side: str, order: Attack) -> Battle:
    """By the rules of the segment. Raises Illegal."""
    _, _, segment = table.position.stage.rpartition(".")
    if segment == SEGMENT:
        return breakthrough.battle_of(table, side, order)
    return reserve_battle(table, side, order) if segment == RESERVES else battle_of(table, side, order)


def _fire(table: Table, side: str, order: Attack) -> list[tuple[Row, ...]]:
    """What the attacker's guns may bring, by their die."""
    points = sum(offensive(table, gun) for gun in order.guns)
    if not points:
        return [()]
    return [(("offensive artillery", columns(table, side, points, die), "12.10.2-7"),) for die in FACES]


def _left_out(table: Table, battle: Battle) -> list[Working]:
    """What the odds do not count: what the defender could still add."""
    if battle.segment != COMBAT:
        return []
    guns, enemy = able_to_defend(table, battle), table.enemy(battle.side)
    found = [Working(f"left out, artillery in defence: {', '.join(guns)}", "not counted", "12.1.3-A4")] if guns else []
    flown = enemy == GERMAN and missions(table, GERMAN)
    if flown or any(table.position.mark(f"@{spot}", CAS) is not None for spot in battle.spots(table)):
        found.append(Working("left out, air support", "not counted", "6.2"))
    return found


def _means(came: Result, steps: int) -> tuple[bool, bool, bool]:
    """Whether a result clears the hex, and whether it costs the attacker something."""
    cleared = bool(came.defender.retreat) or came.defender.steps + came.defender_hit >= steps
    cost = bool(came.attacker.steps or came.attacker.disorganized or came.attacker.retreat or came.attacker_hit)
    return cleared, cleared, cost
