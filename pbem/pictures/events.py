"""What happened, drawn on the map: moves, attacks, retreats, losses, hexes that changed hands, the front."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from engine import facts as f
from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.position import ELIMINATED
from engine.table import Table
from pbem.pictures.counters import counter, face_of
from pbem.pictures.curves import shortened
from pbem.pictures.look import Look
from pbem.pictures.regions import front_line
from pbem.pictures.shapes import Circle, Extent, Group, Path, Point, Polygon, Shape, Strokes
from pbem.pictures.tags import Tag, standing_near, tag_shapes
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


def scene(seen: Table, look: Look, facts: Sequence[f.Fact]) -> set[Hex]:
    """Where these facts were fought out; where units moved, if nobody fought."""
    story = PaintedStory(seen, look, facts)
    moves = (fact for fact in facts if isinstance(fact, f.Moved))
    return story.fought_in() or {h for move in moves for h in story.hexes(move.path)}


class PaintedStory:
    """What happened as shapes: the facts, walked back from the position they led to, for who sees this much of it."""

    def __init__(
        self,
        seen: Table,
        look: Look,
        facts: Sequence[f.Fact],
        small: bool = False,
        numbered: Sequence[tuple[int, FoughtAt]] = (),
    ) -> None:
        self.seen, self.look, self.facts, self.small = seen, look, facts, small
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

    # -- under the counters

    def under(self, *, moving: bool) -> list[Shape]:
        """Ground that changed hands, the front, and marches; the front as it was before, too, if it is `moving`."""
        return [*self.taken(), *self.front(moving), *self.arrows()]

    def _held(self) -> dict[str, HexSet]:
        """What each side's counters stood in before."""
        held: dict[str, HexSet] = dict.fromkeys(self.seen.game.sides, 0)
        for unit, place in self.before.items():
            h = self.grid.find(place)
            if h is not None:
                held[self.seen.unit(unit).side] |= 1 << h
        return held

    def front(self, moving: bool) -> Iterator[Shape]:
        """The front before and now; nothing unless both sides stand on the map."""
        now = {side: self.seen.position.held(side) for side in self.seen.game.sides}
        if len(now) > 1 and all(now.values()):
            before = self._held() if self.facts and moving else now
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
        lines = []
        for step in range(-3, 4):
            off, half = step * 0.13, (0.47**2 - (step * 0.13) ** 2) ** 0.5 * 0.7
            lines.append(((x + off * 0.7 - half, y + off * 0.7 + half), (x + off * 0.7 + half, y + off * 0.7 - half)))
        yield Strokes(tuple(lines), colour, 0.018)

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

    def over(self, frame: Extent) -> list[Shape]:
        """Thrusts, the fallen, and what came of each fight."""
        return [*self.thrusts(), *self.fallen(), *self.results(frame)]

    def thrusts(self) -> Iterator[Shape]:
        """Broad arrows into the target."""
        for fight in self.fights:
            colour = self.look.sides[fight.side].deep
            for target in fight.targets:
                for source in fight.sources:
                    if source != target and self.grid.distance(source, target) <= 2:
                        yield from _thrust(self.grid.centre(source), self.grid.centre(target), colour, fight.fact.kind)

    def results(self, frame: Extent) -> Iterator[Shape]:
        """What came of each fight."""
        if self.small:
            yield from (
                self._burst(fight, self.grid.centre(fight.targets[0])) for fight in self.fights if fight.targets
            )
        else:
            yield from self._tags(frame)

    def _burst(self, fight: Fight, at: Point) -> Shape:
        """Where letters would be too small: a burst says that there was fighting."""
        turns = [(0.2 if i % 2 else 0.38, pi * i / 8) for i in range(16)]
        burst = tuple((at[0] + 0.3 + r * cos(t) * 0.7, at[1] + 0.34 + r * sin(t) * 0.7) for r, t in turns)
        return Polygon(burst, fill="#ffd23f", stroke=self.look.sides[fight.side].deep, width=0.05)

    def _tags(self, frame: Extent) -> Iterator[Shape]:
        tags = [
            Tag(
                f"{f'{fight.number}:  ' if fight.number else ''}{fight.fact.column}  {fight.fact.result}",
                self.look.sides[fight.side].deep,
                self.grid.centre(fight.targets[0]),
                tuple(map(self.grid.centre, fight.sources)),
            )
            for fight in self.fights
            if fight.targets
        ]
        stacks = standing_near(self.seen.position, (tag.target for tag in tags))
        yield from tag_shapes(tags, stacks, self.look, frame)

    def fallen(self) -> Iterator[Shape]:
        """Eliminated units where they fell: small counters, crossed out."""
        here: dict[Hex, int] = {}
        for fact in self.facts:
            if not isinstance(fact, f.Eliminated) or self.seen.position.where.get(fact.unit) != ELIMINATED:
                continue
            h = self.grid.find(fact.at)
            if h is None:
                continue
            number = here[h] = here.get(h, -1) + 1
            x, y = self.grid.centre(h)
            yield from self._grave(fact.unit, (x - 0.42 + 0.2 * number, y - 0.3 - 0.04 * number))

    def _grave(self, unit: str, at: Point) -> Iterator[Shape]:
        piece = self.seen.unit(unit)
        face = face_of(piece, len(piece.steps) - 1, self.look)
        size, half = 0.42, 0.21
        title = f"{piece.name}, eliminated"
        yield Group(counter(face, self.look, size, True), at, name=unit, title=title, kept=True)
        (x, y), cross = at, ((-1, -1, 1, 1), (-1, 1, 1, -1))
        for colour, width in (("#ffffff", 0.11), ("#c0261c", 0.065)):
            for ax, ay, bx, by in cross:
                yield Path(((x + ax * half, y + ay * half), (x + bx * half, y + by * half)), colour, width)


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
