"""Forecasts (12.0): what an attack would come to, exact over the 36 pairs of dice and the die of its own guns."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial

from engine.facts import Placed
from engine.forecast import Forecast, Outlook, Working, even_chances, over
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
from games.jaws.rules.combat.unknown import beneath, counted_in, strengths, supposing
from games.jaws.rules.units import knows_all

FACES = range(1, 7)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """The column and the chance of each result, over every strength that the defenders may have. Raises Illegal."""
    battle = battle_meant(table, side, order)
    assert isinstance(order, Attack)
    possible = {unit: strengths(table, unit) for unit in battle.defenders}
    if all(len(values) == 1 for values in possible.values()):
        found = _as_known(table, battle, order)
    else:
        found = over(
            possible,
            lambda given: _as_known(supposing(table, given), battle, order),
            "11.3-5",
            partial(counted_in, table),
        )
    return _with_hidden(table, battle, found)


def _as_known(table: Table, battle: Battle, order: Attack) -> Forecast:
    steps = sum(left_of(table, unit) for unit in payers_of(table, battle.defenders))
    fire = _fire(table, battle.side, order)
    found = [odds(table, battle, rows) for rows in fire]
    by_column = {(each.column, each.beyond): each for each in found}
    cast = {
        key: [result(table, battle, each, red, black) for red in FACES for black in FACES]
        for key, each in by_column.items()
    }
    thrown = [came for each in found for came in cast[each.column, each.beyond]]
    names = list(dict.fromkeys(each.name for each in found))
    spread = sorted({by for rows in fire for _, by, _ in rows})
    guns = [Working("offensive artillery", f"{spread[0]:+} to {spread[-1]:+} columns", "12.10.2-7")] if spread else []
    means = Counter(_means(came, steps) for came in thrown)
    return Forecast(
        f"{', '.join(battle.units)} attack {', '.join(battle.spots(table))}",
        names[0] if len(names) == 1 else f"{names[-1]} to {names[0]}",
        (*odds(table, battle).working, *guns, *_left_out(table, battle)),
        even_chances([came.text for came in thrown]),
        Outlook(*(Fraction(sum(n for said, n in means.items() if said[of]), len(thrown)) for of in range(3))),
    )


def _with_hidden(table: Table, battle: Battle, found: Forecast) -> Forecast:
    """The forecast with the column that it may come to at worst: its chances are those of what is seen."""
    if knows_all(table) or not (hidden := beneath(table, battle)):
        return found
    lost = table.position.lost
    full = table.suppose([Placed(unit=unit, at=at, lost=lost.get(unit, 0)) for unit, at in hidden.items()])
    worst = odds(full, replace(battle, defenders=(*battle.defenders, *hidden))).name
    line = Working(f"left out, what lies unseen: at most {', '.join(hidden)}", f"then {worst}", "11.3-5")
    low, _, high = found.column.partition(" to ")
    column = found.column if worst == low else f"{worst} to {high or low}"
    return replace(found, column=column, working=(*found.working, line))


def battle_meant(table: Table, side: str, order: Order) -> Battle:
    """By the rules of the segment. Raises Illegal."""
    if not isinstance(order, Attack):
        raise Illegal("12.0", "only attacks have odds", instead="Write `attack HEX from HEXES`")
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
