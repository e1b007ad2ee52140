"""The table: a position with everything around it that rule procedures read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from typing_extensions import TypeVar as TypeVarWithDefault

from engine.board import Board
from engine.facts import Fact
from engine.hexes import Grid
from engine.orders.fields import Reading
from engine.pieces import Roster, Unit
from engine.position import Position, suppose
from engine.view import view

if TYPE_CHECKING:
    from engine.game import Game

D = TypeVarWithDefault("D", default=Any)  # a rulebook's own figures; whoever serves all rulebooks leaves it out
T = TypeVar("T")
P = ParamSpec("P")
MOST_KEPT = 10_000  # answers of one kind: more of them are old ones


class Memory(dict[Hashable, Any]):
    """What was worked out, and of which count of the position's changes."""

    __slots__ = ("looked", "of")

    def __init__(self) -> None:
        self.of: Hashable = -1
        self.looked = -1  # at which count of the position's changes that was last found to be so


class Table(Generic[D]):
    """What a procedure is given. The same functions serve the truth and what one side sees of it."""

    def __init__(self, game: Game[D], position: Position) -> None:
        self.game = game
        self.position = position
        self.board: Board = game.board
        self.grid: Grid = game.board.grid
        self.roster: Roster = game.setting.roster
        self.unit: Callable[[str], Unit] = self.roster.get
        self.data = game.data
        self.memories: dict[Hashable, Memory] = {}  # what `kept` functions have worked out, by what it rests on
        self._seen: dict[str, Table[D]] = {}

    def enemy(self, side: str) -> str:
        """The other side of a game of two."""
        first, second = self.game.setting.sides
        return second if side == first else first

    def seen_by(self, side: str) -> Table[D]:
        """The table as one side sees it: what checks, choices, forecasts and conditions read."""
        seen = view(self.position, side)
        if seen is self.position:
            return self
        known = self._seen.get(side)
        if known is None or known.position is not seen:
            known = self._seen[side] = Table(self.game, seen)
        return known

    def suppose(self, happened: Sequence[Fact]) -> Table[D]:
        """A what-if table."""
        return Table(self.game, suppose(self.position, happened))

    def reading(self, side: str, amounts: Iterable[tuple[str, int]] = ()) -> Reading:
        """What a line written by that side is read against; `amounts` are those of the question it answers."""
        game = self.game
        return Reading(side, view(self.position, side), game.place_names, game.spoken_of, dict(amounts))


Worked = Callable[Concatenate[Table[Any], P], T]


def kept(work_out: Worked[P, T]) -> Worked[P, T]:
    """Worked out once from the position, and kept until the next fact."""

    # As `_keeping` does it, written out, here and below: rules ask these two most of all.
    def keeping(table: Table[Any], /, *given: P.args, **named: P.kwargs) -> T:
        memory = table.memories.get(work_out)
        if memory is None:
            memory = table.memories[work_out] = Memory()
        if memory.of != (now := table.position.changes):
            memory.clear()
            memory.of = now
        found: T
        try:
            found = memory[given]
        except KeyError:
            found = memory[given] = work_out(table, *given, **named)
        return found

    update_wrapper(keeping, work_out)
    return keeping


def kept_for_good(work_out: Worked[P, T]) -> Worked[P, T]:
    """Kept as long as the game, for all its tables: it rests on the pieces and figures alone."""

    def keeping(table: Table[Any], /, *given: P.args, **named: P.kwargs) -> T:
        memory = table.game.remembered.get(work_out)
        if memory is None:
            memory = table.game.remembered[work_out] = {}
        found: T
        try:
            found = memory[given]
        except KeyError:
            if len(memory) > MOST_KEPT:
                memory.clear()
            found = memory[given] = work_out(table, *given, **named)
        return found

    update_wrapper(keeping, work_out)
    return keeping


def kept_while_still(*marks: str, owners: bool = False) -> Callable[[Worked[P, T]], Worked[P, T]]:
    """Kept until a unit moves, comes, goes or changes its steps, or one of the marks named is set or taken off.

    With `owners` only as long as no hex changes hands.
    """

    def count(table: Table[Any], given: tuple[Any, ...]) -> Hashable:
        position = table.position
        stirred = position.stirred_of[""]
        taken = tuple(position.taken_by.items()) if owners else ()
        return (stirred, taken, *map(position.marked.get, marks)) if marks or owners else stirred

    return lambda work_out: _keeping(work_out, count)


def kept_while_side_still(*marks: str) -> Callable[[Worked[P, T]], Worked[P, T]]:
    """The same for what rests on the units of one side alone: the side is the first thing given."""

    def count(table: Table[Any], given: tuple[Any, ...]) -> Hashable:
        stirred, marked = table.position.stirred_of[given[0]], table.position.marked
        return (stirred, *map(marked.get, marks)) if marks else stirred

    return lambda work_out: _keeping(work_out, count, by_first=True)


def kept_while_marked(work_out: Worked[P, T]) -> Worked[P, T]:
    """Kept until the mark that is the first thing given is set or taken off anywhere."""
    return _keeping(work_out, lambda table, given: table.position.marked.get(given[0]), by_first=True)


def _keeping(
    work_out: Worked[P, T], count: Callable[[Table[Any], tuple[Any, ...]], Hashable], *, by_first: bool = False
) -> Worked[P, T]:
    def keeping(table: Table[Any], /, *given: P.args, **named: P.kwargs) -> T:
        where: Hashable = (work_out, given[0]) if by_first else work_out
        memory = table.memories.get(where)
        if memory is None:
            memory = table.memories[where] = Memory()
        if memory.looked != (changes := table.position.changes):  # nothing has happened since: nothing is counted
            memory.looked = changes
            now = count(table, given)
            if memory.of != now:
                memory.clear()
                memory.of = now
        found: T
        try:
            found = memory[given]
        except KeyError:  # what is kept is known by what is given in order
            found = memory[given] = work_out(table, *given, **named)
        return found

    update_wrapper(keeping, work_out)
    return keeping


def kept_under(rests_on: Callable[..., object]) -> Callable[[Worked[P, T]], Worked[P, T]]:
    """Kept for what is given as long as all that it rests on, which the other function tells, is as it was.

    For what is asked of many units after every order, most of which an order leaves as they were.
    """

    def wrap(work_out: Worked[P, T]) -> Worked[P, T]:
        def keeping(table: Table[Any], /, *given: P.args, **named: P.kwargs) -> T:
            memory = table.memories.get(work_out)
            if memory is None or len(memory) > MOST_KEPT:
                memory = table.memories[work_out] = Memory()
            now, known = rests_on(table, *given, **named), memory.get(given)
            if known is not None and known[0] == now:
                kept: T = known[1]
                return kept
            found = work_out(table, *given, **named)
            memory[given] = (now, found)
            return found

        update_wrapper(keeping, work_out)
        return keeping

    return wrap
