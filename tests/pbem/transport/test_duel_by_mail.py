"""A duel by way of the embedded servers: each reads what is his, and in the end both have everything."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import games
from engine.campaign import verify
from pbem.desk.lifecycle import NewGame, invite_duel
from pbem.house import House
from pbem.workshop.demonstrating.correspondent import Correspondent
from pbem.workshop.demonstrating.daemon import DaemonProcess, settings_for

PLAYERS = ("anna@players.example", "bert@players.example")
NAMES = ("front-1", "front-2")
PATIENCE = 120  # seconds without the letter that is waited for


class Duellist:
    """One of the two, with a mailbox of his own."""

    def __init__(self, box: Correspondent) -> None:
        self.box, self.letters = box, list[EmailMessage]()

    def until(self, what: Callable[[EmailMessage], bool]) -> EmailMessage:
        """The first letter that is what is waited for."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.letters += self.box.new_letters()
            if (found := next(filter(what, self.letters), None)) is not None:
                return found
            time.sleep(0.05)
        raise AssertionError([letter["Subject"] for letter in self.letters])

    def answer(self, *lines: str) -> None:
        self.box.send(self.box.reply(self.letters[-1], list(lines)))


def test_a_duel_goes_by_real_mail_from_invitation_to_last_letters(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "home")
    house = House(settings)
    terms = {"pictures": "none", "board": "none", "deadline": {"turn": "14d"}}
    with ExitStack() as stack:
        daemon = stack.enter_context(DaemonProcess(settings))
        both = [Duellist(stack.enter_context(daemon.correspondent(address))) for address in PLAYERS]
        with house.transaction() as session:
            invite_duel(house, session, NAMES, NewGame("kharkov", "initial_assault", {}, terms), PLAYERS)
        for one in both:
            one.until(lambda letter: "Invitation" in letter["Subject"])
            one.answer("join nonce herons")
        for one in both:
            one.until(lambda letter: "Your move" in letter["Subject"])
        both[0].answer("press good luck")
        assert "good luck" in str(
            both[1].until(lambda letter: "From Anna" in letter["Subject"] or "From anna" in letter["Subject"])
        )
        for one in both:
            one.answer("resign for good")
            one.until(lambda letter: "The duel is over" in str(letter["Subject"]))
        for one in both:
            last = one.until(lambda letter: "the whole log" in letter["Subject"])
            files = {part.get_filename(): part.get_payload(decode=True) for part in last.walk() if part.get_filename()}
            for name in NAMES:
                copy = tmp_path / f"{name}.jsonl.gz"
                copy.write_bytes(files[f"{name}.jsonl.gz"])
                assert verify(copy, games.find_game).ok
    house.close()
