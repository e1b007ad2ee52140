"""The orders a player may write."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders import usual
from engine.orders.fields import Count, Flag, HexNumber, OneOf, Reading, UnitName, Units
from engine.orders.order import Order
from engine.orders.usual import NoAdvance
from engine.refusals import Unclear
from games.manstein.data import tables


def _chit_names() -> dict[str, str]:
    """Every chit by the words a player may write for it; 18.2: a Front's chit keeps both names."""
    names = {
        said.casefold(): name
        for side in ("soviet", "axis")
        for name, row in tables()["chits"][side].items()
        if not isinstance(row, str)
        for said in (name, *row.get("also", ()))
    }
    backs = tables()["headquarters"]["conversion"]["backs"]
    return names | {back.casefold(): front for front, back in backs.items()}


CHITS = _chit_names()
TIMES = {f"x{number}": number - 1 for number in range(1, 7)}  # how many chits more of the name before it


class _Chits:
    """Chits by name; one may be named twice: `Vrnz, Vrnz, Step` or `Vrnz x2, Step`."""

    label = "CHIT, CHIT..."
    kind: ClassVar[str] = "word"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[str, ...], int]:
        found: list[str] = []
        used = 0
        while used < len(words):
            word = words[used].casefold()
            two = " ".join(words[used : used + 2]).casefold()
            if two in CHITS or word in CHITS:
                found.append(CHITS.get(two) or CHITS[word])
                used += 2 if two in CHITS else 1
            elif found and word in TIMES:
                found += found[-1:] * TIMES[word]
                used += 1
            elif word in {",", "and", "+", "&"}:
                used += 1
            else:
                break
        if not found:
            said = f"there is no chit called {words[0]!r}" if words else "a chit is missing"
            raise Unclear(said, suggestions=list(dict.fromkeys(CHITS.values())))
        return tuple(found), used

    def write(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


Chits = Annotated[tuple[str, ...], _Chits()]
MARKERS = tables()["air_markers"]["markers"]
Markers = Annotated[str, OneOf((*MARKERS, *dict.fromkeys(MARKERS.values())))]  # by name, or any of its kind
Modes = Annotated[str, OneOf(("MC", "CM"))]


# Before play (4.0, 18.1)


class Bid(Order):
    usage = "bid {points}"
    season = "18.1(1)"
    about = "Name the victory points that you undertake to reach as the Soviets."
    example = "bid 62"
    points: Count


class Place(usual.Place):
    season = "12.1"
    about = "Put units on the map: reserves while setting up, reinforcements on a railroad."
    example = "place 213SEC at 2918"


# Chits (6.0, 7.0)


class Select(Order):
    usage = "select {chits} [hold {held}]"
    season = "6.1(1)"
    about = "Choose your chits for the turn; the Axis may hold some of them in hand."
    example = "select 4PzA, 8A, Manstein, Manstein hold Manstein"
    chits: Chits
    held: Chits = ()


class EnterChits(Order):
    sides = ("axis",)
    usage = "enter {chits}"
    season = "6.1(1-2)"
    about = "Put held chits into the cup."
    example = "enter 6A"
    chits: Chits


class Interrupt(Order):
    sides = ("axis",)
    usage = "interrupt"
    season = "7.4"
    about = "Play a held Manstein chit; the chit that was drawn goes back into the cup."


class Pass(usual.Pass):
    sides = ("axis",)
    about = "Let the draw go on."


# Activation (7.3, 8.0)


class Activate(Order):
    opens = True
    usage = "activate {hq}"
    season = "8.0"
    about = "Activate an HQ with all units in its command range."
    example = "activate Step"
    hq: UnitName


class Direct(Order):
    sides = ("axis",)
    opens = True
    usage = "direct {units}"
    season = "7.3(3)"
    about = "Manstein's special activation: these units, wherever they stand."
    example = "direct DR, Tot, Wik, 3Pz, 6Pz, 11Pz"
    units: Units


class Negotiate(Order):
    sides = ("axis",)
    opens = True
    usage = "negotiate"
    season = "7.3(1)"
    about = "Use the drawn Manstein chit to negotiate with the Fuhrer."


class Buy(Order):
    sides = ("axis",)
    usage = "buy {unit} at {at}"
    season = "12.3"
    about = "Spend negotiation points on a unit of the pools and place it on a railroad."
    example = "buy LAH at 2617"
    unit: UnitName
    at: HexNumber


class CancelOrder(Order):
    sides = ("axis",)
    usage = "lift {city}"
    also = ("cancel order",)
    season = "16.2(2)"
    about = "Spend negotiation points to lift the Absolute Order of a city."
    example = "lift 2634"
    city: HexNumber


class Mode(Order):
    usage = "mode {mode}"
    season = "5.4"
    about = "Choose the order of this activation: movement then combat, or combat then movement."
    example = "mode MC"
    mode: Modes


class End(usual.End):
    about = "Close this segment, or give up an activation."


# Movement (9.0, 14.1)


class Move(usual.Move):
    season = "5.5(1)"
    about = "Move units one after another, by the cheapest way or by the hexes you name."
    example = "move 29Tk to 3134 via 3235"


class Strat(usual.Move):
    usage = "strat {units} to {to} [via {via}]"
    season = "9.3.1-a"
    also = ("march",)
    about = "Strategic movement: along a road at half cost, away from the enemy."
    example = "strat 73RC to 2327"


class Relocate(Order):
    usage = "relocate {hq} to {to}"
    season = "14.1(4)"
    about = "Relocate an HQ, by choice in the Movement Segment or because it must."
    example = "relocate 6A to 1131"
    hq: UnitName
    to: HexNumber


# Combat (10.0, 15.0)


class Attack(Order):
    usage = "attack {target} with {units} [air {air}] [anyway]"
    season = "5.5(2)"
    about = "Attack a hex; the Axis may add an air marker, `anyway` if it helps the enemy."
    example = "attack 3133 with 22G, 6Tk, 23G, 31Tk; lose 22G; advance 6Tk 3133 3033"
    forecastable = True
    target: HexNumber
    units: Units
    air: Markers = ""
    anyway: Flag = False


class Air(Order):
    sides = ("axis",)
    usage = "air [{marker}] [anyway]"
    about = "Use an air marker in this combat, `anyway` if it helps the enemy; without a name an ace."
    example = "air hartmann"
    marker: Markers = ""
    anyway: Flag = False


class NoAir(Order):
    sides = ("axis",)
    usage = "no air"
    about = "Use no air marker in this combat."


class Lose(usual.Lose):
    about = "Say which units lose the steps; an HQ that takes a loss is relocated."
    example = "lose 255ID, 6Tk 2"


class Retreat(usual.Retreat):
    about = "Say who retreats first and which way each goes; whoever is not named follows by the safest one."
    example = "retreat 255ID 3033 2932, 19Pz 2933 2932"


class Advance(usual.Advance):
    about = "Advance after combat: into the hex, mechanized units one further."
    example = "advance 31Tk 3133 3033"


# Reinforcements (12.2, 13.0)


class Convert(Order):
    sides = ("soviet",)
    usage = "convert {old} to {new}"
    season = "12.2(3)"
    about = "A converting unit replaces a unit of its type on the map."
    example = "convert 2Tk to 8GTk"
    old: UnitName
    new: UnitName


class Drop(Order):
    sides = ("soviet",)
    usage = "drop {at}"
    season = "13.2"
    about = "Land the airborne corps and its bridgehead marker in a hex."
    example = "drop at 2519"
    at: HexNumber


ORDERS = (
    Bid, Place, Select, EnterChits, Interrupt, Pass, Activate, Direct, Negotiate, Buy, CancelOrder, Mode, Move, Strat,
    Relocate, End, Attack, Air, NoAir, Lose, Retreat, Advance, NoAdvance, Convert, Drop,
)  # fmt: skip
