"""The tags of fights: odds and result beside the target, where no figure on a counter is covered."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.position import Position
from pbem.pictures import lettering
from pbem.pictures.counters import fan
from pbem.pictures.look import Look
from pbem.pictures.shapes import Box, Extent, Point, Shape, Text

SIZE = 0.19  # of the letters
HIGH = 0.26
FIGURES, NAMES, TAGS, OUTSIDE = 10.0, 3.0, 40.0, 200.0  # how bad it is to lie over them
ASIDE = (0.0, 0.34, -0.34, 0.62, -0.62)


@dataclass(frozen=True)
class Tag:
    """What to say of a fight, where its target is, and where it came from."""

    words: str
    colour: str
    target: Point
    sources: tuple[Point, ...]

    @property
    def wide(self) -> float:
        return lettering.width(self.words, True) * SIZE + 0.16

    @property
    def from_below(self) -> bool:
        """Whether the attackers stand rather below the target."""
        middle = sum(y for _, y in self.sources) / len(self.sources) if self.sources else self.target[1] - 1
        return middle > self.target[1] + 0.1


@dataclass(frozen=True)
class StackInView:
    """A stack that a tag should not hide: its middle and how many counters it has."""

    at: Point
    units: int

    def figures(self, look: Look) -> Extent:
        """Where the values of the counter on top are printed."""
        size, rise, _ = fan(self.units, look.counter)
        x, y = self.at[0], self.at[1] + rise * (self.units - 1) / 2
        return Extent(x - 0.47 * size, y + 0.17 * size, x + 0.47 * size, y + 0.5 * size)

    def names(self, look: Look) -> Extent:
        """Where the names of its counters are."""
        size, rise, _ = fan(self.units, look.counter)
        (x, y), half = self.at, rise * (self.units - 1) / 2
        return Extent(x - 0.5 * size, y - half - 0.5 * size, x + 0.5 * size, y + half - 0.24 * size)


def tag_shapes(tags: Iterable[Tag], stacks: Sequence[StackInView], look: Look, frame: Extent) -> Iterator[Shape]:
    """Every tag in the best place that is left for it, boxes first: painters are quickest with runs of one kind."""
    spots = list(placed(tags, stacks, look, frame))
    for tag, (x, y) in spots:
        yield Box((x - tag.wide / 2, y - HIGH / 2), (tag.wide, HIGH), 0.06, "#fff8d6", tag.colour, 0.035)
    for tag, spot in spots:
        yield Text(spot, tag.words, SIZE, "#161616", bold=True)


def placed(
    tags: Iterable[Tag], stacks: Sequence[StackInView], look: Look, frame: Extent
) -> Iterator[tuple[Tag, Point]]:
    """The middle of each tag: on the side away from the attackers, if nothing better speaks against it."""
    bad = [(stack.figures(look), FIGURES) for stack in stacks] + [(stack.names(look), NAMES) for stack in stacks]
    for tag in tags:
        spot = min(_candidates(tag, stacks, look), key=lambda spot: _cost(tag, spot, bad, frame))
        bad.append((_around(tag, spot), TAGS))
        yield tag, spot


def _candidates(tag: Tag, stacks: Sequence[StackInView], look: Look) -> Iterator[Point]:
    """Under and over the stack in the target hex, straight and aside; then further away."""
    units = next((stack.units for stack in stacks if stack.at == tag.target), 1)
    size, rise, _ = fan(units, look.counter)
    edge = 0.5 * size + rise * (units - 1) / 2 + HIGH / 2 + 0.03
    x, y = tag.target
    for step in range(3):
        for away in (-1, 1) if tag.from_below else (1, -1):
            for aside in ASIDE:
                yield x + aside, y + away * (edge + step * (HIGH + 0.03))


def _cost(tag: Tag, spot: Point, bad: Sequence[tuple[Extent, float]], frame: Extent) -> float:
    box = _around(tag, spot)
    outside = HIGH * tag.wide - _overlap(box, frame)
    far = abs(spot[0] - tag.target[0]) * 0.06 + abs(spot[1] - tag.target[1]) * 0.12
    wrong_side = 0.05 * ((spot[1] > tag.target[1]) == tag.from_below)
    return outside * OUTSIDE + far + wrong_side + sum(_overlap(box, other) * weight for other, weight in bad)


def _around(tag: Tag, spot: Point) -> Extent:
    (x, y), half = spot, tag.wide / 2
    return Extent(x - half, y - HIGH / 2, x + half, y + HIGH / 2).grown(0.02)


def _overlap(one: Extent, other: Extent) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def standing_near(position: Position, spots: Iterable[Point], reach: float = 1.6) -> list[StackInView]:
    """The stacks near some places."""
    grid, near = position.setting.grid, list(spots)
    held = {h for unit in position.on_map() if (h := position.hex_of(unit)) is not None}
    found = [(y, x, len(position.at(h))) for h in held for x, y in (grid.centre(h),)]
    close = (one for one in found if any(abs(one[1] - x) < reach and abs(one[0] - y) < reach for x, y in near))
    return [StackInView((x, y), units) for y, x, units in sorted(close)]
