"""Orders of Operation Wanda and of the Breakout (16.3 to 16.5)."""

from engine.orders.fields import Hexes, HexNumber, Paths, UnitName, Units
from engine.orders.order import Order


class Wanda(Order):
    sides = ("german",)
    usage = "wanda"
    season = "16.3"
    about = "Declare Operation Wanda, once a game: four air missions at once, and more in the turns that the dice say."


class DeclareBreakout(Order):
    sides = ("german",)
    usage = "breakout"
    season = "16.4"
    about = (
        "Declare the Breakout: Gruppe Stemmermann makes it at the end of this turn, in four waves, and the Soviet turn "
        "after it is the last of the game."
    )


class Consolidate(Order):
    sides = ("german",)
    usage = "consolidate {units} into {unit}"
    season = "16.5.1-c1"
    about = (
        "First part of the Breakout: merge units of a division in one hex into a regiment of it that is there, was "
        "eliminated or is in parts. No regiment grows beyond five steps."
    )
    example = "consolidate Pio72, Art72 into 105/72"
    units: Units
    unit: UnitName


class Shift(Order):
    sides = ("german",)
    usage = "shift {paths}"
    season = "16.5.2"
    about = (
        "Second part of the Breakout: each unit named steps into the hex written after it, one hex away, whatever "
        "zones it is in. Units of one order step at once, so that two stacks can trade places."
    )
    example = "shift 105/72 2717, Fus72 2717"
    paths: Paths


class BreakOut(Order):
    sides = ("german",)
    usage = "break out {at} by {hexes}"
    season = "16.5.3-p3"
    about = (
        "In its wave: lead the whole stack of the first hex through the hexes after `by`, in that order, four at most. "
        "It attacks whoever stands in its way and may be led on with the hexes it has left; who comes to Germans "
        "outside the pocket is out."
    )
    example = "break out 2617 by 2618, 2619"
    at: HexNumber
    hexes: Hexes


ORDERS: tuple[type[Order], ...] = (Wanda, DeclareBreakout, Consolidate, Shift, BreakOut)
