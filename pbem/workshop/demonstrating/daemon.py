"""The daemon as a process of its own, on ports that are free, with accounts for whoever is to write to it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from pbem.embedded import Accounts, post_folder
from pbem.house.settings import Embedded, Settings
from pbem.workshop.demonstrating.correspondent import LOOPBACK, Correspondent

STARTING = 30  # seconds
STEP = 0.05
SERVE = (sys.executable, "-c", "from pbem.cli import app; app()", "serve")


class DaemonGone(Exception):
    """The daemon stopped by itself; what it said last."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"the daemon stopped with status {status}: {said}")
        self.status, self.said = status, said


class DaemonProcess:
    """`pbem serve` with its embedded servers, as a context."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.said = settings.home / "daemon.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> DaemonProcess:
        """Returns when both servers listen. Raises DaemonGone, TimeoutError."""
        with self.said.open("ab") as said:
            self._process = subprocess.Popen(SERVE, env=self._environment(), stdout=said, stderr=said)
        for port in (self.settings.embedded.smtp_port, self.settings.embedded.imap_port):
            self._until_open(port)
        return self

    def __exit__(self, *_: object) -> None:
        """Asks it to stop, as systemd does."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(STARTING)

    def must_run(self) -> None:
        """Raises DaemonGone."""
        if self._process is not None and self._process.poll() is not None:
            raise DaemonGone(self._process.returncode, self.said.read_text("utf-8", "replace")[-2000:])

    def correspondent(self, address: str, name: str = "") -> Correspondent:
        """Somebody with a new account on its servers."""
        accounts = Accounts(post_folder(self.settings))
        password = accounts.add(address) or accounts.renew(address)
        ports = self.settings.embedded
        return Correspondent(address, password, ports.smtp_port, ports.imap_port, name)

    def _environment(self) -> dict[str, str]:
        ports = self.settings.embedded
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
            "PBEM_HOME": str(self.settings.home),
            "PBEM_ADDRESS": self.settings.address,
            "PBEM_MODERATOR": self.settings.moderator,
            "PBEM_EMBEDDED__SMTP_PORT": str(ports.smtp_port),
            "PBEM_EMBEDDED__IMAP_PORT": str(ports.imap_port),
            "PBEM_LIMITS__MAILS_AN_HOUR": str(self.settings.limits.mails_an_hour),
        }

    def _until_open(self, port: int) -> None:
        deadline = time.monotonic() + STARTING
        while time.monotonic() < deadline:
            self.must_run()
            try:
                socket.create_connection((LOOPBACK, port), timeout=1).close()
                return
            except OSError:
                time.sleep(STEP)
        raise TimeoutError(f"nothing listens at port {port}")


def settings_for(home: Path) -> Settings:
    """A house of its own, on ports that nobody else uses."""
    home.mkdir(parents=True, exist_ok=True)
    return Settings(
        home=home,
        address="referee@fieldpost.example",
        moderator="moderator@fieldpost.example",
        database="",
        embedded=Embedded(smtp_port=_free_port(), imap_port=_free_port()),
        limits={"mails_an_hour": 1_000_000},
    )


def _free_port() -> int:
    with socket.socket() as plug:
        plug.bind((LOOPBACK, 0))
        return int(plug.getsockname()[1])
