"""Letters of recorded campaigns: a log cut off anywhere, laid into a house, and what each side is then written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import games
from engine.canonical import canonical
from engine.log import Line, items
from pbem.clock.dues import set_dues
from pbem.desk.composing import finish, letter_to
from pbem.desk.lifecycle import invite
from pbem.desk.line_made import put_report
from pbem.house import House
from pbem.house.room import Room
from pbem.house.settings import Settings
from pbem.letters import Letter
from pbem.outbox.easel import Easel
from pbem.outbox.outgoing import queue
from pbem.store import GameRow

CAMPAIGNS = Path(__file__).parents[2] / "campaigns"
NOW = datetime(2026, 11, 18, 15, tzinfo=UTC)
NAMES = ("Anna Vatutina", "Bert Lang")
_NUMBERS = count()


@cache
def lines_of(name: str) -> list[Line]:
    """A recorded log, by the name of its file."""
    return [json.loads(row) for row in next(CAMPAIGNS.rglob(f"{name}.jsonl")).read_text("utf-8").splitlines()]


def named(rulebook: str) -> list[str]:
    """The recorded campaigns of a rulebook, those with fog first."""
    found = sorted(path.stem for path in (CAMPAIGNS / rulebook).glob("*.jsonl"))
    return sorted(found, key=lambda name: "fog" not in name)


def fights_in(line: Line) -> int:
    return sum(item.body.get("fact") == "Fought" for item in items(line))


@dataclass
class Recorded:
    """A house with a recorded game cut off after a line."""

    room: Room

    def letter(self, side: str, since: int | None = None) -> Letter:
        """What a side is written about the lines after one (the last line, if none is named)."""
        room = self.room
        seat, player = next(pair for pair in room.people() if pair[0].side == side)
        last = room.campaign.last
        seat.reported = last["n"] - 1 if since is None else since
        letter = letter_to(room, "report", seat, player)
        put_report(room, letter, seat, player, last)
        finish(room, letter, seat, player)
        return letter

    def sent(self, letter: Letter) -> EmailMessage:
        """The letter as its reader gets it."""
        room, key = self.room, str(next(_NUMBERS))
        row = queue(room.house, room.session, letter, key)
        assert row is not None
        mail = message_from_bytes(Easel(room.house, room.session).finished(row)[0], policy=policy.default)
        assert isinstance(mail, EmailMessage)
        return mail

    @property
    def sides(self) -> list[str]:
        return [seat.side for seat, _ in self.room.people()]


@contextmanager
def cut(home: Path, name: str, last: int, settings: dict[str, Any] | None = None) -> Iterator[Recorded]:
    """The game as it stood after a line."""
    lines: Sequence[Line] = lines_of(name)
    header, secret = lines[0], bytes.fromhex(lines[-1]["secret"])
    house = House(Settings(home=home, address="post@field.example", moderator="vera@field.example"), clock=lambda: NOW)
    game = games.find_game(header["game"], header["scenario"], header["options"])
    people = {side: f"{side}@players.example" for side in game.setting.chairs}
    terms = {"deadline": "53h", "pictures": "all", **(settings or {})}
    invite(house, "korsun-12", header["game"], header["scenario"], people,
           options=header["options"], settings=terms, secret=secret)  # fmt: skip
    path = house.log_path("korsun-12")
    path.write_bytes(b"".join(canonical(line) + b"\n" for line in lines[: last + 1]))
    with house.transaction() as session:
        room = Room(house, session, session.get_one(GameRow, "korsun-12"))
        for (seat, player), shown in zip(room.people(), NAMES, strict=False):
            seat.joined, seat.nonce, player.name, player.zone = True, seat.side, shown, "Europe/Kyiv"
        room.game.state = "playing"
        set_dues(room, NOW)
        yield Recorded(room)
    house.close()
