"""Round the map: rulers with the numbers of columns and rows, compass, credits."""

import textwrap
from collections.abc import Iterator
from math import cos, radians, sin

from engine import hexset
from engine.board import Board
from engine.hexes import Grid, Hex
from pbem.pictures.look import Look
from pbem.pictures.names import TextRoom
from pbem.pictures.shapes import Point, Polygon, Shape, Text

MARGIN = 0.75


def sheet_of(board: Board) -> TextRoom:
    """The rectangle that the hexes of the map need."""
    points = [p for h in hexset.members(board.land) for p in board.grid.corners(h)]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return TextRoom(min(xs), min(ys), max(xs), max(ys))


def rulers(board: Board, look: Look, sheet: TextRoom) -> Iterator[Shape]:
    """The numbers of columns and rows along the four edges."""
    grid, ink = board.grid, look.paper["ink"]
    columns: dict[str, float] = {}
    rows: dict[str, list[float]] = {}
    for h in hexset.members(board.land):
        column, row = _column_row(grid, h)
        x, y = grid.centre(h)
        columns.setdefault(column, x)
        if grid.orientation == "pointed":
            columns[column] = min(columns[column], x)
        rows.setdefault(row, []).append(y)
    for column, x in columns.items():
        for y in (sheet.top - 0.32, sheet.bottom + 0.32):
            yield Text((x, y), column, 0.34, ink)
    for row, ys in rows.items():
        y = (min(ys) + max(ys)) / 2
        for x in (sheet.left - 0.4, sheet.right + 0.4):
            yield Text((x, y), row, 0.34, ink)


def _column_row(grid: Grid, h: Hex) -> tuple[str, str]:
    number = grid.number_of(h)
    first, second = number[: grid.digits], number[grid.digits :]
    return (first, second) if grid.number == "CCRR" else (second, first)


def compass(at: Point, r: float, ink: str, north: float) -> Iterator[Shape]:
    """A rose of four points; the dark one is north."""
    for number in range(4):
        turn = radians(90 * number + north)
        tip = (at[0] + r * sin(turn), at[1] - r * cos(turn))
        for way in (-1, 1):
            side = turn + way * radians(45)
            root = (at[0] + r * 0.26 * sin(side), at[1] - r * 0.26 * cos(side))
            dark = (way == 1) if number else True
            yield Polygon((tip, root, at), fill=ink if dark else "#ffffff", stroke=ink, width=0.012)
    turn = radians(north)
    yield Text((at[0] + (r + 0.18) * sin(turn), at[1] - (r + 0.18) * cos(turn)), "N", 0.3, ink, bold=True)


def credits_lines(board: Board, wide: float) -> list[str]:
    """The credits of a map, broken to the width of the sheet."""
    return textwrap.wrap(board.credits, max(30, int(wide / 0.13))) if board.credits else []
