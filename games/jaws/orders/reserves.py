"""Orders of reserves (9.6) and of the German night withdrawal (9.8)."""

from engine.orders.fields import HexNumber, UnitName, Units
from engine.orders.order import Order


class Reserve(Order):
    usage = "reserve {units}"
    season = "9.6"
    about = "Hold units in Reserve before anybody moves: they move and fight after the breakthroughs."
    example = "reserve 20TkC"
    units: Units


class PullBack(Order):
    sides = ("german",)
    usage = "pull back {unit} to {to}"
    season = "9.8"
    about = "Move an armor unit one hex, out of every Soviet zone, at the end of the Combat Phase."
    example = "pull back I-36/14Pz to 5120"
    unit: UnitName
    to: HexNumber


ORDERS: tuple[type[Order], ...] = (
    Reserve,
    PullBack,
)
