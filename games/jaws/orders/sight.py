"""Orders about what the enemy sees (11.3), and of Alarm units (4.8)."""

from engine.orders.fields import Flag, HexNumber, UnitName, Units
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


class Storm(Order):
    sides = ("soviet",)
    usage = "storm {at} [with {units}] [foot]"
    season = "9.12-2"
    about = "Attack an Alarm unit that is alone in a hex, in the course of a move; behind a move it means who moved."
    example = "storm 3712 with 155TB"
    at: HexNumber
    units: Units = ()
    foot: Flag = False


class NoStorm(Order):
    sides = ("soviet",)
    usage = "no storm"
    season = "9.12-1"
    about = "Pass the Alarm unit by."


ORDERS: tuple[type[Order], ...] = (
    Top,
    Flip,
    Storm,
    NoStorm,
)
