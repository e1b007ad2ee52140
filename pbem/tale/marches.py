"""Marches: the moves of a unit that follow each other joined, and units that went the same way together."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine import facts as f
from engine.pieces import Roster

BY_COMBAT = ("retreat", "advance")


@dataclass(frozen=True)
class March:
    """Units of a side that went the same way, and the moves that it took."""

    side: str
    path: tuple[str, ...]
    how: str
    units: list[str]
    moves: list[f.Moved]


def marches(facts: Iterable[f.Fact], roster: Roster) -> list[March]:
    """Every way that was gone, once."""
    ways: dict[str, list[list[f.Moved]]] = {}
    for move in facts:
        if not isinstance(move, f.Moved):
            continue
        own = ways.setdefault(move.unit, [])
        if own and own[-1][-1].path[-1] == move.path[0] and own[-1][0].how == move.how:
            own[-1].append(move)
        else:
            own.append([move])
    together: dict[tuple[str, tuple[str, ...], str], March] = {}
    for unit, own in ways.items():
        for moves in own:
            path = (*moves[0].path, *(spot for move in moves[1:] for spot in move.path[1:]))
            way = (roster.get(unit).side, path, moves[0].how)
            march = together.setdefault(way, March(*way, [], []))
            march.units.append(unit)
            march.moves.extend(moves)
    return list(together.values())
