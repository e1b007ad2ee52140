"""What happened, drawn on the map: moves, attacks, retreats, losses, hexes that changed hands, the front."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from engine import facts as f
from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.position import ELIMINATED, Position
from engine.table import Table
from pbem.pictures import lettering
from pbem.pictures.counters import counter, face_of, fan
from pbem.pictures.curves import shortened
from pbem.pictures.look import Look, look_of
from pbem.pictures.regions import front_line
from pbem.pictures.shapes import Box, Circle, Extent, Group, Path, Point, Polygon, Shape, Strokes, Text
from pbem.tale.marches import BY_COMBAT, FoughtAt, marches, walked_back

# How a way of moving is drawn: width, dashes.
_ARROWS: dict[str, tuple[float, tuple[float, ...]]] = {
    "retreat": (0.075, (0.13, 0.07)),
    "advance": (0.11, ()),
    "rail": (0.06, (0.05, 0.06)),
}
_MARCH: tuple[float, tuple[float, ...]] = (0.065, ())
EVERYWHERE = Extent(-1000.0, -1000.0, 1000.0, 1000.0)


@dataclass
class Fight:
    """An attack, with where everybody stood at that moment."""

    fact: f.Fought
    side: str
    sources: tuple[Hex, ...]
    targets: tuple[Hex, ...]
    number: int = 0  # under which a letter tells of it


class PaintedStory:
    """What happened as shapes: the facts, walked back from the position they led to, for who sees this much of it."""

    def __init__(self, seen: Table, facts: Sequence[f.Fact], numbered: Sequence[tuple[int, FoughtAt]] = ()) -> None:
        self.seen, self.look, self.facts, self.close = seen, look_of(seen.game), facts, bool(numbered)
        self.grid: Grid = seen.grid
        past = walked_back(seen.position.where, facts, seen.position.setting.roster)
        self.before, self.losses = past.before, past.losses
        self.fights = [
            Fight(at.fact, at.side, tuple(self.hexes(at.sources)), tuple(self.hexes(at.fact.targets)), number)
            for number, at in numbered or [(0, at) for at in past.fights]
        ]

    def hexes(self, places: Iterable[str]) -> Iterator[Hex]:
        yield from (h for place in places if (h := self.grid.find(place)) is not None)

    # -- where

    def fought_in(self) -> set[Hex]:
        """The hexes that fighting touched: attackers, targets, and who fell back, came after or fell."""
        found = {h for fight in self.fights for h in (*fight.sources, *fight.targets)}
        for fact in self.facts:
            if isinstance(fact, f.Moved) and fact.how in BY_COMBAT:
                found.update(self.hexes(fact.path))
            elif isinstance(fact, f.Eliminated):
                found.update(self.hexes([fact.at]))
        return found

    def scene(self) -> set[Hex]:
        """Where it was fought out; where units moved, if nobody fought."""
        moves = (fact for fact in self.facts if isinstance(fact, f.Moved))
        return self.fought_in() or {h for move in moves for h in self.hexes(move.path)}

    # -- under the counters

    def under(self) -> list[Shape]:
        """Ground that changed hands, the front, and marches."""
        return [*self.taken(), *self.front(), *self.arrows()]

    def _held(self) -> dict[str, HexSet]:
        """What each side's counters stood in before."""
        held: dict[str, HexSet] = dict.fromkeys(self.seen.game.sides, 0)
        for unit, place in self.before.items():
            held[self.seen.unit(unit).side] |= hexset.of(self.hexes([place]))
        return held

    def front(self) -> Iterator[Shape]:
        """The front before, except from close by, and now; nothing unless both sides stand on the map."""
        now = {side: self.seen.position.held(side) for side in self.seen.game.sides}
        if len(now) > 1 and all(now.values()):
            before = self._held() if self.facts and not self.close else now
            yield from front_line(self.seen.game.shown, self.look, before, now)

    def taken(self) -> Iterator[Shape]:
        """Hexes that changed hands, hatched in the colour of who has them now."""
        owners = {fact.hex: fact.side for fact in self.facts if isinstance(fact, f.TookHex)}
        before = self._held()
        for side in self.seen.game.sides:
            lost = hexset.union(held for other, held in before.items() if other != side)
            for h in hexset.members(lost & self.seen.position.held(side)):
                owners[self.grid.number_of(h)] = side
        for number, side in owners.items():
            for h in self.hexes([number]):
                yield from self._hatched(h, self.look.sides[side].deep)

    def _hatched(self, h: Hex, colour: str) -> Iterator[Shape]:
        yield Polygon(self.grid.corners(h), fill=f"{colour}30")
        x, y = self.grid.centre(h)
        steps = [(0.13 * step * 0.7, (0.47**2 - (step * 0.13) ** 2) ** 0.5 * 0.7) for step in range(-3, 4)]
        lines = tuple(((x + off - half, y + off + half), (x + off + half, y + off - half)) for off, half in steps)
        yield Strokes(lines, colour, 0.018)

    def arrows(self) -> Iterator[Shape]:
        """Every march once, however many went the same way; a ring where it began."""
        for march in marches(self.facts, self.seen.position.setting.roster):
            points = [self.grid.centre(h) for h in self.hexes(march.path)]
            if len(points) < 2:
                continue
            width, dash = _ARROWS.get(march.how, _MARCH)
            colour = self.look.sides[march.side].deep
            # The end keeps clear of the counter that now stands there, or its head would lie under it.
            line = shortened(points, 0.1, 0.36)
            yield Circle(points[0], 0.09, "#fbf7ea", colour, 0.03)
            if not dash:
                yield Path(tuple(line), "#fbf7ea", width + 0.045, smooth=True)
            yield Path(tuple(line), colour, width, smooth=True, arrow=True, dash=dash)

    # -- over the counters

    def over(self, edges: Extent, small: bool) -> list[Shape]:
        """Thrusts, the fallen, and what came of each fight: with its odds, or a burst where letters were too small."""
        frame = edges.grown(-0.05) if self.close else EVERYWHERE
        return [*self.thrusts(), *self.fallen(), *(self._bursts() if small else self._tags(frame))]

    def thrusts(self) -> Iterator[Shape]:
        """Broad arrows into the target."""
        for fight in self.fights:
            colour = self.look.sides[fight.side].deep
            for target in fight.targets:
                for source in fight.sources:
                    if source != target and self.grid.distance(source, target) <= 2:
                        yield from _thrust(self.grid.centre(source), self.grid.centre(target), colour, fight.fact.kind)

    def _bursts(self) -> Iterator[Shape]:
        turns = [(0.2 if i % 2 else 0.38, pi * i / 8) for i in range(16)]
        for fight in (fight for fight in self.fights if fight.targets):
            x, y = self.grid.centre(fight.targets[0])
            burst = tuple((x + 0.3 + r * cos(t) * 0.7, y + 0.34 + r * sin(t) * 0.7) for r, t in turns)
            yield Polygon(burst, fill="#ffd23f", stroke=self.look.sides[fight.side].deep, width=0.05)

    def _tags(self, frame: Extent) -> Iterator[Shape]:
        """Boxes first: painters are quickest with runs of one kind."""
        centre = self.grid.centre
        tags = [
            Tag(
                f"{f'{fight.number}:  ' if fight.number else ''}{fight.fact.column}  {fight.fact.result}",
                self.look.sides[fight.side].deep,
                centre(fight.targets[0]),
                tuple(map(centre, fight.sources)),
            )
            for fight in self.fights
            if fight.targets
        ]
        stacks = standing_near(self.seen.position, [tag.target for tag in tags])
        spots = list(placed(tags, stacks, self.look, frame))
        for tag, (x, y) in spots:
            yield Box((x - tag.wide / 2, y - TAG / 2), (tag.wide, TAG), 0.06, "#fff8d6", tag.colour, 0.035)
        yield from (Text(spot, tag.words, LETTERS, "#161616", bold=True) for tag, spot in spots)

    def fallen(self) -> Iterator[Shape]:
        """Eliminated units where they fell: small counters, crossed out."""
        here: Counter[Hex] = Counter()
        for fact in (fact for fact in self.facts if isinstance(fact, f.Eliminated)):
            h = self.grid.find(fact.at)
            if h is not None and self.seen.position.where.get(fact.unit) == ELIMINATED:
                (x, y), number = self.grid.centre(h), here[h]
                yield from self._grave(fact.unit, (x - 0.42 + 0.2 * number, y - 0.3 - 0.04 * number))
                here[h] += 1

    def _grave(self, unit: str, at: Point) -> Iterator[Shape]:
        piece = self.seen.unit(unit)
        face = face_of(piece, len(piece.steps) - 1, self.look)
        shapes, title = counter(face, self.look, 0.42, True), f"{piece.name}, eliminated"
        yield Group(shapes, at, name=unit, title=title, kept=True)
        (x, y), half = at, 0.21
        for colour, width in (("#ffffff", 0.11), ("#c0261c", 0.065)):
            for up in (-half, half):
                yield Path(((x - half, y + up), (x + half, y - up)), colour, width)


