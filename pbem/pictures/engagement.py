"""A few fights that lie close together, large enough to be read on a telephone."""

from collections.abc import Sequence

from engine import facts as f
from engine.table import Table
from pbem.pictures.empty_board import TITLE
from pbem.pictures.events import Fight, PaintedStory
from pbem.pictures.front import front_line
from pbem.pictures.look import look_of
from pbem.pictures.pictures import ground_at, laid_out
from pbem.pictures.shapes import Picture
from pbem.tale.walked_back import FoughtAt

PIXELS = 104.0  # from hex to hex: shown at half its width, a hex is 52 pixels of a telephone
ACROSS = 680
WIDE = ACROSS / PIXELS
LOW, HIGH = 3.6, 6.0
AROUND = 0.85  # from the middle of the outermost hex to the edge


def engagement(table: Table, fights: Sequence[tuple[int, FoughtAt]], facts: Sequence[f.Fact]) -> Picture:
    """Fights with their numbers, and what came of them; of all else only where it stands now.

    The table is the reader's own view, and so are the facts.
    """
    look, grid = look_of(table.game), table.grid
    story = PaintedStory(table, look, facts, small=False)
    story.fights = [
        Fight(at.fact, at.side, tuple(story.hexes(at.sources)), tuple(story.hexes(at.fact.targets)), number)
        for number, at in fights
    ]
    needed = [grid.centre(h) for fight in story.fights for h in (*fight.sources, *fight.targets)]
    needed += [grid.centre(h) for fight in story.fights[:1] for h in story.hexes(fight.fact.targets)]
    below = ground_at(table.game, look, PIXELS, table.position.turn == 0)
    wished = needed + [grid.centre(h) for h in story.fought_in()]
    left, right = _span([x for x, _ in wished], [x for x, _ in needed], WIDE, WIDE, below.left, below.right)
    top, bottom = _span([y for _, y in wished], [y for _, y in needed], LOW, HIGH, below.top + TITLE, below.bottom)
    picture = Picture(left, top, right, bottom, look.paper["table"], "", [], below, PIXELS)
    held = {side: table.position.held(side) for side in table.game.sides}
    both = len(held) > 1 and all(held.values())
    under = [*story.taken(), *(front_line(table.game.shown, look, held, held) if both else ()), *story.arrows()]
    frame = (left + 0.05, top + 0.05, right - 0.05, bottom - 0.05)
    over = [*story.thrusts(), *story.fallen(), *story.results(frame)]
    picture.add(*laid_out(table, look, under, over, story.losses, picture))
    return picture


def _span(
    wished: Sequence[float], needed: Sequence[float], least: float, most: float, edge: float, far: float
) -> tuple[float, float]:
    """From where to where: all that is wished for if it fits, in any case what is needed; never beyond the sheet."""
    low, high = min(wished) - AROUND, max(wished) + AROUND
    if high - low > most:
        low, high = min(needed) - AROUND, max(needed) + AROUND
    size = min(max(high - low, least), most)
    start = (low + high - size) / 2
    start = max(edge, min(start, far - size))
    return start, min(far, start + size)
