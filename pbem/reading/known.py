"""What a reader knows before he opens a mail: our address, the words that begin an order, the letters it may answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.outbox.keeping_letters import twins
from pbem.reading.comparing import Sheet, fold
from pbem.reading.markup import Deep, markup_text
from pbem.store import KeptLetter

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


@dataclass(frozen=True)
class Known:
    """All that can be known; without a vocabulary every line is taken as it is."""

    address: str = ""
    vocabulary: Vocabulary | None = None
    post: Post = lambda references, text: Answered()  # none is known

    def begins(self, line: str) -> bool:
        return self.vocabulary is not None and self.vocabulary.begins(line)


def twins_of(text: str, markup: str) -> tuple[str, ...]:
    """Both twins of a letter as text; what is hidden in it may show in a quotation."""
    try:
        return (text, markup_text(markup, hidden=True))
    except Deep:
        return (text,)


MOST_ALIKE = 6  # letters under one key, any of which may be quoted
MOST_RECENT = 10  # letters whose beginning is looked for
MOST_OF_A_HEAD = 8_000  # characters of HTML in which that beginning stands
TO_HIM = col(KeptLetter.game_id) == bindparam("game"), col(KeptLetter.to) == bindparam("to")
HIS = select(KeptLetter).where(*TO_HIM)
LATEST = HIS.order_by(col(KeptLetter.queued).desc(), col(KeptLetter.id))
RECENT = LATEST.limit(MOST_RECENT)
KEYS = select(KeptLetter.key).where(*TO_HIM, col(KeptLetter.key) != "").distinct()


def post_of(session: Session, game: str, address: str) -> Post:
    """The letters of a game to one address: nobody's else are looked at."""
    whose = {"game": game, "to": address}

    def post(references: Sequence[str], text: str) -> Answered:
        found: Sequence[KeptLetter] = []
        if references:
            found = session.exec(HIS.where(col(KeptLetter.message_id).in_(references)), params=whose).all()
            found = sorted(found, key=lambda letter: references.index(letter.message_id))[:1]
        referred = bool(found)
        keys = () if found else session.exec(KEYS, params=whose).all()
        if key := max((key for key in keys if key in text), key=len, default=""):  # the longest that stands in it
            found = session.exec(LATEST.where(KeptLetter.key == key).limit(MOST_ALIKE), params=whose).all()
        known = found or session.exec(RECENT, params=whose).all()
        return Answered(
            tuple(twin for letter in found for twin in twins_of(*twins(letter))),
            found[0].key if found else "",
            not referred,
            tuple(opening for letter in known for opening in openings(*twins(letter))),
            tuple({letter.subject for letter in known}),
        )

    return post


def openings(text: str, markup: str) -> tuple[str, str]:
    """How each twin of a letter begins, folded."""
    body, seen = markup[max(markup.find("<body"), 0) :], ""
    try:
        for most in (MOST_OF_A_HEAD // 4, MOST_OF_A_HEAD):
            if len(seen) < 2 * MOST_OF_AN_OPENING:  # mostly a part is enough, and what it breaks off in lies far behind
                seen = fold(markup_text(body[:most]))
    except Deep:
        seen = ""
    return fold(text[: 4 * MOST_OF_AN_OPENING])[:MOST_OF_AN_OPENING], seen[:MOST_OF_AN_OPENING]