def _thrust(source: Point, target: Point, colour: str, kind: str) -> Iterator[Shape]:
    """A block arrow over the hexside; an overrun has a second head."""
    dx, dy = target[0] - source[0], target[1] - source[1]

    def at(along: float, across: float) -> Point:
        return source[0] + dx * along - dy * across, source[1] + dy * along + dx * across

    half = ((0.3, 0.07), (0.52, 0.07), (0.52, 0.16), (0.72, 0.0))
    shaft = (*(at(*p) for p in half), *(at(along, -across) for along, across in reversed(half[:3])))
    yield Polygon(shaft, fill=colour, stroke="#ffffff", width=0.035)
    if kind == "overrun":
        head = (at(0.68, 0.16), at(0.88, 0.0), at(0.68, -0.16), at(0.74, 0.0))
        yield Polygon(head, fill=colour, stroke="#ffffff", width=0.035)


# The tags of fights: odds and result beside the target, where no figure on a counter is covered.

LETTERS, TAG = 0.19, 0.26  # how large its letters are, and how high it is
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
        return lettering.width(self.words, True) * LETTERS + 0.16

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

    def fanned(self, look: Look) -> tuple[float, float]:
        """The size of its counters, and how far the lowest and the highest lie from its middle."""
        size, rise, _ = fan(self.units, look.counter)
        return size, rise * (self.units - 1) / 2

    def figures(self, look: Look) -> Extent:
        """Where the values of the counter on top are printed."""
        (x, y), (size, half) = self.at, self.fanned(look)
        return Extent(x - 0.47 * size, y + half + 0.17 * size, x + 0.47 * size, y + half + 0.5 * size)

    def names(self, look: Look) -> Extent:
        """Where the names of its counters are."""
        (x, y), (size, half) = self.at, self.fanned(look)
        return Extent(x - 0.5 * size, y - half - 0.5 * size, x + 0.5 * size, y + half - 0.24 * size)


