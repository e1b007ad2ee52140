"""Supply: what sources reach, and lines of a limited length."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Grid
from engine.hexset import HexSet


def traced(
    grid: Grid,
    sources: HexSet,
    open_: HexSet,
    sides: Sequence[HexSet] | None = None,
    ends: HexSet = 0,
) -> HexSet:
    """All hexes with a line of any length to a source; those in `ends` may only be a line's own end."""
    passed = hexset.flood(grid, sources, open_ & ~ends, sides)
    last = open_ & ends
    if not last:
        return passed
    near = hexset.spread(grid, passed) if sides is None else hexset.across(grid, passed, sides)
    return passed | (near | sources) & last


def within_line(grid: Grid, start: HexSet, open_: HexSet, length: int, sides: Sequence[HexSet] | None = None) -> HexSet:
    """All hexes with a line of at most `length` hexes to the start, its own hex counted, the start's not."""
    reached = 0
    for layer in hexset.distance_layers(grid, start, open_, limit=length, sides=sides):
        reached |= layer
    return reached
