"""Orders of the Engineering Phases (15.0)."""

from engine.orders.fields import Flag, Hexes, HexNumber, HexsideName, UnitName
from engine.orders.order import Order


class Repair(Order):
    usage = "repair {bridge} [by {unit}]"
    season = "15.2.2"
    about = "Repair a destroyed bridge: over a stream at once, over a river by an engineer beside it, for an SP."
    example = "repair 2420/2520 by Pio16"
    bridge: HexsideName
    unit: UnitName = ""


class Build(Order):
    usage = "build {bridge} by {unit} [plain]"
    season = "15.2.3"
    about = "Build a bridge; a bridge column lays its J or K bridge, unless you say `plain`."
    example = "build 2420/2520 by Pio16"
    bridge: HexsideName
    unit: UnitName
    plain: Flag = False


class TakeUp(Order):
    sides = ("german",)
    usage = "take up {bridge} by {unit}"
    season = "15.2.4-a"
    about = "Take up a J or K bridge, so that it can be laid again."
    example = "take up 2420/2520 by BruJ-3"
    bridge: HexsideName
    unit: UnitName


class Improve(Order):
    sides = ("german",)
    usage = "improve {bridge} by {unit}"
    season = "18.3.1"
    about = "Strengthen a bridge for Panthers and Tigers, for an SP (an option)."
    example = "improve 2420/2520 by Pio127"
    bridge: HexsideName
    unit: UnitName


class Fortify(Order):
    sides = ("german",)
    usage = "fortify {unit}"
    season = "15.1.1-a"
    about = "Build an improved position in the hex of an engineer, for an SP."
    example = "fortify Pio72"
    unit: UnitName


class Level(Order):
    sides = ("german",)
    usage = "level {at}"
    season = "15.1.3"
    about = "Take an improved position off the map."
    example = "level 4822"
    at: HexNumber


class Mend(Order):
    sides = ("german",)
    usage = "mend {unit}"
    season = "15.2.5"
    about = "Repair the cut railroad in the hex of a construction engineer, in two turns and for two SPs."
    example = "mend Bau135"
    unit: UnitName


class Mine(Order):
    sides = ("soviet",)
    usage = "mine {unit}"
    season = "15.3.1"
    about = "Begin a minefield in the hex of a division or an army engineer, for an SP."
    example = "mine 48EngA"
    unit: UnitName


class Lay(Order):
    sides = ("soviet",)
    usage = "lay {at} toward {hexes}"
    season = "15.3.1-p3"
    about = "Complete a minefield, and name the three neighbouring hexes that it faces."
    example = "lay 4822 toward 4722, 4823, 4922"
    at: HexNumber
    hexes: Hexes


class Lift(Order):
    sides = ("soviet",)
    usage = "lift {unit}"
    season = "15.3.3-1"
    about = "Take up the minefield in the hex of an engineer, so that it can be laid again."
    example = "lift 48EngA"
    unit: UnitName


ORDERS: tuple[type[Order], ...] = (Repair, Build, TakeUp, Improve, Fortify, Level, Mend, Mine, Lay, Lift)
