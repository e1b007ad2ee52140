"""Every example in the moderator's handbook is run, in its order, in one house."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner

from pbem.cli import app
from pbem.house import House
from pbem.house.settings import Settings
from pbem.service import Service
from pbem.service.heartbeat import Heartbeat
from pbem.store import GameRow, Invitation, MailOut, Seat, Spectator
from tests.pbem.received import receive

pytestmark = pytest.mark.on_files

HANDBOOK = Path(__file__).parents[3] / "docs" / "moderators-handbook.md"
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
ADDRESSEE = re.compile(r"(?P<side>\w+) of (?P<game>[\w-]+)")


def blocks() -> Iterator[tuple[str, str]]:
    for found in BLOCK.finditer(HANDBOOK.read_text(encoding="utf-8")):
        yield found["kind"], found["text"]


def run(line: str) -> str:
    """One line as a shell would run it: `pbem ...`, or something piped into it."""
    before, _, after = line.rpartition("| ")
    said = ""
    if before:
        words = shlex.split(before)
        assert words[0] == "echo", line
        said = " ".join(words[1:]) + "\n"
    words = shlex.split(after)
    assert words[0] == "pbem", line
    if words[1] == "health":
        serve_for_a_moment()
    if words[1:3] in (["house", "restore"], ["house", "rebuild"]):
        lose(words[2])
    result = CliRunner().invoke(app, words[1:], input=said)
    assert result.exit_code == 0, f"{line}\n{result.output}"
    return result.stdout


def lose(verb: str) -> None:
    """What the handbook says it is for: the whole house, or its database alone."""
    home = Settings().home
    if verb == "restore":
        shutil.rmtree(home)
    for file in home.glob("fieldpost.sqlite*"):
        file.unlink()


def serve_for_a_moment() -> None:
    """As if the daemon had just looked: what the handbook says of its health is said while it runs."""
    house = House(Settings())
    Heartbeat(house).beat(house.clock(), fetched=True, sending=True)
    house.close()


def post(text: str) -> None:
    """A mail to a chair, dealt with as the service would."""
    head, _, body = text.partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.splitlines())
    to = ADDRESSEE.fullmatch(headers["To"])
    assert to is not None
    house = House(Settings())
    with house.database.begin() as session:
        if to["side"] == "moderator":
            token = session.get_one(GameRow, to["game"]).moderator_token
        elif to["side"] == "substitute":
            asked = select(Invitation.token).where(Invitation.game_id == to["game"], Invitation.state == "open")
            token = session.exec(asked).one()
        elif to["side"] == "onlooker":
            token = session.exec(select(Spectator.token).where(Spectator.game_id == to["game"])).one()
        else:
            token = session.exec(select(Seat.token).where(Seat.game_id == to["game"], Seat.side == to["side"])).one()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = headers["From"], house.seat_address(token), "a word"
    mail["Message-ID"] = f"<{hashlib.sha256(text.encode()).hexdigest()[:16]}@players.example>"
    mail.set_content(body)
    service = Service(house)
    id_ = receive(house, mail.as_bytes())
    service.deal_with_all()
    with house.database.begin() as session:
        answer = session.exec(select(MailOut).where(MailOut.key == f"answer/{id_}")).one()
    assert b"nothing was done" not in answer.raw
    house.close()


def shows(output: str, expected: str) -> None:
    """Every line of a `text` block was printed, in that order; … stands for anything."""
    lines = iter(output.splitlines())
    for wanted in expected.splitlines():
        pattern = re.sub(r"([\[\]?*])", r"[\1]", wanted).replace("…", "*")
        assert any(fnmatchcase(line, pattern) for line in lines), f"{wanted!r} is not in:\n{output}"


def test_every_example_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    printed, seen = "", 0
    for kind, text in blocks():
        seen += 1
        if kind == "sh":
            printed = "".join(run(line) for line in text.splitlines() if line.strip())
        elif kind == "mail":
            post(text)
        else:
            assert kind == "text", kind
            shows(printed, text)
    assert seen > 20


def test_every_verb_of_the_moderators_is_in_the_handbook() -> None:
    from pbem.cli.moderating import app as verbs

    text = HANDBOOK.read_text(encoding="utf-8")
    named = [(command.name or "") for command in verbs.registered_commands]
    assert [name for name in named if f"`{name}`" not in text and f"game {name}" not in text] == []
