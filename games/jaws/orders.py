"""The orders a player may write: one small class each."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders import usual
from engine.orders.fields import (
    Flag,
    Hexes,
    HexNumber,
    HexsideName,
    Paths,
    Reading,
    UnitName,
    Units,
    hexes_at,
    is_idle,
    nearest,
    unit_at,
)
from engine.orders.order import Order
from engine.refusals import Ambiguous, Unclear
from games.jaws.orders_reserves import PullBack, Reserve


class _Depots:
    """SDMs and where each goes: `14Pz 2928, 47PzK-1 5225`; a command with one SDM names it."""

    label: str = "SDM HEX, SDM HEX..."
    kind: ClassVar[str] = "paths"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], int]:
        found: list[tuple[str, tuple[str, ...]]] = []
        used = 0
        while used < len(words):
            if is_idle(words[used:], reading) or words[used].casefold() == "sdm":
                used += 1
                continue
            sdm, more = _sdm_at(words[used:], reading)
            used += more
            while used < len(words) and is_idle(words[used:], reading):
                used += 1
            spots, more = hexes_at(words[used:], reading) if used < len(words) else ([], 0)
            if len(spots) != 1:
                raise Unclear(f"say one hex for {sdm}", usage="sdm 14Pz 2928, 47PzK-1 5225")
            used += more
            found.append((sdm, (spots[0],)))
        if not found:
            raise Unclear("an SDM is missing", usage="sdm 14Pz 2928, 47PzK-1 5225")
        return tuple(found), used

    def write(self, value: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
        return ", ".join(" ".join((sdm.removeprefix("SDM-"), *spot)) for sdm, spot in value)


def _sdm_at(words: Sequence[str], reading: Reading) -> tuple[str, int]:
    """The SDM that the first words name. Raises Unclear, Ambiguous."""
    named = unit_at(words, reading)
    roster = reading.setting.roster
    if named is not None and named[0].startswith("SDM-"):
        return named
    said = words[0].casefold()
    own = [unit.id for unit in roster.by_side(reading.side) if "sdm" in unit.classes]
    meant = [sdm for sdm in own if sdm.casefold() in (f"sdm-{said}", f"sdm-{said}-1", f"sdm-{said}-2")]
    if len(meant) > 1:
        raise Ambiguous(words[0], meant)
    if not meant:
        names = [sdm.removeprefix("SDM-") for sdm in own]
        raise Unclear(f"there is no SDM called {words[0]!r}", suggestions=nearest(said, names))
    return meant[0], 1


Depots = Annotated[tuple[tuple[str, tuple[str, ...]], ...], _Depots()]


class Sdm(Order):
    usage = "sdm {places}"
    season = "13.2.1"
    about = "Say where supply distribution markers lie this turn; those you do not name stay, if they can."
    example = "sdm 14Pz 4920, 47PzK-1 5225"
    places: Depots


class Keep(Order):
    usage = "keep"
    season = "13.2.1"
    about = "Leave every SDM where it lies, or as near to it as a legal road hex is."


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


class Extend(Order):
    usage = "supply {at} by {sdm}"
    season = "14.7"
    about = "Spend an SP to put up to three units in a hex in supply, at up to twice the range."
    example = "supply 3404 by SDM-5SS"
    at: HexNumber
    sdm: UnitName


class Resupply(Order):
    usage = "resupply {unit} [ammo]"
    season = "14.4"
    about = "Spend SPs to turn artillery to its front; `ammo` takes only the Out-of-Ammo off a German regiment."
    example = "resupply Art72"
    unit: UnitName
    ammo: Flag = False


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


# Combat (12.0)


class Declare(Order):
    usage = "declare {hexes}"
    season = "12.1.1-1"
    about = "Name every enemy hex that you will attack in this phase."
    example = "declare 5215, 5316"
    hexes: Hexes


class Attack(Order):
    forecastable = True
    usage = (
        "attack {targets} from {origins} [without {without}] [by {by}] [guns {guns}] [engineer {engineer}] [air]"
        " [unsupported]"
    )
    season = "12.1.3"
    about = "Attack declared hexes that all attackers touch, with all who can; `by` names who pays, if not all."
    example = "attack 5215 from 5314, 5315 guns 438GunB engineer 48EngA; lose 62GRD; advance 62GRD"
    targets: Hexes
    origins: Hexes
    without: Units = ()
    by: Units = ()
    guns: Units = ()
    engineer: UnitName = ""
    air: Flag = False
    unsupported: Flag = False


class Cas(Order):
    sides = ("soviet",)
    usage = "cas {hexes}"
    season = "12.1.1-2"
    about = "Lay Soviet air support on declared hexes, one mission each."
    example = "cas 5215"
    hexes: Hexes


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


class End(usual.End):
    about = "Close this stage."


ORDERS: tuple[type[Order], ...] = (
    Sdm, Keep, Extend, Resupply, Enter, Reserve, Move, Rail, Blow, Spare, Declare, Attack, Fire, NoFire, NoRetreat,
    GiveWay, Cas, NoCas, Air, NoAir, React, NoReaction, Lose, Disorganize, Retreat, Drive, Exploit, PullBack, Advance,
    NoAdvance, End,
)  # fmt: skip
