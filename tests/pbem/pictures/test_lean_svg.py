"""Lean SVG: the same picture in fewer bytes."""

from __future__ import annotations

import re

import pytest

import games
from pbem.pictures.empty_board import ground
from pbem.pictures.look import look_of
from pbem.pictures.shapes import Box, Circle, Path, Polygon, Strokes
from pbem.pictures.svg_painter import lean, markup

NUMBER = re.compile(r"-?\d+")


def points(body: str) -> list[tuple[int, int]]:
    """The points that a path of moves and lines goes through."""
    found: list[tuple[int, int]] = []
    here = (0, 0)
    for command, rest in re.findall(r"([Mmlhz])([^Mmlhz]*)", body):
        numbers = [int(number) for number in NUMBER.findall(rest)]
        for x, y in zip(numbers[::2], numbers[1::2], strict=False) if command in "Mml" else ():
            here = (x, y) if command == "M" else (here[0] + x, here[1] + y)
            found.append(here)
    return found


def drawn(*shapes: object) -> str:
    return "".join(lean(shapes))  # type: ignore[arg-type]


def test_a_line_goes_through_its_points_in_whole_units() -> None:
    line = Strokes((((0.0, 0.0), (1.0, 0.5), (0.25, -0.75)), ((2.0, 2.0), (3.0, 2.0))), "#111111", 0.02)
    body = re.search(r' d="([^"]*)"', drawn(line))
    assert body
    assert points(body[1])[1:] == [(0, 0), (100, 50), (25, -75), (200, 200), (300, 200)]


def test_a_line_drawn_wide_and_then_narrow_is_written_once() -> None:
    way = ((0.0, 0.0), (1.0, 1.0), (2.0, 0.0))
    text = drawn(Path(way, "#222222", 0.1, smooth=True), Path(way, "#eeeeee", 0.06, smooth=True))
    assert text.count(' d="') == 1
    assert text.count("<use ") == 1
    assert "#222222" in text
    assert "#eeeeee" in text


def test_dots_and_blocks_of_a_colour_are_one_path_each() -> None:
    dots = [Circle((n / 10, 0.0), 0.07 + n / 1000, fill="#335522") for n in range(6)]
    blocks = [Box((n / 10, 1.0), (0.05, 0.05), fill="#553322") for n in range(6)]
    text = drawn(*dots, *blocks)
    assert text.count("<path") == 2
    assert text.count("h0") == 6


def test_what_lies_on_top_stays_on_top() -> None:
    shapes = [Polygon(((0, 0), (1, 0), (1, 1)), fill=fill) for fill in ("#aa0000", "#00aa00", "#aa0000")]
    assert re.findall(r'fill="(#\w+)"', drawn(*shapes)) == ["#aa0000", "#00aa00", "#aa0000"]


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_the_ground_of_a_map_keeps_its_words_and_loses_most_of_its_bytes(book: str) -> None:
    game = games.find_game(book)
    shapes = ground(game.board, look_of(game)).shapes
    usual, text = "".join(markup(shapes)), "".join(lean(shapes))
    assert len(text) < 0.6 * len(usual)
    assert re.findall(r"<text[^>]*>([^<]*)", text) == re.findall(r"<text[^>]*>([^<]*)", usual)
