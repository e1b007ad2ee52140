"""The position: everything that changes in a game, and the one place that changes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import facts as f
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.pieces import Roster

ELIMINATED = "eliminated"
UNSEEN = "unseen"  # where a side's view has the units it lost sight of


@dataclass(frozen=True)
class Setting:
    """What never changes while a game lasts and every position refers to."""

    grid: Grid
    roster: Roster
    sides: tuple[str, ...]

    @cached_property
    def order(self) -> dict[str, int]:
        """The roster's order: stacks are kept in it, so that a position is the same however it was reached."""
        return {unit.id: number for number, unit in enumerate(self.roster)}


class Position:
    """Where everything is. Read it freely; only `apply` writes to it."""

    __slots__ = (
        "_held", "_places", "_stacks", "changes", "ended", "lost", "marks", "owners", "points", "pools",
        "seats", "setting", "side", "stage", "stirred", "tracks", "turn", "views", "where", "winner",
    )  # fmt: skip

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.turn = 0
        self.stage = ""
        self.side = ""
        self.where: dict[str, str] = {}
        self.lost: dict[str, int] = {}
        self.marks: dict[str, dict[str, int | str]] = {}
        self.tracks: dict[str, int] = {}
        self.owners: dict[str, str] = {}
        self.pools: dict[str, tuple[str, ...]] = {}
        self.seats: dict[str, str] = {}
        self.ended = ""
        self.winner = ""
        self.points: tuple[tuple[str, int], ...] = ()
        self.views: dict[str, Position] = {}
        self.changes = 0  # counts facts, so that what was worked out from a position can be kept until the next
        self.stirred = 0  # counts only what changed where units are or how many steps they have
        self._places: dict[str, Hex] = {}  # of the units on the map
        self._stacks: dict[Hex, tuple[str, ...]] = {}
        self._held: dict[str, HexSet] = dict.fromkeys(setting.sides, 0)

    # What procedures and checks ask of it.

    def hex_of(self, unit: str) -> Hex | None:
        """The hex a unit stands in; None when it is in a box, eliminated or unknown."""
        return self._places.get(unit)

    def at(self, place: Hex) -> tuple[str, ...]:
        """The units in a hex, in the roster's order."""
        return self._stacks.get(place, ())

    def in_box(self, box: str) -> list[str]:
        return [unit.id for unit in self.setting.roster if self.where.get(unit.id) == box]

    def held(self, side: str) -> HexSet:
        """The hexes with a unit of that side in them."""
        return self._held[side]

    def on_map(self, side: str | None = None) -> Iterator[str]:
        """The units on the map, of one side or of all, in the roster's order."""
        for unit in self.setting.roster:
            if side in (None, unit.side) and unit.id in self._places:
                yield unit.id

    def alive(self, unit: str) -> bool:
        return self.where.get(unit, ELIMINATED) != ELIMINATED

    def mark(self, subject: str, mark: str) -> int | str | None:
        return self.marks.get(subject, _NO_MARKS).get(mark)

    def value(self, unit: str, key: str) -> int:
        """A printed value of a unit at its present step; 0 if it has none of that name."""
        return self.setting.roster.get(unit).value(key, self.lost.get(unit, 0))

    def steps_left(self, unit: str) -> int:
        return len(self.setting.roster.get(unit).steps) - self.lost.get(unit, 0)

    # Copies, and what a log or a checkpoint keeps of it.

    def copy(self) -> Position:
        twin = Position.__new__(Position)
        twin.setting = self.setting
        twin.turn, twin.stage, twin.side = self.turn, self.stage, self.side
        twin.where, twin.lost = dict(self.where), dict(self.lost)
        twin.marks = {subject: dict(marks) for subject, marks in self.marks.items()}
        twin.tracks, twin.owners, twin.pools = dict(self.tracks), dict(self.owners), dict(self.pools)
        twin.seats = dict(self.seats)
        twin.ended, twin.winner, twin.points = self.ended, self.winner, self.points
        twin.views = {side: view.copy() for side, view in self.views.items()}
        twin.changes, twin.stirred = self.changes, self.stirred
        twin._places, twin._stacks, twin._held = dict(self._places), dict(self._stacks), dict(self._held)
        return twin

    def to_json(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "stage": self.stage,
            "side": self.side,
            "where": self.where,
            "lost": self.lost,
            "marks": self.marks,
            "tracks": self.tracks,
            "owners": self.owners,
            "pools": {name: list(items) for name, items in self.pools.items()},
            "seats": self.seats,
            "ended": self.ended,
            "winner": self.winner,
            "points": [list(pair) for pair in self.points],
            "views": {side: view.to_json() for side, view in self.views.items()},
        }

    @classmethod
    def from_json(cls, setting: Setting, data: Mapping[str, Any]) -> Position:
        position = cls(setting)
        position.turn, position.stage, position.side = data["turn"], data["stage"], data["side"]
        position.lost.update(data["lost"])
        position.marks.update({subject: dict(marks) for subject, marks in data["marks"].items()})
        position.tracks.update(data["tracks"])
        position.owners.update(data["owners"])
        position.pools.update({name: tuple(items) for name, items in data["pools"].items()})
        position.seats.update(data["seats"])
        position.ended, position.winner = data["ended"], data["winner"]
        position.points = tuple((side, points) for side, points in data["points"])
        for unit, place in data["where"].items():
            position._put(unit, place)
        position.views.update({s: cls.from_json(setting, view) for s, view in data["views"].items()})
        return position

    def hash(self) -> str:
        """A hash of the whole position, the same for the same position however it was reached."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    # What `apply` writes with.

    def _put(self, unit: str, place: str) -> None:
        self.stirred += 1
        old = self._places.pop(unit, None)
        side = self.setting.roster.get(unit).side
        if old is not None:
            rest = tuple(u for u in self._stacks[old] if u != unit)
            if rest:
                self._stacks[old] = rest
            else:
                del self._stacks[old]
            if not any(self.setting.roster.get(u).side == side for u in rest):
                self._held[side] &= ~(1 << old)
        self.where[unit] = place
        new = self.setting.grid.find(place)
        if new is not None:
            self._places[unit] = new
            stack = (*self._stacks.get(new, ()), unit)
            self._stacks[new] = tuple(sorted(stack, key=self.setting.order.__getitem__))
            self._held[side] |= 1 << new


_NO_MARKS: dict[str, int | str] = {}


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens. Sides that may not know it do not see it in their view."""
    if position.views or fact.only is not None or isinstance(fact, f.LostSight):
        for side in position.setting.sides:
            if side not in position.views:
                position.views[side] = position.copy()
                position.views[side].views = {}
        for side, view in position.views.items():
            if fact.seen_by(side) and fact.changes_position:
                _WRITERS[type(fact)](view, fact)
                view.changes += 1
    if fact.changes_position:
        _WRITERS[type(fact)](position, fact)
        position.changes += 1
    if isinstance(fact, f.Sighted | f.LostSight) and fact.by in position.views:
        _show(position, position.views[fact.by], fact)


