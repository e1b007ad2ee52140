"""Orders about what the enemy sees (11.3), and of Alarm units (4.8)."""

from engine.orders.fields import HexNumber, UnitName
from engine.orders.order import Order


class Top(Order):
    usage = "top {at} {unit}"
    season = "11.3-1"
    about = "Say which counter lies on top of a stack of yours: it is all that the enemy sees of it."
    example = "top 4236 105/72"
    at: HexNumber
    unit: UnitName


class Flip(Order):
    sides = ("german",)
    usage = "flip {unit}"
    season = "4.8.2-f"
    about = "Turn an Alarm unit to its unit side, with a unit that can attack in its hex."
    example = "flip Alarm1"
    unit: UnitName


ORDERS: tuple[type[Order], ...] = (
    Top,
    Flip,
)
