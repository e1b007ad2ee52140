"""The table: a position with everything around it that rule procedures read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from engine.board import Board
from engine.facts import Fact
from engine.hexes import Grid
from engine.orders.fields import Reading
from engine.pieces import Roster, Unit
from engine.position import Position, suppose
from engine.view import view

if TYPE_CHECKING:
    from engine.game import Game

T = TypeVar("T")


class Memory(dict[Hashable, Any]):
    """What was worked out, and of which count of the position's changes."""

    of = -1


class Table:
    """What a procedure is given. The same functions serve the truth and what one side sees of it."""

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.position = position
        self.board: Board = game.board
        self.grid: Grid = game.board.grid
        self.roster: Roster = game.setting.roster
        self.data: Any = game.data
        self._until_next_fact = Memory()
        self._while_still = Memory()
        self._seen: dict[str, Table] = {}

    def unit(self, name: str) -> Unit:
        return self.roster.get(name)

    def enemy(self, side: str) -> str:
        """The other side of a game of two."""
        first, second = self.game.setting.sides
        return second if side == first else first

    def seen_by(self, side: str) -> Table:
        """The table as one side sees it: what checks, options, forecasts and conditions read."""
        seen = view(self.position, side)
        if seen is self.position:
            return self
        known = self._seen.get(side)
        if known is None or known.position is not seen:
            known = self._seen[side] = Table(self.game, seen)
        return known

    def suppose(self, happened: Sequence[Fact]) -> Table:
        """A what-if table."""
        return Table(self.game, suppose(self.position, happened))

    def keep(self, key: Hashable, work_out: Callable[[], T], *, still: bool = False) -> T:
        """Something worked out from the position, kept until the next fact.

        With `still`, from where units are and their steps alone: kept until one of them moves, comes, goes, or changes.
        """
        memory, now = self._until_next_fact, self.position.changes
        if still:
            memory, now = self._while_still, self.position.stirred
        if memory.of != now:
            memory.clear()
            memory.of = now
        if key not in memory:
            memory[key] = work_out()
        kept: T = memory[key]
        return kept

    def reading(self, side: str) -> Reading:
        """What a line written by that side is read against."""
        return Reading(side, view(self.position, side), self.game.place_names)
