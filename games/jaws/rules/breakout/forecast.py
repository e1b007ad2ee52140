"""What the first combat of a stack that breaks out would come to, over the dice and all that is not known."""

from fractions import Fraction
from functools import partial

from engine.forecast import Forecast, Outlook, even_chances, over
from engine.refusals import Illegal
from engine.rules.marks import game_mark
from games.jaws.data import SOVIET, Table
from games.jaws.orders.breakout import BreakOut
from games.jaws.rules.breakout.combat import battle_in, odds, result
from games.jaws.rules.breakout.waves import STEP, check_path, stack_in
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.combat.casualties import left_of, payers_of
from games.jaws.rules.combat.unknown import counted_in, strengths, supposing
from games.jaws.rules.extension import body
from games.jaws.rules.units import standing

DICE = [red + black for red in range(1, 7) for black in range(1, 7)]


def forecast(table: Table, order: BreakOut) -> Forecast:
    """Of the first hex on the way that Soviets stand in. Raises Illegal."""
    wave = int(game_mark(table, STEP).removeprefix("wave ") or 0)
    check_path(table, wave, order)
    held = [h for spot in order.hexes if standing(table, SOVIET) >> (h := table.grid.hex(spot)) & 1]
    if not held:
        raise Illegal("16.5.3-p3", "nobody stands in the way")
    battle = battle_in(table, stack_in(table, table.grid.hex(order.at), wave), held[0])
    possible = {chit: strengths(table, chit) for chit in dict.fromkeys(body(table, u) for u in battle.defenders)}
    if all(len(values) == 1 for values in possible.values()):
        return _as_known(table, battle, wave)
    return over(
        possible, lambda given: _as_known(supposing(table, given), battle, wave), "11.3-5", partial(counted_in, table)
    )


def _as_known(table: Table, battle: Battle, wave: int) -> Forecast:
    found = odds(table, battle, wave)
    thrown = [result(table, found, dice) for dice in DICE]
    steps = sum(left_of(table, unit) for unit in payers_of(table, battle.defenders))
    cleared = Fraction(sum(theirs.steps >= steps for _, _, theirs in thrown), len(thrown))
    cost = Fraction(sum(bool(ours.steps or ours.disorganized) for _, ours, _ in thrown), len(thrown))
    return Forecast(
        f"{', '.join(battle.units)} attack in {battle.spots(table)[0]}",
        found.name,
        found.working,
        even_chances([text for text, _, _ in thrown]),
        Outlook(cleared, cleared, cost),
    )
