"""What a sensible player plans as a whole: which hexes he attacks, where he flies, whom he holds back."""

from engine.asks import Ask
from engine.orders.order import Order
from engine.rules.ground import number
from engine.rules.marks import game_mark
from games.jaws.data import Table
from games.jaws.judgement import pocket
from games.jaws.judgement.fighting import flown, promising
from games.jaws.judgement.goals import drives
from games.jaws.judgement.outlook import to_enemy
from games.jaws.judgement.weights import weights
from games.jaws.orders.breakout import BreakOut
from games.jaws.orders.combat import Cas, Declare
from games.jaws.orders.reserves import Reserve
from games.jaws.rules.allowance import RESERVE
from games.jaws.rules.movement import movable, with_escort
from games.jaws.rules.reserves import UNDER_WAY
from games.jaws.rules.units import going


def advise(table: Table, ask: Ask) -> Order | None:
    """An answer made by a plan; None where orders are appraised one by one."""
    if BreakOut in ask.verbs:
        return pocket.advise(table, ask)
    if Declare in ask.verbs:
        spots = tuple(number(table, h) for h in promising(table, ask.side))
        return Declare(hexes=spots) if spots else None
    if Cas in ask.verbs and ask.side == table.position.side:
        return flown(table, ask.side)
    if Reserve in ask.verbs and not game_mark(table, UNDER_WAY) and drives(table, ask.side):
        return _held_back(table, ask.side)
    return None


def _held_back(table: Table, side: str) -> Order | None:
    """9.6: armor and wheels that stand behind the line, and would find it closed now."""
    w, far = weights("reserve"), to_enemy(table, side)
    found: list[str] = []
    for unit in movable(table, side):
        here = table.position.hex_of(unit)
        if table.position.mark(unit, RESERVE) is not None:
            return None  # they have been named
        if here is not None and going(table, unit) != "foot" and w["least"] <= far[here] <= w["most"]:
            found += [each for each in with_escort(table, unit) if each not in found]
    return Reserve(units=tuple(found)) if found else None
