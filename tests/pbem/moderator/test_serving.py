"""The daemon: mail in, dealt with and out again over real servers; it stops cleanly and says no secret."""

from __future__ import annotations

import asyncio
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlmodel import select

from pbem.desk.lifecycle import invite
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.alone import another_wrote, sole_writer
from pbem.house.journal import without_secrets
from pbem.house.settings import Embedded, Mailbox, Settings
from pbem.moderator import Act, arranging
from pbem.service.serving import Daemon
from pbem.store import MailOut, Seat
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR, OWN

pytestmark = pytest.mark.on_files

PATIENCE = 20  # seconds


def settings_at(home: Path) -> Settings:
    embedded = Embedded(smtp_port=0, imap_port=0)
    return Settings(home=home, address=OWN, moderator=MODERATOR, embedded=embedded)


def until(true: Callable[[], Any], what: str) -> None:
    deadline, pause = time.monotonic() + PATIENCE, threading.Event()
    while not true():
        assert time.monotonic() < deadline, what
        pause.wait(0.02)


@contextmanager
def served(settings: Settings) -> Iterator[tuple[Daemon, EmbeddedServers]]:
    with EmbeddedServers(settings) as servers:
        daemon = Daemon(House(settings), servers.mailbox(), servers.relay())
        ready = threading.Event()
        thread = threading.Thread(target=daemon.run, args=(ready.set,), daemon=True)
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield daemon, servers
        finally:
            daemon.stop()
            thread.join(PATIENCE)
            assert not thread.is_alive()
            daemon.house.close()


def sent(house: House, to: str) -> list[str]:
    with house.database.begin() as session:
        return list(session.exec(select(MailOut.key).where(MailOut.to == to, MailOut.state == "sent")).all())


def test_a_mail_handed_in_is_answered_and_the_command_lines_letters_go_out_at_once(tmp_path: Path) -> None:
    settings = settings_at(tmp_path)
    hand = House(settings)
    chairs = {"soviet": ANNA, "german": BRUNO}
    invite(hand, "mill", "korsun_spi", "proving", chairs, settings={"pictures": "none"})
    with served(settings) as (_, servers):
        passwords = {address: servers.accounts.add(address) for address in (ANNA, BRUNO, MODERATOR)}
        until(lambda: sent(hand, ANNA), "the invitation was not sent")
        with hand.database.begin() as session:
            token = session.exec(select(Seat.token).where(Seat.side == "soviet")).one()
        with smtplib.SMTP("127.0.0.1", servers.smtp_port) as smtp:
            smtp.login(ANNA, passwords[ANNA] or "")
            mail = f"From: {ANNA}\r\nTo: {hand.seat_address(token)}\r\nMessage-ID: <1@x.example>\r\n\r\njoin\r\n"
            smtp.sendmail(ANNA, hand.seat_address(token), mail)
        until(lambda: [key for key in sent(hand, ANNA) if key.startswith("answer/")], "no answer was sent")
        with sole_writer(hand), hand.transaction() as session:
            arranging.press(Act(hand, session), "mill", "Soon!")
        until(lambda: [key for key in sent(hand, BRUNO) if key.startswith("moderator/")], "the press was not sent")
    hand.close()


def test_what_fails_does_not_stop_the_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_at(tmp_path)
    house = House(settings)
    with EmbeddedServers(settings) as servers:
        daemon = Daemon(house, servers.mailbox(), servers.relay())

        def broken() -> int:
            raise OSError("the disk is full")

        monkeypatch.setattr(daemon.service, "deal_with_all", broken)
        with asyncio.Runner() as runner:
            daemon.once(runner)
            daemon.once(runner)
            runner.run(daemon.transport.close())
        daemon.inbox.close()
    house.close()


def test_a_mailbox_out_of_reach_is_waited_for(tmp_path: Path) -> None:
    settings = settings_at(tmp_path)
    with EmbeddedServers(settings) as servers:
        mailbox, relay = servers.mailbox(), servers.relay()
    house = House(settings)
    daemon = Daemon(house, mailbox, relay)
    with asyncio.Runner() as runner:
        daemon.once(runner)
        assert daemon.inbox.trouble
        runner.run(daemon.transport.close())
    daemon.inbox.close()
    house.close()


def test_the_daemon_as_a_process_prints_where_it_listens_and_stops_cleanly(tmp_path: Path) -> None:
    environment = {
        "PBEM_HOME": str(tmp_path),
        "PBEM_EMBEDDED__SMTP_PORT": "0",
        "PBEM_EMBEDDED__IMAP_PORT": "0",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-c", "from pbem.cli import app; app()", "serve"]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(4)]
    assert process.stdout.readline().startswith("Serving ")
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "SMTP  127.0.0.1, port" in lines[1]
    assert "moderator@localhost.example, password" in lines[3]


def test_only_another_hand_makes_the_house_forget_what_it_holds(tmp_path: Path) -> None:
    mine, other = House(settings_at(tmp_path)), House(settings_at(tmp_path))
    with sole_writer(mine):
        pass
    assert not another_wrote(mine)
    with sole_writer(other):
        pass
    assert another_wrote(mine)
    mine.close()
    other.close()


def test_no_password_and_no_token_stands_in_the_journal(tmp_path: Path) -> None:
    settings = settings_at(tmp_path)
    settings.mailbox = Mailbox(host="imap.club.example", user="post", password=SecretStr("swordfish"))
    blot = without_secrets(settings)
    event = blot(None, "info", {"event": "login post swordfish", "to": "post+1a2b3c4d5e6f@club.example", "n": 3})
    assert event == {"event": "login post ***", "to": "post+***@club.example", "n": 3}
