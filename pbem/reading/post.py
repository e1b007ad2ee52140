"""Which letter of ours a mail answers: by its references, or by the key that stands in what it quotes."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from pbem.outbox.keeping_letters import twins
from pbem.reading.known import MOST_OF_AN_OPENING, Answered, Post, twins_of
from pbem.reading.markup import Deep, markup_text
from pbem.reading.sheet import fold
from pbem.store import KeptLetter

MOST_ALIKE = 6  # letters under one key, any of which may be quoted
MOST_RECENT = 10  # letters whose beginning is looked for
MOST_OF_A_HEAD = 8_000  # characters of HTML in which that beginning stands


def post_of(session: Session, game: str, address: str) -> Post:
    """The letters of a game to one address: nobody's else are looked at."""
    his = select(KeptLetter).where(KeptLetter.game_id == game, KeptLetter.to == address)
    latest = his.order_by(col(KeptLetter.queued).desc(), col(KeptLetter.id))

    def post(references: Sequence[str], text: str) -> Answered:
        found: Sequence[KeptLetter] = []
        if references:
            found = session.exec(his.where(col(KeptLetter.message_id).in_(references))).all()
            found = sorted(found, key=lambda letter: references.index(letter.message_id))[:1]
        referred = bool(found)
        if not found and (key := _key_in(session, game, address, text)):
            found = session.exec(latest.where(KeptLetter.key == key).limit(MOST_ALIKE)).all()
        known = found or session.exec(latest.limit(MOST_RECENT)).all()
        return Answered(
            tuple(twin for letter in found for twin in twins_of(*twins(letter))),
            found[0].key if found else "",
            not referred,
            tuple(opening for letter in known for opening in openings(*twins(letter))),
            tuple({letter.subject for letter in known}),
        )

    return post


def _key_in(session: Session, game: str, address: str, text: str) -> str:
    """The longest key of a letter to him that stands in the text."""
    keys = select(KeptLetter.key).where(KeptLetter.game_id == game, KeptLetter.to == address, KeptLetter.key != "")
    return max((key for key in session.exec(keys.distinct()).all() if key in text), key=len, default="")


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
