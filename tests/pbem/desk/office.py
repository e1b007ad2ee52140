"""An office to try things in: a house in a folder, a clock that is turned by hand, mails written in a line."""

from __future__ import annotations

import email
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from games import find_game
from pbem.desk.lifecycle import invite
from pbem.house import House
from pbem.house.settings import Settings
from pbem.service import Service
from pbem.store import GameRow, MailIn, MailOut, Seat
from tests.pbem.houses import database_of
from tests.pbem.received import receive
from tests.pbem.sent import as_sent
from tests.pbem.stock import from_stock

ADDRESS = "post@field.example"
MODERATOR = "vera@field.example"
PEOPLE = {"soviet": "anna@mill.example", "german": "bert@ford.example"}
SECRET = bytes(range(32))
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)  # a Monday
JOIN = (
    "join as Anna zone Europe/Kyiv nonce three herons",
    "join as Bert zone Europe/Berlin nonce two storks",
)


def settings_at(home: Path, database: str = "") -> Settings:
    return Settings(home=home, address=ADDRESS, moderator=MODERATOR, database=database or database_of(home))


class Office:
    """A house, and everything in it open to a test."""

    def __init__(self, home: Path, game: str = "ford", rulebook: str = "korsun_spi", database: str = "") -> None:
        self.home, self.name, self.rulebook, self.database = home, game, rulebook, database
        self.people = dict(zip(find_game(rulebook).setting.chairs, PEOPLE.values(), strict=False))
        self.now = NOON
        self.count = 0
        self.open()

    def open(self) -> None:
        """The doors are opened, for the first time or after everything has stopped."""
        self.house = House(settings_at(self.home, self.database), clock=lambda: self.now)
        self.service = Service(self.house)

    def invite(
        self,
        settings: Mapping[str, Any] | None = None,
        scenario: str | None = None,
        chairs: Mapping[str, str] | None = None,
    ) -> None:
        scenario = scenario if scenario is not None else "proving" if self.rulebook == "korsun_spi" else ""
        chosen = {"pictures": "none", "board": "none", **(settings or {})}
        people = {**self.people, **(chairs or {})}
        invite(self.house, self.name, self.rulebook, scenario, people, settings=chosen, secret=SECRET)

    def begin(self, settings: Mapping[str, Any] | None = None, **more: Any) -> None:
        """A game that all have joined."""

        def begin() -> tuple[datetime, int]:
            self.invite(settings, **more)
            for side, text in zip(self.people, JOIN, strict=False):
                if not self.seat(side).bot:
                    self.mail(side, text)
            return self.now, self.count

        wanted = (self.name, self.rulebook, self.people, self.now, self.count, settings, more)
        self.now, self.count = from_stock(self.house, wanted, begin)

    def seat(self, side: str) -> Seat:
        with self.house.database.begin() as session:
            return session.exec(select(Seat).where(Seat.game_id == self.name, Seat.side == side)).one()

    def game(self) -> GameRow:
        with self.house.database.begin() as session:
            return session.get_one(GameRow, self.name)

    def raw(self, side: str, text: str, sender: str = "", subject: str = "", answers: str = "", to: str = "") -> bytes:
        """A mail as a plain mail reader writes it."""
        token = self.game().moderator_token if side == "moderator" else self.seat(side).token
        mail = EmailMessage()
        mail["From"] = sender or (MODERATOR if side == "moderator" else self.people[side])
        mail["To"] = to or self.house.seat_address(token)
        mail["Subject"] = subject or f"Re: [{self.name}]"
        mail["Message-ID"] = f"<{self.count}@pen.example>"
        if answers:
            mail["In-Reply-To"] = answers
        mail.set_content(text + "\n")
        return mail.as_bytes()

    def post(self, side: str, text: str, *, minutes: int = 10, **more: str) -> str:
        """A mail comes in and is stored."""
        self.now += timedelta(minutes=minutes)
        self.count += 1
        return receive(self.house, self.raw(side, text, **more), id_=f"{self.count:032x}")

    def mail(self, side: str, text: str, **more: Any) -> list[MailOut]:
        """A mail comes in and is dealt with; gives what was written because of it."""
        before = {row.key for row in self.letters()}
        self.post(side, text, **more)
        self.service.deal_with_all()
        return [row for row in self.letters() if row.key not in before]

    def wait(self, hours: float) -> list[MailOut]:
        """Time goes by; gives what was written because of it."""
        before = {row.key for row in self.letters()}
        self.now += timedelta(hours=hours)
        self.service.tick()
        return [row for row in self.letters() if row.key not in before]

    def letters(self, state: str = "") -> list[MailOut]:
        """Everything written so far, in the order it was written."""
        with self.house.database.reading() as session:
            rows = session.exec(select(MailOut).order_by(col(MailOut.queued), col(MailOut.key))).all()
            found = as_sent(self.house, session, rows)
        return [row for row in found if state in ("", row.state)]

    def mails(self) -> list[MailIn]:
        with self.house.database.reading() as session:
            return list(session.exec(select(MailIn).order_by(col(MailIn.received))).all())


def message_of(row: MailOut) -> EmailMessage:
    message = email.message_from_bytes(row.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(row: MailOut) -> str:
    """What the plain-text twin of a letter says."""
    body = message_of(row).get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def report_of(row: MailOut) -> str:
    """What the report beside a letter says."""
    (report,) = [part for part in message_of(row).iter_attachments() if part.get_filename() == "report.txt"]
    return str(report.get_content()).replace("\r\n", "\n")


def html_of(row: MailOut) -> str:
    body = message_of(row).get_body(("html",))
    assert body is not None
    return str(body.get_content())
