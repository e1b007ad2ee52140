"""Orders of reinforcement and movement (7.0, 9.0), and of the bridges the enemy comes to (15.2.1)."""

from engine.orders import usual
from engine.orders.fields import Flag, Hexes, HexNumber, HexsideName, Units
from engine.orders.order import Order


class Enter(Order):
    usage = "enter {units} at {at}"
    season = "7.1"
    about = "Bring reinforcements onto the map edge, at most two hexes from where they are due."
    example = "enter 11Pz at 5744"
    units: Units
    at: HexNumber


class Move(usual.Move):
    usage = "move {units} to {to} [via {via}] [foot] [strategic]"
    season = "9.0-a"
    about = "Move units, a whole formation too, stack by stack; on foot or by strategic movement if you say so."
    example = "move 20TkC to 4821 via 5020"
    units: Units
    to: HexNumber
    via: Hexes = ()
    foot: Flag = False
    strategic: Flag = False


class Rail(Order):
    sides = ("german",)
    usage = "rail {units} to {to}"
    season = "9.5"
    about = "Bring reinforcements of this turn along the railroad to a terminal, or a hex beside it."
    example = "rail I-15/11Pz, 110/11Pz to 4121"
    units: Units
    to: HexNumber


class Blow(Order):
    usage = "blow [{bridge}]"
    season = "15.2.1-1"
    about = "Try to destroy a bridge of yours as the enemy comes to it."
    example = "blow 2420/2520"
    bridge: HexsideName = ""


class Spare(Order):
    usage = "spare"
    season = "15.2.1-1"
    about = "Leave the bridge standing."


ORDERS: tuple[type[Order], ...] = (
    Enter,
    Move,
    Rail,
    Blow,
    Spare,
)
