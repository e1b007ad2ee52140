"""Letters of every rulebook as they are really sent, by each kind, to quote in replies."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import games
from pbem.desk.vocabulary import GameWords
from pbem.reading import Answered, Known
from pbem.reading.known import openings, twins_of
from pbem.reading.markup import markup_text
from tests.pbem.desk.office import ADDRESS, Office, html_of, text_of


@dataclass(frozen=True)
class RealLetter:
    """One letter, and what the reader of its replies knows."""

    name: str
    text: str
    html: str
    key: str
    known: Known

    @property
    def lines(self) -> list[str]:
        return self.text.rstrip("\n").split("\n")

    @property
    def html_lines(self) -> list[str]:
        return markup_text(self.html).strip("\n").split("\n")

    def unknown(self) -> Known:
        """The same reader, to whom this letter was lost."""
        return Known(self.known.address, self.known.vocabulary)


def _played(office: Office) -> None:
    """Some mails that bring about letters of each kind."""
    office.begin({"deadline": "24h", "remind": "12h"})
    sides = list(office.people)
    for side in sides:
        for text in ("orders", "status\nstanding", "press Well met.\nIt is cold over here."):
            office.mail(side, text)
    for _ in range(2):
        asked = office.house.campaign(office.game()).asks
        side = next((ask.side for ask in asked if ask.side in sides), sides[0])
        office.mail(side, "default\nhelp")
    office.wait(20)


@cache
def real_letters() -> tuple[RealLetter, ...]:
    found: list[RealLetter] = []
    for title in games.titles():
        with tempfile.TemporaryDirectory() as folder:
            office = Office(Path(folder) / "home", rulebook=title)
            _played(office)
            words = GameWords(games.find_game(title))
            for row in office.letters():
                found.append(_taken(office, title, words, row))
            office.house.close()
    return tuple(found)


def _taken(office: Office, title: str, words: GameWords, row) -> RealLetter:  # type: ignore[no-untyped-def]
    from pbem.store import KeptLetter

    with office.house.database.begin() as session:
        kept = session.get(KeptLetter, row.id)
        key = kept.key if kept is not None else ""
    text, html = text_of(row), html_of(row)
    answered = Answered(twins_of(text, html), key, openings=openings(text, html), subjects=(row.subject,))
    return RealLetter(f"{title}: {row.key}", text, html, key, Known(ADDRESS, words, lambda references, said: answered))
