"""What a report says, before anybody thinks of paper: both twins are printed from these and from nothing else.

`told` holds the ids of the facts and rolls that an entry tells, so that each can be shown to appear exactly once.
"""

from dataclasses import dataclass

from engine.facts import Fact
from engine.reference import CardFace
from pbem.tale.deeds import Battle, Reason

Ids = tuple[str, ...]
Sum = tuple[str, str, str]  # a line of the arithmetic of a battle: what, how much, by which case


@dataclass(frozen=True)
class Note:
    """A sentence, with the case it rests on."""

    text: str
    case: str = ""
    told: Ids = ()
    count: bool = False  # of a track alone, whose end is told at the head
    slight: bool = False  # who was seen, who came to a hex last: the map and the head of a letter show it


@dataclass(frozen=True)
class BattleCard:
    """An attack from its preparation to the last advance."""

    title: str
    attackers: str
    defenders: str
    before: tuple[Note, ...]
    working: tuple[Sum, ...]
    column: str
    decided: str
    result: str
    case: str
    after: tuple[Note, ...]
    told: Ids


@dataclass(frozen=True)
class MarchRow:
    """Units that went the same way in a phase."""

    units: str
    path: tuple[str, ...]
    how: str
    told: Ids


@dataclass(frozen=True)
class Phase:
    """A stage of a turn, as far as it falls into the report."""

    title: str
    notes: tuple[Note, ...]
    groups: tuple[tuple[str, tuple[Note, ...]], ...]  # under their headings
    arrivals: tuple[Note, ...]
    marches: tuple[MarchRow, ...]
    battles: tuple[BattleCard, ...]
    fought: tuple[Battle, ...]  # the same battles, all that came of them in fields
    told: Ids
    side: str = ""  # whose it is
    reasons: tuple[Reason, ...] = ()  # why a side that the rules play did what it did, but for its fights

    @property
    def uneventful(self) -> bool:
        return not (self.notes or self.groups or self.arrivals or self.marches or self.battles)


@dataclass(frozen=True)
class Asked:
    """A question that waits for its answer; the other side's hidden ones have no words."""

    side: str
    yours: bool
    prompt: str
    case: str
    key: str
    default: str


@dataclass(frozen=True)
class LetterPicture:
    """A picture of the report: where the mail finds it, and what it shows to whoever cannot see it."""

    name: str
    source: str
    alt: str
    caption: str
    width: int = 0  # of a letter's it is known when it is sent
    attached: bool = False  # too large to stand in the text
    content: str = ""  # what is in it, as a key: the same content is not painted or sent twice


@dataclass(frozen=True)
class HeldCard:
    """A card, its face, and the lines that may be written with it now."""

    card: str
    face: CardFace
    uses: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The card in a line, for whoever cannot see it."""
        sort = ", ".join(filter(None, (self.face.sort, self.face.value and f"value {self.face.value}")))
        rows = " ".join(f"{label}: {value}." for label, value in self.face.rows)
        return f"{self.card} {self.face.title}{f' ({sort})' if sort else ''}. {rows}".strip()


@dataclass(frozen=True)
class ShownHand:
    """All cards of a hand."""

    cards: tuple[HeldCard, ...]
    picture: LetterPicture | None = None

    @property
    def usable(self) -> bool:
        return any(card.uses for card in self.cards)


@dataclass(frozen=True)
class Report:
    """What one side is told about a span of lines."""

    title: str
    side: str
    headline: str
    lines: str
    at: str
    short: str
    standing: tuple[tuple[str, str], ...]
    acts: tuple[Note, ...]
    ended: tuple[Note, ...]
    phases: tuple[Phase, ...]
    bookkeeping: tuple[Note, ...]
    asks: tuple[Asked, ...]
    deadline: str
    draft: str
    pictures: tuple[LetterPicture, ...]
    line: int
    head: str
    facts: tuple[Fact, ...]  # all that it tells, for its pictures
    over: bool  # whether the game has ended
    hand: ShownHand | None = None  # the cards that its reader holds

    @property
    def whose(self) -> str:
        """For whom it is made; what is open to all has no side."""
        return f"Report for {self.side}" if self.side else "Public report"

    @property
    def nothing_asked(self) -> str:
        """Why it names no question."""
        if self.over:
            return "Nothing is asked of anybody: the game is over."
        return "The game has gone on since: you are told of it later than its players."
