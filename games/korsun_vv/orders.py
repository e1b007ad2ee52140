"""The orders a player may write."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders import usual
from engine.orders.fields import Flag, HexNumber, Paths, Reading, UnitName, Units, is_idle, unit_at
from engine.orders.order import Order
from engine.orders.usual import Losses
from engine.refusals import Unclear
from engine.rulebook import read_tables
from games.korsun_vv.data import FOLDER
from games.korsun_vv.shapes import Tables

POOL = "pool"  # in the place of an HQ: markers go back to it
Supports = tuple[tuple[str, str], ...]  # HQ (empty: whichever can) and marker


TABLES: Tables = read_tables(FOLDER, "tables.toml", Tables)
MARKERS = {  # every support marker by the words a player may write for it
    word.casefold(): name for name, row in TABLES["support"]["marker"].items() for word in (name, row["title"])
}


def _marker_at(words: Sequence[str]) -> tuple[str, int]:
    """The marker that the first one or two words name; empty if they name none."""
    for used in (2, 1):
        name = MARKERS.get(" ".join(words[:used]).casefold(), "")
        if name and len(words) >= used:
            return name, used
    return "", 0


def _markers(words: Sequence[str], reading: Reading) -> tuple[list[tuple[str, str, str]], int]:
    """Markers, each with the HQ named before it and, after `from`, the one that gives it. Raises Unclear."""
    found: list[tuple[str, str, str]] = []
    used, hq, giver = 0, "", False
    while used < len(words):
        marker, more = _marker_at(words[used:])
        if words[used].casefold() == "from":
            giver, more = True, 1
        elif words[used].casefold() == POOL:
            hq, more = POOL, 1
        elif is_idle(words[used:], reading):
            more = 1
        elif marker:
            found.append((hq, marker, ""))
        else:
            named = unit_at(words[used:], reading)
            if named is None:
                break
            if giver and found:
                found[-1] = (*found[-1][:2], named[0])
            else:
                hq = named[0]
            giver, more = False, named[1]
        used += more
    if not found:
        raise Unclear("a support marker is missing", suggestions=list(dict.fromkeys(MARKERS.values())))
    return found, used


class _Supports:
    """Support markers, each with the HQ that gives it: `47PzK artillery, stug`."""

    kind: ClassVar[str] = "supports"
    plural: ClassVar[bool] = True
    label = "[HQ] MARKER, MARKER..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[Supports, int]:
        found, used = _markers(words, reading)
        return tuple((giver or hq, marker) for hq, marker, giver in found), used

    def write(self, value: Supports) -> str:
        return ", ".join(f"{hq} {marker}".strip() for hq, marker in value)


class _Allotments:
    """Markers for HQs, from the pool or from another HQ: `4GA katyusha katyusha, 53A antitank from 5GTA`.

    Or back to the pool: `pool katyusha from 4GA`."""

    kind: ClassVar[str] = "allotments"
    plural: ClassVar[bool] = True
    label = "HQ MARKER [from HQ], pool MARKER from HQ..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, str, str], ...], int]:
        found, used = _markers(words, reading)
        if not found[0][0]:
            raise Unclear(f"{found[0][1]} has no HQ before it")
        return tuple(found), used

    def write(self, value: tuple[tuple[str, str, str], ...]) -> str:
        return ", ".join(f"{hq} {marker}" + (f" from {giver}" if giver else "") for hq, marker, giver in value)


SupportMarkers = Annotated[Supports, _Supports()]
Allotments = Annotated[tuple[tuple[str, str, str], ...], _Allotments()]


# Before the operations (1.5, 1.6, 13.2, 14, 18.1)


class Place(usual.Place):
    season = "18.1-e"
    about = "Put a unit on the map: a free one at set-up, an HQ that returns, HQ Stemmermann in the pocket."
    example = "place Koller/5SS at 2810"


class Attach(Order):
    sides = ("german",)
    usage = "attach {unit} to {hq}"
    season = "13.2-d"
    about = "Say which of two equally near HQs takes over a unit whose HQ was removed."
    example = "attach KG82 to 47PzK"
    unit: UnitName
    hq: UnitName


class Replace(Order):
    sides = ("russian",)
    usage = "replace {units}"
    season = "14-a"
    about = "Give replacement steps to units, one each."
    example = "replace 20TC-2, 375RD"
    units: Units


class Allot(Order):
    usage = "allot {allotments}"
    season = "1.6-b"
    about = "Give support markers to HQs: from the pool, or while it snows from another HQ; or back to the pool."
    example = "allot 4GA katyusha katyusha, 53A antitank"
    allotments: Allotments


class NoAllotment(Order):
    usage = "no allotment"
    about = "Leave the support markers as they are."


# Choosing an activation (3.0)


class Activate(Order):
    opens = True
    usage = "activate {hq} [except {spared}] [again {again}] [with {joined}] [at {at}]"
    also = ("formation",)
    season = "3.2-a"
    about = (
        "Activate a formation by its HQ: all its fresh units in command, those whom it would fatigue if you name them,"
        " and for a Russian HQ two independent ones."
    )
    example = "activate 4GA except 31RD with 11GCD, 12GCD"
    hq: UnitName
    spared: Units = ()
    again: Units = ()
    joined: Units = ()
    at: HexNumber = ""


class General(Order):
    opens = True
    usage = "general {units}"
    season = "3.3-a"
    about = "Activate single units of any formation, wherever they are."
    example = "general West/5SS, 676/57"
    units: Units


class Pass(usual.Pass):
    about = "Activate nobody, or let the enemy's activation go on."


# The actions of an activation (3.4)


class Move(usual.Move):
    season = "3.1-a"
    about = "Move units one after another; action points are spent as they are needed."
    example = "move 29TC-1 to 3113 via 3213"


class Enter(Order):
    usage = "enter {units} at {at}"
    season = "18.1.1-a"
    about = "Bring activated reinforcements on to the map; they may move on from there."
    example = "enter 39/17Pz at 0321"
    units: Units
    at: HexNumber


class Attack(Order):
    usage = "attack {target} with {units} [support {support}] [quality {quality}] [armour {armour}]"
    season = "3.1-a"
    forecastable = True
    about = "A normal attack: 1 action point each, one support."
    example = "attack 3014 with 6/3Pz, 394/3Pz support 47PzK artillery; hold; advance 6/3Pz"
    target: HexNumber
    units: Units
    support: SupportMarkers = ()
    quality: UnitName = ""
    armour: UnitName = ""


class PreparedAttack(Attack):
    usage = "prepared attack {target} with {units} [support {support}] [quality {quality}] [armour {armour}]"
    also = ("prepared", "assault")
    about = "A prepared attack: 2 action points each, two supports; whoever takes the hex must advance."
    example = "prepared attack 2912 with 5GAD, 375RD support katyusha, katyusha quality 5GAD; advance 375RD"


class DigIn(Order):
    usage = "dig in {units}"
    season = "12.1-a"
    about = "Enter an improved position, for 1 action point."
    example = "dig in 585/320"
    units: Units


class Recover(Order):
    usage = "recover {units}"
    season = "3.5.2-a"
    about = "Recover from fatigue: 2 action points, as the first action of a unit's first activation in a turn."
    example = "recover 124/72"
    units: Units


class Refit(Order):
    sides = ("german",)
    usage = "refit {unit}"
    season = "1.6.1-e"
    about = "Give up a StuG marker of the formation's HQ for a lost step of an armoured unit."
    example = "refit 15/11Pz"
    unit: UnitName


class Alarm(Order):
    sides = ("german",)
    usage = "alarm {unit} at {at}"
    season = "16-c"
    about = "Place an Alarm battalion within command range of an HQ, also in the enemy's activation."
    example = "alarm Alarm1 at 2214"
    unit: UnitName
    at: HexNumber


class Top(Order):
    usage = "top {unit}"
    season = "11.2"
    about = "Put a unit on top of its stack, where the enemy sees it."
    example = "top 213Sec"
    unit: UnitName


class End(usual.End):
    about = "Close the activation; refused while a unit still has to attack."


# Combat (7.0)


class Defend(Order):
    usage = "defend [support {support}] [quality {quality}] [armour {armour}]"
    season = "7.6-e"
    about = "Support for an attacked hex, and the units that count for quality and armour; the best ones if unnamed."
    example = "defend support 11AK stug quality 105/72"
    support: SupportMarkers = ()
    quality: UnitName = ""
    armour: UnitName = ""


class Commit(Defend):
    usage = "commit [support {support}] [quality {quality}] [armour {armour}]"
    about = "In the fog: support for an attack that named none, once the stack it was made on lies open."
    example = "commit support 47PzK artillery quality 6/3Pz"


class Hold(Order):
    usage = "hold [losing {losses}] [stug]"
    about = "Take a combat result in steps and stay; a StuG of the combat may pay for a step after the first."
    example = "hold losing 105/72, 124/72"
    losses: Losses = ()
    stug: Flag = False


class Retreat(Order):
    usage = "retreat [{paths}] [losing {losses}] [stug]"
    about = "Retreat as far as the result asks, less a hex for every step given; by the safest way if none is named."
    example = "retreat 544/389 2812 2712 losing 544/389"
    paths: Paths = ()
    losses: Losses = ()
    stug: Flag = False


class Lose(usual.Lose):
    also = ()
    about = "Say who loses the steps that a retreat through enemy zones of control costs."
    example = "lose 124/72"


class Advance(usual.Advance):
    about = "Advance after combat into the vacated hex and along the way of the retreat."
    example = "advance 5GAD 2912 2812"


class NoAdvance(usual.NoAdvance):
    """The usual one: only after a normal attack."""


ORDERS = (
    Place, Attach, Replace, Allot, NoAllotment, Activate, General, Pass, Move, Enter, Attack, PreparedAttack, DigIn,
    Recover, Refit, Alarm, Top, End, Defend, Commit, Hold, Retreat, Lose, Advance, NoAdvance,
)  # fmt: skip
