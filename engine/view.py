"""What one side may see: of the position, and of what happened."""

from __future__ import annotations

from collections.abc import Iterable

from engine import facts as f
from engine.position import Position


def view(position: Position, side: str) -> Position:
    """The position as a side sees it: the position itself as long as nothing was ever hidden from anybody."""
    return position.views.get(side, position)


def visible(facts: Iterable[f.Fact], side: str) -> list[f.Fact]:
    """The facts that a side may know."""
    return [fact for fact in facts if fact.seen_by(side)]
