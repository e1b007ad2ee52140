"""A short game with a moderator: what he does, and what everybody is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlmodel import select

from engine.campaign import Campaign
from pbem.moderator import Act
from pbem.store import Due, GameRow, Seat
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR, Office, read

GAME = "mill"


class Moderated(Office):
    """An office with a moderator in it."""

    @classmethod
    def at(cls, home: Path, **settings: Any) -> Moderated:
        office = cls(home)
        office.game(GAME, ANNA, BRUNO, deadline={"default": "48h"}, **settings)
        return office

    @contextmanager
    def acting(self) -> Iterator[Act]:
        """As the command line does it."""
        with self.house.transaction() as session:
            yield Act(self.house, session)

    def do(self, verb: Callable[..., Any], *args: Any, **more: Any) -> list[str]:
        """One act; gives what the moderator is told."""
        with self.acting() as act:
            verb(act, *args, **more)
        return act.told

    def written(self, verb: Callable[..., Any], *args: Any, **more: Any) -> dict[str, str]:
        """One act; gives the letters that it made, by reader."""
        before = {row.id for row in self.out()}
        self.do(verb, *args, **more)
        return {row.to: text_of(row.raw) for row in self.out() if row.id not in before}

    def by_mail(self, text: str, sender: str = MODERATOR, subject: str = "a word", game: str = GAME) -> str:
        """A mail to the moderator's address of a game; gives the answer's text, empty if there is none."""
        with self.house.database.begin() as session:
            token = session.get_one(GameRow, game).moderator_token
        letters = self.mail(sender, self.house.seat_address(token), text, subject)
        to_him = [letter for letter in letters if str(letter["To"]) == sender]
        answers = [letter for letter in to_him if letter["Auto-Submitted"] == "auto-replied"]
        assert len(answers) <= 1
        return body(answers[0]) if answers else ""

    def row_of(self, game: str = GAME) -> GameRow:
        with self.house.database.begin() as session:
            return session.get_one(GameRow, game)

    def seat_of(self, side: str, game: str = GAME) -> Seat:
        with self.house.database.begin() as session:
            return session.exec(select(Seat).where(Seat.game_id == game, Seat.side == side)).one()

    def due_of(self, side: str, game: str = GAME) -> Due:
        with self.house.database.begin() as session:
            return session.exec(select(Due).where(Due.game_id == game, Due.side == side)).one()

    def campaign(self, game: str = GAME) -> Campaign:
        return self.house.campaign(self.row_of(game))


def text_of(raw: bytes) -> str:
    return body(read(raw))


def body(mail: Any) -> str:
    return str(mail.get_body(("plain",)).get_content())
