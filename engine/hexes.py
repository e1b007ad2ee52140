"""Hex grids as printed: numbers, neighbours, directions, distances, and where a hex lies on the sheet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import cos, radians, sin, sqrt
from typing import Literal

# A dense index: line after line (columns of a flat-topped grid, rows of a pointed one), with one empty cell
# after each line, so that shifting a whole set of hexes never carries one over into the next line.
Hex = int

PITCH = sqrt(3) / 2  # between two lines, when neighbouring centres are 1 apart
RADIUS = 1 / sqrt(3)  # from a centre to a corner

# Clockwise on the printed sheet, each as (lines further, half hexes further along the line).
_FLAT = {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)}
_POINTED = {"NE": (-1, 1), "E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1)}


class NoSuchHex(ValueError):
    """A number that is not printed on this map."""

    def __init__(self, number: str) -> None:
        super().__init__(f"there is no hex {number}")
        self.number = number


class NotAdjacent(ValueError):
    """Two hexes that share no hexside."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second} share no hexside")
        self.first = first
        self.second = second


def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 3) % 6


@dataclass(frozen=True)
class Grid:
    """A printed hex grid; equal grids are equal and hash alike, whatever tables they carry."""

    columns: tuple[int, int]  # first and last printed
    rows: tuple[int, int]
    orientation: Literal["flat", "pointed"] = "flat"  # flat: columns are straight; pointed: rows are
    pushed: Literal["odd", "even"] = "even"  # the lines, by printed number, that sit half a hex off
    push: Literal["+", "-"] = "+"  # off toward higher or toward lower numbers along the line
    number: Literal["CCRR", "RRCC"] = "CCRR"
    digits: int = 2  # for a column, and for a row
    rows_grow: Literal["south", "north"] = "south"
    columns_grow: Literal["east", "west"] = "east"
    ragged: Literal["none", "odd", "even"] = "none"  # the lines that lack their last hex

    # Hex sets: all hexes; those of the lines that are not pushed; those half a hex further along.
    everything: int = field(init=False, repr=False, compare=False)
    level: int = field(init=False, repr=False, compare=False)
    ahead: int = field(init=False, repr=False, compare=False)
    # Cells from one line to the next; by direction, cells to go from a level hex and from one ahead.
    stride: int = field(init=False, repr=False, compare=False)
    shifts: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    direction_names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _by_number: dict[str, Hex] = field(init=False, repr=False, compare=False)
    _numbers: dict[Hex, str] = field(init=False, repr=False, compare=False)
    # Two of the three cube coordinates; the third is what makes the sum nought.
    _cubes: dict[Hex, tuple[int, int]] = field(init=False, repr=False, compare=False)
    _by_cube: dict[tuple[int, int], Hex] = field(init=False, repr=False, compare=False)
    _around: dict[Hex, tuple[Hex | None, ...]] = field(init=False, repr=False, compare=False)
    _neighbours: dict[Hex, tuple[Hex, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lines, cells = (self.columns, self.rows) if self.orientation == "flat" else (self.rows, self.columns)
        self._set("stride", cells[1] - cells[0] + 2)
        self._set("direction_names", tuple(self._headings()))
        self._set("shifts", self._find_shifts())
        self._lay_out(lines, cells)
        self._join()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _headings(self) -> dict[str, tuple[int, int]]:
        return _FLAT if self.orientation == "flat" else _POINTED

    def _signs(self) -> tuple[int, int]:
        """Whether lines, and cells along a line, are numbered the way the sheet runs (east, south)."""
        east = 1 if self.columns_grow == "east" else -1
        south = 1 if self.rows_grow == "south" else -1
        return (east, south) if self.orientation == "flat" else (south, east)

    def _find_shifts(self) -> tuple[tuple[int, int], ...]:
        line_sign, cell_sign = self._signs()
        shifts = []
        for lines, halves in self._headings().values():
            ahead, along = lines * line_sign * self.stride, halves * cell_sign
            if lines:
                shifts.append((ahead + (along - 1) // 2, ahead + (along + 1) // 2))
            else:
                shifts.append((along // 2, along // 2))
        return tuple(shifts)

    def _is_ahead(self, line_number: int) -> bool:
        # Odd lines pushed back are even lines pushed on: only the second is ever computed with.
        odd_ahead = (self.pushed == "odd") == (self.push == "+")
        return line_number % 2 == odd_ahead

    def _lay_out(self, lines: tuple[int, int], cells: tuple[int, int]) -> None:
        numbers: dict[Hex, str] = {}
        cubes: dict[Hex, tuple[int, int]] = {}
        level = ahead = 0
        for line in range(lines[1] - lines[0] + 1):
            number = lines[0] + line
            is_ahead = self._is_ahead(number)
            lacking = self.ragged != "none" and number % 2 == (self.ragged == "odd")
            for cell in range(cells[1] - cells[0] + 1 - lacking):
                h = line * self.stride + cell
                numbers[h] = self._print(number, cells[0] + cell)
                cubes[h] = (line, (2 * cell + is_ahead - line) // 2)
                if is_ahead:
                    ahead |= 1 << h
                else:
                    level |= 1 << h
        self._set("level", level)
        self._set("ahead", ahead)
        self._set("everything", level | ahead)
        self._set("_numbers", numbers)
        self._set("_by_number", {number: h for h, number in numbers.items()})
        self._set("_cubes", cubes)
        self._set("_by_cube", {cube: h for h, cube in cubes.items()})

    def _print(self, line_number: int, cell_number: int) -> str:
        lines_first = (self.orientation == "flat") == (self.number == "CCRR")
        first, second = (line_number, cell_number) if lines_first else (cell_number, line_number)
        return f"{first:0{self.digits}}{second:0{self.digits}}"

    def _join(self) -> None:
        around: dict[Hex, tuple[Hex | None, ...]] = {}
        for h in self._numbers:
            which = self.ahead >> h & 1
            steps = (h + shift[which] for shift in self.shifts)
            around[h] = tuple(n if n in self._numbers else None for n in steps)
        self._set("_around", around)
        self._set("_neighbours", {h: tuple(n for n in row if n is not None) for h, row in around.items()})

    # -- numbers

    def hex(self, number: str) -> Hex:
        """The hex with exactly this printed number; raises NoSuchHex."""
        try:
            return self._by_number[number]
        except KeyError:
            raise NoSuchHex(number) from None

    def find(self, number: str) -> Hex | None:
        """The hex with this printed number, if there is one: a place may also be a box."""
        return self._by_number.get(number)

    def has(self, number: str) -> bool:
        """Whether this number is printed on the map."""
        return number in self._by_number

    def number_of(self, h: Hex) -> str:
        """The number printed in a hex."""
        return self._numbers[h]

    def numbers_of(self, hexes: Iterable[Hex]) -> tuple[str, ...]:
        """The numbers printed in these hexes, as they come."""
        return tuple(map(self._numbers.__getitem__, hexes))

    # -- neighbours

    def neighbour(self, h: Hex, direction: int) -> Hex | None:
        """The hex next to this one in a direction, unless the map ends there."""
        return self._around[h][direction]

    def around(self, h: Hex) -> tuple[Hex | None, ...]:
        """The hexes next to this one by direction."""
        return self._around[h]

    def neighbours(self, h: Hex) -> tuple[Hex, ...]:
        """The hexes around this one, clockwise, those off the map left out."""
        return self._neighbours[h]

    def direction(self, a: Hex, b: Hex) -> int | None:
        """The direction from a hex to its neighbour: 0 to 5, clockwise as printed; None if not adjacent."""
        around = self._around[a]
        return around.index(b) if b in around else None

    def hexside(self, a: Hex, b: Hex) -> str:
        """The one name of the hexside between two hexes, such as 0101/0102; raises NotAdjacent."""
        first, second = sorted((self._numbers[a], self._numbers[b]))
        if b not in self._around[a]:
            raise NotAdjacent(first, second)
        return f"{first}/{second}"

    def hexside_named(self, text: str) -> str:
        """The one name of a hexside written as 0101/0102, 0102/0101 or 0101-0102; raises NoSuchHex, NotAdjacent."""
        first, _, second = text.replace("-", "/").partition("/")
        return self.hexside(self.hex(first), self.hex(second))

    # -- distances

    def distance(self, a: Hex, b: Hex) -> int:
        """How many hexes it is from a to b, counting b and not a."""
        ax, az = self._cubes[a]
        bx, bz = self._cubes[b]
        dx, dz = bx - ax, bz - az
        return max(abs(dx), abs(dz), abs(dx + dz))

    def straight(self, a: Hex, b: Hex) -> bool:
        """Whether both lie in one row of hexes, along any of the three axes."""
        ax, az = self._cubes[a]
        bx, bz = self._cubes[b]
        return ax == bx or az == bz or ax + az == bx + bz

    def between(self, a: Hex, b: Hex) -> list[Hex]:
        """Every hex on any shortest way from a to b, without the two ends."""
        (ax, az), (bx, bz) = self._cubes[a], self._cubes[b]
        low, high = sorted((ax + az, bx + bz))
        found = []
        for x in range(min(ax, bx), max(ax, bx) + 1):
            for z in range(max(min(az, bz), low - x), min(max(az, bz), high - x) + 1):
                h = self._by_cube.get((x, z))
                if h is not None and h not in (a, b):
                    found.append(h)
        return found

    def line(self, a: Hex, b: Hex) -> list[Hex]:
        """The hexes under a straight line from a to b, both ends included, one for each hex of distance."""
        # Where the line runs along a hexside the lower index wins, so the way back is the same line.
        (ax, az), (bx, bz) = self._cubes[a], self._cubes[b]
        length = self.distance(a, b)
        best: dict[int, tuple[int, Hex]] = {}
        for h in self.between(a, b):
            hx, hz = self._cubes[h]
            step = self.distance(a, h)
            x = length * hx - (length - step) * ax - step * bx
            z = length * hz - (length - step) * az - step * bz
            offer = (x * x + x * z + z * z, h)
            best[step] = min(best.get(step, offer), offer)
        ends = [a] if a == b else [a, b]
        return [*ends[:1], *(best[step][1] for step in sorted(best)), *ends[1:]]

    # -- the sheet

    def centre(self, h: Hex) -> tuple[float, float]:
        """Where the hex lies: x to the right, y down, neighbouring centres 1 apart, nothing below 0."""
        line, cell = divmod(h, self.stride)
        line_sign, cell_sign = self._signs()
        last_line = self.everything.bit_length() // self.stride
        along = cell + (self.ahead >> h & 1) / 2
        across = PITCH * (line if line_sign > 0 else last_line - line)
        if cell_sign < 0:
            along = self.stride - 1.5 - along
        return (across, along) if self.orientation == "flat" else (along, across)

    def corners(self, h: Hex) -> tuple[tuple[float, float], ...]:
        """The six corners, clockwise: the hexside in direction d runs from corner d to corner d + 1."""
        x, y = self.centre(h)
        first = -120 if self.orientation == "flat" else -90
        angles = (radians(first + 60 * corner) for corner in range(6))
        return tuple((x + RADIUS * cos(angle), y + RADIUS * sin(angle)) for angle in angles)
