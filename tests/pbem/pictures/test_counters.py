"""Counters: every class has a glyph, every mark a badge, every step its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

import games
from engine import facts as f
from engine.game import Game
from engine.position import LAST_SEEN, UNKNOWN, apply
from pbem.pictures.counters import PALE, badges_of, counter, face_of, fan, printed, stack
from pbem.pictures.emblems import GLYPHS
from pbem.pictures.look import Badge, Look, look_of
from pbem.pictures.shapes import Box, Group, Shape, Text
from tests.pbem.pictures.conftest import after

SIDE_BY_SIDE = 0.12  # of a hex: enough to count counters by


def texts(shapes: Iterable[Shape]) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Text):
            yield shape.text
        elif isinstance(shape, Group):
            yield from texts(shape.shapes)


def test_the_values_are_those_of_the_step_that_is_up() -> None:
    ways = ("attack-defence-move", "(rating)-move")
    assert printed({"attack": 4, "defence": 5, "move": 6}, ways) == "4-5-6"
    assert printed({"rating": 6, "move": 9}, ways) == "(6)-9"
    assert printed({"guns": 3, "range": 7}, ways) == "3-7"


def test_a_unit_that_lost_a_step_shows_its_band_and_its_lower_values(ford: Game) -> None:
    unit, look = ford.setting.roster.get("G1"), look_of(ford)
    whole, reduced = (counter(face_of(unit, lost, look), look, 0.74, False) for lost in (0, 1))
    assert "2" in texts(whole)
    assert "1" in texts(reduced)
    bands = [s for s in reduced if isinstance(s, Box) and s.fill == "#ffffff"]
    assert bands
    assert not [s for s in whole if isinstance(s, Box) and s.fill == "#ffffff"]


def test_a_strength_in_doubt_is_shown_as_far_as_it_is_known(ford: Game) -> None:
    unit, look = ford.setting.roster.get("G1"), look_of(ford)
    for small in (False, True):
        unknown = counter(face_of(unit, 0, look, UNKNOWN), look, 0.74, small)
        last_seen = counter(face_of(unit, 1, look, LAST_SEEN), look, 0.74, small)
        assert "?" in texts(unknown)
        assert not {"1", "2"} & set(texts(unknown))
        assert "[1]" in texts(last_seen)
        assert {s.fill for s in last_seen if isinstance(s, Text) and s.text == "[1]"} == {PALE}


def test_a_short_strength_in_doubt_keeps_both_brackets(ford: Game) -> None:
    look = replace(look_of(ford), faces=("attack-defence-move",))
    unit = replace(ford.setting.roster.get("G1"), steps=({"attack": 4, "defence": 5, "move": 6},))
    assert "[4-5]" in texts(counter(face_of(unit, 0, look, LAST_SEEN), look, 0.74, True))


def test_many_figures_stand_in_two_rows_and_a_small_counter_has_the_first_of_them(ford: Game) -> None:
    look = replace(look_of(ford), faces=("attack-defence-move guns-range",))
    values = {"attack": 4, "defence": 5, "move": 6, "guns": 7, "range": 8}
    face = face_of(replace(ford.setting.roster.get("G1"), steps=(values,)), 0, look)
    assert face.values == "4-5-6 7-8"
    rows = {s.text: s.at[1] for s in counter(face, look, 0.74, False) if isinstance(s, Text)}
    assert rows["4-5-6"] < rows["7-8"]
    assert "4-5" in texts(counter(face, look, 0.74, True))


@pytest.mark.parametrize("number", range(2, 9))
def test_every_counter_of_a_stack_can_be_counted_and_stays_in_its_hex(number: int) -> None:
    size, rise, _ = fan(number, 0.74)
    assert rise * (number - 1) + size <= 1.0
    assert rise > 0.05


def test_in_a_stack_of_three_every_designation_can_be_read(ford: Game) -> None:
    size, rise, _ = fan(3, look_of(ford).counter)
    assert rise >= size * 0.2


def test_a_large_stack_says_how_many_it_has(ford: Game) -> None:
    table = after(ford, [f.Placed(unit=u, at="0303") for u in ("G1", "G2", "T-34", "P1")])
    units = table.position.at(table.grid.hex("0303"))
    assert "4" in texts(stack(table.position, units, (0.0, 0.0), look_of(ford), False, {}))


def test_the_sides_differ_in_more_than_colour() -> None:
    for book in games.rulebooks().values():
        looks = list(look_of(book.game()).sides.values())
        assert len({look.emblem for look in looks}) == len(looks)
        assert len({look.fill for look in looks}) == len(looks)


def test_every_unit_of_every_game_has_a_glyph_of_its_kind() -> None:
    for book in games.rulebooks().values():
        game = book.game()
        look = look_of(game)
        plain = [unit.id for unit in game.setting.roster if look.glyph(unit) == "plain"]
        assert not plain
        assert {look.glyph(unit) for unit in game.setting.roster} <= GLYPHS.keys()


def test_every_mark_is_drawn_unless_the_look_leaves_it_out(ford: Game) -> None:
    look = look_of(ford)
    assert look.badge("dug in", 1) == Badge("Du")
    assert look.badge("fatigue", 2) == Badge("Fa2")
    assert replace_hidden(look, "spent").badge("spent", 3) is None


def replace_hidden(look: Look, mark: str) -> Look:
    return replace(look, hidden=frozenset({mark}))


def test_what_the_rules_note_for_themselves_is_drawn_only_if_the_look_describes_it(ford: Game) -> None:
    position, unit = ford.new_position(), ford.setting.roster.get("G1")
    apply(position, f.Noted(subject="G1", mark="spent", value=3))
    apply(position, f.Noted(subject="G1", mark="attacked"))
    described = replace(look_of(ford), marks={"attacked": Badge("A")})
    assert badges_of(position, unit, look_of(ford)) == []
    assert badges_of(position, unit, described) == [Badge("A")]


def test_every_described_mark_of_every_game_is_painted_on_a_counter() -> None:
    for book in games.rulebooks().values():
        game = book.game()
        look, position = look_of(game), game.new_position()
        unit = next(iter(game.setting.roster))
        number = game.board.grid.number_of(next(iter(game.board.kinds)))
        apply(position, f.Placed(unit=unit.id, at=number))
        for mark, badge in look.marks.items():
            apply(position, f.Marked(subject=unit.id, mark=mark, value=1))
            shown = set(texts(stack(position, (unit.id,), (0.0, 0.0), look, False, {})))
            assert badge.showing(1).text in shown
            apply(position, f.Marked(subject=unit.id, mark=mark, value=None))


def test_who_lacks_a_mark_is_badged_only_while_somebody_has_it() -> None:
    for book in games.rulebooks().values():
        game = book.game()
        look = look_of(game)
        for mark, (group, badge) in look.lacking.items():
            first, second, *_ = (u for u in game.setting.roster if group in u.classes)
            position = game.new_position()
            assert badge not in badges_of(position, second, look)
            apply(position, f.Marked(subject=first.id, mark=mark))
            assert badge in badges_of(position, second, look)
            assert badge not in badges_of(position, first, look)
