"""The course of the demonstration: invitation, some turns by mail, an end, and everything left in a folder."""

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import games
from engine.asks import Ask
from engine.bots import Bot, Sensible
from engine.campaign import Campaign, verify_lines
from engine.dice import secret_from_seed
from engine.game import Game
from engine.log import as_written
from pbem.desk.lifecycle import invite
from pbem.house import House
from pbem.house.alone import sole_writer
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.wording.situation import headline
from pbem.workshop.demonstrating.correspondent import Correspondent
from pbem.workshop.demonstrating.daemon import DaemonProcess, settings_for
from pbem.workshop.demonstrating.pen import asked_of, write_orders
from pbem.workshop.demonstrating.story import Story

GAME = "demo"
NAMES = ("Anna", "Bruno", "Clara", "David")
WORDS = ("three herons over the mill", "a lamp in the station window", "rain on a tin roof", "nine white geese")
STANDING = "when asked: default"  # in each bot's first mail, so that nobody waits for it in the other's turn
FILES = [("replay.html", "Watch the replay"), ("log.jsonl", "the log"), ("house/daemon.log", "what the daemon said")]
PAUSE = 0.05  # seconds between two looks into the mailboxes
PATIENCE = 60  # seconds without any letter

Tell = Callable[[str, int, int], None]  # what happens, the turn, of how many


@dataclass
class Chair:
    """A bot at a mailbox."""

    side: str
    name: str
    words: str
    box: Correspondent
    bot: Bot
    last: EmailMessage | None = None
    letters: int = 0  # that came before the game began
    answered: set[str] = field(default_factory=set)  # keys of what it has written about
    written: int = 0  # mails
    by_turn: Counter[int] = field(default_factory=Counter)
    sent: str = ""  # the last one's Message-ID

    @property
    def who(self) -> str:
        return f"{self.name} ({self.side})"


@dataclass(frozen=True)
class PlayedDemo:
    """What is left in the folder, and what it came to."""

    index: Path
    mails: int
    written: dict[str, int]  # by each who plays
    by_turn: dict[str, dict[int, int]]  # the same turn by turn, once the game had begun
    seconds: float
    faults: tuple[str, ...]


