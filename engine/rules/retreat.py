"""Retreats: every way of a given length that leads straight away."""

from collections.abc import Callable, Iterator

from engine.hexes import Grid, Hex
from engine.hexset import HexSet

Way = tuple[Hex, ...]  # the hex left, then every hex entered


def ways(
    grid: Grid,
    start: Hex,
    length: int,
    open_: HexSet,
    step_allowed: Callable[[Hex, Hex], bool],
) -> Iterator[Way]:
    """All ways of that length over open hexes on which every step leads one hex further from the start."""

    def onward(way: Way) -> Iterator[Way]:
        if len(way) > length:
            yield way
            return
        for there in grid.neighbours(way[-1]):
            further = grid.distance(start, there) == len(way)
            if further and open_ >> there & 1 and step_allowed(way[-1], there):
                yield from onward((*way, there))

    return onward((start,))


def best_ways(found: list[Way], faults: Callable[[Way], tuple[int, ...]]) -> list[Way]:
    """Only the ways with the fewest faults, counted in order of weight: a worse one is legal only if no better is."""
    if not found:
        return []
    weighed = [(faults(way), way) for way in found]
    least = min(weight for weight, _ in weighed)
    return [way for weight, way in weighed if weight == least]
