"""Lines, letters and both painters."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from engine import hexset
from engine.board import Board
from engine.table import Table
from pbem.pictures import lettering
from pbem.pictures.curves import dashes, length, shortened, smooth
from pbem.pictures.look import Look, look_of
from pbem.pictures.names import NamePlacer, room_of
from pbem.pictures.pictures import empty_board, svg, whole_map
from pbem.pictures.pillow_painter import paint
from pbem.pictures.regions import border, control, is_hole, outlines, softened
from pbem.pictures.shapes import Box, Circle, Extent, Path, Picture, Polygon, Strokes, Text
from tests.pbem.pictures.conftest import FOUGHT


def test_a_curve_leads_through_its_points() -> None:
    points = [(0.0, 0.0), (1.0, 0.4), (2.0, 0.0), (3.0, 1.0)]
    curve = smooth(points)
    assert all(any(abs(x - a) + abs(y - b) < 1e-9 for a, b in curve) for x, y in points)


def test_dashes_cover_their_share_of_a_line() -> None:
    line = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    drawn = sum(length(bit) for bit in dashes(line, (0.3, 0.1)))
    assert drawn == pytest.approx(1.5)


def test_a_shortened_line_lacks_both_its_ends() -> None:
    assert length(shortened([(0.0, 0.0), (2.0, 0.0)], 0.25, 0.5)) == pytest.approx(1.25)


def test_outlines_run_around_a_set_and_around_its_holes(pointed: Board) -> None:
    grid = pointed.grid
    ring = hexset.ring(grid, 1 << grid.hex("0404"), 1)
    outer, inner = sorted(outlines(grid, ring), key=len, reverse=True)
    assert (len(outer), len(inner)) == (18, 6)
    assert not is_hole(outer)
    assert is_hole(inner)


def test_a_shore_is_the_same_each_time_it_is_drawn(pointed: Board) -> None:
    lake = pointed.terrain["lake"]
    assert softened(pointed.grid, lake) == softened(pointed.grid, lake)


def test_no_name_lies_over_another(fought: Table, pointed: Board) -> None:
    look = look_of(fought.game)
    names = NamePlacer(pointed, look, [], Extent(-9, -9, 99, 99))
    rooms = [room_of(text) for text in names.places() if isinstance(text, Text)]
    assert len(rooms) == 3
    assert not [(a, b) for a in rooms for b in rooms if a is not b and a.over(b)]


def test_the_front_runs_between_the_sides_and_nowhere_else(pointed: Board) -> None:
    grid = pointed.grid
    held = {"red": 1 << grid.hex("0303"), "blue": 1 << grid.hex("0306")}
    areas = control(pointed, held)
    assert areas["red"] & areas["blue"] == 0
    assert areas["red"] >> grid.hex("0304") & 1
    assert areas["blue"] >> grid.hex("0305") & 1
    sides = border(grid, areas)
    assert (grid.hex("0304"), grid.hex("0305")) in sides
    assert all(areas["red"] >> a & 1 and areas["blue"] >> b & 1 for a, b in sides)


def test_both_painters_take_every_shape() -> None:
    shapes = (
        Polygon(((0, 0), (1, 0), (1, 1)), "#112233", "#000000", 0.05, (0.1, 0.1)),
        Path(((0, 1), (1, 2), (2, 1)), "#445566", 0.05, smooth=True, arrow=True),
        Path(((0, 1), (2, 2)), "#445566", 0.05, dash=(0.1, 0.1)),
        Strokes((((0, 0), (1, 1)), ((1, 0), (0, 1))), "#778899", 0.02),
        Circle((2, 2), 0.3, "", "#aa0000", 0.05),
        Box((3, 1), (0.5, 0.5), 0.1, "#00aa00", "#000000", 0.03),
        Text((2, 1), "<A&B>", 0.3, halo="#ffffff"),
        Text((2, 2.4), "turned", 0.3, turn=30.0, halo="#ffffff"),
    )
    picture = Picture(0, 0, 4, 3, "#ffffff", "a & b", shapes, scale=40)
    image = paint(picture)
    assert image.size == (160, 120)
    assert len(image.getcolors(99999) or ()) > 8
    tree = ElementTree.fromstring(svg(picture))
    assert "<A&B>" in {text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")}


def test_the_svg_of_a_game_names_its_counters_for_readers(fought: Table) -> None:
    tree = ElementTree.fromstring(svg(whole_map(fought, "red", FOUGHT)))
    titles = {title.text or "" for title in tree.iter("{http://www.w3.org/2000/svg}title")}
    assert any("1st Guards" in title for title in titles)


def test_letters_that_must_fit_are_made_smaller() -> None:
    assert lettering.fitting("HQ-5GdTk", 0.3, 0.5) * lettering.width("HQ-5GdTk") == pytest.approx(0.5)
    assert lettering.fitting("7", 0.3, 0.5) == 0.3


def test_letters_can_be_read_on_every_band(fought: Table) -> None:
    look: Look = look_of(fought.game)
    assert lettering.ink_on("#ffffff") == "#111111"
    assert lettering.ink_on("#222222") == "#ffffff"
    assert {lettering.ink_on(side.fill) for side in look.sides.values()} == {"#111111"}


def test_an_empty_board_is_small_enough_for_a_mail(fought: Table) -> None:
    assert len(svg(empty_board(fought.game))) < 100_000
