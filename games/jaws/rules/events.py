"""The Event and Replacement/Reinforcement Phases (3.2-E1, E2, F1, F2): their segments in the book's order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.asks import Procedure
from engine.facts import Fact, Noted
from engine.orders.order import Order
from engine.rules.marks import game_mark, set_game
from games.jaws.data import SOVIET, Table
from games.jaws.orders.events import Barrage, Boundary, Replace
from games.jaws.orders.movement import Enter
from games.jaws.orders.optional import Send
from games.jaws.rules import movement, movement_options
from games.jaws.rules.barrage.batteries import creation, deployment
from games.jaws.rules.barrage.fire import barrage_segment
from games.jaws.rules.boundary import boundary_segment
from games.jaws.rules.closing import to_its_end
from games.jaws.rules.reinforcements import arrivals, reinforcement_segment
from games.jaws.rules.replacements.segment import GERMAN_ONLY, replacement_segment, replacements_begin

SEGMENT = "segment"  # the segment that has begun: a game entered here goes on in it

Onward = tuple[type[Order], ...]


def nothing(table: Table, side: str) -> Iterator[Fact]:
    """A segment that begins with nothing."""
    yield from ()


def silent(table: Table, side: str, onward: Onward) -> Procedure:
    """A segment in which nobody chooses anything."""
    yield from ()


@dataclass(frozen=True)
class Segment:
    """A part of a phase: what happens as it begins, what the side may do in it, and the orders of what follows."""

    name: str
    does: Callable[[Table, str, Onward], Procedure]
    onward: Onward
    begins: Callable[[Table, str], Procedure | Iterator[Fact]] = nothing


MOVES: Onward = (*movement.VERBS, *movement_options.OPTIONAL)
ENTRIES: Onward = (Send, Enter, *MOVES)

SPENDING: Onward = (Replace, *GERMAN_ONLY, *ENTRIES)

SOVIET_SEGMENTS = (
    Segment("deployment", silent, (), deployment),  # E1A
    Segment("creation", creation, (Barrage, Boundary, *SPENDING)),  # E1B
    Segment("barrage", barrage_segment, (Boundary, *SPENDING)),  # E1C
    Segment("boundary", boundary_segment, SPENDING),  # E1D
    Segment("replacement", replacement_segment, ENTRIES, replacements_begin),  # E2A
    Segment("reinforcement", reinforcement_segment, MOVES, arrivals),  # E2B
)
GERMAN_SEGMENTS = (
    Segment("replacement", replacement_segment, ENTRIES, replacements_begin),  # F2A
    Segment("reinforcement", reinforcement_segment, MOVES, arrivals),  # F2B
)


def events_stage(table: Table, side: str) -> Procedure:
    """3.2-E1, E2, F1, F2: one segment after another; whoever writes an order of a later one has closed those before."""
    segments = SOVIET_SEGMENTS if side == SOVIET else GERMAN_SEGMENTS
    names = [segment.name for segment in segments]
    begun = game_mark(table, SEGMENT)
    first = names.index(begun) if begun in names else 0
    for segment in segments[first:]:
        if game_mark(table, SEGMENT) != segment.name:
            yield from segment.begins(table, side)
            yield from set_game(table, SEGMENT, segment.name, "3.2", Noted)
        yield from to_its_end(segment.does(table, side, segment.onward), segment.name, side)
    yield from set_game(table, SEGMENT, None, "3.2", Noted)
