"""A whole short game by mail against a daemon that is killed again and again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, SimpleQueue

from engine.bots import Bot, Sensible
from engine.dice import secret_from_seed
from pbem.desk.lifecycle import invite
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.owner_only import private_folder
from pbem.house.room import NOT_BEGUN
from pbem.house.settings import Embedded, Settings
from pbem.store import GameRow
from pbem.workshop.demonstrating.correspondent import Correspondent
from pbem.workshop.demonstrating.pen import asked_of, write_orders
from tests.pbem.houses import database_of

GAME = "mill"
ADDRESS = "referee@fieldpost.example"
PLAYERS = {"soviet": "anna@players.example", "german": "bruno@players.example"}
SERVE = Path(__file__).with_name("daemon.py")
ROOT = Path(__file__).parents[3]
PATIENCE = 60.0  # seconds without anything happening
LOOK = 0.02

Fate = tuple[str, int]  # the step at which a life ends, and how often it is reached before


@dataclass
class Chair:
    """A bot with a mailbox."""

    side: str
    box: Correspondent
    bot: Bot
    letters: list[EmailMessage] = field(default_factory=list)
    written: set[str] = field(default_factory=set)  # keys of what it has answered
    mails: list[str] = field(default_factory=list)  # Message-IDs of what it has sent


class Mortal:
    """The daemon's process: started with a fate, found dead or asked to stop."""

    def __init__(self, settings: Settings, servers: EmbeddedServers) -> None:
        self._spoken: SimpleQueue[str] = SimpleQueue()
        with (settings.home / "daemon.log").open("ab") as journal:
            self._process = subprocess.Popen(
                [sys.executable, str(SERVE)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=journal,
                env=_environment(settings, servers),
                text=True,
            )
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()
        assert self._spoken.get(timeout=PATIENCE) == "ready"
        self.child = 0
        self.deaths = 0

    def start(self, step: str, count: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{step} {count}\n")
        self._process.stdin.flush()
        self.child = int(self._spoken.get(timeout=PATIENCE))

    @property
    def died(self) -> bool:
        """Whether it was killed since the last look."""
        try:
            status = int(self._spoken.get_nowait())
        except Empty:
            return False
        assert os.WIFSIGNALED(status), f"the daemon stopped by itself: {status}"
        self.child, self.deaths = 0, self.deaths + 1
        return True

    def stop(self) -> None:
        """As systemd would."""
        if self.child:
            os.kill(self.child, 15)
            assert int(self._spoken.get(timeout=PATIENCE)) == 0
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._ear.join(PATIENCE)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as spoken:
            for line in spoken:
                self._spoken.put(line.strip())


def _environment(settings: Settings, servers: EmbeddedServers) -> dict[str, str]:
    box, relay = servers.mailbox(), servers.relay()
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        "PBEM_HOME": str(settings.home),
        "PBEM_ADDRESS": settings.address,
        "PBEM_MODERATOR": settings.moderator,
        "PBEM_MAILBOX__HOST": box.host,
        "PBEM_MAILBOX__PORT": str(box.port),
        "PBEM_MAILBOX__SECURITY": "plain",
        "PBEM_MAILBOX__USER": box.user,
        "PBEM_MAILBOX__PASSWORD": box.password.get_secret_value(),
        "PBEM_MAILBOX__POLL_SECONDS": "1",
        "PBEM_RELAY__HOST": relay.host,
        "PBEM_RELAY__PORT": str(relay.port),
        "PBEM_RELAY__SECURITY": "plain",
        "PBEM_RELAY__USER": relay.user,
        "PBEM_RELAY__PASSWORD": relay.password.get_secret_value(),
        "PBEM_DATABASE": settings.database,
        "PBEM_LIMITS__MAILS_AN_HOUR": "1000",
    }


class Match:
    """Everything that was played, sent and received, for whoever looks into it afterwards."""

    def __init__(self, home: Path) -> None:
        self.settings = Settings(
            home=home,
            address=ADDRESS,
            moderator="moderator@fieldpost.example",
            database=database_of(home),
            embedded=Embedded(smtp_port=0, imap_port=0),
        )
        self.house = House(self.settings)
        self.chairs: list[Chair] = []
        self.deaths = 0

    def play(self, fates: Iterable[Fate], workers: int = 1) -> None:
        """The game from invitation to final letter; each life of a worker has the next fate."""
        lives = iter(fates)
        with ExitStack() as stack:
            servers = stack.enter_context(EmbeddedServers(self.settings))
            for number, (side, address) in enumerate(PLAYERS.items()):
                password = servers.accounts.add(address)
                assert password
                box = Correspondent(address, password, servers.smtp_port, servers.imap_port)
                self.chairs.append(Chair(side, stack.enter_context(box), Sensible(number)))
            terms = {"pictures": "none", "errors": "skip"}
            secret = secret_from_seed(7)
            invite(self.house, GAME, "korsun_spi", "proving", PLAYERS, settings=terms, secret=secret)
            daemons = [Mortal(self._home_of(number), servers) for number in range(workers)]
            try:
                for daemon in daemons:
                    daemon.start(*next(lives))
                self._until_over(daemons, lives)
            finally:
                for daemon in daemons:
                    daemon.stop()
            for chair in self.chairs:  # what the last life of the daemon still sent
                chair.letters += chair.box.new_letters()
        self.deaths = sum(daemon.deaths for daemon in daemons)

    def _home_of(self, worker: int) -> Settings:
        if worker == 0:
            return self.settings
        return self.settings.model_copy(update={"home": private_folder(self.settings.home / str(worker))})

    def _until_over(self, daemons: Sequence[Mortal], lives: Iterator[Fate]) -> None:
        quiet = time.monotonic()
        while not self._all_told():
            for daemon in daemons:
                if daemon.died:
                    daemon.start(*next(lives))
                    quiet = time.monotonic()
            for chair in self.chairs:
                for letter in chair.box.new_letters():
                    quiet = time.monotonic()
                    chair.letters.append(letter)
                    self._answer(chair, letter)
            assert time.monotonic() - quiet < PATIENCE, "nothing happens any more"
            time.sleep(LOOK)

    def _all_told(self) -> bool:
        """Whether both have the last letter of the game."""
        return all(
            any(part.get_filename() == f"{GAME}.jsonl.gz" for letter in chair.letters[-3:] for part in letter.walk())
            for chair in self.chairs
        )

    def _answer(self, chair: Chair, letter: EmailMessage) -> None:
        game = self.game()
        if game.state in NOT_BEGUN:
            if not chair.mails:
                self._write(chair, letter, [f"join nonce {chair.side}"])
            return
        campaign = self.house.campaign(game)
        ask = asked_of(campaign.referee, chair.side)
        if ask is not None and ask.key not in chair.written:
            chair.written.add(ask.key)
            self._write(chair, letter, write_orders(campaign, chair.side, chair.bot))

    def game(self) -> GameRow:
        with self.house.database.reading() as session:
            return session.get_one(GameRow, GAME)

    def _write(self, chair: Chair, letter: EmailMessage, lines: list[str]) -> None:
        mail = chair.box.reply(letter, lines)
        chair.mails.append(str(mail["Message-ID"]))
        chair.box.send(mail)
