"""Marches: moves that follow each other joined; and facts walked back: who stood where before, and at each fight."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

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


def went_on(facts: Iterable[f.Fact]) -> list[f.Moved]:
    """The moves that were marches, and not a part of any fight."""
    return [fact for fact in facts if isinstance(fact, f.Moved) and fact.how not in BY_COMBAT]


@dataclass(frozen=True)
class FoughtAt:
    """An attack, with where its attackers stood at that moment."""

    fact: f.Fought
    side: str
    sources: tuple[str, ...]


@dataclass
class WalkedBack:
    """Where every unit stood before the facts, the fights in their order, and the steps that units lost."""

    before: dict[str, str]
    fights: list[FoughtAt] = field(default_factory=list)
    losses: dict[str, int] = field(default_factory=dict)


def walked_back(where: Mapping[str, str], facts: Sequence[f.Fact], roster: Roster) -> WalkedBack:
    """The facts that led to this position, from the last to the first."""
    found = WalkedBack(dict(where))
    for fact in reversed(facts):
        match fact:
            case f.Moved():
                found.before[fact.unit] = fact.path[0]
            case f.Eliminated():
                found.before[fact.unit] = fact.at
            case f.Placed():
                found.before.pop(fact.unit, None)
            case f.StepLost():
                found.losses[fact.unit] = found.losses.get(fact.unit, 0) + fact.steps
            case f.Fought() if fact.attackers:
                sources = dict.fromkeys(found.before.get(unit, "") for unit in fact.attackers)
                found.fights.append(FoughtAt(fact, roster.get(fact.attackers[0]).side, tuple(sources)))
    found.fights.reverse()
    return found
