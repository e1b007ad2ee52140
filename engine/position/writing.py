"""The one place that writes to a position: what each fact changes, section by section."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from engine import facts as f
from engine.position.position import ELIMINATED, LAST_SEEN, UNKNOWN, UNSEEN, Position

Write = Callable[..., object]


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens, in truth and in the view of each side that may know it; to a reader's own position, simply."""
    views, kind, only = position.views, type(fact), fact.only
    if (
        len(views) < len(position.setting.chairs)
        and position.reader is None
        and (views or only is not None or kind in _OPENS_VIEWS)
    ):
        _open_views(position)
    if not kind.changes_position:
        return
    knowing = [position]
    if views:
        knowing += views.values() if only is None else [view for side, view in views.items() if side in only]
    if kind in _OF_ONE:
        by = fact.by  # type: ignore[attr-defined]  # of each kind of these
        knowing = [known for known in knowing if known.reader == by]
        for section, write, says in _WRITERS[kind]:
            _write_apart(knowing, position, section, write, says(fact))
    else:
        common = position.common
        for section, write, says in _WRITERS[kind]:
            said = says(fact)
            if section in common:
                _write_in_common(knowing, position, section, write, said)
                continue
            for known in knowing:
                if section in known.shared or section in known.digests:
                    known.open(section)
                write(known, *said)
    for known in knowing:
        known.changes += 1


def _open_views(position: Position) -> None:
    """From the first thing that somebody may not know, each side has its own knowledge."""
    for side in position.setting.chairs:
        if side not in position.views:
            position.views[side] = position.as_seen_by(side)


def _write_in_common(
    knowing: list[Position], truth: Position, section: str, write: Write, said: tuple[Any, ...]
) -> None:
    """What the truth and a view have in common is written once."""
    common = truth.in_common(section)
    for view in common:
        if view not in knowing:
            view.part(section)
            truth.part(section)
    for known in knowing:
        if common and known in common:
            known.follow(section, truth)
        else:
            known.open(section)
            write(known, *said)


def _write_apart(knowing: list[Position], truth: Position, section: str, write: Write, said: tuple[Any, ...]) -> None:
    """What one side comes to know, or no longer knows, is nothing new to anybody else."""
    for known in knowing:
        if known in truth.in_common(section):
            known.part(section)
        known.open(section)
        write(known, *said)


def _stage(p: Position, stage: str, turn: int, side: str) -> None:
    p.stage, p.turn, p.side = stage, turn, side


def _turned(p: Position, unit: str, into: str, at: str) -> None:
    p.put(unit, "turned")
    p.put(into, at)


def _laid_down(p: Position, unit: str, lost: int | None) -> None:
    if lost is not None:
        p.lose(unit, lost)


def _noted(p: Position, subject: str, mark: str, value: int | str | None) -> None:
    p.set_mark(subject, mark, value)
    p.noted.add(mark)


def _drew(p: Position, pool: str, item: str) -> None:
    if pool in p.pools:  # a reader who was never told what is in it goes on not knowing
        items = list(p.pools[pool])
        items.remove(item)
        p.pools[pool] = tuple(items)


def _seen_how_well(p: Position, unit: str, lost: int | None) -> None:
    p.unsure.pop(unit, None)
    if lost is None:
        p.unsure[unit] = UNKNOWN


def _out_of_sight(p: Position, unit: str, kept: bool) -> None:
    if kept:
        p.unsure.setdefault(unit, LAST_SEEN)
    else:
        p.unsure.pop(unit, None)


def _seen_marks(p: Position, unit: str, marks: tuple[tuple[str, int | str], ...]) -> None:
    for mark in {*p.bear_none(unit), *dict(marks)}:
        p.marked[mark] = p.marked.get(mark, 0) + 1
    p.bear(unit, dict(marks))


def _ended(p: Position, result: str, winner: str, points: tuple[tuple[str, int], ...]) -> None:
    p.ended, p.winner, p.points = result, winner, points


def _says(*names: str) -> Callable[[Any], tuple[Any, ...]]:
    """What of a fact a writer is told: read once, however many write it down."""
    one, several = names[0], attrgetter(*names)
    return several if len(names) > 1 else lambda fact: (getattr(fact, one),)


Writer = tuple[str, Write, Callable[[Any], tuple[Any, ...]]]
_UNIT = _says("unit")
_STIRRED: Writer = ("where", lambda p, unit: p.stir(p.setting.roster.get(unit).side), _UNIT)
_SURE: Writer = ("unsure", lambda p, unit: p.unsure.pop(unit, None), _UNIT)
_UNMARKED: Writer = ("marks", Position.bear_none, _UNIT)
_OF_ONE = {f.Sighted, f.LostSight, f.Doubted}  # what changes only what one side knows
_OPENS_VIEWS = {f.LostSight, f.Doubted}
# The sections of the position that each fact changes, how, and by which of its words.
_WRITERS: dict[type[f.Fact], tuple[Writer, ...]] = {
    f.StageBegan: (("clock", _stage, _says("stage", "turn", "side")),),
    f.Placed: (("where", Position.put, _says("unit", "at")), ("lost", _laid_down, _says("unit", "lost"))),
    f.Moved: (("where", Position.put, lambda fact: (fact.unit, fact.path[-1])),),
    f.StepLost: (
        ("lost", lambda p, unit, more: p.lose(unit, p.lost.get(unit, 0) + more), _says("unit", "steps")),
        _STIRRED,
    ),
    f.StepGained: (
        ("lost", lambda p, unit, less: p.lose(unit, p.lost.get(unit, 0) - less), _says("unit", "steps")),
        _STIRRED,
    ),
    f.Eliminated: (("where", lambda p, unit: p.put(unit, ELIMINATED), _UNIT), _UNMARKED, _SURE),
    f.Turned: (
        ("where", _turned, _says("unit", "into", "at")),
        ("marks", lambda p, unit, into: p.bear(into, p.bear_none(unit)), _says("unit", "into")),
    ),
    f.Marked: (("marks", Position.set_mark, _says("subject", "mark", "value")),),
    f.Noted: (("marks", _noted, _says("subject", "mark", "value")),),
    f.Wiped: (("marks", Position.wipe, _says("marks", "side")),),
    f.Counted: (("tracks", lambda p, track, value: p.tracks.update({track: value}), _says("track", "value")),),
    f.TookHex: (("owners", Position.own, _says("hex", "side")),),
    f.Pooled: (("pools", lambda p, pool, items: p.pools.update({pool: items}), _says("pool", "items")),),
    f.Drew: (("pools", _drew, _says("pool", "item")),),
    f.Sighted: (
        ("where", Position.put, _says("unit", "at")),
        ("lost", lambda p, unit, lost: p.lose(unit, lost or 0), _says("unit", "lost")),
        ("unsure", _seen_how_well, _says("unit", "lost")),
        ("marks", _seen_marks, _says("unit", "marks")),
    ),
    f.LostSight: (
        ("where", lambda p, unit: p.put(unit, UNSEEN), _UNIT),
        ("lost", lambda p, unit, kept: None if kept else p.lose(unit, 0), _says("unit", "kept")),
        _UNMARKED,
        ("unsure", _out_of_sight, _says("unit", "kept")),
    ),
    f.Doubted: (("unsure", lambda p, unit: p.unsure.setdefault(unit, LAST_SEEN), _UNIT),),
    f.SeatTaken: (("seats", lambda p, seat, side: p.seats.update({seat: side}), _says("seat", "side")),),
    f.GameEnded: (("end", _ended, _says("result", "winner", "points")),),
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
