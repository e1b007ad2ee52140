"""Orders of combat (12.0)."""

from engine.orders import usual
from engine.orders.fields import Flag, Hexes, HexNumber, Paths, UnitName, Units
from engine.orders.order import Order


class Declare(Order):
    usage = "declare {hexes}"
    season = "12.1.1-1"
    about = "Name every enemy hex that you will attack in this phase."
    example = "declare 5215, 5316"
    hexes: Hexes


class Attack(Order):
    forecastable = True
    usage = (
        "attack {targets} from {origins} [without {without}] [by {by}] [unpaid {unpaid}] [guns {guns}]"
        " [engineer {engineer}] [air] [unsupported]"
    )
    season = "12.1.3"
    about = (
        "Attack declared hexes that all attackers touch, with all who can; `by` names who pays, if not all, and"
        " `unpaid` units on whose army, corps, korps or division nothing is spent."
    )
    example = "attack 5215 from 5314, 5315 guns 438GunB engineer 48EngA; lose 62GRD; advance 62GRD"
    targets: Hexes
    origins: Hexes
    without: Units = ()
    by: Units = ()
    unpaid: Units = ()
    guns: Units = ()
    engineer: UnitName = ""
    air: Flag = False
    unsupported: Flag = False


class Cas(Order):
    sides = ("soviet",)
    usage = "cas {hexes} [1uk {first}] [2uk {second}]"
    season = "12.1.1-2"
    about = "Lay Soviet air support on declared hexes, one mission each; say for which a Front flies, where both could."
    example = "cas 5215, 5316 2uk 5215"
    hexes: Hexes
    first: Hexes = ()
    second: Hexes = ()

    @property
    def fleets(self) -> dict[str, str]:
        """The Fronts that are named, by hex."""
        return dict.fromkeys(self.first, "1Uk") | dict.fromkeys(self.second, "2Uk")


class NoCas(Order):
    sides = ("soviet",)
    usage = "no cas"
    season = "12.1.1-2"
    about = "Fly no support for the combats of this phase."


class Air(Order):
    sides = ("german",)
    usage = "air"
    season = "12.1.3-A2"
    about = "Fly a mission for the defence of the attacked hex."


class NoAir(Order):
    sides = ("german",)
    usage = "no air"
    season = "12.1.3-A2"
    about = "Fly no mission for this defence."


class React(Order):
    sides = ("german",)
    usage = "react {unit} to {to}"
    season = "12.1.2"
    about = "Move an armor unit one hex after the Soviet declarations."
    example = "react I-36/14Pz to 5120"
    unit: UnitName
    to: HexNumber


class NoReaction(Order):
    sides = ("german",)
    usage = "no reaction"
    season = "12.1.2"
    about = "Leave the armor where it is."


class Fire(Order):
    usage = "fire {unit}"
    season = "12.1.3-A4"
    about = "Let an artillery unit support the defence of an attacked hex."
    example = "fire Art389"
    unit: UnitName


class NoFire(Order):
    usage = "no fire"
    season = "12.1.3-A4"
    about = "Spare the shells: no artillery supports this defence."


class Bring(Order):
    sides = ("soviet",)
    usage = "bring {guns}"
    season = "12.1.3-A3"
    about = "Name the artillery of your attack anew, now that you know whether German air flies; also as a clause."
    example = "bring 438GunB"
    guns: Units


class NoGuns(Order):
    sides = ("soviet",)
    usage = "no guns"
    season = "12.1.3-A3"
    about = "Let no artillery support your attack, whatever its line says; also as a clause: `no guns if air is 1`."


class Engineer(Order):
    usage = "engineer {unit}"
    season = "12.1.3-A5"
    about = "Declare an assault engineer, now that you know which artillery defends; also as a clause."
    example = "engineer 48EngA"
    unit: UnitName


class NoEngineer(Order):
    usage = "no engineer"
    season = "12.1.3-A5"
    about = "Declare no assault engineer, whatever the line of your attack says; also as a clause."


class Defend(Order):
    usage = "defend {units}"
    season = "12.3.1-2"
    about = "Say which three of more units in an attacked hex defend it."
    example = "defend 105/72, 124/72, 266/72"
    units: Units


class NoRetreat(Order):
    usage = "no retreat"
    season = "12.14.1"
    about = "Hold the attacked hex at the price of a step, if the result is a retreat."


class GiveWay(Order):
    usage = "give way"
    season = "12.14.1"
    about = "Retreat from the attacked hex, if that is the result."


class Lose(usual.Lose):
    season = "12.12.4"
    also = ()
    about = "Say whose steps are lost; those you do not name are filled up as a careful player would."
    example = "lose 62GRD 2"


class Disorganize(Order):
    usage = "disorganize {hexes}"
    season = "12.17.1"
    about = "Say in which of your attacking hexes the units are Disorganized."
    example = "disorganize 5314"
    hexes: Hexes


class Retreat(usual.Retreat):
    season = "12.13.1-1"
    about = "Say which way your units retreat; units you name no way for take the safest one."
    example = "retreat 546/389 5115"


class Drive(Order):
    usage = "drive [{paths}]"
    season = "12.13.2"
    about = "Say which way the enemy is driven in a breakthrough; units you name no way for go as they would."
    example = "drive 546/389 5115 5015"
    paths: Paths = ()


class Exploit(Order):
    usage = "exploit {units} to {to}"
    season = "12.1.4-A"
    about = "Move units with a Breakthrough marker one hex, whatever zones they are in."
    example = "exploit 155TB to 5115"
    units: Units
    to: HexNumber


class Advance(usual.Advance):
    season = "12.15"
    example = "advance 62GRD 5215"


class NoAdvance(usual.NoAdvance):
    season = "12.15"


ORDERS: tuple[type[Order], ...] = (
    Declare,
    Attack,
    Cas,
    NoCas,
    Air,
    NoAir,
    React,
    NoReaction,
    Fire,
    NoFire,
    Bring,
    NoGuns,
    Engineer,
    NoEngineer,
    Defend,
    NoRetreat,
    GiveWay,
    Lose,
    Disorganize,
    Retreat,
    Drive,
    Exploit,
    Advance,
    NoAdvance,
)
