"""Dovecot and Postfix as Debian ships them, started on loopback ports from a throw-away folder.

Skipped where they are not installed, unless FIELDPOST_REQUIRE_SERVERS is set: then that is a failure.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr

from pbem.house import House
from pbem.house.settings import Mailbox, Relay, Settings
from tests.pbem.oauth.authorisation import AuthorisationServer, authorisation_server

HERE = Path(__file__).parent
PASSWORD = "dnepr-1944"
ROOT = os.geteuid() == 0
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/lib/dovecot"
NAMES, DOMAINS, STOCK = ("orders", "konev", "anna", "boris"), ("fieldpost.example", "home.example"), 200
PATIENCE = 30  # seconds until a server must answer


@dataclass
class Ports:
    imaps: int
    imap: int
    smtps: int
    smtp: int
    lmtp: int  # where our own service takes mail in


@dataclass
class MailServers:
    """Both servers, running, with a stock of mailboxes: NAMES with a number, in two domains."""

    folder: Path
    ports: Ports
    context: ssl.SSLContext
    authorisation: AuthorisationServer
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def authority(self) -> Path:
        """The certificate to trust, for SSL_CERT_FILE."""
        return self.folder / "cert.pem"

    def said(self) -> str:
        return logs(self.folder)

    def address(self, name: str, domain: str = "fieldpost.example") -> str:
        """A mailbox that nobody has used yet."""
        assert name in NAMES
        return f"{name}{next(self.numbers)}@{domain}"

    def mailbox(self, user: str, *, starttls: bool = False) -> Mailbox:
        return Mailbox(
            host="localhost",
            port=self.ports.imap if starttls else self.ports.imaps,
            security="starttls" if starttls else "tls",
            user=user,
            password=SecretStr(PASSWORD),
        )

    def relay(self, user: str, *, starttls: bool = False) -> Relay:
        return Relay(
            host="localhost",
            port=self.ports.smtp if starttls else self.ports.smtps,
            security="starttls" if starttls else "tls",
            user=user,
            password=SecretStr(PASSWORD),
        )


def missing(what: str) -> None:
    if os.environ.get("FIELDPOST_REQUIRE_SERVERS"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def servers() -> Iterator[MailServers]:
    for program in ("dovecot", "postfix", "openssl"):
        if shutil.which(program, path=PATH) is None:
            missing(f"{program} is not installed")
    if not ROOT:
        missing("Postfix can only be started by root")
    folder = Path(tempfile.mkdtemp(prefix="fp-"))
    folder.chmod(0o755)
    stack = ExitStack()
    try:
        ports = Ports(*free_ports(5))
        certify(folder)
        with_owner(folder / "mail", folder / "dovecot")
        context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        authorisation = stack.enter_context(authorisation_server())
        dovecot = start_dovecot(folder, ports, authorisation.url)
        try:
            start_postfix(folder, ports)
            for port in (ports.imaps, ports.imap, ports.smtps, ports.smtp):
                wait_for(port, folder)
            yield MailServers(folder, ports, context, authorisation)
        finally:
            run("postfix", "-c", folder / "postfix", "stop", check=False)
            dovecot.terminate()
            dovecot.wait(PATIENCE)
    finally:
        stack.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def trusted(servers: MailServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom we trust is said as a moderator would say it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.authority))


@pytest.fixture
def make_house(servers: MailServers, tmp_path: Path) -> Iterator[Callable[..., House]]:
    """A house of its own, with a mailbox and a relay on the real servers."""
    made: list[House] = []

    def make(*, starttls: bool = False, **mailbox: object) -> House:
        address = servers.address("orders")
        settings = Settings(
            home=tmp_path / address,
            address=address,
            moderator=servers.address("konev"),
            mailbox=servers.mailbox(address, starttls=starttls).model_copy(update=mailbox),
            relay=servers.relay(address, starttls=starttls),
        )
        made.append(House(settings))
        return made[-1]

    yield make
    for house in made:
        house.close()


def run(*command: object, check: bool = True) -> None:
    done = subprocess.run(
        [str(word) for word in command], env={**os.environ, "PATH": PATH}, capture_output=True, text=True, check=False
    )
    if check and done.returncode:
        pytest.fail(f"{command[0]} failed: {done.stdout}{done.stderr}")


def free_ports(number: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def certify(folder: Path) -> None:
    """A certificate that vouches for itself, made out to localhost."""
    run(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-keyout", folder / "key.pem", "-out", folder / "cert.pem"),
    )
    (folder / "key.pem").chmod(0o644)  # both servers read it, neither as root; it is worth nothing


def with_owner(*folders: Path) -> None:
    owner = pwd.getpwnam("nobody")
    for folder in folders:
        folder.mkdir()
        os.chown(folder, owner.pw_uid, owner.pw_gid)


def start_dovecot(folder: Path, ports: Ports, authorisation: str) -> subprocess.Popen[bytes]:
    """Runs in the foreground as an unprivileged user."""
    owner = pwd.getpwnam("nobody")
    config = folder / "dovecot.conf"
    filled(HERE / "dovecot.conf", config, folder, ports)
    filled(HERE / "oauth2.conf", folder / "oauth2.conf", folder, ports, authorisation=authorisation)
    return subprocess.Popen(
        [shutil.which("dovecot", path=PATH) or "dovecot", "-F", "-c", str(config)],
        user=owner.pw_uid,
        group=owner.pw_gid,
        extra_groups=[],
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def start_postfix(folder: Path, ports: Ports) -> None:
    home = folder / "postfix"
    for needed in (home, folder / "queue", folder / "data"):
        needed.mkdir()
    owner = pwd.getpwnam("postfix")
    os.chown(folder / "data", owner.pw_uid, owner.pw_gid)
    for name in ("main.cf", "master.cf"):
        filled(HERE / "postfix" / name, home / name, folder, ports)
    (home / "transport").write_text(f"mx.example lmtp:inet:127.0.0.1:{ports.lmtp}\n")
    stock = itertools.product(DOMAINS, (f"{name}{number}" for name in NAMES for number in range(STOCK)))
    (home / "mailboxes").write_text("".join(f"{user}@{domain} {domain}/{user}/\n" for domain, user in stock))
    run("postfix", "-c", home, "start")


def filled(template: Path, place: Path, folder: Path, ports: Ports, **more: str) -> None:
    owner = pwd.getpwnam("nobody")
    values = {**vars(ports), "folder": folder, "uid": owner.pw_uid, "gid": owner.pw_gid, "password": PASSWORD}
    text = template.read_text("utf-8")
    for name, value in {**values, **more}.items():
        text = text.replace(f"@{name}@", str(value))
    place.write_text(text, "utf-8")


def wait_for(port: int, folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            continue
        return
    pytest.fail(f"nothing listens at port {port}:\n{logs(folder)}")


def logs(folder: Path) -> str:
    """What both servers said last."""
    return "\n".join(
        log.read_text(errors="replace")[-3000:]
        for log in (folder / "postfix.log", folder / "dovecot" / "dovecot.log")
        if log.is_file()
    )
