"""A game by way of Dovecot and Postfix: players with mailboxes, the daemon as a process, and nothing else between."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from email.policy import SMTP
from email.utils import parseaddr

from imapclient import IMAPClient

import games
from engine.asks import Ask
from engine.bots import Bot
from engine.campaign import Campaign
from engine.orders.order import Order
from engine.table import Table
from pbem.house import House
from pbem.workshop.demonstrating.correspondent import Correspondent
from pbem.workshop.demonstrating.daemon import SERVE
from pbem.workshop.demonstrating.pen import asked_of

PATIENCE = 60  # seconds until a letter must have come
LOOK = 0.05  # between two looks into a mailbox


class HoldsFast:
    """A player who does what is done by default: he ends every phase and takes no offer."""

    def answer(self, table: Table, ask: Ask) -> Order:
        return ask.default()


@dataclass
class Person:
    """Somebody with a mailbox on the real servers, and every letter that has come to it."""

    box: Correspondent
    side: str = ""
    bot: Bot = field(default_factory=HoldsFast)
    letters: list[EmailMessage] = field(default_factory=list)

    def look(self) -> None:
        self.letters += self.box.new_letters()

    def reply(self, *lines: str) -> EmailMessage:
        """To the latest letter that came from his chair at the game."""
        letter = next(letter for letter in reversed(self.letters) if "+" in str(letter["Reply-To"]))
        return self.box.reply(letter, list(lines))

    def send(self, mail: Message, to: str) -> None:
        """Whatever it says about its sender: Postfix only asks who logs in."""
        assert self.box._smtp is not None
        self.box._smtp.sendmail(self.box.address, [to], mail.as_bytes(policy=SMTP))

    def answers(self, message_id: str) -> list[EmailMessage]:
        return [letter for letter in self.letters if letter["In-Reply-To"] == message_id]


def opened_box(servers, stack: ExitStack, address: str, name: str) -> Correspondent:
    """Connections as a mail program makes them: TLS, a certificate that is checked, a login."""
    mailbox, relay = servers.mailbox(address), servers.relay(address)
    password = mailbox.password.get_secret_value()
    smtp = smtplib.SMTP_SSL(
        relay.host, relay.port, local_hostname="localhost", timeout=PATIENCE, context=servers.context
    )
    imap = IMAPClient(mailbox.host, mailbox.port, ssl_context=servers.context, timeout=PATIENCE)
    box = Correspondent(address, password, relay.port, mailbox.port, name, _smtp=smtp, _imap=imap)
    stack.push(box)
    smtp.login(address, password)
    imap.login(address, password)
    return box


@contextmanager
def served(house: House, servers) -> Iterator[subprocess.Popen[bytes]]:
    """`pbem serve` on the house's mailbox and relay, set up by its environment; it must stop when it is asked to."""
    with (house.settings.home / "daemon.log").open("ab") as said:
        process = subprocess.Popen(SERVE, env=_environment(house, servers), stdout=said, stderr=said)
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


def _environment(house: House, servers) -> dict[str, str]:
    settings = house.settings
    found = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    found |= {"SSL_CERT_FILE": str(servers.authority), "PBEM_HOME": str(settings.home)}
    found |= {"PBEM_ADDRESS": settings.address, "PBEM_MODERATOR": settings.moderator}
    for name, place in (("MAILBOX", settings.mailbox), ("RELAY", settings.relay)):
        assert place is not None
        for key in ("host", "port", "security", "user"):
            found[f"PBEM_{name}__{key.upper()}"] = str(getattr(place, key))
        found[f"PBEM_{name}__PASSWORD"] = place.password.get_secret_value()
    found["PBEM_MAILBOX__POLL_SECONDS"] = str(settings.mailbox.poll_seconds)
    return found


@dataclass
class Correspondence:
    """The game as those who write the mails live it; the house is only looked into, never touched."""

    game: str
    house: House
    daemon: subprocess.Popen[bytes]
    people: list[Person]
    # By Message-ID, each time a mail was sent: who must have its one answer, or nobody.
    sent: list[tuple[str, Person | None]] = field(default_factory=list)

    @property
    def campaign(self) -> Campaign:
        return Campaign.open(self.house.log_path(self.game), games.find_game)

    def until(self, what: str, true: Callable[[], bool]) -> None:
        """Letters are read as they come until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert self.daemon.poll() is None, f"the daemon stopped:\n{self.said()}"
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{self.said()}"
            time.sleep(LOOK)
            for person in self.people:
                person.look()

    def said(self) -> str:
        return (self.house.settings.home / "daemon.log").read_text("utf-8", "replace")[-3000:]

    def write(self, person: Person, mail: Message, reader: Person | None) -> str:
        """Sends a mail whose answer, if there is to be one, is this reader's."""
        id_ = str(mail["Message-ID"])
        self.sent.append((id_, reader))
        person.send(mail, parseaddr(str(mail["To"]))[1])
        return id_

    def post(self, person: Person, mail: Message, reader: Person | None = None) -> str:
        """Sends a mail and waits for its answer; gives the answer's words."""
        reader = reader or person
        return self.answer(self.write(person, mail, reader), reader)

    def answer(self, message_id: str, reader: Person) -> str:
        self.until(f"an answer to {message_id}", lambda: bool(reader.answers(message_id)))
        return words(reader.answers(message_id)[0])

    def asked(self) -> tuple[Person, Ask]:
        """Who is to write next and about what, once he has a letter that says so."""
        referee = self.campaign.referee
        person, ask = next(
            (person, ask) for person in self.people if person.side and (ask := asked_of(referee, person.side))
        )
        self.until(f"a letter about {ask.key}", lambda: any(ask.key in words(letter) for letter in person.letters))
        return person, ask


def words(letter: EmailMessage) -> str:
    """A letter's text, however its lines are broken."""
    part = letter.get_body(("plain",))
    return " ".join(str(part.get_content()).split()) if part is not None else ""
