"""A seat's token stands in the reply address: not in the journal, a log, a subject or a letter's text."""

from __future__ import annotations

import re
import smtplib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from pbem.house import House
from pbem.house.settings import Settings
from pbem.store import FormerToken, GameRow, MailIn, MailOut, Seat
from tests.pbem.houses import log_of
from tests.pbem.moderator.test_one_daemon import process, serving
from tests.pbem.moderator.test_serving import until
from tests.pbem.security.office import ANNA, BRUNO, BUTTON, MODERATOR, OWN, html_of, read, text_of

AT_HOME = {"PBEM_ADDRESS": OWN, "PBEM_MODERATOR": MODERATOR}
NEW = (
    "game",
    "new",
    "korsun_spi",
    "--name",
    "mill",
    "--scenario",
    "proving",
    "--pictures",
    "none",
    "--deadline",
    "48h",
)


class Table:
    """A game by mail with a daemon of its own, seen from outside."""

    def __init__(self, home: Path, passwords: dict[str, str], port: int) -> None:
        self.house = House(Settings(home=home, address=OWN, moderator=MODERATOR))
        self.passwords, self.port, self.number = passwords, port, 0

    def all(self, wanted: Any) -> list[Any]:
        with self.house.database.begin() as session:
            return list(session.exec(wanted).all())

    def seat(self, side: str) -> str:
        return self.house.seat_address(self.all(select(Seat.token).where(Seat.side == side))[0])

    def tokens(self) -> list[str]:
        columns = (Seat.token, FormerToken.token, GameRow.moderator_token)
        return [token for column in columns for token in self.all(select(column))]

    def mail(self, sender: str, to: str, text: str, subject: str = "orders", cc: str = "") -> None:
        """Handed in, dealt with, and everything that came of it sent."""
        self.number += 1
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{self.number}@x.example>\r\n"
        head += f"Cc: {cc}\r\n" if cc else ""
        with smtplib.SMTP("127.0.0.1", self.port, local_hostname="localhost") as smtp:
            smtp.login(sender, self.passwords[sender])
            smtp.sendmail(sender, [to], f"{head}\r\n{text}\r\n")
        until(self._dealt_with, f"{text!r} was not answered")

    def _dealt_with(self) -> bool:
        rows = self.all(select(MailIn.state).where(MailIn.sender != OWN))
        waiting = self.all(select(MailOut.id).where(MailOut.state == "queued"))
        return len(rows) == self.number and not {"stored", "decided"} & set(rows) and not waiting


def passwords_in(said: str) -> dict[str, str]:
    return dict(re.findall(r"(\S+@\S+) has a mailbox on the embedded server, with the password (\S+)", said))


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Table, Callable[[], str]]]:
    """A table, and everything that its processes have printed once they are gone."""
    made = process(tmp_path, *NEW, "--soviet", ANNA, "--german", BRUNO, **AT_HOME)
    said, why = made.communicate(timeout=60)
    assert made.returncode == 0, why
    printed = [said, why]
    with serving(tmp_path, **AT_HOME) as daemon:
        port = int(re.search(r"SMTP  127.0.0.1, port (\d+)", daemon.said)[1])  # type: ignore[attr-defined, index]
        table = Table(tmp_path, passwords_in(said), port)

        def stop() -> str:
            shown = process(tmp_path, "game", "show", "mill", **AT_HOME)
            printed.extend(shown.communicate(timeout=60))
            daemon.terminate()
            printed.extend((daemon.said, *_rest(daemon)))  # type: ignore[attr-defined]
            return "".join(printed)

        yield table, stop
    table.house.close()


def _rest(daemon: subprocess.Popen[str]) -> tuple[str, str]:
    return daemon.communicate(timeout=60)


def test_a_token_stands_in_the_reply_address_and_nowhere_else(
    played: tuple[Table, Callable[[], str]], tmp_path: Path
) -> None:
    table, stop = played
    table.mail(ANNA, table.seat("soviet"), "join as Anna nonce herons")
    table.mail(BRUNO, table.seat("german"), "join as Bruno nonce storks")
    table.mail(ANNA, table.seat("soviet"), "orders\nstatus\nhelp\nlog", cc=BRUNO)
    both = table.seat("soviet"), table.seat("german")
    table.mail(ANNA, both[0], f"press write to {both[0]}\n\nmove nobody to {both[1]}")
    table.mail(ANNA, OWN, "end", subject="to the service itself")  # her login is her proof, and she is asked
    assert table.all(select(MailIn.line).where(MailIn.subject == "to the service itself")) == [1]
    table.mail(ANNA, table.seat("soviet"), "end", subject=f"Fwd: {table.seat('soviet')}")
    table.mail(ANNA, table.seat("soviet"), "token new")
    table.mail(ANNA, OWN, "games")
    old = table.all(select(FormerToken.token))[0]
    before = table.house.seat_address(old)
    table.mail(ANNA, before, "status", subject=f"about {old} and {before}")
    table.mail(BRUNO, table.seat("soviet"), "end", subject=f"[mill] {table.seat('soviet')}")
    tokens, journal = table.tokens(), stop()
    assert len(tokens) == 4
    assert "serving" in journal
    log = log_of(table.house, "mill").read_text("utf-8")
    letters = table.all(select(MailOut))
    assert {row.state for row in letters} == {"sent"}
    assert len(letters) >= 16
    for token in tokens:
        assert token not in journal
        assert token not in log
        for row in letters:
            letter = read(row.raw)
            assert token not in row.subject, row.key
            assert token not in text_of(letter), row.key
            assert token not in BUTTON.sub("", html_of(letter)), row.key


def test_an_error_of_the_database_shows_no_token(tmp_path: Path) -> None:
    house = House(Settings(home=tmp_path))
    with pytest.raises(Exception, match="FOREIGN") as told, house.database.begin() as session:
        session.add(Seat(game_id="nowhere", side="red", token="c0ffee" * 5))
    assert "c0ffee" not in str(told.value)
    house.close()
