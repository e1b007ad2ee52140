"""The one place that writes to a position: what each fact changes, section by section."""

from collections.abc import Callable, Sequence
from typing import Any

from engine import facts as f
from engine.position.position import ELIMINATED, LAST_SEEN, UNKNOWN, UNSEEN, Position

Write = Callable[[Position, Any], object]


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens, in truth and in the view of each side that may know it; to a reader's own position, simply."""
    views, kind, only = position.views, type(fact), fact.only
    if position.reader is None and (views or only is not None or kind in _OPENS_VIEWS):
        _open_views(position)
    if not kind.changes_position:
        return
    knowing = [position]
    if views:
        knowing += views.values() if only is None else [view for side, view in views.items() if side in only]
    if isinstance(fact, _OF_ONE):
        knowing = [known for known in knowing if known.reader == fact.by]
        for section, write in _WRITERS[kind]:
            _write_apart(knowing, position, section, write, fact)
    else:
        for section, write in _WRITERS[kind]:
            if section in position.common:
                _write_in_common(knowing, position, section, write, fact)
                continue
            for known in knowing:
                known.open(section)
                write(known, fact)
    for known in knowing:
        known.changes += 1


def _open_views(position: Position) -> None:
    """From the first thing that somebody may not know, each side has its own knowledge."""
    if len(position.views) < len(position.setting.chairs):
        for side in position.setting.chairs:
            if side not in position.views:
                position.views[side] = position.as_seen_by(side)


def _write_in_common(knowing: list[Position], truth: Position, section: str, write: Write, fact: f.Fact) -> None:
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
            write(known, fact)


def _write_apart(knowing: list[Position], truth: Position, section: str, write: Write, fact: f.Fact) -> None:
    """What one side comes to know, or no longer knows, is nothing new to anybody else."""
    for known in knowing:
        if known in truth.in_common(section):
            known.part(section)
        known.open(section)
        write(known, fact)


def _stage(p: Position, fact: f.StageBegan) -> None:
    p.stage, p.turn, p.side = fact.stage, fact.turn, fact.side


def _turned(p: Position, fact: f.Turned) -> None:
    p.put(fact.unit, "turned")
    p.put(fact.into, fact.at)


def _noted(p: Position, fact: f.Noted) -> None:
    p.set_mark(fact.subject, fact.mark, fact.value)
    p.noted.add(fact.mark)


def _drew(p: Position, fact: f.Drew) -> None:
    if fact.pool in p.pools:  # a reader who was never told what is in it goes on not knowing
        items = list(p.pools[fact.pool])
        items.remove(fact.item)
        p.pools[fact.pool] = tuple(items)


def _seen_how_well(p: Position, fact: f.Sighted) -> None:
    p.unsure.pop(fact.unit, None)
    if fact.lost is None:
        p.unsure[fact.unit] = UNKNOWN


def _out_of_sight(p: Position, fact: f.LostSight) -> None:
    if fact.kept:
        p.unsure.setdefault(fact.unit, LAST_SEEN)
    else:
        p.unsure.pop(fact.unit, None)


def _seen_marks(p: Position, fact: f.Sighted) -> None:
    for mark in {*p.bear_none(fact.unit), *dict(fact.marks)}:
        p.marked[mark] = p.marked.get(mark, 0) + 1
    p.bear(fact.unit, dict(fact.marks))


def _ended(p: Position, fact: f.GameEnded) -> None:
    p.ended, p.winner, p.points = fact.result, fact.winner, fact.points


_STIRRED: tuple[str, Write] = ("where", lambda p, fact: p.stir(p.setting.roster.get(fact.unit).side))
_SURE: tuple[str, Write] = ("unsure", lambda p, fact: p.unsure.pop(fact.unit, None))
_UNMARKED: tuple[str, Write] = ("marks", lambda p, fact: p.bear_none(fact.unit))
_OF_ONE = (f.Sighted, f.LostSight, f.Doubted)  # what changes only what one side knows
_OPENS_VIEWS = (f.LostSight, f.Doubted)
# The sections of the position that each fact changes, and how.
_WRITERS: dict[type[f.Fact], tuple[tuple[str, Write], ...]] = {
    f.StageBegan: (("clock", _stage),),
    f.Placed: (
        ("where", lambda p, fact: p.put(fact.unit, fact.at)),
        ("lost", lambda p, fact: p.lose(fact.unit, p.lost.get(fact.unit, 0) if fact.lost is None else fact.lost)),
    ),
    f.Moved: (("where", lambda p, fact: p.put(fact.unit, fact.path[-1])),),
    f.StepLost: (("lost", lambda p, fact: p.lose(fact.unit, p.lost.get(fact.unit, 0) + fact.steps)), _STIRRED),
    f.StepGained: (("lost", lambda p, fact: p.lose(fact.unit, p.lost.get(fact.unit, 0) - fact.steps)), _STIRRED),
    f.Eliminated: (("where", lambda p, fact: p.put(fact.unit, ELIMINATED)), _UNMARKED, _SURE),
    f.Turned: (("where", _turned), ("marks", lambda p, fact: p.bear(fact.into, p.bear_none(fact.unit)))),
    f.Marked: (("marks", lambda p, fact: p.set_mark(fact.subject, fact.mark, fact.value)),),
    f.Noted: (("marks", _noted),),
    f.Wiped: (("marks", lambda p, fact: p.wipe(fact.marks, fact.side)),),
    f.Counted: (("tracks", lambda p, fact: p.tracks.update({fact.track: fact.value})),),
    f.TookHex: (("owners", lambda p, fact: p.own(fact.hex, fact.side)),),
    f.Pooled: (("pools", lambda p, fact: p.pools.update({fact.pool: fact.items})),),
    f.Drew: (("pools", _drew),),
    f.Sighted: (
        ("where", lambda p, fact: p.put(fact.unit, fact.at)),
        ("lost", lambda p, fact: p.lose(fact.unit, fact.lost or 0)),
        ("unsure", _seen_how_well),
        ("marks", _seen_marks),
    ),
    f.LostSight: (
        ("where", lambda p, fact: p.put(fact.unit, UNSEEN)),
        ("lost", lambda p, fact: None if fact.kept else p.lose(fact.unit, 0)),
        _UNMARKED,
        ("unsure", _out_of_sight),
    ),
    f.Doubted: (("unsure", lambda p, fact: p.unsure.setdefault(fact.unit, LAST_SEEN)),),
    f.SeatTaken: (("seats", lambda p, fact: p.seats.update({fact.seat: fact.side})),),
    f.GameEnded: (("end", _ended),),
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
