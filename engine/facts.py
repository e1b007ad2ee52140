"""The facts: everything that can happen to a position, in the past tense, in one small vocabulary.

A fact is what the log keeps for ever, so it names hexes by their printed numbers and units by their ids, and
a change of shape raises `VERSION` and adds a step to `upcast`. A fact is whole: whoever may read it can apply it
with nothing else at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

VERSION = 2

type_of: dict[str, type[Fact]] = {}


class Fact(BaseModel):
    """Something that happened; `because` names the rule case, `only` who may know (nobody named: everybody)."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    because: str = ""
    only: tuple[str, ...] | None = None
    changes_position: ClassVar[bool] = True
    bookkeeping: ClassVar[bool] = False  # noted by the rules for themselves: in the log and the fold, in no letter

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
    """A counter was turned over where it stood and proved to be another: an unknown unit shown, a corps broken up."""

    unit: str
    into: str
    at: str


class Marked(Fact):
    """A mark was set on a unit, a hex (@2708), a hexside (@2420/2520), a side or the game; no value takes it off."""

    subject: str
    mark: str
    value: int | str | None = 1


class Noted(Marked):
    """A mark that only the rules care for: points spent, where a unit came from."""

    bookkeeping: ClassVar[bool] = True


class Wiped(Fact):
    """Marks came off everything that bore them: the units of one side, or (no side named) everything."""

    marks: tuple[str, ...]
    side: str = ""
    bookkeeping: ClassVar[bool] = True


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
    """A side came to know where a unit is, what it bears, and how many steps it has lost (None: not that)."""

    unit: str
    by: str
    at: str
    lost: int | None = 0
    marks: tuple[tuple[str, int | str], ...] = ()


class LostSight(Fact):
    """A side no longer knows where a unit is; what it knew of its strength is `kept` as it last was, or forgotten."""

    unit: str
    by: str
    kept: bool = False


class Doubted(Fact):
    """What a side knows of a unit's strength is from now on only what it last was."""

    unit: str
    by: str


class SeatTaken(Fact):
    seat: str
    side: str


class Fought(Fact):
    """How an attack was worked out: for the reports; what it did follows as facts of its own.

    `decided` is whatever was rolled or drawn: (("die", "4"),), two dice read apart, chits.
    """

    kind: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    targets: tuple[str, ...]
    column: str
    decided: tuple[tuple[str, str], ...]
    result: str
    working: tuple[tuple[str, str], ...] = ()
    changes_position: ClassVar[bool] = False


class Chose(Fact):
    """What a side that the rules play did, and the preferences that led there: each with who was left after it."""

    who: str
    what: str
    by: str
    trace: tuple[tuple[str, tuple[str, ...]], ...] = ()
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
    said = fact.__dict__
    for name, usual in _usual(type(fact)):
        value = said[name]
        if value != usual:
            body[name] = _plain(value) if type(value) is tuple else value
    return body


@cache
def _usual(kind: type[Fact]) -> tuple[tuple[str, Any], ...]:
    """The fields of a fact with the values that need not be written: none where one must be given."""
    fields = kind.model_fields.items()
    return tuple((name, _NEVER if field.is_required() else field.default) for name, field in fields)


_NEVER = object()


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


class UnknownFact(ValueError):
    """The log speaks of something this version does not know."""

    def __init__(self, name: str) -> None:
        super().__init__(f"this version knows no fact called {name!r}; a newer Fieldpost wrote this log")
        self.name = name


def load(body: Mapping[str, Any], version: int = VERSION) -> Fact:
    """The fact that the log wrote. Raises UnknownFact."""
    said = dict(upcast(body, version))
    return _validated(said.pop("fact"))(said)


@cache
def _validated(name: str) -> Callable[[dict[str, Any]], Fact]:
    kind = type_of.get(name)
    if kind is None:
        raise UnknownFact(name)
    return kind.__pydantic_validator__.validate_python  # as `model_validate` does, without its options


def upcast(body: Mapping[str, Any], version: int) -> Mapping[str, Any]:
    """An older shape of a fact brought up to this one; logs of before format 2 are not read."""
    if version != VERSION:
        raise UnknownFact(f"{body.get('fact')} of version {version}")
    return body