def placed(tags: Iterable[Tag], stacks: list[StackInView], look: Look, frame: Extent) -> Iterator[tuple[Tag, Point]]:
    """The middle of each tag: on the side away from the attackers, if nothing better speaks against it."""
    bad = [(stack.figures(look), FIGURES) for stack in stacks] + [(stack.names(look), NAMES) for stack in stacks]
    for tag in tags:
        spot = min(_candidates(tag, stacks, look), key=lambda spot: _cost(tag, spot, bad, frame))
        bad.append((_around(tag, spot), TAGS))
        yield tag, spot


def _candidates(tag: Tag, stacks: Sequence[StackInView], look: Look) -> Iterator[Point]:
    """Under and over the stack in the target hex, straight and aside; then further away."""
    target = next((stack for stack in stacks if stack.at == tag.target), StackInView(tag.target, 1))
    size, half = target.fanned(look)
    edge = 0.5 * size + half + TAG / 2 + 0.03
    x, y = tag.target
    for step in range(3):
        for away in (-1, 1) if tag.from_below else (1, -1):
            for aside in ASIDE:
                yield x + aside, y + away * (edge + step * (TAG + 0.03))


def _cost(tag: Tag, spot: Point, bad: Sequence[tuple[Extent, float]], frame: Extent) -> float:
    box = _around(tag, spot)
    outside = TAG * tag.wide - _overlap(box, frame)
    far = abs(spot[0] - tag.target[0]) * 0.06 + abs(spot[1] - tag.target[1]) * 0.12
    wrong_side = 0.05 * ((spot[1] > tag.target[1]) == tag.from_below)
    return outside * OUTSIDE + far + wrong_side + sum(_overlap(box, other) * weight for other, weight in bad)


def _around(tag: Tag, spot: Point) -> Extent:
    (x, y), half = spot, tag.wide / 2
    return Extent(x - half, y - TAG / 2, x + half, y + TAG / 2).grown(0.02)


def _overlap(one: Extent, other: Extent) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def standing_near(position: Position, near: Sequence[Point], reach: float = 1.6) -> list[StackInView]:
    """The stacks near some places."""
    grid = position.setting.grid
    held = {h for unit in position.on_map() if (h := position.hex_of(unit)) is not None}
    found = [(y, x, len(position.at(h))) for h in held for x, y in (grid.centre(h),)]
    close = (one for one in found if any(abs(one[1] - x) < reach and abs(one[0] - y) < reach for x, y in near))
    return [StackInView((x, y), units) for y, x, units in sorted(close)]
