"""A worker of the test cluster: it forks a child for every start, so that a start costs no imports.

Each line on stdin is a start; what it says on stdout is the child's process, for whoever wants to kill it. No mail goes
by a network, for it may have none: what comes is stored by others, and letters go into a file of its home.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from pydantic import SecretStr

from pbem.house import House
from pbem.house.journal import keep_journal
from pbem.house.settings import Mailbox, Relay, Settings
from pbem.inbox.inbox import Inbox
from pbem.service.serving import Daemon, stop_on_signals


class NoMail(Inbox):
    """A mailbox that is always empty."""

    def fetch(self, known: object = None) -> list[tuple[str, int, bytes]]:
        return []

    def wait(self, seconds: float) -> bool:
        return self._bell.rest(seconds)


class IntoAFile:
    """Letters are noted by who they are from, which names each."""

    trouble = ""

    def __init__(self, place: Path) -> None:
        self.place = place

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        with self.place.open("a", encoding="ascii") as file:
            file.write(f"{sender}\n")

    async def close(self) -> None: ...


def serve(settings: Settings) -> None:
    keep_journal(settings)
    mailbox = Mailbox(host="mail.example", user="post", password=SecretStr("word"), poll_seconds=1)
    daemon = Daemon(House(settings), mailbox, Relay(host="mail.example"))
    daemon.inbox.close()
    daemon.inbox, daemon.transport = NoMail(mailbox), IntoAFile(settings.home / "sent")
    stop_on_signals(daemon)
    daemon.run()


def main() -> None:
    settings = Settings()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    say("ready")
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            serve(settings)
            os._exit(0)
        say(child)


def say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
