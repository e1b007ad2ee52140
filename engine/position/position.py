"""The position: everything that changes in a game, in truth or as one reader knows it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.canonical import Entries, canonical
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
        "_held", "_marks_said", "_places", "_stacks", "_where_said", "bare", "changes", "common", "digests", "ended",
        "lost", "marked", "marks", "noted", "owners", "points", "pools", "reader", "seats", "setting", "shared", "side",
        "stage", "stirred_of", "taken_by", "tracks", "turn", "unsure", "views", "where", "winner",
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
        self.noted: set[str] = set()  # the names of marks that the rules noted for themselves
        self.tracks: dict[str, int] = {}
        self.owners: dict[str, str] = {}
        self.pools: dict[str, tuple[str, ...]] = {}
        self.seats: dict[str, str] = {}
        self.ended = ""
        self.winner = ""
        self.points: tuple[tuple[str, int], ...] = ()
        self.views: dict[str, Position] = {}
        self.changes = 0  # counts facts, so that what was worked out from a position can be kept until the next
        # Counts only what changed where units are or how many steps they have: of each side, and ("") of all.
        self.stirred_of = dict.fromkeys((*setting.sides, ""), 0)
        self.marked: dict[str, int] = {}  # how often each mark was set or taken off
        self.bare: dict[str, int] = {}  # the same as it was when a mark had come off everything
        self.taken_by: dict[str, int] = {}  # how many hexes each side took
        self.digests: dict[str, str] = {}  # of the sections that have not changed since they were hashed
        self._where_said, self._marks_said = Entries(), Entries()  # the long sections in words, as last hashed
        self.common: set[str] = set()  # the sections that the truth may have in common with a view
        self.shared: set[str] = set()  # the sections that another has too: written to only after parting
        self._places: dict[str, Hex] = {}  # of the units on the map
        self._stacks: dict[Hex, tuple[str, ...]] = {}
        self._held: dict[str, HexSet] = dict.fromkeys(setting.sides, 0)

    # What procedures and checks ask of it.

    def hex_of(self, unit: str) -> Hex | None:
        """The hex a unit stands in; None when it is in a box, eliminated or unknown."""
        return self._places.get(unit)

    def present(self, units: Set[str]) -> set[str]:
        """Those of these units that are on the map."""
        return self._places.keys() & units

    def at(self, place: Hex) -> tuple[str, ...]:
        """The units in a hex, in the roster's order."""
        return self._stacks.get(place, ())

    def stacks(self) -> list[tuple[Hex, tuple[str, ...]]]:
        """The hexes that several units stand in, in the order of their index, with those units."""
        return sorted([(h, stack) for h, stack in self._stacks.items() if len(stack) > 1])

    def in_box(self, box: str) -> list[str]:
        return [unit.id for unit in self.setting.roster if self.where.get(unit.id) == box]

    def held(self, side: str) -> HexSet:
        """The hexes with a unit of that side in them."""
        return self._held[side]

    def on_map(self, side: str | None = None) -> Iterator[str]:
        """The units on the map, of one side or of all, in the roster's order."""
        roster = self.setting.roster
        for unit in roster if side is None else roster.by_side(side):
            if unit.id in self._places:
                yield unit.id

    def alive(self, unit: str) -> bool:
        return self.where.get(unit, ELIMINATED) != ELIMINATED

    def mark(self, subject: str, mark: str) -> int | str | None:
        marks = self.marks.get(subject)
        return None if marks is None else marks.get(mark)  # most of what is asked for bears none

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
        twin = self._sharing()
        twin.views = {side: view._sharing() for side, view in self.views.items()}
        if self.reader is not None:  # the truth may write in what it shares with a view, and knows of no copy
            for section in _KEPT_IN:
                twin.open(section)
        return twin

    def _sharing(self) -> Position:
        """A copy without views; of what this one has, each gets its own only when it is written to."""
        twin = Position.__new__(Position)
        twin.setting, twin.reader, twin.views = self.setting, self.reader, {}
        twin.turn, twin.stage, twin.side, twin.changes = self.turn, self.stage, self.side, self.changes
        twin.ended, twin.winner, twin.points = self.ended, self.winner, self.points
        twin.shared, self.shared = set(_KEPT_IN), set(_KEPT_IN)
        twin.where, twin._places, twin._stacks, twin._held = self.where, self._places, self._stacks, self._held
        twin.stirred_of, twin.marks, twin.marked, twin.noted = self.stirred_of, self.marks, self.marked, self.noted
        twin.bare = self.bare
        twin.lost, twin.unsure, twin.tracks = self.lost, self.unsure, self.tracks
        twin.owners, twin.taken_by = self.owners, self.taken_by
        twin.pools, twin.seats = self.pools, self.seats
        twin.digests, twin.common = self.digests.copy(), self.common.copy()
        twin._where_said, twin._marks_said = self._where_said, self._marks_said
        return twin

    def as_seen_by(self, reader: str) -> Position:
        """A copy that is the reader's knowledge from now on."""
        if sorted(self.where) != list(self.where):  # in the order in which all of it is hashed, line by line
            self.where = dict(sorted(self.where.items()))
        twin = self._sharing()
        twin.reader = reader
        self.common = set(_KEPT_IN)
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
        position.noted.update(data["noted"])
        position.pools.update({name: tuple(items) for name, items in data["pools"].items()})
        for unit, place in data["where"].items():
            position.put(unit, place)
        for side, known in data["views"].items():
            view = position.views[side] = cls.from_json(setting, known, side)
            for section in _KEPT_IN:
                if getattr(view, section) == getattr(position, section):  # most of what a side knows is so
                    view._take(section, position)
                    position.common.add(section)
        return position

    def hash(self) -> str:
        """A hash of the whole position, the same however it was reached: of the hashes of its sections."""
        sections, digests = self.sections(), self.digests
        said = {"where": self._where_said.canonical, "marks": self._marks_said.canonical}
        for name, section in sections.items():
            if name not in digests:
                digests[name] = hashlib.sha256(said.get(name, canonical)(section)).hexdigest()
        views = {}
        for side, view in self.views.items():
            for name, section in view.sections().items():
                if name in view.digests:
                    continue
                if section is sections[name] or (name not in said and section == sections[name]):
                    view.digests[name] = digests[name]
            views[side] = view.hash()
        return hashlib.sha256(canonical({**digests, "views": views})).hexdigest()

    # What `apply` writes with.

    def open(self, section: str) -> None:
        """A section is about to be written to: what was shared becomes this position's own."""
        self.digests.pop(section, None)
        if section in self.shared:
            self.shared.discard(section)
            for name in _KEPT_IN[section]:
                setattr(self, name, getattr(self, name).copy())

    def in_common(self, section: str) -> list[Position]:
        """The views that have a section in common with the truth: what is written for one is written for both."""
        if section not in self.common:
            return []
        own = getattr(self, section)
        found = [view for view in self.views.values() if getattr(view, section) is own]
        if not found:  # who has parted stays apart
            self.common.discard(section)
        return found

    def part(self, section: str) -> None:
        """A section will not be as another's, with whom it was in common."""
        self.shared.add(section)

    def follow(self, section: str, other: Position) -> None:
        """The other has written to a section that they have in common."""
        self.digests.pop(section, None)
        if getattr(self, section) is not getattr(other, section):
            self._take(section, other)

    def _take(self, section: str, other: Position) -> None:
        for name in _KEPT_IN[section]:
            setattr(self, name, getattr(other, name))

    def put(self, unit: str, place: str) -> None:
        setting, places, stacks, held, stirred = self.setting, self._places, self._stacks, self._held, self.stirred_of
        roster = setting.roster
        side = roster.get(unit).side
        stirred[side] += 1  # as `stir` does it, written out: nothing is done to a position more often
        stirred[""] += 1
        old = places.get(unit)
        if old is not None:
            stack = stacks[old]
            if len(stack) == 1:
                del stacks[old]
                held[side] ^= 1 << old
            else:
                rest = stacks[old] = tuple([u for u in stack if u != unit])
                if side not in [roster.get(u).side for u in rest]:
                    held[side] ^= 1 << old
        self.where[unit] = place
        self._where_said.changed.add(unit)
        new = setting.grid.find(place)
        if new is not None:
            places[unit] = new
            there = (*stacks.get(new, ()), unit)
            stacks[new] = there if len(there) == 1 else tuple(sorted(there, key=setting.order.__getitem__))
            held[side] |= 1 << new
        elif old is not None:
            del places[unit]

    def stir(self, side: str) -> None:
        """A unit of a side came, went or changed where it stands."""
        self.stirred_of[side] += 1
        self.stirred_of[""] += 1

    def lose(self, unit: str, lost: int) -> None:
        if lost > 0:
            self.lost[unit] = lost
        else:
            self.lost.pop(unit, None)

    def own(self, number: str, side: str) -> None:
        self.owners[number] = side
        self.taken_by[side] = self.taken_by.get(side, 0) + 1

    def set_mark(self, subject: str, mark: str, value: int | str | None) -> None:
        self.marked[mark] = self.marked.get(mark, 0) + 1
        marks = self.marks.get(subject, _NO_MARKS)
        if value is not None:
            self.marks[subject] = {**marks, mark: value}
            self._marks_said.changed.add(subject)
        elif mark in marks:
            self.bear(subject, {name: had for name, had in marks.items() if name != mark})

    def wipe(self, marks: Sequence[str], side: str) -> None:
        """Marks come off everything, or off the units of a side; what nobody bears is not looked for."""
        bare, roster = self.bare, self.setting.roster
        borne = {mark for mark in marks if mark not in bare or self.marked[mark] != bare[mark]}
        bearers = [subject for subject, bears in self.marks.items() if not borne.isdisjoint(bears)] if borne else []
        for subject in bearers:
            if not side or (subject in roster and roster.get(subject).side == side):
                self.bear(subject, {mark: value for mark, value in self.marks[subject].items() if mark not in borne})
        for mark in set(marks):
            self.marked[mark] = self.marked.get(mark, 0) + 1
            if not side:
                bare[mark] = self.marked[mark]

    def bear(self, subject: str, marks: Mapping[str, int | str]) -> None:
        """These marks and no others."""
        self._marks_said.changed.add(subject)
        if marks:
            self.marks[subject] = marks
        else:
            self.marks.pop(subject, None)

    def bear_none(self, unit: str) -> Mapping[str, int | str]:
        """A unit's marks come off: those that it had."""
        self._marks_said.changed.add(unit)
        gone = self.marks.pop(unit, _NO_MARKS)
        for mark in gone:
            self.marked[mark] = self.marked.get(mark, 0) + 1
        return gone


_NO_MARKS: dict[str, int | str] = {}
# What two positions have in common until one of them is written to, by section: what changes together.
_KEPT_IN = {
    "where": ("where", "_places", "_stacks", "_held", "stirred_of", "_where_said"),
    "marks": ("marks", "marked", "noted", "bare", "_marks_said"),
    "owners": ("owners", "taken_by"),
    **{name: (name,) for name in ("lost", "unsure", "tracks", "pools", "seats")},
}
