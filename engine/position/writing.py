"""The one place that writes to a position: what each fact changes, section by section."""

from collections.abc import Callable, Sequence
from typing import Any

from engine import facts as f
from engine.position.position import ELIMINATED, LAST_SEEN, UNKNOWN, UNSEEN, Position

Said = dict[str, Any]  # what a fact says, by its fields
Write = Callable[[Position, Said], object]


def apply(position: Position, fact: f.Fact) -> None:
    """The fact happens, in truth and in the view of each side that may know it; to a reader's own position, simply."""
    views, kind, said = position.views, type(fact), fact.__dict__
    only = said["only"]
    if (
        len(views) < len(position.setting.chairs)
        and position.reader is None
        and (views or only is not None or kind in _OPENS_VIEWS)
    ):
        _open_views(position)
    if kind not in _WRITERS and not kind.changes_position:
        return
    knowing = [position]
    if only is None:
        knowing += views.values()
    else:
        for side, view in views.items():
            if side in only:
                knowing.append(view)
    if kind in _OF_ONE:
        knowing = _only(knowing, said["by"])
    common = position.common
    for section, write in _WRITERS[kind]:
        if section not in common:
            for known in knowing:
                if section in known.digests or section in known.shared:
                    known.open(section)
                write(known, said)
        elif kind in _OF_ONE:
            _write_apart(knowing, position, section, write, said)
        else:
            _write_in_common(knowing, position, section, write, said)
    for known in knowing:
        known.changes += 1


def _only(knowing: list[Position], reader: str) -> list[Position]:
    return [known for known in knowing if known.reader == reader]


def _open_views(position: Position) -> None:
    """From the first thing that somebody may not know, each side has its own knowledge."""
    for side in position.setting.chairs:
        if side not in position.views:
            position.views[side] = position.as_seen_by(side)


def _write_in_common(knowing: list[Position], truth: Position, section: str, write: Write, said: Said) -> None:
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
            write(known, said)


def _write_apart(knowing: list[Position], truth: Position, section: str, write: Write, said: Said) -> None:
    """What one side comes to know, or no longer knows, is nothing new to anybody else."""
    for known in knowing:
        if known in truth.in_common(section):
            known.part(section)
        known.open(section)
        write(known, said)


def _stage(p: Position, said: Said) -> None:
    p.stage, p.turn, p.side = said["stage"], said["turn"], said["side"]


def _turned(p: Position, said: Said) -> None:
    p.put(said["unit"], "turned")
    p.put(said["into"], said["at"])


def _laid_down(p: Position, said: Said) -> None:
    if said["lost"] is not None:
        p.lose(said["unit"], said["lost"])


def _marked(p: Position, said: Said) -> None:
    p.set_mark(said["subject"], said["mark"], said["value"])


def _noted(p: Position, said: Said) -> None:
    mark = said["mark"]
    p.set_mark(said["subject"], mark, said["value"])
    p.noted.add(mark)


def _drew(p: Position, said: Said) -> None:
    pool = said["pool"]
    if pool in p.pools:  # a reader who was never told what is in it goes on not knowing
        items = list(p.pools[pool])
        items.remove(said["item"])
        p.pools[pool] = tuple(items)


def _seen_how_well(p: Position, said: Said) -> None:
    p.unsure.pop(said["unit"], None)
    if said["lost"] is None:
        p.unsure[said["unit"]] = UNKNOWN


def _out_of_sight(p: Position, said: Said) -> None:
    if said["kept"]:
        p.unsure.setdefault(said["unit"], LAST_SEEN)
    else:
        p.unsure.pop(said["unit"], None)


def _seen_marks(p: Position, said: Said) -> None:
    unit, marks = said["unit"], dict(said["marks"])
    for mark in {*p.bear_none(unit), *marks}:
        p.marked[mark] = p.marked.get(mark, 0) + 1
    p.bear(unit, marks)


def _ended(p: Position, said: Said) -> None:
    p.ended, p.winner, p.points = said["result"], said["winner"], said["points"]


Writer = tuple[str, Write]
_PLACED: Writer = ("where", lambda p, said: p.put(said["unit"], said["at"]))
_STIRRED: Writer = ("where", lambda p, said: p.stir(p.setting.roster.get(said["unit"]).side))
_SURE: Writer = ("unsure", lambda p, said: p.unsure.pop(said["unit"], None))
_UNMARKED: Writer = ("marks", lambda p, said: p.bear_none(said["unit"]))
_OF_ONE = {f.Sighted, f.LostSight, f.Doubted}  # what changes only what one side knows
_OPENS_VIEWS = {f.LostSight, f.Doubted}
# The sections of the position that each fact changes, and how.
_WRITERS: dict[type[f.Fact], tuple[Writer, ...]] = {
    f.StageBegan: (("clock", _stage),),
    f.Placed: (_PLACED, ("lost", _laid_down)),
    f.Moved: (("where", lambda p, said: p.put(said["unit"], said["path"][-1])),),
    f.StepLost: (
        ("lost", lambda p, said: p.lose(said["unit"], p.lost.get(said["unit"], 0) + said["steps"])),
        _STIRRED,
    ),
    f.StepGained: (
        ("lost", lambda p, said: p.lose(said["unit"], p.lost.get(said["unit"], 0) - said["steps"])),
        _STIRRED,
    ),
    f.Eliminated: (("where", lambda p, said: p.put(said["unit"], ELIMINATED)), _UNMARKED, _SURE),
    f.Turned: (
        ("where", _turned),
        ("marks", lambda p, said: p.bear(said["into"], p.bear_none(said["unit"]))),
    ),
    f.Marked: (("marks", _marked),),
    f.Noted: (("marks", _noted),),
    f.Wiped: (("marks", lambda p, said: p.wipe(said["marks"], said["side"])),),
    f.Counted: (("tracks", lambda p, said: p.tracks.update({said["track"]: said["value"]})),),
    f.TookHex: (("owners", lambda p, said: p.own(said["hex"], said["side"])),),
    f.Pooled: (("pools", lambda p, said: p.pools.update({said["pool"]: said["items"]})),),
    f.Drew: (("pools", _drew),),
    f.Sighted: (
        _PLACED,
        ("lost", lambda p, said: p.lose(said["unit"], said["lost"] or 0)),
        ("unsure", _seen_how_well),
        ("marks", _seen_marks),
    ),
    f.LostSight: (
        ("where", lambda p, said: p.put(said["unit"], UNSEEN)),
        ("lost", lambda p, said: None if said["kept"] else p.lose(said["unit"], 0)),
        _UNMARKED,
        ("unsure", _out_of_sight),
    ),
    f.Doubted: (("unsure", lambda p, said: p.unsure.setdefault(said["unit"], LAST_SEEN)),),
    f.SeatTaken: (("seats", lambda p, said: p.seats.update({said["seat"]: said["side"]})),),
    f.GameEnded: (("end", _ended),),
}


def suppose(position: Position, happened: Sequence[f.Fact]) -> Position:
    """A what-if position: never logged, never kept."""
    twin = position.copy()
    for fact in happened:
        apply(twin, fact)
    return twin