class Demonstration:
    """A bot and a mailbox for each chair, one daemon."""

    def __init__(
        self, rulebook: str, folder: Path, *, scenario: str = "", turns: int = 2, seed: int = 44, pictures: bool = True
    ) -> None:
        self.rulebook, self.scenario, self.turns, self.seed = rulebook, scenario, turns, seed
        self.pictures = "all" if pictures else "none"
        self.folder, self.story = folder, Story(folder)
        self.settings = settings_for(folder / "house")
        self.game: Game = games.find_game(rulebook, scenario)
        self.chairs: list[Chair] = []
        self.closing = False
        self.before = 0  # turns that were over when the scenario began

    @property
    def alone(self) -> bool:
        return len(self.game.setting.chairs) == 1

    @property
    def about(self) -> str:
        who = "A bot plays alone" if self.alone else "Bots play"
        return f"{who}: {self.turns} turns of {self.game.title}, by SMTP and IMAP."

    def play(self, tell: Tell) -> PlayedDemo:
        """Everything, from the first invitation to the index page. Raises DaemonGone, TimeoutError."""
        began = time.monotonic()
        daemon = DaemonProcess(self.settings)
        people = [*zip(self.game.setting.chairs, NAMES, WORDS, strict=False)]
        addresses = {side: f"{name.lower()}@players.example" for side, name, _ in people}
        boxes = {side: daemon.correspondent(addresses[side], name) for side, name, _ in people}
        daemon.correspondent(self.settings.moderator)
        house = House(self.settings)
        with daemon, ExitStack() as open_boxes:
            with sole_writer(house):
                settings: dict[str, Any] = {"errors": "skip", "pictures": self.pictures}
                settings |= {} if self.alone else {"deadline": {"default": "48h"}}
                secret = secret_from_seed(self.seed)  # the same seed casts the same dice
                invite(house, GAME, self.rulebook, self.scenario, addresses, settings=settings, secret=secret)
            self.chairs = [
                Chair(side, name, words, open_boxes.enter_context(boxes[side]), Sensible(self.seed + number))
                for number, (side, name, words) in enumerate(people)
            ]
            self.story.chapter("Before the first turn")
            for chair, letter in self._letters(daemon):
                self._heard(house, chair, letter, tell)
        house.close()
        return self._left_behind(time.monotonic() - began)

    def _letters(self, daemon: DaemonProcess) -> Iterator[tuple[Chair, EmailMessage]]:
        """Every letter as it comes, until all have had their last one."""
        final: set[str] = set()
        quiet = time.monotonic()
        while len(final) < len(self.chairs):
            for chair in self.chairs:
                for letter in chair.box.new_letters():
                    quiet = time.monotonic()
                    if any(part.get_filename() == f"{GAME}.jsonl.gz" for part in letter.walk()):
                        final.add(chair.side)
                    yield chair, letter
            daemon.must_run()
            if time.monotonic() - quiet > PATIENCE:
                raise TimeoutError(f"no letter came for {PATIENCE} seconds")
            time.sleep(PAUSE)

    def _heard(self, house: House, chair: Chair, letter: EmailMessage, tell: Tell) -> None:
        """A letter has come: it is kept for the story, and answered if there is something to say."""
        log = house.log_path(GAME)
        campaign = Campaign.open(log, games.find_game) if log.exists() else None
        if campaign is not None:
            turn = campaign.position.turn
            if not any(one.by_turn for one in self.chairs):
                self.before = max(0, turn - 1)
            self.story.chapter(f"Turn {turn}" if turn else "Setting up")
        self.story.letter(chair.who, letter)
        chair.last = letter
        if campaign is None:
            self._join_in_turn(chair)
            return
        ask = asked_of(campaign.referee, chair.side)
        turn = campaign.position.turn - self.before
        tell(headline(campaign.game, campaign.position), min(turn, self.turns), self.turns)
        if campaign.over:
            return
        if turn > self.turns:
            self._close(chair, ask)
            return
        if ask is not None and ask.key not in chair.answered:
            first = [] if chair.answered - {"join"} else [STANDING]
            chair.answered.add(ask.key)
            chair.by_turn[campaign.position.turn] += 1
            self._write(chair, [*first, *write_orders(campaign, chair.side, chair.bot)])
        elif ask is not None and chair.sent and letter["In-Reply-To"] == chair.sent:
            chair.by_turn[campaign.position.turn] += 1
            self._write(chair, [ask.default().line()])  # it wrote what the dice have made impossible

    def _join_in_turn(self, chair: Chair) -> None:
        """Nobody joins before the one on his left has been welcomed."""
        chair.letters += 1
        for left, one in zip((None, *self.chairs), self.chairs, strict=False):
            if one.letters == 1 and (left is None or left.letters > 1):
                self._once(one, "join", f"join as {one.name} nonce {one.words}")

    def _close(self, chair: Chair, ask: Ask | None) -> None:
        """Enough turns: whoever is to move offers a draw, and the other takes it; who plays alone gives it up."""
        if self.alone:
            self._once(chair, "resign", "resign for good")
        elif self.closing:
            self._once(chair, "draw", "accept draw", "press Agreed. A pleasure.")
        elif ask is not None:
            self.closing = True
            self._once(chair, "draw", "draw", "press Enough for one evening. A draw?")

    def _once(self, chair: Chair, what: str, *lines: str) -> None:
        if what not in chair.answered:
            chair.answered.add(what)
            self._write(chair, list(lines))

    def _write(self, chair: Chair, lines: list[str]) -> None:
        assert chair.last is not None
        chair.written += 1
        mail = chair.box.reply(chair.last, lines)
        chair.sent = str(mail["Message-ID"])
        self.story.order(chair.who, mail, lines)
        chair.box.send(mail)

    def _left_behind(self, seconds: float) -> PlayedDemo:
        """Log, replay page and index, once the daemon has stopped."""
        campaign = Campaign.open(self.settings.home / "games" / GAME / "log.jsonl", games.find_game)
        lines = campaign.lines()
        faults = tuple(str(fault) for fault in verify_lines(lines, campaign.secret, games.find_game).faults)
        (self.folder / "log.jsonl").write_bytes(as_written(lines))
        replay = page(campaign.game, copy_for(lines, None, campaign.secret))
        (self.folder / "replay.html").write_text(replay, encoding="utf-8")
        facts = [
            ("Played alone by mail" if self.alone else "Played by mail", " against ".join(c.who for c in self.chairs)),
            ("It ended", headline(campaign.game, campaign.position)),
            ("Mails", f"{self.story.count} in {seconds:.0f} seconds, every one by SMTP and IMAP"),
            ("The log", f"{len(lines)} lines, " + ("verified: chain, dice and rules" if not faults else faults[0])),
            ("Its head", campaign.head),
        ]
        self._tidy()
        index = self.story.write_index(f"{campaign.game.title}: a campaign by mail", facts, FILES)
        written = {chair.who: chair.written for chair in self.chairs}
        by_turn = {chair.who: dict(sorted(chair.by_turn.items())) for chair in self.chairs}
        return PlayedDemo(index, self.story.count, written, by_turn, seconds, faults)

    def _tidy(self) -> None:
        """The mails lie open beside the story; the servers' own copies of them are many times as large."""
        for folder in ("post", "mail"):
            shutil.rmtree(self.settings.home / folder)
        for file in self.settings.home.glob("fieldpost.sqlite*"):
            file.unlink()
