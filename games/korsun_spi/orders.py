"""The orders a player may write."""

from engine.orders import usual
from engine.orders.fields import Flag, Hexes, HexNumber, UnitName, Units
from engine.orders.order import Order
from engine.orders.usual import NoAdvance

# Setting up (18.0)


class Place(usual.Place):
    season = "18.0"
    about = "Set units up in a hex."
    example = "place 88 at 1504"


class TakeBack(Order):
    usage = "take back {units}"
    about = "Take units off the map again while setting up."
    example = "take back 88"
    units: Units


class Historical(Order):
    usage = "historical"
    also = ("stock", "standard set-up")
    about = "Set everything up as it stood in history; you may still change it before `end`."


# Headquarters and corps (23.0, 24.0)


class Activate(Order):
    sides = ("soviet",)
    usage = "activate {units}"
    about = "Choose the HQs that are active this turn; all others become inactive."
    example = "activate HQ-5GdTk, HQ-2Tk, HQ-6Tk"
    units: Units


class Unsupport(Order):
    sides = ("soviet",)
    usage = "unsupport {units}"
    about = "Take Supported markers off corps."
    example = "unsupport GTC3, MC5"
    units: Units


# Movement (5.0), overrun (6.0), delay and disengagement (22.0)


class Move(usual.Move):
    season = "4.2"
    about = "Move units that stand together, by the cheapest way or by the hexes you name."
    example = "move GTB20 to 2713 via 2912, 2812"


class Overrun(Order):
    forecastable = True
    usage = "overrun {target} with {units} [via {via}] [by {by}]"
    season = "6.11"
    about = "Move next to an enemy hex if need be, then overrun it; Soviet overruns name the HQ that runs them."
    example = "overrun 2612 with GTC5 via 2712 by HQ-5GdTk; then move GTC5 to 2512"
    target: HexNumber
    units: Units
    via: Hexes = ()
    by: Units = ()


class Delay(Order):
    sides = ("german",)
    usage = "delay {units} to {to} [via {via}] [cover {cover}]"
    about = "Leave an enemy zone of control while one unit stays behind."
    example = "delay 80/34, 107/34 to 1012 cover 253/34"
    units: Units
    to: HexNumber
    via: Hexes = ()
    cover: UnitName = ""


class Disengage(Order):
    usage = "disengage {units} to {to} [via {via}]"
    about = "Leave an enemy zone of control and enter no other in this phase."
    example = "disengage 4/6 to 1215 via 1214"
    units: Units
    to: HexNumber
    via: Hexes = ()


class Enter(Order):
    usage = "enter {units} at {at}"
    season = "15.0-a"
    about = "Bring reinforcements on in a hex of their entry area."
    example = "enter TC18 at 3915"
    units: Units
    at: HexNumber


class Rail(Order):
    usage = "rail {units} to {to}"
    season = "5.34"
    about = "Move a unit along the railroad; there is none in Korsun (19.21)."
    example = "rail RD99 to 1004"
    units: Units
    to: HexNumber


class Discard(Order):
    usage = "discard {units}"
    about = "Eliminate units of your own that stand above the stacking limit."
    example = "discard RD6"
    units: Units


class End(usual.End):
    also = ("done", "pass")


# Combat (9.0)


class Attack(Order):
    forecastable = True
    usage = "attack {targets} with {units} [by {by}] [air]"
    season = "5.26"
    about = "Attack one hex, or several that all attackers touch; an HQ among them leads, `by` names who coordinates."
    example = "attack 2612 with GTC5, GRD14, HQ-4Gd by HQ-4Gd air; lose GRD14; advance GTC5"
    targets: Hexes
    units: Units
    by: Units = ()
    air: Flag = False


class Lose(usual.Lose):
    about = "Take a result as step losses."
    example = "lose GTC5 2, RD6"


class Retreat(usual.Retreat):
    about = "Take a result as a retreat; units you name no way for take the safest one."
    example = "retreat RD6 2711, RD31 2810 2811"


class Advance(usual.Advance):
    example = "advance GTC5 2612 2512"


class Air(Order):
    usage = "air"
    about = "Spend an Air Point on this combat."


class NoAir(Order):
    usage = "no air"
    about = "Spend no Air Point on this combat."


# Air supply (25.2)


class AirSupply(Order):
    sides = ("german",)
    usage = "air supply {towns}"
    season = "25.21"
    also = ("airsupply",)
    about = "Fly supply to towns: one Air Point each."
    example = "air supply Korsun, 1708"
    towns: Hexes


ORDERS = (
    Place, TakeBack, Historical, Activate, Unsupport, Move, Overrun, Delay, Disengage, Enter, Rail, Discard, End,
    Attack, Lose, Retreat, Advance, NoAdvance, Air, NoAir, AirSupply,
)  # fmt: skip
