"""Untried units (13.0): Korsun has none, and the proving ground draws them without replacement."""

from __future__ import annotations

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.run_case import play_case

KORSUN = games.rulebook("korsun_spi")
POOL = ["RD62", "RD45", "RD124", "RD135", "RD96", "RD80", "RD139", "RD173"]

ATTACK = """
case 13.1
scenario proving-untried
turn 1, german combat
place UR1 1007; HQ-5 1207; 44 0907
dice {die} 6 ...
german> attack 1007 with 44
expect UR1 at turned
expect pool "untried rifle division" {left}
"""


@pytest.mark.case("korsun_spi", "13.0", "19.63")
def test_there_are_no_untried_units_at_korsun() -> None:
    game = KORSUN.game("korsun", {})
    assert not game.data.switch["untried"]
    assert not any("untried" in unit.classes for unit in game.setting.roster)
    assert not game.new_position().pools


@pytest.mark.case("korsun_spi", "13.1")
@pytest.mark.parametrize("die", range(1, 9))
def test_each_face_draws_another_division_and_takes_it_out_of_the_pool(die: int) -> None:
    left = " ".join(unit for unit in POOL if unit != sorted(POOL)[die - 1])
    play_case(read_text(ATTACK.format(die=die, left=left), "13.1.case"), KORSUN)


@pytest.mark.case("korsun_spi", "13.1")
def test_the_pool_has_more_divisions_than_can_be_set_up_untried() -> None:
    roster = KORSUN.game("proving-untried", {}).setting.roster
    assert [unit.id for unit in roster if unit.setup == "pool"] == POOL
    assert len([unit for unit in roster if "untried" in unit.classes]) < len(POOL)
