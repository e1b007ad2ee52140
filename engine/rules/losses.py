"""Losses: how steps may be taken from several units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def spreads(steps_left: Mapping[str, int], number: int, most: int = 60) -> Iterator[dict[str, int]]:
    """The ways to take that many steps from these units, at most so many of them."""
    names = list(steps_left)

    def take(index: int, left: int) -> Iterator[dict[str, int]]:
        if left == 0:
            yield {}
            return
        if index == len(names):
            return
        name = names[index]
        for amount in range(min(left, steps_left[name]), -1, -1):
            for rest in take(index + 1, left - amount):
                yield {name: amount, **rest} if amount else rest

    for count, spread in enumerate(take(0, number)):
        if count == most:
            return
        yield spread