def _show(position: Position, view: Position, fact: f.Sighted | f.LostSight) -> None:
    """A view takes over all there is to know of a unit, or loses it from the map."""
    unit = fact.unit
    view.lost.pop(unit, None)
    view.marks.pop(unit, None)
    if isinstance(fact, f.LostSight):
        view._put(unit, UNSEEN)
    else:
        view._put(unit, position.where[unit])
        if unit in position.lost:
            view.lost[unit] = position.lost[unit]
        if unit in position.marks:
            view.marks[unit] = dict(position.marks[unit])
    view.changes += 1


def _stage(p: Position, fact: f.StageBegan) -> None:
    p.stage, p.turn, p.side = fact.stage, fact.turn, fact.side


def _placed(p: Position, fact: f.Placed) -> None:
    p._put(fact.unit, fact.at)
    if fact.lost is not None:
        if fact.lost:
            p.lost[fact.unit] = fact.lost
        else:
            p.lost.pop(fact.unit, None)


def _moved(p: Position, fact: f.Moved) -> None:
    p._put(fact.unit, fact.path[-1])


def _step_lost(p: Position, fact: f.StepLost) -> None:
    p.stirred += 1
    p.lost[fact.unit] = p.lost.get(fact.unit, 0) + fact.steps


def _step_gained(p: Position, fact: f.StepGained) -> None:
    p.stirred += 1
    left = p.lost.get(fact.unit, 0) - fact.steps
    if left > 0:
        p.lost[fact.unit] = left
    else:
        p.lost.pop(fact.unit, None)


def _eliminated(p: Position, fact: f.Eliminated) -> None:
    p._put(fact.unit, ELIMINATED)
    p.marks.pop(fact.unit, None)


def _turned(p: Position, fact: f.Turned) -> None:
    place = p.where[fact.unit]
    p._put(fact.unit, "turned")
    p._put(fact.into, place)
    marks = p.marks.pop(fact.unit, None)
    if marks:
        p.marks[fact.into] = marks


def _marked(p: Position, fact: f.Marked) -> None:
    if fact.value is None:
        marks = p.marks.get(fact.subject)
        if marks:
            marks.pop(fact.mark, None)
            if not marks:
                del p.marks[fact.subject]
    else:
        p.marks.setdefault(fact.subject, {})[fact.mark] = fact.value


def _counted(p: Position, fact: f.Counted) -> None:
    p.tracks[fact.track] = fact.value


def _took(p: Position, fact: f.TookHex) -> None:
    p.owners[fact.hex] = fact.side


def _pooled(p: Position, fact: f.Pooled) -> None:
    p.pools[fact.pool] = fact.items


def _drew(p: Position, fact: f.Drew) -> None:
    if fact.pool not in p.pools:  # a side that was never told what is in it
        return
    items = list(p.pools[fact.pool])
    items.remove(fact.item)
    p.pools[fact.pool] = tuple(items)


def _sighted(p: Position, fact: f.Sighted) -> None:
    p.marks.setdefault(fact.unit, {})[f"seen by {fact.by}"] = 1


def _lost_sight(p: Position, fact: f.LostSight) -> None:
    _marked(p, f.Marked(subject=fact.unit, mark=f"seen by {fact.by}", value=None))


def _seat(p: Position, fact: f.SeatTaken) -> None:
    p.seats[fact.seat] = fact.side


def _ended(p: Position, fact: f.GameEnded) -> None:
    p.ended, p.winner, p.points = fact.result, fact.winner, fact.points


_WRITERS: dict[type[f.Fact], Callable[[Position, Any], None]] = {
    f.StageBegan: _stage,
    f.Placed: _placed,
    f.Moved: _moved,
    f.StepLost: _step_lost,
    f.StepGained: _step_gained,
    f.Eliminated: _eliminated,
    f.Turned: _turned,
    f.Marked: _marked,
    f.Counted: _counted,
    f.TookHex: _took,
    f.Pooled: _pooled,
    f.Drew: _drew,
    f.Sighted: _sighted,
    f.LostSight: _lost_sight,
    f.SeatTaken: _seat,
    f.GameEnded: _ended,
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
