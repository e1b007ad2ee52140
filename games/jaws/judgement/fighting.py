"""What a combat is worth before the dice: the mean over all results, in steps."""

from engine.forecast import Forecast
from engine.hexes import Hex
from engine.table import kept
from games.jaws.data import Table
from games.jaws.orders.combat import Attack, Declare
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.combat.declaration import origins, ready
from games.jaws.rules.combat.forecast import as_seen
from games.jaws.rules.combat.odds import defenders_of, odds
from games.jaws.rules.combat.result import Part, read_part, result
from games.jaws.rules.combat.support import payers, supported

HEX, SHAKEN = 2.0, 0.7  # what a hex and a Disorganized stack are worth
GUN = 0.1  # what a gun's shells must bring more
ENOUGH = 0.3  # below this an attack is left alone
FACES = range(1, 7)


def _hurt(part: Part) -> float:
    return part.steps + SHAKEN * part.disorganized


def result_worth(text: str) -> float:
    """What a result of the table is worth to the attacker."""
    ours, theirs = (read_part(part) for part in text.split("/"))
    return _hurt(theirs) + HEX * bool(theirs.retreat) - _hurt(ours) - bool(ours.retreat)


@kept
def _prospect(table: Table, side: str, target: Hex) -> float:
    """The mean worth of an attack by all who could join it, without guns."""
    units = tuple(unit for h in origins(table, side, target) for unit in ready(table, side, h))
    paid = supported(table, units, tuple(payers(table, units)))
    battle = Battle(side, units, (target,), defenders_of(table, side, (target,)), paid)
    found = odds(table, battle)
    texts = [result(table, battle, found, red, black).text for red in FACES for black in FACES]
    return sum(map(result_worth, texts)) / len(texts)


def declared_worth(table: Table, side: str, order: Declare) -> float:
    """Every hex that promises enough."""
    return sum(_prospect(table, side, table.grid.hex(spot)) - ENOUGH for spot in order.hexes)


def attack_worth(table: Table, side: str, order: Attack) -> float:
    """The forecast's mean, less what is spent."""
    found: Forecast = as_seen(table, side, order)
    return found.mean(result_worth) - ENOUGH - GUN * len(order.guns)
