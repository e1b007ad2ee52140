"""What one side may see: of the position, and of what happened."""

from collections.abc import Iterable

from engine import facts as f
from engine.position import Position


def view(position: Position, side: str) -> Position:
    """The position as a side sees it: the position itself as long as nothing was ever hidden from anybody."""
    return position.views.get(side, position)


def as_known(position: Position, side: str) -> Position:
    """The position if there were no units and no marks but those that a side knows of: itself if it knows them all."""
    seen = view(position, side)
    if (seen.where, seen.lost, seen.marks) == (position.where, position.lost, position.marks):
        return position
    known = seen.copy()
    known.reader = None  # what is tried out on it happens in the views too
    known.pools = dict(position.pools)  # what is in them shows only when it is drawn, and that takes a die
    known.views = {other: one.copy() for other, one in position.views.items()}
    return known


def visible(facts: Iterable[f.Fact], side: str) -> list[f.Fact]:
    """The facts that a side may know."""
    return [fact for fact in facts if fact.seen_by(side)]
