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
    about = "Declare the Breakout: it is made at the end of this turn, and the next Soviet turn is the last."


class Consolidate(Order):
    sides = ("german",)
    usage = "consolidate {units} into {unit}"
    season = "16.5.1-c1"
    about = "Merge units of a division in one hex into a regiment of it that is there, was eliminated or is in parts."
    example = "consolidate Pio72, Art72 into 105/72"
    units: Units
    unit: UnitName


class Shift(Order):
    sides = ("german",)
    usage = "shift {paths}"
    season = "16.5.2"
    about = "Move units of Gruppe Stemmermann one hex each before the Breakout, whatever zones they are in."
    example = "shift 105/72 2717, Fus72 2717"
    paths: Paths


class BreakOut(Order):
    sides = ("german",)
    usage = "break out {at} by {hexes}"
    season = "16.5.3-p3"
    about = "Lead the stack in a hex up to four hexes out of the pocket; it attacks the Soviets in each that it enters."
    example = "break out 2617 by 2618, 2619"
    at: HexNumber
    hexes: Hexes


ORDERS: tuple[type[Order], ...] = (Wanda, DeclareBreakout, Consolidate, Shift, BreakOut)
