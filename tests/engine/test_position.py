"""The position: facts change it, nothing else does, and each side sees only its own part."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import facts as f
from engine.position import ELIMINATED, UNSEEN, Position, apply, suppose
from engine.view import view
from tests.engine.toy import UNITS, opening, toy

GAME = toy()


def set_up(*facts: f.Fact) -> Position:
    position = GAME.new_position()
    for fact in (*opening(GAME), *facts):
        apply(position, fact)
    return position


def at(position: Position, number: str) -> tuple[str, ...]:
    return position.at(GAME.board.grid.hex(number))


def test_a_stack_is_the_same_however_it_came_together() -> None:
    one = set_up(f.Placed(unit="T-34", at="0102"))
    other = set_up(f.Placed(unit="G1", at="0606"), f.Placed(unit="T-34", at="0102"), f.Placed(unit="G1", at="0102"))
    assert at(one, "0102") == at(other, "0102") == ("G1", "G2", "T-34")
    assert one.hash() == other.hash()


def test_a_position_remembers_which_marks_the_rules_only_noted() -> None:
    told, noted = (set_up(kind(subject="G1", mark="spent", value=2)) for kind in (f.Marked, f.Noted))
    assert (told.noted, noted.noted) == (set(), {"spent"})
    assert noted.copy().noted == Position.from_json(GAME.setting, noted.to_json()).noted == {"spent"}
    assert told.hash() == noted.hash()  # how a mark came there is no part of where everything is


HIDDEN = f.Marked(subject="G1", mark="dug", only=("red",))


def test_truth_and_views_part_where_a_fact_is_hidden_and_nowhere_else() -> None:
    position = set_up(HIDDEN, f.Moved(unit="G1", path=("0102", "0103")), f.Marked(subject="G2", mark="tired"))
    for side in ("red", "blue"):
        own = set_up().as_seen_by(side)
        for fact in (HIDDEN, f.Moved(unit="G1", path=("0102", "0103")), f.Marked(subject="G2", mark="tired")):
            if fact.seen_by(side):
                apply(own, fact)
        assert view(position, side).to_json() == own.to_json()
    assert position.mark("G1", "dug") == view(position, "red").mark("G1", "dug") == 1
    assert view(position, "blue").mark("G1", "dug") is None


@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_copy_of_a_view_stays_as_it_was_when_the_truth_goes_on(side: str) -> None:
    position = set_up(HIDDEN)
    copy = view(position, side).copy()
    before, supposed = copy.hash(), suppose(view(position, side), [f.StepLost(unit="G1")])
    for fact in (
        f.Moved(unit="G1", path=("0102", "0103")),
        f.Marked(subject="G2", mark="tired"),
        f.StepLost(unit="G2"),
    ):
        apply(position, fact)
    assert copy.hash() == before
    assert (supposed.where["G1"], supposed.mark("G2", "tired"), supposed.steps_left("G2")) == ("0102", None, 2)
    assert view(position, side).where["G1"] == "0103"


def test_a_unit_that_moved_is_where_its_path_ends() -> None:
    position = set_up(f.Moved(unit="G1", path=("0102", "0103", "0104")))
    assert position.where["G1"] == "0104"
    assert at(position, "0102") == ("G2",)
    assert at(position, "0103") == ()


def test_a_side_holds_a_hex_as_long_as_one_of_its_units_is_in_it() -> None:
    grid = GAME.board.grid
    position = set_up()
    bit = 1 << grid.hex("0102")
    apply(position, f.Eliminated(unit="G1", at="0102"))
    assert position.held("red") & bit
    apply(position, f.Placed(unit="G2", at="the rear"))
    assert not position.held("red") & bit
    assert position.in_box("the rear") == ["G2"]
    assert list(position.on_map("red")) == ["T-34"]


def test_a_unit_eliminated_is_off_the_map_and_loses_its_marks() -> None:
    position = set_up(f.Marked(subject="G1", mark="dug"), f.Eliminated(unit="G1", at="0102"))
    assert not position.alive("G1")
    assert position.where["G1"] == ELIMINATED
    assert position.hex_of("G1") is None
    assert position.mark("G1", "dug") is None


def test_steps_are_lost_and_gained_again() -> None:
    position = set_up(f.StepLost(unit="G1"))
    assert (position.value("G1", "attack"), position.steps_left("G1")) == (1, 1)
    apply(position, f.StepGained(unit="G1"))
    assert position.hash() == set_up().hash()


def test_a_mark_taken_off_leaves_no_trace() -> None:
    position = set_up(f.Marked(subject="@0303", mark="mined", value=2))
    assert position.mark("@0303", "mined") == 2
    apply(position, f.Marked(subject="@0303", mark="mined", value=None))
    apply(position, f.Marked(subject="@0404", mark="mined", value=None))
    assert position.hash() == set_up().hash()


def test_a_counter_turned_over_keeps_its_place_and_marks() -> None:
    position = set_up(f.Marked(subject="SG", mark="dug"), f.Turned(unit="SG", into="P1", at="0305"))
    assert position.where["P1"] == "0305"
    assert position.mark("P1", "dug") == 1
    assert position.where["SG"] == "turned"


def test_an_item_drawn_leaves_its_pool_once() -> None:
    position = set_up(f.Pooled(pool="chits", items=("II", "II", "III")), f.Drew(pool="chits", item="II"))
    assert position.pools["chits"] == ("II", "III")


def test_seats_owners_and_the_end_are_facts_too() -> None:
    position = set_up(
        f.SeatTaken(seat="Vatutin", side="red"),
        f.TookHex(hex="0203", side="red"),
        f.GameEnded(result="red has the ford", winner="red", points=(("red", 3), ("blue", 1))),
    )
    assert (position.seats, position.owners) == ({"Vatutin": "red"}, {"0203": "red"})
    assert (position.ended, position.winner) == ("red has the ford", "red")


def test_a_unit_out_of_sight_leaves_the_view_and_comes_back_as_it_is_by_then() -> None:
    position = set_up(f.LostSight(unit="G1", by="blue"))
    apply(position, f.Moved(unit="G1", path=("0102", "0103"), only=("red",)))
    apply(position, f.StepLost(unit="G1", only=("red",)))
    apply(position, f.Marked(subject="G1", mark="dug", only=("red",)))
    assert position.views["blue"].where["G1"] == UNSEEN
    assert position.views["blue"].hex_of("G1") is None
    apply(position, f.Sighted(unit="G1", by="blue", at="0103", lost=1, marks=(("dug", 1),)))
    seen = position.views["blue"]
    assert (seen.where["G1"], seen.steps_left("G1"), seen.mark("G1", "dug")) == ("0103", 1, 1)
    assert position.views["red"].where["G1"] == position.where["G1"] == "0103"


def test_what_was_known_of_a_strength_may_outlast_the_sight_of_its_unit() -> None:
    position = set_up(f.StepLost(unit="G1"), f.LostSight(unit="G1", by="blue", kept=True))
    apply(position, f.StepLost(unit="G1", only=("red",)))
    seen = position.views["blue"]
    assert (seen.where["G1"], seen.lost["G1"], seen.unsure["G1"]) == (UNSEEN, 1, "last seen")


def test_facts_for_the_record_change_nothing() -> None:
    told = set_up(
        f.Told(text="rain"),
        f.Halted(unit="G1", at="0102", why="mud"),
        f.Fought(
            kind="attack",
            attackers=("G1",),
            defenders=(),
            targets=("0103",),
            column="1-1",
            decided=(("die", "1"),),
            result="-",
        ),
    )
    assert told.hash() == set_up().hash()


def test_what_only_one_side_may_know_is_in_its_view_and_in_the_truth_alone() -> None:
    position = set_up(f.Placed(unit="T-34", at="0404", only=("red",)))
    assert position.where["T-34"] == view(position, "red").where["T-34"] == "0404"
    assert view(position, "blue").where["T-34"] == "0302"
    apply(position, f.Moved(unit="G1", path=("0102", "0103")))
    assert {view(position, side).where["G1"] for side in ("red", "blue")} == {"0103"}


def test_as_long_as_nothing_is_hidden_everybody_sees_the_position_itself() -> None:
    position = set_up()
    assert view(position, "red") is position


def test_a_what_if_leaves_the_position_alone() -> None:
    position = set_up(f.Placed(unit="T-34", at="0404", only=("red",)))
    before = position.hash()
    supposed = suppose(position, [f.Eliminated(unit="G1", at="0102"), f.Marked(subject="G2", mark="dug")])
    assert not supposed.alive("G1")
    assert position.hash() == before


def test_a_fact_of_a_newer_version_is_named() -> None:
    with pytest.raises(f.UnknownFact, match="knows no fact called 'Teleported'"):
        f.load({"fact": "Teleported", "unit": "G1"})


units, hexes = st.sampled_from(list(UNITS)), st.sampled_from(["0101", "0203", "0304", "0606", "the rear"])
only = st.sampled_from([None, None, ("red",), ("blue",), ()])
facts = st.one_of(
    st.builds(f.Placed, unit=units, at=hexes, lost=st.sampled_from([None, 0, 1]), only=only),
    st.builds(f.Moved, unit=units, path=st.tuples(hexes, hexes), only=only),
    st.builds(f.StepLost, unit=units, only=only),
    st.builds(f.StepGained, unit=units, only=only),
    st.builds(f.Eliminated, unit=units, at=hexes, because=st.just("3.5"), only=only),
    st.builds(f.Marked, subject=units, mark=st.just("dug"), value=st.sampled_from([1, "0203", None]), only=only),
    st.builds(f.Counted, track=st.sampled_from(["red", "blue"]), value=st.integers(-3, 9), only=only),
    st.builds(f.StageBegan, stage=st.just("bid"), turn=st.integers(1, 9), side=st.just("")),
    st.builds(f.GameEnded, result=st.just("draw"), points=st.just((("red", 1), ("blue", 2)))),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(facts, max_size=25))
def test_a_position_survives_its_copy_and_its_json_and_its_facts_survive_the_log(
    happened: list[f.Fact],
) -> None:
    position = set_up(*happened)
    again = set_up(*(f.load(json.loads(json.dumps(f.dump(fact)))) for fact in happened))
    copies = [
        position.copy(),
        Position.from_json(GAME.setting, json.loads(json.dumps(position.to_json()))),
        again,
    ]
    for copy in copies:
        assert copy.hash() == position.hash()
        for h in range(position.setting.grid.everything.bit_length()):
            assert copy.at(h) == position.at(h)
        assert all(copy.held(side) == position.held(side) for side in GAME.sides)
    apply(copies[0], f.Placed(unit="G1", at="0505", lost=1))
    assert position.hash() == copies[1].hash()


def test_a_mark_that_was_wiped_can_be_set_and_wiped_again() -> None:
    wiped, again = f.Wiped(marks=("spent",)), f.Marked(subject="G1", mark="spent", value=2)
    position = set_up(again, wiped, wiped, again)
    stored = Position.from_json(GAME.setting, position.to_json())
    for known in (position, position.copy(), stored):
        assert known.mark("G1", "spent") == 2
        apply(known, wiped)
        assert known.mark("G1", "spent") is None


def _drawn(draw: random.Random) -> f.Fact:
    """Any fact about a unit, for all or for some."""
    unit, side = draw.choice(("G1", "G2", "T-34", "P1")), draw.choice(("red", "blue"))
    only = draw.choice((None, None, ("red",), ("blue",), ()))
    return draw.choice((
        f.Placed(unit=unit, at=draw.choice(("0102", "0103", "box")), only=only),
        f.Moved(unit=unit, path=("0101", draw.choice(("0202", "0303"))), only=only),
        f.Marked(subject=draw.choice((unit, "@0102")), mark="a", value=draw.choice((1, "x", None)), only=only),
        f.Noted(subject=unit, mark="c", value=draw.choice((1, 2, None)), only=only),
        f.Wiped(marks=("a", "c"), side=draw.choice(("", "red")), only=only),
        f.Eliminated(unit=unit, at="0102", only=only),
        f.Turned(unit=unit, into=draw.choice(("G1", "P1")), at="0303", only=only),
        f.Sighted(unit=unit, by=side, at="0203", marks=(("a", 2),), only=(side,)),
        f.LostSight(unit=unit, by=side, kept=draw.random() < 0.5, only=(side,)),
    ))  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_the_hash_rests_on_what_is_there_and_not_on_how_it_came_there(seed: int) -> None:
    draw, position = random.Random(seed), set_up()
    again = position.copy()
    for _ in range(150):
        fact = _drawn(draw)
        apply(position, fact)
        apply(again, fact)
        if draw.random() < 0.1:
            other, position = position, position.copy()
            apply(other, _drawn(draw))
        if draw.random() < 0.3:  # each view for itself first
            views = [Position.from_json(GAME.setting, one.to_json(), side) for side, one in position.views.items()]
            assert [one.hash() for one in views] == [one.hash() for one in position.views.values()]
        if draw.random() < 0.3:
            assert position.hash() == again.hash()
            again = Position.from_json(GAME.setting, position.to_json())
