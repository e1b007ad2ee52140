"""The one place that writes to a position: what each fact changes, section by section."""

from collections.abc import Callable, Sequence
from typing import Any

from engine import facts as f
from engine.position.position import ELIMINATED, LAST_SEEN, UNKNOWN, UNSEEN, Position

Write = Callable[[Position, Any], None]


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens, in truth and in the view of each side that may know it; to a reader's own position, simply."""
    if position.reader is None and (position.views or fact.only is not None or isinstance(fact, _OPENS_VIEWS)):
        for side in position.setting.chairs:
            if side not in position.views:
                position.views[side] = position.as_seen_by(side)
    if not fact.changes_position:
        return
    seen = [view for side, view in position.views.items() if fact.seen_by(side)]
    knowing = [position, *seen]
    if isinstance(fact, _OF_ONE):
        knowing = [known for known in knowing if known.reader == fact.by]
    for section, write in _WRITERS[type(fact)]:
        if isinstance(fact, _OF_ONE):
            _write_apart(knowing, position, section, write, fact)
        else:
            _write_in_common(seen, position, section, write, fact)
    for known in knowing:
        known.changes += 1


def _write_in_common(seen: list[Position], truth: Position, section: str, write: Write, fact: f.Fact) -> None:
    """What the truth and a view have in common is written once."""
    common = [view for view in truth.views.values() if view.shares(section, truth)]
    for view in common:
        if view not in seen:
            view.part(section)
            truth.part(section)
    truth.open(section)
    write(truth, fact)
    for view in seen:
        if view in common:
            view.follow(section, truth)
        else:
            view.open(section)
            write(view, fact)


def _write_apart(knowing: list[Position], truth: Position, section: str, write: Write, fact: f.Fact) -> None:
    """What one side comes to know, or no longer knows, is nothing new to anybody else."""
    for known in knowing:
        if known is not truth and known.shares(section, truth):
            known.part(section)
        known.open(section)
        write(known, fact)


def _stage(p: Position, fact: f.StageBegan) -> None:
    p.stage, p.turn, p.side = fact.stage, fact.turn, fact.side


def _put(p: Position, fact: f.Placed | f.Sighted) -> None:
    p.put(fact.unit, fact.at)


def _put_reduced(p: Position, fact: f.Placed) -> None:
    if fact.lost is not None:
        p.lose(fact.unit, fact.lost)


def _moved(p: Position, fact: f.Moved) -> None:
    p.put(fact.unit, fact.path[-1])


def _stirred(p: Position, fact: f.StepLost | f.StepGained) -> None:
    p.stir(p.setting.roster.get(fact.unit).side)


def _step_lost(p: Position, fact: f.StepLost) -> None:
    p.lose(fact.unit, p.lost.get(fact.unit, 0) + fact.steps)


def _step_gained(p: Position, fact: f.StepGained) -> None:
    p.lose(fact.unit, p.lost.get(fact.unit, 0) - fact.steps)


def _eliminated(p: Position, fact: f.Eliminated) -> None:
    p.put(fact.unit, ELIMINATED)


def _sure(p: Position, fact: f.Eliminated | f.LostSight) -> None:
    p.unsure.pop(fact.unit, None)


def _bears_nothing(p: Position, fact: f.Eliminated | f.LostSight) -> None:
    p.bear_none(fact.unit)


def _turned(p: Position, fact: f.Turned) -> None:
    p.put(fact.unit, "turned")
    p.put(fact.into, fact.at)


def _handed_on(p: Position, fact: f.Turned) -> None:
    p.bear(fact.into, p.bear_none(fact.unit))


def _marked(p: Position, fact: f.Marked) -> None:
    p.set_mark(fact.subject, fact.mark, fact.value)


def _noted(p: Position, fact: f.Noted) -> None:
    p.set_mark(fact.subject, fact.mark, fact.value)
    p.noted.add(fact.mark)


def _wiped(p: Position, fact: f.Wiped) -> None:
    gone, roster = set(fact.marks), p.setting.roster
    for subject, marks in list(p.marks.items()):
        if not gone.isdisjoint(marks) and (
            not fact.side or (subject in roster and roster.get(subject).side == fact.side)
        ):
            p.bear(subject, {mark: value for mark, value in marks.items() if mark not in gone})
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


def _seen_reduced(p: Position, fact: f.Sighted) -> None:
    p.lose(fact.unit, fact.lost or 0)


def _seen_how_well(p: Position, fact: f.Sighted) -> None:
    p.unsure.pop(fact.unit, None)
    if fact.lost is None:
        p.unsure[fact.unit] = UNKNOWN


def _seen_marks(p: Position, fact: f.Sighted) -> None:
    for mark in {*p.bear_none(fact.unit), *dict(fact.marks)}:
        p.marked[mark] = p.marked.get(mark, 0) + 1
    p.bear(fact.unit, dict(fact.marks))


def _lost_sight(p: Position, fact: f.LostSight) -> None:
    p.put(fact.unit, UNSEEN)


def _not_reduced(p: Position, fact: f.LostSight) -> None:
    p.lose(fact.unit, 0)


def _doubted(p: Position, fact: f.Doubted) -> None:
    p.unsure.setdefault(fact.unit, LAST_SEEN)


def _seat(p: Position, fact: f.SeatTaken) -> None:
    p.seats[fact.seat] = fact.side


def _ended(p: Position, fact: f.GameEnded) -> None:
    p.ended, p.winner, p.points = fact.result, fact.winner, fact.points


_OF_ONE = (f.Sighted, f.LostSight, f.Doubted)  # what changes only what one side knows
_OPENS_VIEWS = (f.LostSight, f.Doubted)
# The sections of the position that each fact changes, and how.
_WRITERS: dict[type[f.Fact], tuple[tuple[str, Write], ...]] = {
    f.StageBegan: (("clock", _stage),),
    f.Placed: (("where", _put), ("lost", _put_reduced)),
    f.Moved: (("where", _moved),),
    f.StepLost: (("lost", _step_lost), ("where", _stirred)),
    f.StepGained: (("lost", _step_gained), ("where", _stirred)),
    f.Eliminated: (("where", _eliminated), ("marks", _bears_nothing), ("unsure", _sure)),
    f.Turned: (("where", _turned), ("marks", _handed_on)),
    f.Marked: (("marks", _marked),),
    f.Noted: (("marks", _noted),),
    f.Wiped: (("marks", _wiped),),
    f.Counted: (("tracks", _counted),),
    f.TookHex: (("owners", _took),),
    f.Pooled: (("pools", _pooled),),
    f.Drew: (("pools", _drew),),
    f.Sighted: (("where", _put), ("lost", _seen_reduced), ("unsure", _seen_how_well), ("marks", _seen_marks)),
    f.LostSight: (("where", _lost_sight), ("lost", _not_reduced), ("unsure", _sure), ("marks", _bears_nothing)),
    f.Doubted: (("unsure", _doubted),),
    f.SeatTaken: (("seats", _seat),),
    f.GameEnded: (("end", _ended),),
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
