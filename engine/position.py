"""The position: everything that changes in a game, and the one place that changes it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import facts as f
from engine.canonical import canonical
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.pieces import Roster

ELIMINATED = "eliminated"
UNSEEN = "unseen"  # where a side's view has the units it lost sight of
UNKNOWN, LAST_SEEN = "unknown", "last seen"  # how far a side knows a unit's strength, where it is not sure of it


@dataclass(frozen=True)
class Setting:
    """What never changes while a game lasts and every position refers to."""

    grid: Grid
    roster: Roster
    sides: tuple[str, ...]
    played: tuple[str, ...] = ()  # the sides that the rules play: nobody sits there, and nobody is asked

    @cached_property
    def chairs(self) -> tuple[str, ...]:
        """The sides that somebody plays."""
        return tuple(side for side in self.sides if side not in self.played)

    @cached_property
    def order(self) -> dict[str, int]:
        """The roster's order: stacks are kept in it, so that a position is the same however it was reached."""
        return {unit.id: number for number, unit in enumerate(self.roster)}


class Position:
    """Where everything is, in truth or as one reader knows it. Read it freely; only `apply` writes to it."""

    __slots__ = (
        "_digests", "_held", "_places", "_shared", "_stacks", "changes", "ended", "lost", "marked", "marks", "noted",
        "owners", "points", "pools", "reader", "seats", "setting", "side", "stage", "stirred", "stirred_of", "tracks",
        "turn", "unsure", "views", "where", "winner",
    )  # fmt: skip

    def __init__(self, setting: Setting, reader: str | None = None) -> None:
        self.setting = setting
        self.reader = reader  # whose knowledge it is; None: the truth
        self.turn = 0
        self.stage = ""
        self.side = ""
        self.where: dict[str, str] = {}
        self.lost: dict[str, int] = {}
        self.unsure: dict[str, str] = {}  # units whose steps the reader does not know, or knows as they last were
        self.marks: dict[str, Mapping[str, int | str]] = {}  # each replaced when it changes: copies share them
        self.noted: frozenset[str] = frozenset()  # the names of marks that the rules noted for themselves
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
        self.stirred_of = dict.fromkeys(setting.sides, 0)  # the same for the units of each side
        self.marked: dict[str, int] = {}  # how often each mark was set or taken off
        self._digests: dict[str, str] = {}  # of the sections that have not changed since they were hashed
        self._shared: set[str] = set()  # the sections that a copy has too: written to only after parting
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

    def stacks(self) -> list[tuple[Hex, tuple[str, ...]]]:
        """The hexes that several units stand in, in the order of their index, with those units."""
        return sorted((h, stack) for h, stack in self._stacks.items() if len(stack) > 1)

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

    def possible_steps(self, unit: str) -> range:
        """How many steps a unit may have left, as far as the reader knows: a range of one if he is sure."""
        most = self.steps_left(unit)  # of one never known: all its steps but those he saw it lose
        return range(1 if unit in self.unsure else most, most + 1)

    # Copies, and what a log or a checkpoint keeps of it.

    def copy(self) -> Position:
        twin = Position.__new__(Position)
        twin.setting, twin.reader = self.setting, self.reader
        twin.turn, twin.stage, twin.side = self.turn, self.stage, self.side
        twin._shared, self._shared = set(_KEPT_IN), set(_KEPT_IN)
        twin.where, twin._places, twin._stacks, twin._held = self.where, self._places, self._stacks, self._held
        twin.lost, twin.unsure, twin.marks, twin.seats = self.lost, self.unsure, self.marks, self.seats
        twin.tracks, twin.owners, twin.pools, twin.noted = self.tracks, self.owners, self.pools, self.noted
        twin.ended, twin.winner, twin.points = self.ended, self.winner, self.points
        twin.views = {side: view.copy() for side, view in self.views.items()}
        twin.changes, twin.stirred = self.changes, self.stirred
        twin.stirred_of, twin.marked, twin._digests = self.stirred_of.copy(), self.marked.copy(), self._digests.copy()
        return twin

    def _part(self, section: str) -> None:
        """A section that was shared with a copy becomes this position's own."""
        if section in self._shared:
            self._shared.discard(section)
            for name in _KEPT_IN[section]:
                setattr(self, name, getattr(self, name).copy())

    def as_seen_by(self, reader: str) -> Position:
        """A copy that is the reader's knowledge from now on."""
        twin = self.copy()
        twin.reader, twin.views = reader, {}
        return twin

    def sections(self) -> dict[str, Any]:
        """All that counts, in parts that change apart from each other; the views, which are positions, left out."""
        return {
            "clock": {"turn": self.turn, "stage": self.stage, "side": self.side},
            "where": self.where,
            "lost": self.lost,
            "unsure": self.unsure,
            "marks": self.marks,
            "tracks": self.tracks,
            "owners": self.owners,
            "pools": self.pools,
            "seats": self.seats,
            "end": {"result": self.ended, "winner": self.winner, "points": self.points},
        }

    def to_json(self) -> dict[str, Any]:
        views = {side: view.to_json() for side, view in self.views.items()}
        return {**self.sections(), "noted": sorted(self.noted), "views": views}

    @classmethod
    def from_json(cls, setting: Setting, data: Mapping[str, Any], reader: str | None = None) -> Position:
        position = cls(setting, reader)
        clock, end = data["clock"], data["end"]
        position.turn, position.stage, position.side = clock["turn"], clock["stage"], clock["side"]
        position.ended, position.winner = end["result"], end["winner"]
        position.points = tuple((side, points) for side, points in end["points"])
        for name in ("lost", "unsure", "marks", "tracks", "owners", "seats"):
            getattr(position, name).update(data[name])
        position.noted = frozenset(data["noted"])
        position.pools.update({name: tuple(items) for name, items in data["pools"].items()})
        for unit, place in data["where"].items():
            position._put(unit, place)
        position.views.update({s: cls.from_json(setting, view, s) for s, view in data["views"].items()})
        return position

    def hash(self) -> str:
        """A hash of the whole position, the same however it was reached: of the hashes of its sections."""
        sections, digests = self.sections(), self._digests
        for name, section in sections.items():
            if name not in digests:
                digests[name] = hashlib.sha256(canonical(section)).hexdigest()
        views = {}
        for side, view in self.views.items():
            for name, section in view.sections().items():
                if name not in view._digests and section == sections[name]:  # most of what a side knows is so
                    view._digests[name] = digests[name]
            views[side] = view.hash()
        return hashlib.sha256(canonical({**digests, "views": views})).hexdigest()

    # What `apply` writes with.

    def _put(self, unit: str, place: str) -> None:
        self.stirred += 1
        old = self._places.pop(unit, None)
        side = self.setting.roster.get(unit).side
        self.stirred_of[side] += 1
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
            stack = self._stacks.get(new)
            if stack is None:
                self._stacks[new] = (unit,)
            else:
                self._stacks[new] = tuple(sorted((*stack, unit), key=self.setting.order.__getitem__))
            self._held[side] |= 1 << new

    def _stir(self, unit: str) -> None:
        """A unit changed where it stands."""
        self.stirred += 1
        self.stirred_of[self.setting.roster.get(unit).side] += 1

    def _lose(self, unit: str, lost: int) -> None:
        if lost > 0:
            self.lost[unit] = lost
        else:
            self.lost.pop(unit, None)

    def _mark(self, subject: str, mark: str, value: int | str | None) -> None:
        self.marked[mark] = self.marked.get(mark, 0) + 1
        marks = self.marks.get(subject, _NO_MARKS)
        if value is not None:
            self.marks[subject] = {**marks, mark: value}
        elif mark in marks:
            self._bear(subject, {name: had for name, had in marks.items() if name != mark})

    def _bear(self, subject: str, marks: Mapping[str, int | str]) -> None:
        """These marks and no others."""
        if marks:
            self.marks[subject] = marks
        else:
            self.marks.pop(subject, None)


