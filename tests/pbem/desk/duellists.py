"""A duel to try things in: an office with two games of one chair each, and a pen for each of the two."""

from __future__ import annotations

import email
import gzip
from collections.abc import Callable
from datetime import datetime
from email import policy
from pathlib import Path
from typing import Any

from engine import log
from engine.campaign import Campaign
from pbem.moderator import Act
from pbem.moderator.setting_up import duel
from pbem.store import Duel, GameRow, MailOut
from tests.pbem.desk.office import JOIN, SECRET, Office, text_of
from tests.pbem.stock import from_stock

ANNA, BERT = "anna@mill.example", "bert@ford.example"
GAMES = {ANNA: "fort-1", BERT: "fort-2"}
WORDS = dict(zip(GAMES, JOIN, strict=True))
QUIET: dict[str, Any] = {"pictures": "none", "board": "none"}


class Duellists(Office):
    """Both games of the duel `fort`; whoever writes does so from his own chair."""

    def __init__(self, home: Path, rulebook: str = "outpost", side: str = "garrison") -> None:
        super().__init__(home, GAMES[ANNA], rulebook)
        self.chair = side

    def at(self, who: str) -> Duellists:
        """The office as one of the two knows it."""
        self.name, self.people = GAMES[who], {self.chair: who}
        return self

    def set_up(self, **terms: Any) -> str:
        with self.house.transaction() as session:
            for name in GAMES.values():
                if self.house.cabinet.secret(session, name) is None:  # one that is there is taken: always the same dice
                    self.house.cabinet.promise(session, name, SECRET)
        return self.do(duel, self.rulebook, [ANNA, BERT], name="fort", **{**QUIET, **terms})

    def begin_duel(self, **terms: Any) -> None:
        """Both have joined; the second has the word."""

        def begin() -> tuple[datetime, int]:
            self.set_up(**terms)
            for who, words in WORDS.items():
                self.write(who, words)
            return self.now, self.count

        wanted = ("duel", self.rulebook, self.chair, self.now, self.count, terms)
        self.now, self.count = from_stock(self.house, wanted, begin)
        self.at(BERT)

    def write(self, who: str, text: str, **more: Any) -> list[MailOut]:
        """A mail of one of them; gives what was written because of it."""
        return self.at(who).mail(self.chair, text, **more)

    def said(self, who: str, text: str) -> str:
        """The answer to a mail, in one line."""
        (answer,) = [row for row in self.write(who, text) if row.key.startswith("answer/")]
        return " ".join(text_of(answer).split())

    def do(self, verb: Callable[..., Any], *args: Any, **more: Any) -> str:
        """An act of the moderator; what he is told."""
        with self.house.transaction() as session:
            act = Act(self.house, session)
            verb(act, *args, **more)
        return "\n".join(act.told)

    def row(self, who: str) -> GameRow:
        return self.at(who).game()

    def campaign(self, who: str) -> Campaign:
        return self.house.campaign(self.row(who))

    def duel(self) -> Duel:
        with self.house.database.begin() as session:
            return session.get_one(Duel, 1)

    def told(self, who: str, *, of: str = "") -> list[str]:
        """Everything one of them has been sent, or all under keys that begin so."""
        return [text_of(row) for row in self.letters() if row.to == who and row.key.startswith(of)]

    def both_end(self) -> None:
        for who in GAMES:
            self.write(who, "end")

    def enclosed(self, who: str) -> dict[str, bytes]:
        """The files of everything one of them has been sent, by their names."""
        found: dict[str, bytes] = {}
        for row in self.letters():
            if row.to == who:
                message = email.message_from_bytes(row.raw, policy=policy.default)
                for part in message.walk():
                    if part.get_filename():
                        data = part.get_payload(decode=True)
                        assert isinstance(data, bytes)
                        packed = part.get_content_type() == "application/gzip"
                        found[str(part.get_filename())] = gzip.decompress(data) if packed else data
        return found


def plain(lines: list[log.Line]) -> list[log.Line]:
    """A log without times, ids, and the hashes that follow from them."""
    return [{key: value for key, value in line.items() if key not in ("at", "cause", "hash", "prev")} for line in lines]
