"""The static map: terrain, hexsides, ways, places, areas, lines and edges, read from two text files."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from itertools import groupby, pairwise
from typing import Any, TypeVar

from engine import hexset
from engine.drawing import BadMap, numbered, read_drawing, write_drawing
from engine.hexes import Grid, Hex
from engine.hexset import HexSet, Sides

__all__ = ["BadMap", "Board", "Course", "Line", "NamedPlace", "Route", "load_board", "write_map_text"]

Hexside = tuple[Hex, Hex]
T = TypeVar("T")


@dataclass(frozen=True)
class NamedPlace:
    """A named town, city or village, and the other names a player may write for it."""

    name: str
    size: str
    hex: Hex
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Course:
    """A named run of hexsides of one feature, in order, the left bank's hex first."""

    name: str
    feature: str
    sides: tuple[Hexside, ...]


@dataclass(frozen=True)
class Route:
    """A named road or railroad: its hexes from end to end."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]


@dataclass(frozen=True)
class Line:
    """A named line along hexsides, in order, each written (inner hex, outer hex)."""

    name: str
    sides: tuple[Hexside, ...]

    @property
    def inner(self) -> HexSet:
        """The hexes that border the line on its inner side."""
        return hexset.of(a for a, _ in self.sides)

    @property
    def outer(self) -> HexSet:
        """The hexes that border the line on its outer side."""
        return hexset.of(b for _, b in self.sides)


@dataclass(frozen=True, eq=False)
class Board:
    """The map of a game; nothing on it ever changes."""

    title: str
    credits: str
    grid: Grid
    legend: Mapping[str, str]
    land: HexSet
    terrain: Mapping[str, HexSet]
    kinds: Mapping[Hex, str]
    places: Mapping[Hex, NamedPlace]
    towns: Mapping[str, HexSet]
    sides: Mapping[str, Sides]
    ways: Mapping[str, Sides]
    areas: Mapping[str, HexSet]
    lines: Mapping[str, Line]
    edges: Mapping[str, HexSet]
    courses: tuple[Course, ...]
    routes: tuple[Route, ...]

    def terrain_of(self, h: Hex) -> str:
        """The terrain drawn in this hex; KeyError if it is not on the map."""
        return self.kinds[h]

    def feature(self, a: Hex, b: Hex) -> frozenset[str]:
        """The features of the hexside between two hexes; empty if they do not touch."""
        return self._between(self.sides, a, b)

    def way(self, a: Hex, b: Hex) -> frozenset[str]:
        """The kinds of way that lead straight from one hex into the other."""
        return self._between(self.ways, a, b)

    def find(self, name: str) -> list[NamedPlace]:
        """Every place that bears this name, by any spelling the map knows."""
        return list(self._named.get(_plain(name), ()))

    @cached_property
    def _named(self) -> dict[str, list[NamedPlace]]:
        found: dict[str, list[NamedPlace]] = {}
        for place in self.places.values():
            for spelling in dict.fromkeys(map(_plain, (place.name, *place.also))):
                found.setdefault(spelling, []).append(place)
        return found

    def exits(self, cost: Callable[[Hex, Hex], int | None]) -> dict[int, tuple[HexSet, ...]]:
        """Movement exits for hexset.reach: by cost, cheapest first, the hexes that may be left in each direction."""
        exits: dict[int, list[HexSet]] = {}
        for a in hexset.members(self.land):
            for d in range(6):
                b = self.grid.neighbour(a, d)
                if b is None or not self.land >> b & 1:
                    continue
                price = cost(a, b)
                if price is not None:
                    exits.setdefault(price, [0] * 6)[d] |= 1 << a
        return {price: tuple(masks) for price, masks in sorted(exits.items())}

    def inside(self, *lines: str) -> HexSet:
        """The land behind these lines: all that their inner hexes reach without crossing one of them."""
        crossed = hexset.sides_of(self.grid, (side for name in lines for side in self.lines[name].sides))
        allowed = tuple(self.land & ~mask for mask in crossed)
        start = hexset.of(h for name in lines for h in hexset.members(self.lines[name].inner))
        return hexset.flood(self.grid, start, self.land, allowed)

    def columns(self, first: int, last: int) -> "Board":
        """The part of the map that lies in some columns, as it is drawn: nothing beyond them is on it."""
        grid = self.grid
        kept = hexset.of(h for h in hexset.members(self.land) if first <= int(grid.number_of(h)[: grid.digits]) <= last)

        def cut(masks: Mapping[str, HexSet]) -> dict[str, HexSet]:
            return {name: hexes & kept for name, hexes in masks.items()}

        def cut_sides(masks: Mapping[str, Sides]) -> dict[str, Sides]:
            return {name: (a & kept, b & kept, c & kept, d & kept, e & kept, f & kept)
                    for name, (a, b, c, d, e, f) in masks.items()}  # fmt: skip

        return replace(
            self,
            land=kept,
            terrain=cut(self.terrain),
            kinds={h: kind for h, kind in self.kinds.items() if kept >> h & 1},
            places={h: place for h, place in self.places.items() if kept >> h & 1},
            towns=cut(self.towns),
            sides=cut_sides(self.sides),
            ways=cut_sides(self.ways),
            areas=cut(self.areas),
            edges=cut(self.edges),
            courses=tuple(
                replace(course, sides=tuple(run))
                for course in self.courses
                for run in _runs(course.sides, lambda side: bool((kept >> side[0] | kept >> side[1]) & 1))
            ),
            routes=tuple(
                replace(route, hexes=tuple(run))
                for route in self.routes
                for run in _runs(route.hexes, lambda h: bool(kept >> h & 1))
                if len(run) > 1
            ),
        )

    def _between(self, features: Mapping[str, Sides], a: Hex, b: Hex) -> frozenset[str]:
        d = self.grid.direction(a, b)
        return frozenset() if d is None else frozenset(k for k, masks in features.items() if masks[d] >> a & 1)


def _runs(items: Iterable[T], inside: Callable[[T], bool]) -> list[list[T]]:
    """The stretches of a line that lie inside."""
    return [list(run) for keeps, run in groupby(items, key=inside) if keeps]


def load_board(folder: Traversable, name: str = "map") -> Board:
    """The board drawn in `<name>.txt` and described in `<name>.toml`; raises BadMap."""
    reader = _Reader(folder, name)
    try:
        return reader.board()
    except KeyError as error:
        raise BadMap(reader.file, 0, f"an entry lacks its {error}; give it one") from error


def write_map_text(board: Board) -> str:
    """The board's drawing as it stands in its text file."""
    return write_drawing(board.kinds, board.grid, board.legend, board.title)


