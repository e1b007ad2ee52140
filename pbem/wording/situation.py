"""A position as text: where the game stands, what the tracks say, who stands where."""

import textwrap
from collections.abc import Iterator

from engine import facts as f
from engine.game import Game
from engine.position import ELIMINATED, LAST_SEEN, UNKNOWN, Position
from engine.table import Table
from pbem.wording.marks_and_tracks import mark_words, told_tracks, track_name
from pbem.wording.naming import gathered
from pbem.wording.words import plural, stage_name

WIDTH = 72  # what a mail program sends and quotes without breaking a line


def situation(game: Game, position: Position) -> str:
    """The whole position, for a person to read."""
    return "\n".join(part for line in _lines(game, position) for part in _folded(line))


def _folded(line: str) -> list[str]:
    """A line in parts that no mail program breaks again; what goes on stands further in."""
    begins = line[: len(line) - len(line.lstrip())]
    inward = f"{begins}    "
    parts = textwrap.wrap(line.lstrip(), WIDTH, initial_indent=begins, subsequent_indent=inward, break_on_hyphens=False)
    return parts or [""]


def headline(game: Game, position: Position) -> str:
    """Turn and stage in a few words, or how it ended."""
    if position.ended:
        return f"ended: {position.ended}"
    return f"turn {position.turn}, {stage_name(position.stage)}"


def _lines(game: Game, position: Position) -> Iterator[str]:
    yield f"{game.title}, {game.scenario}: {headline(game, position)}"
    summary = game.summary(Table(game, position))
    if summary:
        yield summary
    if position.points:
        yield "Points: " + ", ".join(f"{side} {points}" for side, points in position.points)
    if position.tracks:
        facts = [f.Counted(track=track, value=value) for track, value in sorted(position.tracks.items())]
        yield from (f"{heading}: {', '.join(items)}" for heading, items in told_tracks(game, facts))
    for pool, items in sorted(position.pools.items()):
        yield f"{track_name(pool)}: {', '.join(items) or 'empty'}"
    for subject in ("game", *game.sides):
        if marks := _marks(game, position, subject):
            yield f"{subject}: {', '.join(marks)}"
    hexes = [(s, _marks(game, position, s)) for s in sorted(position.marks) if s.startswith("@")]
    if any(marks for _, marks in hexes):
        yield "Marked on the map: " + "; ".join(f"{s[1:]} {', '.join(marks)}" for s, marks in hexes if marks)
    for side in game.sides:
        yield ""
        yield from _side(game, position, side)


def _side(game: Game, position: Position, side: str) -> Iterator[str]:
    grid, where = position.setting.grid, position.where
    there = gathered((where[u.id], u.id) for u in position.setting.roster if u.side == side and u.id in where)
    on_map = sorted(filter(grid.has, there))
    count = sum(len(there[place]) for place in on_map)
    yield f"{side}: {count} {plural('unit', count)} on the map"
    for place in on_map:
        yield f"  {place}  {', '.join(_unit(game, position, unit) for unit in there[place])}"
    boxes = there.keys() - game.quiet - {*on_map}
    yield from (f"  {box}: {', '.join(there[box])}" for box in sorted(boxes, key=lambda box: (box == ELIMINATED, box)))


def _unit(game: Game, position: Position, unit: str) -> str:
    unsure = position.unsure.get(unit)
    notes = [f"lost {position.lost[unit]}"] if position.lost.get(unit) else []
    notes += {UNKNOWN: ["strength not known"], LAST_SEEN: ["as last seen"]}.get(unsure or "", [])
    notes += _marks(game, position, unit)
    return f"{unit} ({', '.join(notes)})" if notes else unit


def _marks(game: Game, position: Position, subject: str) -> list[str]:
    """The marks on something, in words; not those that only the rules care about."""
    marks = sorted(position.marks.get(subject, {}).items())
    return [mark_words(game, mark, value) for mark, value in marks if mark not in position.noted]