_NO_MARKS: dict[str, int | str] = {}
# What a copy shares until one of the two is written to, by section: what changes together.
_KEPT_IN = {
    "where": ("where", "_places", "_stacks", "_held"),
    **{name: (name,) for name in ("lost", "unsure", "marks", "tracks", "owners", "pools", "seats")},
}


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens, in truth and in the view of each side that may know it; to a reader's own position, simply."""
    if position.reader is None and (
        position.views or fact.only is not None or isinstance(fact, f.LostSight | f.Doubted)
    ):
        for side in position.setting.chairs:
            if side not in position.views:
                position.views[side] = position.as_seen_by(side)
        for side, view in position.views.items():
            if fact.seen_by(side):
                _write(view, fact)
    _write(position, fact)


def _write(p: Position, fact: f.Fact) -> None:
    if fact.changes_position:
        write, sections = _WRITERS[type(fact)]
        for section in sections:
            p._part(section)
            p._digests.pop(section, None)
        write(p, fact)
        p.changes += 1


def _stage(p: Position, fact: f.StageBegan) -> None:
    p.stage, p.turn, p.side = fact.stage, fact.turn, fact.side


def _placed(p: Position, fact: f.Placed) -> None:
    p._put(fact.unit, fact.at)
    if fact.lost is not None:
        p._lose(fact.unit, fact.lost)


def _moved(p: Position, fact: f.Moved) -> None:
    p._put(fact.unit, fact.path[-1])


def _step_lost(p: Position, fact: f.StepLost) -> None:
    p._stir(fact.unit)
    p._lose(fact.unit, p.lost.get(fact.unit, 0) + fact.steps)