class _Reader:
    """Reads one map's two files and checks each against the other."""

    def __init__(self, folder: Traversable, name: str) -> None:
        self.drawing, self.file = f"{name}.txt", f"{name}.toml"
        self.text = (folder / self.file).read_text(encoding="utf-8")
        try:
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise BadMap(self.file, 0, str(error)) from error
        self.grid = self._grid()
        self.legend: dict[str, str] = self.data.get("legend", {})
        drawn = (folder / self.drawing).read_text(encoding="utf-8")
        self.kinds = read_drawing(drawn, self.grid, self.legend, self.drawing)
        self.land = hexset.of(self.kinds)

    def board(self) -> Board:
        places = self._places()
        courses, routes = self._courses(), self._routes()
        return Board(
            title=self.data.get("title", ""),
            credits=self.data.get("credits", ""),
            grid=self.grid,
            legend=self.legend,
            land=self.land,
            terrain=_grouped((kind, h) for h, kind in self.kinds.items()),
            kinds=self.kinds,
            places=places,
            towns=_grouped((place.size, h) for h, place in places.items()),
            sides=self._masks((course.feature, side) for course in courses for side in course.sides),
            ways=self._masks((r.kind, step) for r in routes for step in zip(r.hexes, r.hexes[1:], strict=False)),
            areas={name: hexset.of(self._hexes(item)) for name, item in self.data.get("areas", {}).items()},
            lines={name: Line(name, self._sides(item)) for name, item in self.data.get("lines", {}).items()},
            edges=self._edges(),
            courses=courses,
            routes=routes,
        )

    def _grid(self) -> Grid:
        given: dict[str, Any] = dict(self.data.get("grid", {}))
        for span in given.keys() & {"columns", "rows"}:
            given[span] = tuple(given[span])
        try:
            return Grid(**given)
        except (TypeError, ValueError) as error:
            problem = f"the table [grid] does not describe a grid: {error}"
            raise BadMap(self.file, self._line("[grid]"), problem) from error

    def _places(self) -> dict[Hex, NamedPlace]:
        places: dict[Hex, NamedPlace] = {}
        for item in self.data.get("places", []):
            h = self._hex(item["hex"])
            if h in places:
                problem = f"{item['name']}: {places[h].name} stands in hex {item['hex']} already"
                raise BadMap(self.file, self._line(item["name"]), problem)
            places[h] = NamedPlace(item["name"], item["size"], h, tuple(item.get("also", ())))
        return places

    def _courses(self) -> tuple[Course, ...]:
        items = self.data.get("sides", [])
        return tuple(Course(item["name"], item["feature"], self._sides(item)) for item in items)

    def _routes(self) -> tuple[Route, ...]:
        routes = []
        for item in self.data.get("ways", []):
            hexes = self._hexes(item)
            for a, b in pairwise(hexes):
                self._touch(a, b, f"the {item['kind']} '{item['name']}'")
            routes.append(Route(item["name"], item["kind"], hexes))
        return tuple(routes)

    def _edges(self) -> dict[str, HexSet]:
        """The rim of the printed grid; a map whose rim lies elsewhere adds its hexes in [edges]."""
        grid, added = self.grid, self.data.get("edges", {})
        columns = list(range(grid.columns[0], grid.columns[1] + 1))
        rows = list(range(grid.rows[0], grid.rows[1] + 1))
        printed = [[numbered(grid, c, r) for r in rows if grid.has(numbered(grid, c, r))] for c in columns]
        top, bottom = [column[0] for column in printed], [column[-1] for column in printed]
        first, last = printed[0], printed[-1]
        rim = {
            "north": top if grid.rows_grow == "south" else bottom,
            "south": bottom if grid.rows_grow == "south" else top,
            "west": first if grid.columns_grow == "east" else last,
            "east": last if grid.columns_grow == "east" else first,
        }
        edges = {side: self.land & hexset.of(map(grid.hex, numbers)) for side, numbers in rim.items()}
        return edges | {s: edges.get(s, 0) | hexset.of(self._hexes(item)) for s, item in added.items()}

    def _masks(self, pairs: Iterable[tuple[str, Hexside]]) -> dict[str, Sides]:
        by_kind: dict[str, list[Hexside]] = {}
        for kind, side in pairs:
            by_kind.setdefault(kind, []).append(side)
        return {kind: hexset.sides_of(self.grid, sides) for kind, sides in by_kind.items()}

    def _sides(self, item: Mapping[str, Any]) -> tuple[Hexside, ...]:
        sides = []
        for written in str(item["sides"]).split():
            numbers = written.split("/")
            if len(numbers) != 2:
                raise BadMap(self.file, self._line(written), f"'{written}' is no hexside; write it as 0101/0102")
            a, b = map(self._hex, numbers)
            self._touch(a, b, f"the hexside {written}")
            sides.append((a, b))
        return tuple(sides)

    def _hexes(self, item: Mapping[str, Any]) -> tuple[Hex, ...]:
        return tuple(map(self._hex, str(item["hexes"]).split()))

    def _hex(self, number: str) -> Hex:
        if self.grid.has(number) and self.land >> self.grid.hex(number) & 1:
            return self.grid.hex(number)
        problem = f"there is no hex {number} on the map; correct the number or draw the hex in {self.drawing}"
        raise BadMap(self.file, self._line(number), problem)

    def _touch(self, a: Hex, b: Hex, what: str) -> None:
        if self.grid.direction(a, b) is None:
            one, two = self.grid.number_of(a), self.grid.number_of(b)
            written = self._line(f"{one} {two}") or self._line(f"{one}/{two}") or self._line(one)
            raise BadMap(self.file, written, f"{what}: hexes {one} and {two} do not touch; name every hex on the way")

    def _line(self, words: str) -> int:
        """Where the words first stand in the file, or 0."""
        found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", self.text)
        return self.text.count("\n", 0, found.start()) + 1 if found else 0


def _grouped(items: Iterable[tuple[str, Hex]]) -> dict[str, HexSet]:
    sets: dict[str, HexSet] = {}
    for kind, h in items:
        sets[kind] = sets.get(kind, 0) | 1 << h
    return sets


def _plain(name: str) -> str:
    """A name without case, accents, blanks and hyphens."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum())
