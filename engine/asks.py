"""What a rule procedure may yield besides facts: rolls and asks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.facts import Fact
from engine.forecast import Forecast
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.orders.usual import Default


@dataclass(frozen=True)
class Roll:
    """A die to cast (1 to `sides`); `purpose` says what for, `only` who may see it."""

    purpose: str
    sides: int = 6
    stream: str = "dice"
    only: tuple[str, ...] | None = None


SHUFFLES_A_TURN = 1000  # a shuffle's number is its turn in thousands, and which of that turn it is


@dataclass(frozen=True)
class Shuffle:
    """A pile is shuffled for a turn; answered by the number of the shuffle, from which every card's rank follows."""

    pile: str
    turn: int
    only: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Deal:
    """The top card of a pile as it was shuffled, of those that are left in it; answered by the card."""

    pile: str
    shuffle: int
    cards: tuple[str, ...]
    only: tuple[str, ...] | None = None


def no_check(order: Order) -> None:
    """Everything the grammar allows is legal."""


def apart(order: Order, more: Order) -> None:
    """Every line is an answer of its own."""


def any_of_them(order: Order) -> bool:
    """Whatever has one of its verbs answers it."""
    return True


def as_said(order: Order) -> Order:
    """What was said beforehand needs no fitting."""
    return order


@dataclass(eq=False)
class Ask:
    """A side must say something. Check, choices and default read that side's view and change nothing."""

    side: str
    name: str  # what standing orders call it: "loss", "advance", "air"
    subject: str  # what it is about: a hex, a unit, a phase
    prompt: str  # the question in words
    verbs: tuple[type[Order], ...]
    default: Callable[[], Order]
    offers: Callable[[], Sequence[Choice]]  # what may be said, or begun
    check: Callable[[Any], None] = no_check
    case: str = ""
    top: bool = False  # the game can be entered here from the position alone, and a side chooses its next deed
    entry: bool = False  # it can be entered here too, in the middle of what goes on
    passable: bool = False  # whoever writes on has passed it by: its default is taken
    about: Callable[[Any], bool] = any_of_them  # whether an order with one of its verbs answers it, or is written on
    reaction: bool = False  # answered by its default at once, unless the side has said that it wants to be asked
    silent: bool = False  # nobody is waited for: by the line that comes next if it fits, else by its default
    hidden: bool = False  # nobody else may know what was answered, until the facts tell
    supposed: type[Order] | None = None  # what a dry run takes for the answer, whatever its side holds or has said
    window: bool = False  # hidden, and that it was asked is hidden too: neither a pause for it nor its length may tell
    amounts: tuple[tuple[str, int], ...] = ()  # what a standing order's condition may compare: ("losses", 2)
    units: tuple[str, ...] = field(default=())  # whom it concerns, so that a standing order can name them
    fit: Callable[[Any], Order] = as_said  # what was said beforehand comes to this, now that it is known what falls
    join: Callable[[Any, Any], Order | None] = apart  # the one answer that two lines are
    onward: tuple[type[Order], ...] = ()  # orders of what comes later: whoever writes one has closed this
    odds: Callable[[Any], Forecast] | None = None  # what an answer comes to, where only who asks can tell
    course: str = ""  # what it is a step of: a closing order that names it closes all steps that are left
    barred: tuple[type[Order], ...] = ()  # verbs that are answered with their rule, and not offered: never this side's
    key: str = ""

    @property
    def offered(self) -> list[type[Order]]:
        """The verbs that may answer it, but for those that the side never has."""
        return [verb for verb in self.verbs if verb not in self.barred and self.side in (verb.sides or (self.side,))]

    def answered_by(self, order: Order) -> bool:
        """Whether an order is an answer to it, good or bad."""
        return isinstance(order, self.verbs) and self.about(order)

    def meant(self, order: Order, *, beforehand: bool = False) -> Order:
        """The order as it answers this: `default`, a way for everybody, and a verb alone, are spelled out."""
        if isinstance(order, Default):
            return self.default()
        order = order.by_all(self.units)
        return self.fit(order) if beforehand or order.bare else order

    def choices(self, given: Choice | None = None) -> list[Choice]:
        """What may be said, or what a choice may be made longer to: whole answers where they are few, steps else."""
        return list(self._first) if given is None else given.following()

    @cached_property
    def _first(self) -> Sequence[Choice]:
        """Listed once: nothing happens while it is asked, and letter, sheet and board all look."""
        return self.offers()

    def begun_as(self, text: str, given: Choice | None = None) -> Choice | None:
        """The choice whose text that is, with or without the word that opens what follows, reached step by step."""
        wanted = " ".join(text.split())
        for choice in self.choices(given):
            line = choice.line()
            if wanted in (line, choice.kind.shape.begun(choice.given, "")):
                return choice
            found = self.begun_as(wanted, choice) if choice.more and wanted.startswith(line) else None
            if found is not None:
                return found
        return None

    def keyed(self, key: str) -> Ask:
        twin = object.__new__(Ask)
        twin.__dict__.update(self.__dict__)
        twin.key = key
        return twin


@dataclass(frozen=True)
class Together:
    """Several sides asked at once: nobody's answer is opened before the last one is in."""

    asks: tuple[Ask, ...]


Step = Fact | Roll | Shuffle | Deal | Ask | Together
Procedure = Generator[Step, Any, None]
