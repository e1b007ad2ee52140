"""What a rule procedure may yield besides facts: rolls and asks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any

from engine.facts import Fact
from engine.orders.order import Order


@dataclass(frozen=True)
class Roll:
    """A die to cast (1 to `sides`); `purpose` says what for, `only` who may see it."""

    purpose: str
    sides: int = 6
    stream: str = "dice"
    only: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Option:
    """A legal answer, or the beginning of one: `complete` may be given as it stands, `more` can be made longer."""

    line: str
    complete: bool = True
    more: bool = False


def no_check(order: Order) -> None:
    """Everything the grammar allows is legal."""


@dataclass(frozen=True)
class Ask:
    """A side must say something. Check, options and default read that side's view and change nothing."""

    side: str
    name: str  # what standing orders call it: "loss", "advance", "air"
    subject: str  # what it is about: a hex, a unit, a phase
    prompt: str  # the question in words
    verbs: tuple[type[Order], ...]
    default: Callable[[], Order]
    options: Callable[[str], list[Option]]
    check: Callable[[Any], None] = no_check
    case: str = ""
    top: bool = False  # the game can be entered here from the position alone
    passable: bool = False  # whoever writes on has passed it by: its default is taken
    reaction: bool = False  # answered by its default at once, unless the side has said that it wants to be asked
    hidden: bool = False  # nobody else may know what was answered, until the facts tell
    window: bool = False  # hidden, and that it was asked is hidden too: neither a pause for it nor its length may tell
    amounts: tuple[tuple[str, int], ...] = ()  # what a standing order's condition may compare: ("losses", 2)
    units: tuple[str, ...] = field(default=())  # whom it concerns, so that a standing order can name them
    key: str = ""

    def keyed(self, key: str) -> Ask:
        return replace(self, key=key)


@dataclass(frozen=True)
class Together:
    """Several sides asked at once: nobody's answer is opened before the last one is in."""

    asks: tuple[Ask, ...]


Step = Fact | Roll | Ask | Together
Procedure = Generator[Step, Any, None]
