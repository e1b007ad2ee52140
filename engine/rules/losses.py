"""Losses: how steps may be taken from several units."""

from collections.abc import Callable, Iterator, Mapping, Sequence


def filled(
    named: Sequence[tuple[str, int]],
    steps_left: Mapping[str, int],
    number: int,
    dearness: Callable[[str, Mapping[str, int], Mapping[str, int]], tuple[float | str, ...]],
) -> tuple[tuple[str, int], ...]:
    """So many steps: those named as far as they are wanted, then of whoever is least dear as things stand by then."""
    left, taken = dict(steps_left), dict[str, int]()
    wanted = [unit for unit, steps in named for _ in range(steps)]
    for _ in range(min(number, sum(left.values()))):
        able = [unit for unit, steps in left.items() if steps > 0]
        said = wanted.pop(0) if wanted else min(able, key=lambda unit: dearness(unit, left, taken))
        left[said] = left.get(said, 0) - 1
        taken[said] = taken.get(said, 0) + 1
    return tuple(taken.items())


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
