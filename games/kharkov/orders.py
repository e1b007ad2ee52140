"""The orders a player may write."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders import usual
from engine.orders.fields import Count, Hexes, HexNumber, Reading, UnitName, Units, is_idle, nearest
from engine.orders.order import Order
from engine.refusals import Unclear
from engine.rulebook import read_tables, roster
from games.kharkov.data import FOLDER, tables
from games.kharkov.shapes import Setup

CARDS = {card.casefold(): card for card in tables()["german_cards"]}
TACTICS = ("artillery", "airpower", "assault coordination", "reinforce battle", "combat engineers", "panzer battalion",
           "screen", "intelligence")  # fmt: skip
EVENTS = tuple(tables()["german_events"])
FORMATIONS = {
    name.casefold(): found.id
    for found in roster(FOLDER, "counters.toml").formations
    if found.kind == "corps"
    for name in (found.id, found.name, found.name.replace("Panzer Corps", "").strip(), found.name.replace("Corps ", ""))
}
ADJUSTMENTS = tuple(read_tables(FOLDER, "setup.toml", Setup)["adjustments"])
Played = tuple[tuple[str, str], ...]  # cards, each with the tactic that a wild one stands for


class _OneOf:
    """One of a few names, each perhaps of several words."""

    kind: ClassVar[str] = "word"
    plural: ClassVar[bool] = False

    def __init__(self, label: str, names: dict[str, str]) -> None:
        self.label, self.names = label, names

    def read(self, words: Sequence[str], reading: Reading) -> tuple[str, int]:
        for used in range(min(4, len(words)), 0, -1):
            found = self.names.get(" ".join(words[:used]).casefold())
            if found is not None:
                return found, used
        raise Unclear(f"{' '.join(words[:2])!r} is no {self.label}", suggestions=nearest(words[0], self.names))

    def write(self, value: str) -> str:
        return value


class _Several(_OneOf):
    """Some of them, named one after another."""

    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[str, ...], int]:  # type: ignore[override]
        found: list[str] = []
        used = 0
        while used < len(words):
            if is_idle(words[used:], reading):
                used += 1
                continue
            try:
                one, more = super().read(words[used:], reading)
            except Unclear:
                if found:
                    break
                raise
            found.append(one)
            used += more
        return tuple(found), used

    def write(self, value: Sequence[str]) -> str:
        return ", ".join(value)


class _Cards:
    """Cards played as tactics, a wild one with what it stands for: `P31, P29 as screen`."""

    kind: ClassVar[str] = "cards"
    plural: ClassVar[bool] = True
    label = "CARD [as TACTIC], CARD..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[Played, int]:
        found: list[tuple[str, str]] = []
        used = 0
        tactics = {name: name for name in TACTICS}
        while used < len(words):
            card = CARDS.get(words[used].casefold())
            if card is not None:
                found.append((card, ""))
                used += 1
            elif found and words[used].casefold() == "as" and len(words) > used + 1:
                tactic, more = _OneOf("tactic", tactics).read(words[used + 1 :], reading)
                found[-1] = (found[-1][0], tactic)
                used += 1 + more
            elif is_idle(words[used:], reading):
                used += 1
            else:
                break
        if not found:
            raise Unclear("a card is missing", suggestions=nearest(words[0], CARDS) if words else [])
        return tuple(found), used

    def write(self, value: Played) -> str:
        return ", ".join(f"{card} as {tactic}" if tactic else card for card, tactic in value)


Card = Annotated[str, _OneOf("card", CARDS)]
Corps = Annotated[str, _OneOf("corps", FORMATIONS)]
Several = Annotated[tuple[str, ...], _Several("corps", FORMATIONS)]
Event = Annotated[str, _OneOf("event", {name: name for name in EVENTS})]
Tactic = Annotated[str, _OneOf("tactic", {name: name for name in TACTICS})]
Adjustment = Annotated[str, _OneOf("set-up adjustment", {name: name for name in ADJUSTMENTS})]
TacticCards = Annotated[Played, _Cards()]


# Set-up, and what is asked between impulses (3.0-f, 7.3, 13.23, 18.34-c)


class Adjust(Order):
    usage = "adjust {adjustment}"
    season = "3.0-f"
    about = "Choose the set-up adjustment."
    example = "adjust bloody izyum"
    adjustment: Adjustment


class Place(usual.Place):
    season = "7.1"
    about = "Deploy reserves on the map."
    example = "place DF/DR, LG/DR at 1407"


class Surrender(Order):
    usage = "surrender {unit}"
    season = "13.23"
    about = "Say which unit of an isolated stack loses a step."
    example = "surrender 585/320"
    unit: UnitName


# An impulse (5.1)


class Activate(Order):
    usage = "activate {corps} by {card}"
    opens = True
    season = "5.2"
    about = "Play a card to activate all units of a corps."
    example = "activate XL by P26"
    corps: Corps
    card: Card


class Kampfgruppe(Order):
    usage = "kampfgruppe {at} by {card}"
    also: ClassVar[tuple[str, ...]] = ("kg",)
    opens = True
    season = "6.2"
    about = "Play a card to activate the units it names around a hex."
    example = "kampfgruppe 2213 by P44"
    at: HexNumber
    card: Card


class Single(Order):
    usage = "single {unit} by {card}"
    opens = True
    season = "6.1"
    about = "Once a turn: play any card to activate one unit, which may not attack."
    example = "single AH/LAH by P31"
    unit: UnitName
    card: Card


class Deploy(Order):
    usage = "deploy {corps} by {card}"
    opens = True
    season = "5.3"
    about = "Play a card to deploy the reserves of a corps; of two by Army Group South."
    example = "deploy IISS by P31"
    corps: Several
    card: Card


class Replace(Order):
    usage = "replace {units} [by {card}]"
    season = "5.5"
    about = "Play a corps card to rebuild steps; in heavy mud without a card."
    example = "replace 679/333 by P26"
    units: Units
    card: Card = ""


class PlayEvent(Order):
    usage = "event {event} [at {at}] by {card}"
    season = "5.4"
    about = "Play a card for an event; `at` the hexes it is for."
    example = "event engineers at 1604, 1710 by P40"
    event: Event
    at: Hexes = ()
    card: Card


class Discard(Order):
    usage = "discard {card}"
    season = "4.IV.2-d"
    about = "Give up a card, when no card in hand allows any command."
    example = "discard P24"
    card: Card


class Pass(usual.Pass):
    season = "4.IV.2-c"
    about = "Play no card: with one card left and an empty pile; or no card against an attack."
    example = "pass"


# Movement (10.0)


class Move(usual.Move):
    season = "10.0"
    about = "Move units."
    example = "move 73/19P to 1817"


class Strat(usual.Move):
    usage = "strat {units} to {to} [via {via}]"
    also: ClassVar[tuple[str, ...]] = ("strategic",)
    season = "10.6"
    about = "Move units far from the enemy: half points on roads, two more for infantry."
    example = "strat 27/19P to 2018"


# Combat (12.0)


class Attack(Order):
    usage = "attack {target} with {units} [by {cards}] [bonus {bonus}] [plus {helpers}] [into {into}]"
    season = "12.1"
    about = "Attack a hex; cards are tactics, `bonus` is Von Manstein's, `plus` who joins by a tactic, `into` a hex."
    example = "attack 1712 with DF/DR, DL/DR by P31, P29 as panzer battalion"
    forecastable = True
    target: HexNumber
    units: Units
    cards: TacticCards = ()
    bonus: Tactic = ""
    helpers: Units = ()
    into: HexNumber = ""


class Pull(Order):
    usage = "pull {chits}"
    season = "12.4-b"
    about = "After the required chits: how many more are drawn."
    example = "pull 2"
    chits: Count


class Defend(Order):
    usage = "defend [by {cards}] [plus {helpers}]"
    season = "12.3"
    about = "Play cards as tactics when you are attacked."
    example = "defend by P42, P29 as screen"
    cards: TacticCards = ()
    helpers: Units = ()


class Stand(Order):
    usage = "stand"
    season = "12.52"
    about = "Take all hits as steps."
    example = "stand"


class Retreat(usual.Retreat):
    season = "12.7"
    about = (
        "Fall back one hex for one hit, two for two: `retreat 1612 1513`; units that split are named with their ways."
    )
    example = "retreat 1612"


class Lose(usual.Lose):
    season = "12.6"
    about = "Say which units lose steps."
    example = "lose DL/DR, DF/DR"


class Disperse(Order):
    usage = "disperse"
    season = "12.52"
    about = "Disperse the attackers instead of two further step losses."
    example = "disperse"


class Advance(usual.Advance):
    season = "12.8"
    about = "Advance after combat."
    example = "advance DF/DR 1712 1812"


class NoAdvance(usual.NoAdvance):
    season = "12.8"
    about = "Stay where you are."


class Dig(Order):
    usage = "dig {at}"
    season = "14.21"
    about = "Improved positions for active units that neither moved nor attacked."
    example = "dig 1604, 1710"
    at: Hexes


class End(usual.End):
    about = "Close this phase; `end impulse` closes all that is left of the impulse."
    example = "end impulse"


COMMANDS = (Activate, Kampfgruppe, Single, Deploy, Replace, PlayEvent)  # 5.1: what a card is played for
ORDERS: tuple[type[Order], ...] = (
    Adjust, Place, Surrender, Activate, Kampfgruppe, Single, Deploy, Replace, PlayEvent, Discard, Pass, Move, Strat,
    Attack, Pull, Defend, Stand, Retreat, Lose, Disperse, Advance, NoAdvance, Dig, End,
)  # fmt: skip
__all__ = ["COMMANDS", *(order.__name__ for order in ORDERS)]
