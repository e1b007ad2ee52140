"""Forecasts (12.0): what an attack would come to, exact over the 36 pairs of dice and the die of its own guns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product, starmap

from engine.facts import Placed
from engine.forecast import Forecast, Outlook, Working, even_chances, over
from engine.orders.order import Order
from engine.refusals import Illegal
from games.jaws.data import GERMAN, Table
from games.jaws.orders.breakout import BreakOut
from games.jaws.orders.combat import Attack
from games.jaws.rules.breakout import forecast as breakout
from games.jaws.rules.collapse import untried
from games.jaws.rules.combat import breakthrough
from games.jaws.rules.combat.air import flights, missions
from games.jaws.rules.combat.artillery import Row, able_to_defend, columns, mine_die, offensive
from games.jaws.rules.combat.attack import battle_of
from games.jaws.rules.combat.battle import COMBAT, RESERVES, SEGMENT, Battle
from games.jaws.rules.combat.casualties import left_of, payers_of
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.combat.reserve_combat import reserve_battle
from games.jaws.rules.combat.result import Result, by_dice
from games.jaws.rules.combat.unknown import beneath, counted_in, strengths, supposing
from games.jaws.rules.extension import body
from games.jaws.rules.units import knows_all

FACES = range(1, 7)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """The column and the chance of each result, over every strength that the defenders may have. Raises Illegal."""
    if isinstance(order, BreakOut):
        return breakout.forecast(table, order)
    battle = battle_meant(table, side, order)
    assert isinstance(order, Attack)
    possible = {chit: strengths(table, chit) for chit in dict.fromkeys(body(table, u) for u in battle.defenders)}
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
    fire, air = _fire(table, battle, order), flights(table, battle, ordered=order.air)
    found = [odds(table, battle, (*rows, *more)) for rows in fire for more in air]
    by_column = {(each.column, each.beyond): each for each in found}
    cast = {key: [*starmap(by_dice(table, battle, each), product(FACES, FACES))] for key, each in by_column.items()}
    thrown = [came for each in found for came in cast[each.column, each.beyond]]
    names = [each.name for each in sorted(found, key=lambda each: each.column)]
    added = [*_spread("offensive artillery", fire, "12.10.2-7"), *_spread("air support", air, "6.2")]
    means = Counter(_means(came, steps) for came in thrown)
    return Forecast(
        f"{', '.join(battle.units)} attack {', '.join(battle.spots(table))}",
        names[0] if names[0] == names[-1] else f"{names[0]} to {names[-1]}",
        (*odds(table, battle).working, *added, *_left_out(table, battle)),
        even_chances([came.text for came in thrown]),
        Outlook(*(Fraction(sum(n for said, n in means.items() if said[of]), len(thrown)) for of in range(3))),
    )


def _spread(what: str, rows: Sequence[Sequence[Row]], case: str) -> list[Working]:
    """Between which columns guns or aircraft may bring it."""
    sums = sorted(sum(by for _, by, _ in each) for each in rows)
    return [Working(what, f"{sums[0]:+} to {sums[-1]:+} columns", case)] if any(rows) else []


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


def _fire(table: Table, battle: Battle, order: Attack) -> list[tuple[Row, ...]]:
    """What the attacker's guns may bring, by their die."""
    points = sum(offensive(table, gun) for gun in order.guns)
    if not points:
        return [()]
    worse = mine_die(table, battle)
    return [(("offensive artillery", columns(table, battle.side, points, die + worse), "12.10.2-7"),) for die in FACES]


def _left_out(table: Table, battle: Battle) -> list[Working]:
    """What the odds do not count: a bridge that may break, and what the defender could still add."""
    shaky = dict.fromkeys(table.grid.hexside(*sides) for _, *sides in untried(table, battle.units, battle.targets))
    found = [Working(f"left out, the bridge {side} may break", "not counted", "12.7-c5") for side in shaky]
    if battle.segment != COMBAT:
        return found
    guns, enemy = able_to_defend(table, battle), table.enemy(battle.side)
    found += [Working(f"left out, artillery in defence: {', '.join(guns)}", "not counted", "12.1.3-A4")] if guns else []
    if enemy == GERMAN and missions(table, GERMAN):
        found.append(Working("left out, air support", "not counted", "6.2"))
    return found


def _means(came: Result, steps: int) -> tuple[bool, bool, bool]:
    """Whether a result clears the hex, and whether it costs the attacker something."""
    cleared = bool(came.defender.retreat) or came.defender.steps + came.defender_hit >= steps
    cost = bool(came.attacker.steps or came.attacker.disorganized or came.attacker.retreat or came.attacker_hit)
    return cleared, cleared, cost
