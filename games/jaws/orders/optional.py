"""Orders that only the options of section 18 know."""

from typing import Annotated

from engine.orders.fields import Count, HexsideName, OneOf, UnitName, Units
from engine.orders.order import Order

Store = Annotated[str, OneOf(("korsun", "airfield"))]
Site = Annotated[str, OneOf(("airfield", "depot"))]


class Home(Order):
    sides = ("soviet",)
    usage = "home {unit}"
    season = "18.1.5-1"
    about = "Let a partisan group go straight to its base (an option)."
    example = "home Part2"
    unit: UnitName


class Short(Order):
    sides = ("german",)
    usage = "short {sdms}"
    season = "18.4-p4"
    about = "Say which SDMs have fewer SPs because of the trains, the first named first (an option)."
    example = "short SDM-47PzK-1, SDM-14Pz"
    sdms: Units


class Truck(Order):
    sides = ("german",)
    usage = "truck {unit} by {sdm}"
    season = "18.5.1"
    about = "Put infantry on trucks for this phase, for an SP of its korps (an option)."
    example = "truck 105/72 by SDM-11K-1"
    unit: UnitName
    sdm: UnitName


class Ford(Order):
    usage = "ford {side} by {unit}"
    season = "18.6"
    about = "Look for a ford beside the hex that a unit has just moved to (an option)."
    example = "ford 2420/2520 by AA/16Pz"
    side: HexsideName
    unit: UnitName


class Send(Order):
    sides = ("german",)
    usage = "send {units}"
    season = "18.7-p1"
    about = "Say for which units of the 24th Panzer Division the dice are cast (an option)."
    example = "send I-24/24Pz, 21/24Pz, 26/24Pz, AA/24Pz, Art/24Pz"
    units: Units


class LayOut(Order):
    sides = ("german",)
    usage = "lay out airfield by {unit}"
    season = "18.8"
    about = "Begin a second airfield in the hex of a korps engineer, for two SPs of Korsun (an option)."
    example = "lay out airfield by Pio52"
    unit: UnitName


class SetUp(Order):
    sides = ("german",)
    usage = "set up depot by {unit} [from {store}]"
    season = "18.9"
    about = "Set up a second depot in the hex of a korps engineer, for an SP (an option)."
    example = "set up depot by Pio52 from korsun"
    unit: UnitName
    store: Store = "korsun"


class Haul(Order):
    sides = ("german",)
    usage = "haul {points} from {store}"
    season = "18.9-p3"
    about = "Bring SPs of Korsun or the second airfield to the second depot (an option)."
    example = "haul 4 from korsun"
    points: Count
    store: Store


class Lodge(Order):
    sides = ("german",)
    usage = "lodge {points} in {site}"
    season = "8.6.4-p3"
    about = "When Korsun's airfield is given up, bring SPs of its stock to the second airfield or depot (an option)."
    example = "lodge 4 in depot"
    points: Count
    site: Site


ORDERS: tuple[type[Order], ...] = (Home, Short, Truck, Ford, Send, LayOut, SetUp, Haul, Lodge)
