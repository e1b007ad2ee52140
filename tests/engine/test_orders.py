"""Order lines: read as people write them, and written as they are read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.facts import Marked
from engine.orders.book import Book
from engine.orders.conditions import read_condition
from engine.orders.fields import MARKER, Reading, UnitName
from engine.orders.order import Order
from engine.orders.script import read_script
from engine.pieces import Roster
from engine.position import apply
from engine.refusals import Ambiguous, Illegal, Unclear
from tests.engine.toy import UNITS, opening, orders, toy

GAME = toy()
POSITION = GAME.new_position()
for placed in opening(GAME):
    apply(POSITION, placed)
READING = Reading("red", POSITION, GAME.place_names)


def read(line: str, side: str = "red") -> Order:
    return GAME.book.read(line, Reading(side, POSITION, GAME.place_names))


@pytest.mark.parametrize(
    "line",
    [
        "move G1 0103 0104",
        "MOVE g1 0103 0104",
        "go G1 to 0103, 0104",
        "move G-1 0103-0104",
        "move G 1 0103 -> 0104",
        "move 1st Guards 0103, 0104",
        "move 1 guards via 0103 to hex 0104.",
        "move Old Guard 0103/0104",
        "  move   old-guard   103  104 ",
        "move G1: 0103..0104",
    ],
)
def test_a_move_may_be_written_in_many_ways(line: str) -> None:
    assert read(line).line() == "move G1 0103, 0104"


def test_a_straight_run_of_hexes_may_be_named_by_its_ends() -> None:
    assert read("move G1 0103-0106").line() == "move G1 0103, 0104, 0105, 0106"


def test_a_place_may_be_named_instead_of_its_hex() -> None:
    assert read("move G1 Gniloy Tikich").line() == "move G1 0203"
    assert read("look gniloy tikich").line() == "look 0203"


@pytest.mark.parametrize(
    "line",
    [
        "attack 0203 with G1, G2, T-34 hard",
        "attack 0203 with G1 + G2 + T34 hard",
        "attack 0203 hard with G1 & G2 and t 34",
        "attack gniloy tikich hard with 2nd guards, G1, tanks",
        "attack 0203 with 0102, 0302 hard",
    ],
)
def test_units_may_be_listed_in_many_ways_and_groups_stand_in_any_order(line: str) -> None:
    order = read(line)
    assert isinstance(order, orders.Attack)
    assert set(order.units) == {"G1", "G2", "T-34"}
    assert order.hard


def test_a_hex_in_place_of_a_unit_means_ones_own_stack_in_it() -> None:
    assert read("attack 0103 with 0102").line() == "attack 0103 with G1, G2"
    with pytest.raises(Unclear, match="None of your units stand in 0305"):
        read("attack 0103 with 0305")


def test_a_marker_is_no_part_of_the_stack_in_its_hex() -> None:
    units = [replace(unit, classes=frozenset({MARKER})) if unit.id == "G2" else unit for unit in GAME.setting.roster]
    game = replace(GAME, setting=replace(GAME.setting, roster=Roster(units)))
    position = game.new_position()
    for fact in opening(game):
        apply(position, fact)
    order = game.book.read("attack 0103 with 0102", Reading("red", position, game.place_names))
    assert order.line() == "attack 0103 with G1"


def test_a_nickname_that_both_sides_use_means_ones_own_unit() -> None:
    assert read("dig Old Guard", "red").line() == "dig G1"
    assert read("dig Old Guard", "blue").line() == "dig P1"


def test_several_units_may_march_each_its_own_way() -> None:
    order = read("march G1 0103 0104, G2 0202, T-34 0303-0305")
    assert isinstance(order, orders.March)
    assert order.paths == (
        ("G1", ("0103", "0104")),
        ("G2", ("0202",)),
        ("T-34", ("0303", "0304", "0305")),
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("mvoe G1 0103", "'mvoe' is not an order of this game. Did you mean move?"),
        ("move G1", "HEX, HEX... is missing. Write: move UNIT HEX, HEX..."),
        ("move", "UNIT is missing. Write: move UNIT HEX, HEX..."),
        ("move G1 9999", "There is no hex or place called '9999' on this map. Write: move UNIT HEX, HEX..."),
        ("dig Q7", "There is no unit called 'Q7'."),
        ("bid many", "A number is wanted, not 'many'. Write: bid NUMBER"),
        ("scout now", "'now' was not understood here. Write: scout"),
        ("attack 0103", "The part with 'with' is missing."),
        ("signal blue", "'blue' is not one of white, green, red. Write: signal white|green|red"),
        ("dig G1 0103", "'0103' was not understood here. Write: dig UNIT"),
        (";", "The line is empty."),
    ],
)
def test_a_line_not_understood_is_answered_with_what_would_be(line: str, sentence: str) -> None:
    with pytest.raises(Unclear) as refusal:
        read(line)
    assert refusal.value.sentence().startswith(sentence)
    assert refusal.value.family == "not understood"


def test_a_name_that_could_be_two_units_is_never_guessed() -> None:
    with pytest.raises(Ambiguous) as refusal:
        read("dig guards")
    assert refusal.value.candidates == ("G1", "G2")


def test_clauses_and_followers_are_told_apart() -> None:
    order = read("attack 0103 with G1; advance G1; lose G1; then end; else: move G2 0202")
    assert [clause.line() for clause in order.clauses] == ["advance G1", "lose G1"]
    assert [clause.line() for clause in order.then] == ["end"]
    assert [clause.line() for clause in order.otherwise] == ["move G2 0202"]


def test_a_book_refuses_two_orders_of_one_name() -> None:
    class Walk(Order):
        usage = "go {unit}"
        unit: UnitName

    with pytest.raises(TypeError, match="two orders are called 'go'"):
        Book((orders.Move, Walk))


# What is written is what is read.

units = st.sampled_from(list(UNITS))
hexes = st.sampled_from([f"{column:02}{row:02}" for column in range(1, 7) for row in range(1, 7)])


def _no_run(path: list[str]) -> bool:
    return all(a != b for a, b in pairwise(path))


paths = st.lists(hexes, min_size=1, max_size=4).filter(_no_run).map(tuple)
several = st.lists(units, min_size=1, unique=True).map(tuple)
simple = st.one_of(
    st.builds(orders.Bid, points=st.integers(0, 99)),
    st.builds(orders.Move, unit=units, path=paths),
    st.builds(orders.Dig, unit=units),
    st.builds(orders.Look, at=hexes),
    st.builds(orders.Attack, target=hexes, units=several, where=st.just("") | hexes, hard=st.booleans()),
    st.builds(orders.NoSupport),
    st.builds(orders.Retreat, unit=units, to=hexes),
    st.builds(orders.Signal, flare=st.sampled_from(["white", "green", "red"])),
    st.builds(orders.March, paths=st.lists(st.tuples(units, paths), min_size=1, max_size=3).map(tuple)),
)
some = st.lists(simple, max_size=2).map(tuple)


@st.composite
def whole_orders(draw: st.DrawFn) -> Order:
    order = draw(simple)
    inner = {"clauses": draw(some), "then": draw(some), "otherwise": draw(some)}
    return order.model_copy(update=inner)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(whole_orders(), st.sampled_from(["red", "blue"]))
def test_an_order_written_down_and_read_again_is_the_same_order(order: Order, side: str) -> None:
    assert read(order.line(), side) == order


@settings(max_examples=300, deadline=None, derandomize=True)
@given(whole_orders())
def test_an_order_kept_in_a_log_and_loaded_again_is_the_same_order(order: Order) -> None:
    assert GAME.book.load(order.dump()) == order


# Scripts and conditions.


def test_comments_and_empty_lines_and_what_stands_below_the_end_mark_are_not_read() -> None:
    statements, faults = read_script("# my plan\n\nmove G1 0103  # up\n  END OF ORDERS\nbest regards")
    assert [(s.number, s.text) for s in statements] == [(3, "move G1 0103")]
    assert faults == []


def test_conditions_may_stand_inside_conditions() -> None:
    text = "if 0103 is empty:\n if G1 is whole:\n  dig G1\n else:\n  dig G2\n end if\nelse: end\nlook 0303"
    (outer, last), faults = read_script(text)
    assert faults == []
    assert outer.condition == "0103 is empty"
    assert [s.text for s in outer.yes[0].yes] == ["dig G1"]
    assert [s.text for s in outer.yes[0].no] == ["dig G2"]
    assert [s.text for s in outer.no] == ["end"]
    assert last.text == "look 0303"


def test_an_else_without_an_if_is_a_fault_of_its_line() -> None:
    _, faults = read_script("end\nelse: end\nend if")
    assert [number for number, _, _ in faults] == [2, 3]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("0102 is taken", True),
        ("0105 is held", True),
        ("0105 is lost", True),
        ("0105 is cleared", False),
        ("0303 is empty", True),
        ("0303 is not empty", False),
        ("Gniloy Tikich is vacant", True),
        ("G1 is alive", True),
        ("Old Guard is dead", False),
        ("P1 is not reduced and G1 is whole", True),
        ("P1 is in 0105", True),
        ("P1 is in 0105 and 0105 is ours", False),
        ("G1 has no moved", True),
    ],
)
def test_a_condition_says_what_its_writer_sees(condition: str, holds: bool) -> None:
    assert read_condition(condition, READING).holds(READING) is holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("G1 is next to 0103", True),
        ("G1 is adjacent to 0105", False),
        ("0303 has mined", True),
        ("0303 has no mined", False),
        ("0304 has mined", False),
        ("0303 has 2 mined", True),
        ("0303 has 3 mined", False),
        ("G1 has 2 or more fuel", True),
        ("G1 has at least 3 fuel", False),
        ("G1 has 2 or less fuel", True),
        ("P1 has 1 or fewer fuel", True),
        ("0102 is empty or 0105 is held", True),
        ("0102 is empty or 0105 is empty", False),
        ("0303 is empty and 0102 is empty or G1 is alive", True),
        ("G1 has 1 or more fuel and 0102 is taken or 0105 is empty", True),
    ],
)
def test_a_condition_may_count_marks_and_give_a_choice(condition: str, holds: bool) -> None:
    position = POSITION.copy()
    apply(position, Marked(subject="@0303", mark="mined", value=2))
    apply(position, Marked(subject="G1", mark="fuel", value=2))
    reading = Reading("red", position, GAME.place_names)
    assert read_condition(condition, reading).holds(reading) is holds


@pytest.mark.parametrize("condition", ["0303", "0303 is on fire", "somebody is alive", "9999 is empty"])
def test_a_condition_not_understood_is_unclear(condition: str) -> None:
    with pytest.raises(Unclear):
        read_condition(condition, READING)


@pytest.mark.parametrize(
    ("more", "end"),
    [
        ({"alternatives": ["0101", "0102"]}, "Legal instead: 0101, 0102."),
        ({"instead": "Free hexes", "alternatives": []}, "Free hexes: none."),
        ({"instead": "Write `end`"}, "Write `end`."),
        ({}, "(case 2.1)."),
    ],
)
def test_a_refusal_says_what_is_legal_instead_even_if_nothing_is(more: dict[str, Any], end: str) -> None:
    assert Illegal("2.1", "G1 cannot go to 0606", **more).sentence().endswith(end)