def _step_gained(p: Position, fact: f.StepGained) -> None:
    p._stir(fact.unit)
    p._lose(fact.unit, p.lost.get(fact.unit, 0) - fact.steps)


def _eliminated(p: Position, fact: f.Eliminated) -> None:
    p._put(fact.unit, ELIMINATED)
    p.unsure.pop(fact.unit, None)
    _no_longer_bears(p, fact.unit)


def _no_longer_bears(p: Position, unit: str) -> Mapping[str, int | str]:
    gone = p.marks.pop(unit, _NO_MARKS)
    for mark in gone:
        p.marked[mark] = p.marked.get(mark, 0) + 1
    return gone


def _turned(p: Position, fact: f.Turned) -> None:
    p._put(fact.unit, "turned")
    p._put(fact.into, fact.at)
    p._bear(fact.into, _no_longer_bears(p, fact.unit))


def _marked(p: Position, fact: f.Marked) -> None:
    p._mark(fact.subject, fact.mark, fact.value)


def _noted(p: Position, fact: f.Noted) -> None:
    _marked(p, fact)
    if fact.mark not in p.noted:
        p.noted |= {fact.mark}


def _wiped(p: Position, fact: f.Wiped) -> None:
    gone, roster = set(fact.marks), p.setting.roster
    for subject, marks in list(p.marks.items()):
        if not gone.isdisjoint(marks) and (
            not fact.side or (subject in roster and roster.get(subject).side == fact.side)
        ):
            p._bear(subject, {mark: value for mark, value in marks.items() if mark not in gone})
    for mark in gone:
        p.marked[mark] = p.marked.get(mark, 0) + 1


def _counted(p: Position, fact: f.Counted) -> None:
    p.tracks[fact.track] = fact.value


def _took(p: Position, fact: f.TookHex) -> None:
    p.owners[fact.hex] = fact.side


def _pooled(p: Position, fact: f.Pooled) -> None:
    p.pools[fact.pool] = fact.items


def _drew(p: Position, fact: f.Drew) -> None:
    if fact.pool in p.pools:  # a reader who was never told what is in it goes on not knowing
        items = list(p.pools[fact.pool])
        items.remove(fact.item)
        p.pools[fact.pool] = tuple(items)


def _sighted(p: Position, fact: f.Sighted) -> None:
    if p.reader == fact.by:
        p._put(fact.unit, fact.at)
        p._lose(fact.unit, fact.lost or 0)
        p.unsure.pop(fact.unit, None)
        if fact.lost is None:
            p.unsure[fact.unit] = UNKNOWN
        for mark in {*_no_longer_bears(p, fact.unit), *dict(fact.marks)}:
            p.marked[mark] = p.marked.get(mark, 0) + 1
        p._bear(fact.unit, dict(fact.marks))


def _lost_sight(p: Position, fact: f.LostSight) -> None:
    if p.reader == fact.by:
        p._put(fact.unit, UNSEEN)
        p._lose(fact.unit, 0)
        p.unsure.pop(fact.unit, None)
        _no_longer_bears(p, fact.unit)


def _doubted(p: Position, fact: f.Doubted) -> None:
    if p.reader == fact.by and fact.unit not in p.unsure:
        p.unsure[fact.unit] = LAST_SEEN


def _seat(p: Position, fact: f.SeatTaken) -> None:
    p.seats[fact.seat] = fact.side


def _ended(p: Position, fact: f.GameEnded) -> None:
    p.ended, p.winner, p.points = fact.result, fact.winner, fact.points


# How each fact is written, and the sections of the position that it changes.
_WRITERS: dict[type[f.Fact], tuple[Callable[[Position, Any], None], tuple[str, ...]]] = {
    f.StageBegan: (_stage, ("clock",)),
    f.Placed: (_placed, ("where", "lost")),
    f.Moved: (_moved, ("where",)),
    f.StepLost: (_step_lost, ("lost",)),
    f.StepGained: (_step_gained, ("lost",)),
    f.Eliminated: (_eliminated, ("where", "marks", "unsure")),
    f.Turned: (_turned, ("where", "marks")),
    f.Marked: (_marked, ("marks",)),
    f.Noted: (_noted, ("marks",)),
    f.Wiped: (_wiped, ("marks",)),
    f.Counted: (_counted, ("tracks",)),
    f.TookHex: (_took, ("owners",)),
    f.Pooled: (_pooled, ("pools",)),
    f.Drew: (_drew, ("pools",)),
    f.Sighted: (_sighted, ("where", "lost", "unsure", "marks")),
    f.LostSight: (_lost_sight, ("where", "lost", "unsure", "marks")),
    f.Doubted: (_doubted, ("unsure",)),
    f.SeatTaken: (_seat, ("seats",)),
    f.GameEnded: (_ended, ("end",)),
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
