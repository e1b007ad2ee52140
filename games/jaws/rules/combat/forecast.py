"""Forecasts (12.0): what an attack would come to, exact over the 36 pairs of dice."""

from engine.forecast import Forecast, even_chances, outlook
from engine.orders.order import Order
from engine.refusals import Illegal
from games.jaws.data import Table
from games.jaws.orders import Attack
from games.jaws.rules.combat.attack import battle_of
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.combat.result import Result, result

FACES = range(1, 7)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """The column and the chance of each result. Raises Illegal."""
    if not isinstance(order, Attack):
        raise Illegal("12.0", "only attacks have odds", instead="Write `attack HEX from HEXES`")
    battle = battle_of(table, side, order)
    found = odds(table, battle)
    steps = sum(table.position.steps_left(unit) for unit in battle.defenders)
    pairs = {(red, black): result(table, battle, found, red, black) for red in FACES for black in FACES}

    def means(pair: str) -> tuple[bool, bool, bool]:
        red, black = map(int, pair.split())
        return _means(pairs[red, black], steps)

    return Forecast(
        f"{', '.join(battle.units)} attack {', '.join(battle.spots(table))}",
        found.name,
        found.working,
        even_chances([came.text for came in pairs.values()]),
        outlook(even_chances([f"{red} {black}" for red, black in pairs]), means),
    )


def _means(came: Result, steps: int) -> tuple[bool, bool, bool]:
    """Whether a result clears the hex, and whether it costs the attacker something."""
    cleared = bool(came.defender.retreat) or came.defender.steps + came.defender_hit >= steps
    cost = bool(came.attacker.steps or came.attacker.disorganized or came.attacker.retreat or came.attacker_hit)
    return cleared, cleared, cost
