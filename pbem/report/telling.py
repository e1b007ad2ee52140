"""What happened, phase by phase: who came, who went where, who fought, what was marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine import facts as f
from engine.game import Game
from pbem.report.battles import battles, continued, notes, place
from pbem.report.marked import bookkeeping, is_quiet, mark_groups
from pbem.report.report import Battle, March, Note, Phase
from pbem.report.seen import Before, Seen, deeds, stages
from pbem.wording.words import stage_name

ARRIVALS = ("enter",)  # ways of moving that bring a unit on to the map
HOW = {"rail": "by rail"}

Marks = list[tuple[Seen, f.Marked]]


def phases(game: Game, before: Before, items: Sequence[Seen]) -> tuple[tuple[Phase, ...], tuple[Note, ...]]:
    """The phases that a report tells of, and what only the rules care for."""
    found: list[Phase] = []
    quiet: Marks = []
    for stage in stages(items):
        first = stage[0].fact
        if isinstance(first, f.StageBegan):
            found.append(_phase(game, _title(first), (stage[0].id,), stage[1:], quiet))
        else:  # only the first can be the rest of one that began earlier
            found.append(_phase(game, _title(before.stage), (), stage, quiet, before.fought))
    return tuple(phase for phase in found if phase.told or not phase.uneventful), bookkeeping(quiet)


def _title(began: f.StageBegan | None) -> str:
    if began is None:
        return "Before the first turn"
    whose = f", {began.side}" if began.side and began.side not in began.stage else ""
    return f"Turn {began.turn}: {stage_name(began.stage)}{whose}"


@dataclass
class _Told:
    """What of a phase was sorted so far."""

    marks: Marks = field(default_factory=list)
    moves: list[tuple[Seen, f.Moved]] = field(default_factory=list)
    placed: list[tuple[Seen, f.Placed]] = field(default_factory=list)
    rest: list[Seen] = field(default_factory=list)
    battles: list[Battle] = field(default_factory=list)


def _phase(
    game: Game, title: str, told: tuple[str, ...], stage: Sequence[Seen], quiet: Marks, fought: f.Fought | None = None
) -> Phase:
    loud: list[Seen] = []
    for item in stage:
        if isinstance(item.fact, f.Marked) and is_quiet(item.fact, game.marks):
            quiet.append((item, item.fact))
        elif not isinstance(item.fact, f.GameEnded):
            loud.append(item)
    sorted_ = _Told()
    for deed in deeds(loud):
        if fought is not None and deed[0] is loud[0] and not deed[0].opens:
            sorted_.battles += continued(game, fought, deed)
        elif any(isinstance(item.fact, f.Fought) for item in deed):
            sorted_.battles += battles(game, deed)
        else:
            _sort(deed, sorted_)
    arrived = [(item, move) for item, move in sorted_.moves if move.how in ARRIVALS]
    return Phase(
        title=title,
        notes=tuple(notes(game, sorted_.rest)),
        groups=mark_groups(sorted_.marks, game.marks),
        arrivals=(*_entered(game, arrived), *_placed(game, sorted_.placed)),
        marches=tuple(_marches((item, move) for item, move in sorted_.moves if move.how not in ARRIVALS)),
        battles=tuple(sorted_.battles),
        told=told,
    )


def _sort(deed: Iterable[Seen], told: _Told) -> None:
    for item in deed:
        if isinstance(item.fact, f.Marked):
            told.marks.append((item, item.fact))
        elif isinstance(item.fact, f.Moved):
            told.moves.append((item, item.fact))
        elif isinstance(item.fact, f.Placed):
            told.placed.append((item, item.fact))
        else:
            told.rest.append(item)


def _entered(game: Game, moves: Sequence[tuple[Seen, f.Moved]]) -> Iterator[Note]:
    for item, move in moves:
        spot = place(game, move.path[-1])
        way = f" by {'-'.join(move.path[:-1])}" if len(move.path) > 1 else ""
        yield Note(f"{move.unit} entered the map at {spot}{way}", move.because, (item.id,))


def _placed(game: Game, placed: Sequence[tuple[Seen, f.Placed]]) -> Iterator[Note]:
    """By place, in the order of the first to come there; a unit put here and there is told where it was left."""
    last: dict[str, tuple[f.Placed, list[str]]] = {}
    for item, fact in placed:
        _, ids = last.get(fact.unit, (fact, []))
        last[fact.unit] = fact, [*ids, item.id]
    where: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for fact, ids in last.values():
        units, told = where.setdefault((fact.at, fact.because), ([], []))
        units.append(f"{fact.unit} (lost {fact.lost})" if fact.lost else fact.unit)
        told += ids
    for (at, case), (units, told) in where.items():
        yield Note(f"{place(game, at)}: {', '.join(units)}", case, tuple(told))


def _marches(moves: Iterable[tuple[Seen, f.Moved]]) -> Iterator[March]:
    """A unit's moves of a phase joined to one, and units that went the same way together."""
    ways: dict[str, list[tuple[list[str], str, list[str]]]] = {}
    for item, move in moves:
        own = ways.setdefault(move.unit, [])
        if own and own[-1][0][-1] == move.path[0] and own[-1][1] == move.how:
            own[-1][0].extend(move.path[1:])
            own[-1][2].append(item.id)
        else:
            own.append((list(move.path), move.how, [item.id]))
    together: dict[tuple[tuple[str, ...], str], tuple[list[str], list[str]]] = {}
    for unit, own in ways.items():
        for path, how, told in own:
            units, ids = together.setdefault((tuple(path), how), ([], []))
            units.append(unit)
            ids += told
    for (path_, how), (units, ids) in together.items():
        said = "" if how == "move" else HOW.get(how, how)
        way = " ".join(path_[1:-1])
        yield March(", ".join(units), path_[0], path_[-1], len(path_) - 1, way, said, tuple(ids))
