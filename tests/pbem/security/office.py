"""A post office in a folder, with two games and the people who play them, and somebody who means ill."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from engine.dice import secret_from_seed
from pbem.desk.lifecycle import invite
from pbem.house import House
from pbem.house.settings import Settings
from pbem.service import Service
from pbem.store import GameRow, MailIn, MailOut, Seat
from tests.pbem.houses import database_of
from tests.pbem.received import receive
from tests.pbem.sent import as_sent
from tests.pbem.stock import from_stock

OWN = "referee@fieldpost.example"
MODERATOR = "moderator@fieldpost.example"
ANNA, BRUNO = "anna@players.example", "bruno@players.example"
CLARA = "clara@players.example"
MALLORY = "mallory@elsewhere.example"
MEANWHILE = timedelta(seconds=1)
BUTTON = re.compile(r"""href=(["'])mailto:[^"']*\1""")  # the letter's own: they hold its reply address


@dataclass
class Clock:
    """Time that passes a second a look."""

    now: datetime = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += MEANWHILE
        return self.now


@dataclass
class Office:
    """A house, its service, and everything that has come out of it."""

    home: Path
    limits: dict[str, Any] = field(default_factory=dict)
    address: str = OWN
    database: str = ""
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        database = self.database or database_of(self.home)
        self.settings = Settings(
            home=self.home, address=self.address, moderator=MODERATOR, limits=self.limits, database=database
        )
        self.house = House(self.settings, clock=self.clock)
        self.service = Service(self.house)
        self._number, self.last = 0, ""

    def game(self, name: str, soviet: str, german: str, *, begun: bool = True, **settings: Any) -> None:
        """A short game; both have joined it unless told otherwise."""
        chairs = {"soviet": soviet, "german": german}
        settings = {"pictures": "none", **settings}
        secret = secret_from_seed(len(name))

        def begin() -> tuple[datetime, int, str]:
            invite(self.house, name, "korsun_spi", "proving", chairs, settings=settings, secret=secret)
            for side, address in chairs.items():
                if begun:
                    self.mail(address, self.seat(name, side), "join nonce herons")
            return self.clock.now, self._number, self.last

        wanted = (name, chairs, begun, settings, self.clock.now, self._number)
        self.clock.now, self._number, self.last = from_stock(self.house, wanted, begin)

    def seat(self, game: str, side: str) -> str:
        """The address that opens a chair."""
        return self.house.seat_address(self.token(game, side))

    def token(self, game: str, side: str) -> str:
        with self.house.database.begin() as session:
            return session.exec(select(Seat.token).where(Seat.game_id == game, Seat.side == side)).one()

    def mail(self, sender: str, to: str, text: str, subject: str = "orders", **headers: str) -> list[EmailMessage]:
        """A plain mail is sent and dealt with; gives what the service wrote because of it."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        self._number += 1
        mail["Message-ID"] = f"<{self._number}.{self.clock.now.timestamp():.0f}@players.example>"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        return self.raw(mail.as_bytes())

    def raw(self, raw: bytes) -> list[EmailMessage]:
        before = {row.id for row in self.out()}
        self.last = receive(self.house, raw)
        self.service.deal_with_all()
        return [read(row.raw) for row in self.out() if row.id not in before]

    def out(self) -> list[MailOut]:
        with self.house.database.reading() as session:
            rows = session.exec(select(MailOut).order_by(col(MailOut.queued), col(MailOut.id))).all()
            return as_sent(self.house, session, rows)

    def row(self) -> MailIn:
        """What is written down about the mail that came last."""
        with self.house.database.begin() as session:
            return session.get_one(MailIn, self.last)

    def head(self, game: str) -> str:
        """The head of a game's chain: the same as before if nothing has happened."""
        with self.house.database.begin() as session:
            return self.house.campaign(session.get_one(GameRow, game)).head

    def secrets(self, *, but: tuple[tuple[str, str], ...] = ()) -> list[str]:
        """Everything that must never be found in a mail to somebody else."""
        with self.house.database.begin() as session:
            seats = session.exec(select(Seat)).all()
            found = [seat.token for seat in seats if (seat.game_id, seat.side) not in but]
            for game in session.exec(select(GameRow)).all():
                found.append(game.moderator_token)
                secret = self.house.cabinet.secret(session, game.id)
                assert secret is not None
                found.append(secret.hex())
        return found


def read(raw: bytes) -> EmailMessage:
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    assert isinstance(mail, EmailMessage)
    return mail


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())
