"""What to ask of the Fuhrer: leave to go, or divisions."""

from engine import hexset
from engine.hexes import Hex
from engine.table import kept
from games.manstein.data import Table
from games.manstein.judgement.moving import stand
from games.manstein.judgement.outlook import in_danger, to_enemy
from games.manstein.judgement.worth import weights
from games.manstein.orders import Buy, CancelOrder
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS
from games.manstein.rules.negotiation import left

NEAR = 3  # hexes from the enemy within which an order beyond the Dnieper is a millstone
GRAVE = 2.0  # a danger at which a city may fall to the next attacks


def useful(table: Table) -> bool:
    """Whether there is anything to be had."""
    codes = table.data.tables["reinforcements"]["pools"]["codes"]
    pools = any(table.position.where.get(unit.id) in codes for unit in table.roster.by_side(AXIS))
    return pools or bool(_pressing(table))


def negotiate(table: Table) -> float:
    """Divisions and leave to go are worth more than one activation."""
    return 4.0 if useful(table) else 0.2


@kept
def _pressing(table: Table) -> list[Hex]:
    """The cities whose orders ought to go: about to fall, or holding the army beyond the river."""

    def presses(h: Hex) -> bool:
        east = not table.data.west_bank >> h & 1 and to_enemy(table, AXIS, h) <= NEAR
        return under_order(table, h) and (east or in_danger(table, h) >= GRAVE)

    return [h for h in hexset.members(table.data.cities) if presses(h)]


def lift(table: Table, order: CancelOrder) -> float:
    """The order of a city that presses, the worst first."""
    h = table.grid.hex(order.city)
    return weights("staff")["lift"] + in_danger(table, h) if h in _pressing(table) else 0.0


def buy(table: Table, order: Buy) -> float:
    """Strength for its price, placed where it stands well; points are kept for a city that presses."""
    cost, cancel = table.data.prices[table.position.where[order.unit]], table.data.prices["cancel"]
    if _pressing(table) and cancel <= left(table) < cancel + cost:
        return 0.0
    h = table.grid.hex(order.at)
    power = table.position.value(order.unit, "attack") + table.position.value(order.unit, "defence")
    value = weights("staff")["buy"] + 0.4 * power / cost + 0.3 * stand(table, order.unit, h)
    if under_order(table, h) and not table.position.at(h):  # a landing would end the game: any unit will do
        value += weights("place")["guard"] / cost
    return value
