"""What a log does not know and a book wants to tell: who played, and what they wrote to each other."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = "people.json"  # beside the log
SHAPE = '{"names": {"SIDE": "NAME"}, "press": [{"turn": 1, "side": "SIDE", "text": "WORDS"}]}'


class BadPeople(ValueError):
    """A file that does not tell who played."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} does not tell who played: {why}. It holds {SHAPE}")
        self.path, self.why = path, why


@dataclass(frozen=True)
class PressPiece:
    """Words from one side to the other, and the turn in which they were written."""

    turn: int
    side: str
    text: str


@dataclass(frozen=True)
class People:
    """The players by side, and their press as far as they agree to have it printed."""

    names: dict[str, str]
    press: tuple[PressPiece, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "People":
        """Raises ValueError, KeyError, TypeError, AttributeError."""
        data: Any = json.loads(text)
        names = {str(side): str(name) for side, name in data["names"].items()}
        pieces = [PressPiece(int(p["turn"]), str(p["side"]), str(p["text"])) for p in data.get("press", ())]
        return cls(names, tuple(pieces))


NOBODY = People({})


def beside(log: Path) -> People:
    """Who played, if a file beside the log says so. Raises BadPeople."""
    path = log.parent / FILE
    return read_people(path) if path.exists() else NOBODY


def read_people(path: Path) -> People:
    """Raises BadPeople, OSError."""
    try:
        return People.from_json(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise BadPeople(path, f"{type(problem).__name__} {problem}") from None
