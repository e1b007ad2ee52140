"""The facts: everything that can happen to a position, in the past tense, in one small vocabulary.

A fact is what the log keeps for ever, so it names hexes by their printed numbers and units by their ids, and
a change of shape raises `VERSION` and adds a step to `upcast`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

VERSION = 1

type_of: dict[str, type[Fact]] = {}


class Fact(BaseModel):
    """Something that happened; `because` names the rule case, `only` who may know (nobody named: everybody)."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    because: str = ""
    only: tuple[str, ...] | None = None
    changes_position: ClassVar[bool] = True

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        type_of[cls.__name__] = cls

    def seen_by(self, side: str) -> bool:
        return self.only is None or side in self.only


class StageBegan(Fact):
    """The sequence of play reached a stage: the game can be entered there from the position alone."""

    stage: str
    turn: int
    side: str


class Placed(Fact):
    """A unit came to a hex, or to a named box off the map, other than by moving."""

    unit: str
    at: str
    lost: int | None = None


class Moved(Fact):
    """A unit went along a path of hexes, the one it left first; `how` is move, retreat, advance, enter, rail ..."""

    unit: str
    path: tuple[str, ...]
    how: str = "move"
    spent: int = 0


class StepLost(Fact):
    unit: str
    steps: int = 1


class StepGained(Fact):
    unit: str
    steps: int = 1


class Eliminated(Fact):
    unit: str
    at: str


class Turned(Fact):
    """A counter was turned over and proved to be another: an unknown unit shown, a corps broken up."""

    unit: str
    into: str


class Marked(Fact):
    """A mark was set on a unit, a hex ("@2708"), a side or the game; no value takes it off."""

    subject: str
    mark: str
    value: int | str | None = 1


class Counted(Fact):
    """A track (points, strength left, chits spent) now stands at a number."""

    track: str
    value: int


class TookHex(Fact):
    hex: str
    side: str


class Pooled(Fact):
    """What a pool now holds."""

    pool: str
    items: tuple[str, ...]


class Drew(Fact):
    """An item left a pool."""

    pool: str
    item: str


class Sighted(Fact):
    """A side came to know where a unit is and what it is worth."""

    unit: str
    by: str


class LostSight(Fact):
    unit: str
    by: str


class SeatTaken(Fact):
    seat: str
    side: str


class Fought(Fact):
    """How an attack was worked out: for the reports; what it did follows as facts of its own."""

    kind: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    targets: tuple[str, ...]
    column: str
    die: int
    result: str
    working: tuple[tuple[str, str], ...] = ()
    changes_position: ClassVar[bool] = False


class Halted(Fact):
    """A unit stopped short of what was ordered, by something its owner could not see."""

    unit: str
    at: str
    why: str
    changes_position: ClassVar[bool] = False


class Told(Fact):
    """A sentence for the record."""

    text: str
    changes_position: ClassVar[bool] = False


class GameEnded(Fact):
    result: str
    winner: str = ""
    points: tuple[tuple[str, int], ...] = ()


def dump(fact: Fact) -> dict[str, Any]:
    """The fact as the log writes it: its name and what it says."""
    body: dict[str, Any] = {"fact": type(fact).__name__}
    fields_set = fact.__dict__
    for name, field in type(fact).model_fields.items():
        value = fields_set[name]
        if value != field.default or field.is_required():
            body[name] = _plain(value)
    return body


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


class UnknownFact(ValueError):
    """The log speaks of something this version does not know."""

    def __init__(self, name: str) -> None:
        super().__init__(f"this version knows no fact called {name!r}; a newer Fieldpost wrote this log")
        self.name = name


def load(body: Mapping[str, Any], version: int = VERSION) -> Fact:
    """The fact that the log wrote. Raises UnknownFact."""
    body = upcast(body, version)
    name = body["fact"]
    kind = type_of.get(name)
    if kind is None:
        raise UnknownFact(name)
    return kind.model_validate({k: v for k, v in body.items() if k != "fact"})


def upcast(body: Mapping[str, Any], version: int) -> Mapping[str, Any]:
    """An older shape of a fact brought up to this one; there is only one shape so far."""
    if version != VERSION:
        raise UnknownFact(f"{body.get('fact')} of version {version}")
    return body
