"""Movement: a path walked hex by hex, and where and why it is blocked."""

from collections.abc import Sequence
from itertools import pairwise

from engine import hexset
from engine.hexes import Grid, Hex, opposite
from engine.hexset import HexSet

Exits = dict[int, tuple[HexSet, ...]]


def closed_to(grid: Grid, exits: Exits, never: HexSet, sides: Sequence[HexSet] | None = None) -> Exits:
    """The exits that do not lead into `never`, nor over the closed hexsides (by the hex left, per direction)."""
    into = [hexset.step(grid, never, opposite(d)) | (sides[d] if sides else 0) for d in range(6)]
    return {cost: tuple(mask & ~shut for mask, shut in zip(masks, into, strict=True)) for cost, masks in exits.items()}


def joined(grid: Grid, path: Sequence[Hex]) -> int | None:
    """The place in the path where two hexes do not touch; None if all do."""
    for index, (here, there) in enumerate(pairwise(path)):
        if grid.direction(here, there) is None:
            return index
    return None


def cost_of_step(exits: Exits, grid: Grid, here: Hex, there: Hex) -> int | None:
    """What the exits ask for one step; None if they do not allow it."""
    direction = grid.direction(here, there)
    if direction is None:
        return None
    costs = [cost for cost, masks in exits.items() if masks[direction] >> here & 1]
    return min(costs, default=None)
