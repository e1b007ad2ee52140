"""One house, one daemon: a second one stops at the door, and stopping takes seconds whatever server hangs."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.desk.lifecycle import invite
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.alone import LOCK, ServedAlready, sole_server
from pbem.house.settings import Embedded, Settings
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR, OWN

pytestmark = pytest.mark.on_files

ROOT = Path(__file__).parents[3]
PATIENCE = 30  # seconds until a process must have said something
SECONDS = 10  # that stopping may take: a mail server's own patience is three times as long and more


def process(home: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    inside = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
        "PBEM_HOME": str(home),
        "PBEM_EMBEDDED__SMTP_PORT": "0",
        "PBEM_EMBEDDED__IMAP_PORT": "0",
        "PYTHONUNBUFFERED": "1",
        **environment,
    }
    command = [sys.executable, "-c", "from pbem.cli import app; app()", *words]
    return subprocess.Popen(
        command, env=inside, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


@contextmanager
def serving(home: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A daemon that has said that it serves; it is gone afterwards."""
    daemon = process(home, "serve", **environment)
    try:
        assert daemon.stdout is not None
        daemon.said = ""  # type: ignore[attr-defined]
        for line in daemon.stdout:
            daemon.said += line  # type: ignore[attr-defined]
            if line.startswith("Serving "):
                break
        else:
            raise AssertionError(daemon.communicate()[1])
        yield daemon
    finally:
        daemon.kill()
        daemon.communicate()


def seconds_to_stop(daemon: subprocess.Popen[str]) -> float:
    began = time.monotonic()
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(PATIENCE * 3)
    return time.monotonic() - began


def test_a_second_daemon_stops_and_names_the_first_while_the_moderators_commands_go_on(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        second = process(tmp_path, "serve")
        moderating = process(tmp_path, "game", "list")
        said, why = second.communicate(timeout=PATIENCE)
        assert second.returncode == 2
        assert said == ""
        names = rf"process {first.pid} on host {re.escape(socket.gethostname())} serves this home since \d{{4}}-\d\d-"
        assert re.search(names, why)
        listed, trouble = moderating.communicate(timeout=PATIENCE)
        assert (moderating.returncode, trouble) == (0, "")
        assert listed
        first.kill()  # the lock dies with its process, however it ends
        first.wait(PATIENCE)
        assert (tmp_path / LOCK).read_text().startswith(f"process {first.pid} ")
        with serving(tmp_path) as third:
            assert (tmp_path / LOCK).read_text().startswith(f"process {third.pid} ")
            assert seconds_to_stop(third) < SECONDS
            assert third.returncode == 0


def test_the_lock_is_let_go_with_the_house_and_a_lock_without_words_is_told_too(tmp_path: Path) -> None:
    house = House(Settings(home=tmp_path))
    with sole_server(house):
        (tmp_path / LOCK).write_text("")  # it is held, and its holder has not said who he is yet
        with pytest.raises(ServedAlready, match="another process"), sole_server(house):
            pass
    with sole_server(house):
        pass
    house.close()


class Hung:
    """A server that takes every call, says so much and then never a word."""

    def __init__(self, greeting: bytes = b"") -> None:
        self.greeting = greeting
        self.plug = socket.create_server(("127.0.0.1", 0))
        self.port = str(self.plug.getsockname()[1])
        self.called = threading.Event()
        self.calls: list[socket.socket] = []
        threading.Thread(target=self._take_calls, daemon=True).start()

    def _take_calls(self) -> None:
        while True:
            try:
                call, _ = self.plug.accept()
            except OSError:
                return
            self.calls.append(call)
            call.sendall(self.greeting)
            self.called.set()

    def close(self) -> None:
        for one in (self.plug, *self.calls):
            one.close()


@pytest.fixture(params=[b"", b"220 relay.example ESMTP\r\n"], ids=["mute", "mute-after-its-greeting"])
def relay(request: pytest.FixtureRequest) -> Iterator[Hung]:
    hung = Hung(request.param)
    yield hung
    hung.close()


def with_servers(mailbox_port: str, relay_port: str, user: str = "post", password: str = "swordfish") -> dict[str, str]:
    told = {}
    for what, port in (("MAILBOX", mailbox_port), ("RELAY", relay_port)):
        told |= {f"PBEM_{what}__HOST": "127.0.0.1", f"PBEM_{what}__PORT": port, f"PBEM_{what}__SECURITY": "plain"}
        told |= {f"PBEM_{what}__USER": user, f"PBEM_{what}__PASSWORD": password}
    return {**told, "PBEM_ADDRESS": OWN, "PBEM_MODERATOR": MODERATOR}


def test_a_hung_relay_does_not_keep_the_daemon_from_stopping(tmp_path: Path, relay: Hung) -> None:
    settings = Settings(
        home=tmp_path / "post", address=OWN, moderator=MODERATOR, embedded=Embedded(smtp_port=0, imap_port=0)
    )
    house = House(Settings(home=tmp_path / "home", address=OWN, moderator=MODERATOR))
    invite(house, "mill", "korsun_spi", "proving", {"soviet": ANNA, "german": BRUNO}, settings={"pictures": "none"})
    house.close()
    with EmbeddedServers(settings) as servers:
        mailbox = servers.mailbox()
        told = with_servers(str(mailbox.port), relay.port, mailbox.user, mailbox.password.get_secret_value())
        with serving(tmp_path / "home", **told) as daemon:
            assert relay.called.wait(PATIENCE)
            assert seconds_to_stop(daemon) < SECONDS
            _, journal = daemon.communicate()
            assert daemon.returncode == 0, journal
            assert "stopped" in journal
            assert "Traceback" not in journal
            assert "Error" not in journal


def test_nor_does_a_hung_mailbox(tmp_path: Path) -> None:
    hung = Hung()
    with serving(tmp_path, **with_servers(hung.port, hung.port)) as daemon:
        assert hung.called.wait(PATIENCE)
        assert seconds_to_stop(daemon) < SECONDS
        _, journal = daemon.communicate()
        assert daemon.returncode == 0, journal
        assert "Traceback" not in journal
    hung.close()
