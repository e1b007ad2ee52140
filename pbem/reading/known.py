"""What a reader knows before he opens a mail: our address, the words that begin an order, the letters it may answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from pbem.reading.markup import Deep, markup_text
from pbem.reading.sheet import Sheet

LEAST_OF_AN_OPENING = 20  # letters and digits by which the beginning of a letter of ours is known
MOST_OF_AN_OPENING = 60  # those that are compared


class Vocabulary(Protocol):
    """What an order looks like to who wrote none of the rules."""

    def begins(self, line: str) -> bool:
        """Whether it begins like an order, or like a word to the service."""

    def nearly(self, line: str) -> bool:
        """Whether an order may have been meant: a slip of the pen, or units and hexes without a word before them."""


@dataclass(frozen=True)
class Answered:
    """The letters of ours that a mail may quote: the one it answers, and how every other begins."""

    twins: tuple[str, ...] = ()  # of the letter it answers, as text; none if that was not found
    key: str = ""  # of what that letter asked
    by_key: bool = False  # it was found by that key alone, which others may know too
    openings: tuple[str, ...] = ()  # folded, of all letters to the writer
    subjects: tuple[str, ...] = ()

    @cached_property
    def sheets(self) -> list[Sheet]:
        return [Sheet(twin) for twin in self.twins]


Post = Callable[[Sequence[str], str], Answered]  # by the references of a mail and by its text


def no_post(references: Sequence[str], text: str) -> Answered:
    """No letter is known."""
    return Answered()


@dataclass(frozen=True)
class Known:
    """All that can be known; without a vocabulary every line is taken as it is."""

    address: str = ""
    vocabulary: Vocabulary | None = None
    post: Post = field(default=no_post)

    def begins(self, line: str) -> bool:
        return self.vocabulary is not None and self.vocabulary.begins(line)


def twins_of(text: str, markup: str) -> tuple[str, ...]:
    """Both twins of a letter as text; what is hidden in it may show in a quotation."""
    try:
        return (text, markup_text(markup, hidden=True))
    except Deep:
        return (text,)
