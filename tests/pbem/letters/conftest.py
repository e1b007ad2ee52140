"""A sample of letters of every rulebook that stands: fights, marches and questions, each side as reader, fog on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

import games
from pbem.letters import Letter
from tests.pbem.letters.recorded import cut, fights_in, lines_of, named

SPAN = 6  # lines that a letter of the sample tells of
_MADE: dict[str, list[Sample]] = {}  # by rulebook: a parametrized fixture of the session would mix up the modules


@dataclass(frozen=True)
class Sample:
    """A letter, both its twins, and what it was made from."""

    book: str
    side: str
    letter: Letter
    mail: EmailMessage  # as it is sent
    text: str
    html: str

    def __str__(self) -> str:
        return f"{self.book} to {self.side}: {self.letter.subject}"


def chosen(name: str) -> list[int]:
    """The line with most fighting, and the one half way to it: marches, activations, questions."""
    lines = lines_of(name)
    half = lines[: max(3, len(lines) // 2)]
    busiest = max(range(len(half)), key=lambda n: (fights_in(half[n]), n))
    return sorted({max(2, busiest // 2), busiest})


@pytest.fixture(params=sorted(games.titles()))
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """The letters of a rulebook's first recorded campaign, with fog if there is one."""
    if request.param not in _MADE:
        _MADE[request.param] = [*made(request.param, tmp_path_factory.mktemp("letters"))]
    return _MADE[request.param]


def made(book: str, home: Path) -> Iterator[Sample]:
    for name in named(book)[:1]:
        for last in chosen(name):
            with cut(home / f"{name}-{last}", name, last) as found:
                for side in found.sides:
                    letter = found.letter(side, max(-1, last - SPAN))
                    mail = found.sent(letter)
                    yield Sample(book, side, letter, mail, body(mail, "plain"), body(mail, "html"))


def body(mail: EmailMessage, kind: str) -> str:
    twin = mail.get_body((kind,))
    assert twin is not None
    return str(twin.get_content()).replace("\r\n", "\n")
