"""The daemon with a place to die. It forks a child for every start, so that a start costs no imports.

Each line on stdin, such as `after-commit 2`, is a start: the child ends itself by SIGKILL when that step is reached for
the second time. `none 0` runs until it is told to stop. Only this file knows how to die; the product does not.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

from aiosmtplib import SMTP

from engine.canonical import canonical
from engine.log import Line, LogFile
from pbem.desk import attend
from pbem.house import House
from pbem.house import crash_points as steps
from pbem.house.journal import keep_journal
from pbem.house.settings import Settings
from pbem.outbox.transport import SmtpTransport
from pbem.service.serving import Daemon, stop_on_signals


class Doom:
    """Counts down to the end."""

    def __init__(self, step: str, count: int) -> None:
        self.step, self.count = step, count

    def next(self, step: str) -> bool:
        """Whether it ends when this step is reached once more."""
        return (self.step, self.count) == (step, 1)

    def __call__(self, step: str) -> None:
        if step == self.step:
            self.count -= 1
            if self.count == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def serve(settings: Settings, doom: Doom) -> None:
    """`pbem serve` on a mailbox somewhere else, with somebody watching every step."""
    keep_journal(settings)
    steps.listen(doom)
    queue, append, send, data = attend.queue, LogFile.append, SmtpTransport.send, SMTP.data

    def queue_watched(*args: Any, **more: Any) -> Any:
        doom("before-outbox")
        return queue(*args, **more)

    def append_watched(self: LogFile, line: Line) -> None:
        if doom.next("torn-line"):
            with self.path.open("ab") as file:
                file.write(canonical(line)[: len(canonical(line)) // 2])
        doom("torn-line")
        append(self, line)

    async def data_watched(self: SMTP, *args: Any, **more: Any) -> Any:
        doom("mid-send")
        return await data(self, *args, **more)

    async def send_watched(self: SmtpTransport, sender: str, to: str, raw: bytes) -> None:
        await send(self, sender, to, raw)
        doom("after-data")

    attend.queue = queue_watched  # type: ignore[assignment]
    LogFile.append = append_watched  # type: ignore[method-assign]
    SMTP.data = data_watched  # type: ignore[method-assign]
    SmtpTransport.send = send_watched  # type: ignore[method-assign]
    assert settings.mailbox is not None
    assert settings.relay is not None
    daemon = Daemon(House(settings), settings.mailbox, settings.relay)
    stop_on_signals(daemon)
    daemon.run()


def main() -> None:
    settings = Settings()
    say("ready")
    for line in sys.stdin:
        step, count = line.split()
        child = os.fork()
        if child == 0:
            try:
                serve(settings, Doom(step, int(count)))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        say(child)
        _, status = os.waitpid(child, 0)
        say(status)


def say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
