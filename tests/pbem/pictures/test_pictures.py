"""What the pictures show, and what they never show."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

import games
from engine import facts as f
from engine.board import Board
from engine.campaign import Campaign
from engine.game import Game
from engine.hexes import NoSuchHex
from engine.position import Setting
from engine.table import Table
from pbem.cli.showing import read_hexes
from pbem.pictures import pillow_painter
from pbem.pictures.emblems import hexside_shapes
from pbem.pictures.look import HEXSIDES, Badge
from pbem.pictures.pictures import MAIL, WIDE, crop, empty_board, fighting, png, svg, whole_map
from pbem.pictures.shapes import Box, Circle, Group, Picture, Shape, Text
from pbem.pictures.shapes import Path as Line
from pbem.tale.deeds import lately
from tests.engine.toy import toy
from tests.pbem.pictures.conftest import FOUGHT, after

ROOT = Path(__file__).parents[3]
TOY = toy()


def every(shapes: list[Shape] | tuple[Shape, ...]) -> Iterator[Shape]:
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from every(shape.shapes)


def words(picture: Picture) -> set[str]:
    return {shape.text for shape in every(picture.shapes) if isinstance(shape, Text)}


def drawn(picture: Picture) -> set[str]:
    return {shape.name for shape in every(picture.shapes) if isinstance(shape, Group) and shape.name}


def size(data: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(data)).size


def test_the_whole_map_shows_every_counter_on_it(fought: Table) -> None:
    assert drawn(whole_map(fought, None)) == set(fought.position.on_map())


def test_the_whole_map_is_as_wide_as_asked(fought: Table) -> None:
    data = png(whole_map(fought, "red", FOUGHT))
    assert size(data)[0] == MAIL
    assert Image.open(BytesIO(data)).mode == "P"


def test_the_fighting_is_cropped_around_attackers_defenders_and_the_fallen(fought: Table) -> None:
    picture = fighting(fought, "red", FOUGHT)
    assert picture is not None
    whole = whole_map(fought, "red", FOUGHT, 0)
    assert picture.height < whole.height
    for number in ("0104", "0105", "0106", "0305"):
        x, y = fought.grid.centre(fought.grid.hex(number))
        assert picture.left < x < picture.right
        assert picture.top < y < picture.bottom


@pytest.mark.parametrize("hex_", ["2020", "0120", "3320"])
def test_a_part_of_the_map_is_wide_enough_to_find_ones_way_in_even_at_its_edge(hex_: str) -> None:
    table = Campaign.new(None, games.find_game("manstein"), secret=bytes(32)).referee.table
    picture = crop(table, None, [table.grid.hex(hex_)])
    assert picture.width == WIDE
    assert picture.width * picture.scale == 592


def test_an_attack_is_told_with_its_odds_and_its_result(fought: Table) -> None:
    picture = fighting(fought, "red", FOUGHT)
    assert picture is not None
    assert "3-1  -/1" in words(picture)


def test_an_eliminated_unit_lies_where_it_fell(fought: Table) -> None:
    picture = whole_map(fought, None, FOUGHT, 0)
    grave = next(s for s in every(picture.shapes) if isinstance(s, Group) and s.name == "SG")
    x, y = fought.grid.centre(fought.grid.hex("0305"))
    assert abs(grave.at[0] - x) < 0.6
    assert abs(grave.at[1] - y) < 0.6
    assert "SG" not in drawn(whole_map(fought, None, (), 0))


def test_steps_lost_in_the_phase_are_badged(fought: Table) -> None:
    assert "-1" in words(whole_map(fought, None, FOUGHT, 0))
    assert "-1" not in words(whole_map(fought, None, (), 0))


def test_a_hex_that_somebody_took_bears_his_emblem(ford: Game) -> None:
    before, now = after(ford, ()), after(ford, [f.TookHex(hex="0404", side="red")])
    assert len(whole_map(now, None).shapes) > len(whole_map(before, None).shapes)


def test_where_nothing_was_done_there_is_nothing_to_crop(fought: Table) -> None:
    assert fighting(fought, "red", FOUGHT[:1]) is None


def test_where_nobody_fought_the_moves_are_shown(ford: Game) -> None:
    table = after(ford, FOUGHT[:2])
    assert fighting(table, "red", FOUGHT[:2]) is not None


def test_a_large_picture_says_what_a_small_one_cannot(fought: Table) -> None:
    assert "G1" in words(whole_map(fought, None, (), 0))
    assert "G1" not in words(whole_map(fought, None, (), 200))


def test_a_crop_shows_the_same_pixels_as_the_whole_map(fought: Table) -> None:
    grid = fought.grid
    whole = whole_map(fought, None, FOUGHT, 0)
    part = crop(fought, None, [grid.hex("0303")], FOUGHT)
    assert part.scale == whole.scale
    left, top = (round((part.left - whole.left) * 64), round((part.top - whole.top) * 64))
    small, large = pillow_painter.paint(part), pillow_painter.paint(whole)
    same = large.crop((left, top, left + small.width, top + small.height))
    # Tiles begin elsewhere, so an edge may be a shade off; nothing more.
    differing = ImageChops.difference(small, same).convert("L").point(lambda shade: 255 if shade > 24 else 0)
    assert differing.histogram()[255] < 0.005 * small.width * small.height


def test_a_picture_is_the_same_when_everything_is_painted_anew(fought: Table) -> None:
    first = png(whole_map(fought, "red", FOUGHT))
    pillow_painter.forget()
    assert png(whole_map(fought, "red", FOUGHT)) == first


def test_a_picture_is_the_same_in_every_run() -> None:
    """Another process, another order of sets and dicts: the same pixels."""
    script = (
        "import hashlib; from tests.pbem.pictures.conftest import *; from pbem.pictures.pictures import *\n"
        "t = after(toy(), FOUGHT); p = whole_map(t, 'red', FOUGHT)\n"
        "print(hashlib.sha256(png(p)).hexdigest(), hashlib.sha256(svg(p).encode()).hexdigest())"
    )
    runs = []
    for seed in ("1", "2"):
        surroundings = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        asked = [sys.executable, "-c", script]
        done = subprocess.run(asked, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True)
        runs.append(done.stdout.split())
    picture = whole_map(after(toy(), FOUGHT), "red", FOUGHT)
    here = [hashlib.sha256(data).hexdigest() for data in (png(picture), svg(picture).encode())]
    assert runs == [here, here]


# What a side may not know.

HIDDEN: tuple[f.Fact, ...] = (
    f.Placed(unit="T-34", at="0404", only=("red",)),
    f.Moved(unit="T-34", path=("0404", "0405"), only=("red",)),
    f.Marked(subject="T-34", mark="dug in", only=("red",)),
    f.Marked(subject="@0401", mark="mined", only=("red",)),
    f.Fought(
        kind="raid", attackers=("T-34",), defenders=(), targets=("0505",), column="9-1",
        decided=(("die", "1"),), result="DE", only=("red",),
    ),
    f.TookHex(hex="0406", side="red", only=("red",)),
    f.StepLost(unit="G2", only=("red",)),
    f.Eliminated(unit="G2", at="0102", only=("red",)),
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(HIDDEN), max_size=6), st.sampled_from(HIDDEN))
def test_nothing_hidden_changes_a_byte_of_any_picture(secrets: list[f.Fact], more: f.Fact) -> None:
    some, all_of_it = ((*FOUGHT, more, *extra) for extra in ((), secrets))
    one, other = after(TOY, some), after(TOY, all_of_it)
    for picture in (whole_map, fighting):
        first, second = picture(one, "blue", some, 400), picture(other, "blue", all_of_it, 400)
        assert first is not None
        assert second is not None
        assert svg(first) == svg(second)
        assert png(first) == png(second)


def test_what_is_hidden_from_one_is_shown_to_the_other(ford: Game) -> None:
    table = after(ford, HIDDEN[:4])
    assert whole_map(table, "red", HIDDEN[:4]) != whole_map(table, "blue", HIDDEN[:4])
    red, blue = (svg(whole_map(table, side, HIDDEN[:4], 0)) for side in ("red", "blue"))
    assert red != blue


# On hexsides.


def signs(table: Table) -> list[Group]:
    """The marks on hexsides: the only groups of lines and dots alone."""
    groups = [s for s in whole_map(table, None, (), 0).shapes if isinstance(s, Group)]
    return [group for group in groups if all(isinstance(s, Line | Circle) for s in group.shapes)]


def test_a_mark_on_a_hexside_lies_across_the_way_between_its_hexes(ford: Game) -> None:
    (sign,) = signs(after(ford, [f.Marked(subject="@0203/0303", mark="blown")]))
    grid = ford.board.grid
    (x, y), (x2, y2) = grid.centre(grid.hex("0203")), grid.centre(grid.hex("0303"))
    assert sign.at == pytest.approx(((x + x2) / 2, (y + y2) / 2))
    stroke = sign.shapes[0]
    assert isinstance(stroke, Line)
    (ax, ay), (bx, by) = stroke.points
    assert (bx - ax) * (y2 - y) == pytest.approx((by - ay) * (x2 - x))


def test_marks_on_one_hexside_lie_side_by_side(ford: Game) -> None:
    marked = [f.Marked(subject="@0203/0303", mark=mark) for mark in ("blown", "mined")]
    one, two = signs(after(ford, marked))
    assert one.at != two.at


@pytest.mark.parametrize("hexside", HEXSIDES)
def test_a_look_says_how_a_mark_is_drawn_on_a_hexside(hexside: Any) -> None:
    shapes: list[Any] = list(hexside_shapes((0.0, 0.0), 0.5, Badge("B", colour="#c0261c", hexside=hexside)))
    colours = {shape.stroke if isinstance(shape, Line) else shape.fill for shape in shapes}
    assert "#c0261c" in colours


def test_a_mark_on_a_hexside_may_be_drawn_by_its_value() -> None:
    badge = Badge("B", hexside="cross", hexsides={"built": "tick"})
    assert badge.showing("built").hexside == "tick"
    assert badge.showing("blown").hexside == "cross"


# A scenario that is played on part of the map.


def ground_words(picture: Picture) -> set[str]:
    assert picture.ground is not None
    return {shape.text for shape in picture.ground.shapes if isinstance(shape, Text)}


def test_a_scenario_on_part_of_the_map_is_drawn_only_there(ford: Game) -> None:
    there = replace(ford, part=ford.board.columns(1, 2))
    whole, part = whole_map(after(ford, ()), None, (), 0), whole_map(after(there, ()), None, (), 0)
    assert drawn(part) == {"G1", "G2", "P1"}
    assert "0305" in ground_words(whole)
    assert "0305" not in ground_words(part)
    assert "0205" in ground_words(part)
    assert there.board is ford.board  # the rules know all of it
    with pytest.raises(NoSuchHex):
        read_hexes(there, "0305")
    assert read_hexes(ford, "0305")


# Both orientations, and boards without counters.


def on(board: Board, game: Game) -> Game:
    setting = Setting(board.grid, game.setting.roster, game.sides)
    return replace(game, board=board, setting=setting)


def test_a_pointed_board_is_drawn_with_all_that_is_on_it(pointed: Board, ford: Game) -> None:
    picture = empty_board(on(pointed, ford))
    assert picture.ground is not None
    said = {shape.text for shape in picture.ground.shapes if isinstance(shape, Text)}
    assert {"Altdorf", "Mittelstadt", "Weiler", "0101", "0708", "A", "X", "quarry", "railroad", "N"} <= said
    assert size(png(picture)) == (round(picture.width * picture.scale), round(picture.height * picture.scale))


def test_counters_stand_in_the_middle_of_pointed_hexes(pointed: Board, ford: Game) -> None:
    table = after(on(pointed, ford), ())
    picture = whole_map(table, None, (), 0)
    x, y = pointed.grid.centre(pointed.grid.hex("0105"))
    counter = next(s for s in every(picture.shapes) if isinstance(s, Group) and s.name == "P1")
    assert counter.at == pytest.approx((x, y))


def test_the_board_of_every_game_on_the_shelf_is_drawn_the_same_twice() -> None:
    for book in games.rulebooks().values():
        first = png(empty_board(book.game(), 500))
        pillow_painter.forget()
        assert png(empty_board(book.game(), 500)) == first


# What is told.


def test_a_picture_tells_the_phase_that_is_on() -> None:
    began = f.StageBegan(stage="blue.move", turn=1, side="blue")
    moved = f.Moved(unit="P2", path=("0305", "0304"))
    assert lately([*FOUGHT, began, moved]) == [began, moved]


def test_while_nothing_is_done_in_it_a_picture_tells_the_phase_before() -> None:
    began = f.StageBegan(stage="blue.move", turn=1, side="blue")
    assert lately([*FOUGHT, began]) == [*FOUGHT, began]


def test_before_anything_is_done_there_is_nothing_to_tell() -> None:
    placed = f.Placed(unit="P2", at="0305")
    assert lately([placed]) == [placed]


# What the rules only note.


@pytest.mark.case("manstein", "12.1(1)")
def test_a_railroad_that_changed_hands_shows_as_a_small_badge_in_its_hex() -> None:
    game = games.find_game("manstein", "campaign", {})
    table, grid = after(game, [f.Noted(subject="@2930", mark="rail taken")]), game.board.grid
    shown, before = (whole_map(each, None).shapes for each in (table, after(game, [])))
    (badge,) = [shape for shape in shown if shape not in before and isinstance(shape, Group)]
    x, y = grid.centre(grid.hex("2930"))
    assert badge.at == pytest.approx((x, y), abs=0.5)
    (box,) = [shape for shape in badge.shapes if isinstance(shape, Box)]
    assert box.size[0] < 0.2


def test_what_the_rules_note_and_no_look_describes_stays_off_the_map(ford: Game) -> None:
    noted = whole_map(after(ford, [f.Noted(subject="@0203", mark="spent")]), None)
    assert noted.shapes == whole_map(after(ford, []), None).shapes
