"""The names on the map: each where it hides least, none over another."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from math import atan2, cos, degrees, dist, inf, radians, sin
from typing import Literal

from engine.board import Board, Course, NamedPlace
from pbem.pictures import lettering
from pbem.pictures.curves import smooth
from pbem.pictures.look import Look, PlaceLook, Stripe
from pbem.pictures.shapes import Extent, Point, Shape, Text, around, letters_extent

# Beside the houses, and clear of a counter in the hex where that can be: right and down.
_SPOTS = (
    (0.0, 0.37), (0.0, -0.27), (0.2, 0.0), (-0.2, 0.0), (0.12, 0.3), (-0.12, 0.3), (0.12, -0.24), (-0.12, -0.24),
    (0.0, 0.62), (0.0, -0.62),
)  # fmt: skip
# Where no counter in the hex reaches.
_CLEAR = ((0.48, 0.0), (-0.48, 0.0), (0.48, -0.3), (-0.48, -0.3), (0.0, -0.66), (0.0, 0.7))

Neighbours = tuple[list[Extent], list[Extent], list[Point]]  # what a name may come to lie over: names, houses, lines


def room_of(text: Text, spare: float = 0.02) -> Extent:
    """The rectangle of an upright text, with some air."""
    return letters_extent(text, text.size * 0.5).grown(spare)


class NamePlacer:
    """Names placed one after another; what is placed stays."""

    def __init__(
        self, board: Board, look: Look, lines: Iterable[Sequence[Point]], sheet: Extent, larger: float = 1.0
    ) -> None:
        self.board, self.look, self.sheet, self.larger = board, look, sheet, larger
        self.taken: list[Extent] = []
        self.houses = [_around(board.grid.centre(h), 0.15) for h in board.places]
        self.lined = sorted(point for line in lines for point in smooth(line, 3))

    def places(self, *, far: bool = False) -> Iterator[Shape]:
        """The names of towns, the greatest first; from `far` none of those that are only read from near."""
        styles = {h: self.look.places.get(place.size, PlaceLook()) for h, place in self.board.places.items()}
        shown = [place for place in self.board.places.values() if not (far and styles[place.hex].near)]
        for place in sorted(shown, key=lambda p: (-styles[p.hex].name, p.hex)):
            text = self._best(place, styles[place.hex])
            self.taken.append(room_of(text))
            yield text

    def _best(self, place: NamedPlace, style: PlaceLook) -> Text:
        x, y = self.board.grid.centre(place.hex)
        paper, size = self.look.paper, style.name * self.larger
        texts = [
            Text((x + right, y + down), place.name, size, paper["name"], _anchor(right), style.bold, paper["halo"])
            for right, down in (_CLEAR if style.clear else _SPOTS)
        ]
        rooms = [room_of(text) for text in texts]
        near = self._near(around(rooms))
        return texts[min(range(len(texts)), key=lambda number: (self._cost(rooms[number], number, near), number))]

    def _near(self, room: Extent) -> Neighbours:
        """What lies there: looked for once for all spots of a name, as most of the map is far away from it."""
        across = self.lined[bisect_left(self.lined, (room.left,)) : bisect_right(self.lined, (room.right, inf))]
        taken, houses = ([other for other in others if room.over(other)] for others in (self.taken, self.houses))
        return taken, houses, [point for point in across if room.top <= point[1] <= room.bottom]

    def _cost(self, room: Extent, number: int, near: Neighbours) -> float:
        taken, houses, lined = near
        cost = 0.35 * number
        cost += 100 * sum(room.over(other) for other in taken)
        cost += 12 * sum(room.over(other) for other in houses)
        cost += 0.25 * sum(room.holds(point) for point in lined)
        inside = self.sheet.holds((room.left, room.top)) and self.sheet.holds((room.right, room.bottom))
        return cost + (0 if inside else 60)

    def rivers(self, drawn: Iterable[tuple[Stripe, list[Point], Course]]) -> Iterator[Shape]:
        """The names of rivers along their straightest stretches; none where there is no room."""
        named: set[str] = set()
        for stripe, run, course in sorted(drawn, key=lambda river: -river[0].width):
            name = course.name.partition(",")[0]
            if name not in named and (found := self._beside(stripe, run, name)) is not None:
                named.add(name)
                yield found

    def _beside(self, stripe: Stripe, run: list[Point], name: str) -> Text | None:
        size = (0.24 if stripe.width > 0.15 else 0.19) * self.larger
        wide = lettering.width(name) * size
        span = max(2, round(wide / 0.5))
        offers = []
        for start in range(1, len(run) - span - 1):
            strays = [_off(run[start], run[start + span], p) for p in run[start : start + span + 1]]
            offers.append((max(strays) - min(strays), start, max(strays), min(strays)))
        for _, start, most, least in sorted(offers):
            a, b = run[start], run[start + span]
            if a[0] > b[0]:
                a, b, most, least = b, a, -least, -most
            for gap in (least - stripe.width / 2 - size * 0.5, most + stripe.width / 2 + size * 0.5):
                text = _along(a, b, gap, name, size, stripe.edge or stripe.fill, self.look.paper["halo"])
                beads = [_around(p, size * 0.45) for p in _beads(text, wide)]
                taken, houses, _ = self._near(around(beads))
                free = not any(bead.over(other) for bead in beads for other in (*taken, *houses))
                if free and all(self.sheet.holds((bead.left, bead.top)) for bead in beads):
                    self.taken += beads
                    return text
        return None


def _anchor(right: float) -> Literal["start", "middle", "end"]:
    return "start" if right > 0 else "end" if right < 0 else "middle"


def _around(at: Point, half: float) -> Extent:
    return Extent(*at, *at).grown(half)


def _off(a: Point, b: Point, p: Point) -> float:
    """How far a point lies below the line from a to b, as seen by who reads along it."""
    far = dist(a, b) or 1.0
    return ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / far


def _along(a: Point, b: Point, gap: float, name: str, size: float, fill: str, halo: str) -> Text:
    far = dist(a, b) or 1.0
    x = (a[0] + b[0]) / 2 - gap * (b[1] - a[1]) / far
    y = (a[1] + b[1]) / 2 + gap * (b[0] - a[0]) / far
    return Text((x, y), name, size, fill, halo=halo, turn=degrees(atan2(b[1] - a[1], b[0] - a[0])))


def _beads(text: Text, wide: float) -> list[Point]:
    number = max(2, round(wide / text.size) + 1)
    turn = radians(text.turn)
    steps = [(i / (number - 1) - 0.5) * wide for i in range(number)]
    return [(text.at[0] + s * cos(turn), text.at[1] + s * sin(turn)) for s in steps]
