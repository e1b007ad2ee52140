"""Setting up (18.0), played: the historical set-up by one word, and every unit at full strength."""

from __future__ import annotations

from functools import cache

import pytest

import games
from engine.dice import ForcedDice
from engine.position import Position, apply
from engine.referee import Referee

KORSUN = games.rulebook("korsun_spi")


@cache
def historical() -> Position:
    game = KORSUN.game("korsun", {})
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    referee = Referee(game, position, ForcedDice(()))
    referee.start()
    for side in ("soviet", "german"):
        assert not referee.submit(side, "historical\nend").refused
    return referee.position


@pytest.mark.case("korsun_spi", "2.0-a", "18.16", "18.26")
def test_one_word_a_side_sets_up_48_and_58_units_and_the_rest_waits() -> None:
    position = historical()
    assert len(list(position.on_map("soviet"))) == 48
    assert len(list(position.on_map("german"))) == 58
    roster = position.setting.roster
    waiting = [unit.id for unit in roster if position.hex_of(unit.id) is None]
    assert len(waiting) == 15 + 10
    assert all(position.where[unit].startswith("turn ") for unit in waiting)


@pytest.mark.case("korsun_spi", "2.0-a", "18.0")
def test_the_soviet_player_is_first() -> None:
    assert (historical().turn, historical().stage, historical().side) == (1, "soviet.command", "soviet")


@pytest.mark.case("korsun_spi", "18.12", "18.2", "18.14")
def test_every_unit_starts_with_all_its_steps_and_a_corps_with_four() -> None:
    position = historical()
    for side in ("soviet", "german"):
        for unit in position.on_map(side):
            assert position.lost.get(unit, 0) == 0
            assert position.steps_left(unit) == len(position.setting.roster.get(unit).steps)
    corps = [unit for unit in position.setting.roster if "corps" in unit.classes]
    assert len(corps) == 12
    assert {position.steps_left(unit.id) for unit in corps} == {4}
    assert not [unit for unit in position.setting.roster if "rpl" in unit.id.casefold()]


@pytest.mark.case("korsun_spi", "18.11")
def test_units_of_a_type_are_alike_but_for_their_number() -> None:
    roster = historical().setting.roster
    printed: dict[str, set[str]] = {}
    for unit in roster.by_side("soviet"):
        printed.setdefault(unit.kind, set()).add(repr(unit.steps))
    assert all(len(values) == 1 for values in printed.values())


@pytest.mark.case("korsun_spi", "18.15")
def test_four_corps_are_supported_and_every_hq_waits_for_its_orders() -> None:
    marks = historical().marks
    assert sorted(unit for unit, found in marks.items() if "supported" in found) == ["GMC5", "GTC3", "GTC5", "MC5"]
    assert len([unit for unit, found in marks.items() if "active" in found]) == 8


@pytest.mark.case("korsun_spi", "21.12")
def test_units_with_a_hex_number_remember_where_they_began() -> None:
    position = historical()
    began = {unit: found["start"] for unit, found in position.marks.items() if "start" in found}
    assert len(began) == 18
    assert all(position.where[unit] == spot for unit, spot in began.items())
