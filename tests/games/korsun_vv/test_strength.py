"""Strengths over all counters: steps, loss markers, halving and rounding."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from engine.cases.deal import bare_position
from engine.facts import Marked, Placed, StageBegan, StepLost
from engine.game import Game
from engine.pieces import Unit
from engine.position import apply
from engine.table import Table
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.rules.losses import lose
from games.korsun_vv.rules.odds import PARTS, parts, quality, stars, total

HALVING = {"fatigued": 1, "disorganized": 1, "supply": "unsupplied"}


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


@cache
def game() -> Game:
    return RULEBOOK.game("battle")


UNITS = [unit.id for unit in game().setting.roster]
FIGHTERS = [unit.id for unit in game().setting.roster if "hq" not in unit.classes]


def unit(name: str) -> Unit:
    return game().setting.roster.get(name)


def printed(name: str, lost: int = 0) -> int:
    """What stands on a counter after so many losses."""
    row = unit(name).steps[lost]
    return row["strength"] if "strength" in row else row["defence"]


def table(*units: str, lost: int = 0, marks: tuple[str, ...] = ()) -> Table:
    position = bare_position(game())
    apply(position, StageBegan(stage="german.activation", turn=2, side="german"))
    for name in units:
        apply(position, Placed(unit=name, at="3217", lost=lost))
        for mark in marks:
            apply(position, Marked(subject=name, mark=mark, value=HALVING[mark]))
    return Table(game(), position)


@case("0.3-a")
@pytest.mark.parametrize("name", FIGHTERS)
def test_half_a_strength_goes_to_the_nearest_whole_and_an_exact_half_up(name: str) -> None:
    assert total(table(name, marks=("fatigued",)), [name]) == max(1, (printed(name) + 1) // 2)


@case("0.3-b")
def test_a_force_is_added_up_before_it_is_halved_and_rounded_once() -> None:
    odd = [name for name in FIGHTERS if unit(name).side == "german" and printed(name) % 2][:4]
    assert len(odd) == 4
    for count in (2, 3, 4):
        force = odd[:count]
        strength = sum(printed(name) for name in force)
        assert total(table(*force, marks=("fatigued",)), force) == (strength + 1) // 2
        assert (strength + 1) // 2 < sum((printed(name) + 1) // 2 for name in force)


@case("0.3-b", "1.2-e")
def test_a_loss_marker_comes_off_before_the_halving() -> None:
    for name in FIGHTERS:
        if len(unit(name).steps) > 2:
            marker = game().data.tables["loss_marker"][unit(name).side]
            left = printed(name) - marker
            assert total(table(name, lost=1, marks=("fatigued",)), [name]) == max(1, (left + 1) // 2)


@case("1.3-b", "0.3-b")
@pytest.mark.parametrize("marks", [("fatigued", "disorganized"), ("disorganized", "supply"), tuple(HALVING)])
def test_halvings_multiply(marks: tuple[str, ...]) -> None:
    for name in FIGHTERS:
        share = Fraction(parts(table(name, marks=marks), name), PARTS)
        assert share == Fraction(printed(name), 2 ** len(marks))


@case("1.3-b")
def test_isolation_and_want_of_command_halve_nothing() -> None:
    found = table("585/320")
    for mark, value in (("supply", "isolated"), ("command", "out"), ("dug in", 1)):
        apply(found.position, Marked(subject="585/320", mark=mark, value=value))
    assert parts(found, "585/320") == printed("585/320") * PARTS


@case("1.2-a", "1.2-b", "1.2-c", "1.2-d")
@pytest.mark.parametrize("name", UNITS)
def test_a_unit_goes_with_its_last_step_and_not_before(name: str) -> None:
    have = len(unit(name).steps)
    for lost in range(have):
        found = table(name, lost=lost)
        facts = list(lose(found, name, 1, "1.2-a"))
        assert isinstance(facts[0], StepLost) == (lost < have - 1)
        for fact in facts:
            apply(found.position, fact)
        assert found.position.alive(name) == (lost < have - 1)


@case("1.2-c", "1.2-d", "1.2-e")
@pytest.mark.parametrize("name", [name for name in FIGHTERS if len(unit(name).steps) > 2])
def test_a_loss_marker_takes_three_from_a_russian_and_two_from_a_german_and_nothing_else(name: str) -> None:
    marker = {"russian": 3, "german": 2}[unit(name).side]
    for face in range(0, len(unit(name).steps) - 1, 2):
        above, below = table(name, lost=face), table(name, lost=face + 1)
        assert parts(above, name) - parts(below, name) == marker * PARTS
        assert quality(above, name) == quality(below, name)
        assert stars(above, name) == stars(below, name)


@case("1.2-b", "1.2-c")
@pytest.mark.parametrize("name", [name for name in FIGHTERS if len(unit(name).steps) > 1])
def test_the_reverse_has_its_own_values(name: str) -> None:
    back = 1 if len(unit(name).steps) == 2 else 2
    assert parts(table(name, lost=back), name) == printed(name, back) * PARTS
    assert parts(table(name, lost=back), name) < parts(table(name), name)
    assert quality(table(name, lost=back), name) == unit(name).steps[back]["quality"]


@case("1.1-b")
@pytest.mark.parametrize("name", ["159RF", "54RF", "213Sec", "47PzK", "4GA"])
def test_a_strength_in_parentheses_counts_in_defence(name: str) -> None:
    assert parts(table(name), name) == unit(name).value("defence") * PARTS > 0
