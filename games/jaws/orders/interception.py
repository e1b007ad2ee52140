"""Orders of armor interception and return fire (9.11)."""

from engine.orders.fields import UnitName
from engine.orders.order import Order


class Intercept(Order):
    usage = "intercept [{target}] [with {unit}]"
    season = "9.11-p1"
    about = "Fire at enemy armor as it passes yours; without names your best armor fires at his best."
    example = "intercept 155TB with I-36/14Pz"
    target: UnitName = ""
    unit: UnitName = ""


class HoldFire(Order):
    usage = "hold fire"
    season = "9.11"
    about = "Let the enemy's armor pass."


class ReturnFire(Order):
    usage = "return fire"
    season = "9.11-p4"
    about = "Halt the armor unit that was fired at, and fire back; also as a clause of a move."


class GoOn(Order):
    usage = "go on"
    season = "9.11-p4"
    about = "Move on after an interception without firing back."


ORDERS: tuple[type[Order], ...] = (
    Intercept,
    HoldFire,
    ReturnFire,
    GoOn,
)
