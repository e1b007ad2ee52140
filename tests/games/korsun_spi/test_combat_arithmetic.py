"""Strengths and odds, swept over every value instead of tried at one."""

from fractions import Fraction
from math import floor

import pytest

import games
from engine.rules.odds import ratio_column, shifted
from games.korsun_spi.rules.strength import reckoned

DATA = games.rulebook("korsun_spi").game("korsun", {}).data
COLUMNS = DATA.columns


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", *numbers)


@case("9.32")
@pytest.mark.parametrize("factor", [1, 2, 3, 4, 6, 12])
def test_a_fraction_is_dropped_once_and_a_strength_is_never_cut_to_nothing(factor: int):
    for printed in range(1, 21):
        assert reckoned(printed, factor, halved=False) == printed * factor
        assert reckoned(printed, factor, halved=True) == max(1, floor(Fraction(printed * factor, 2)))
    assert reckoned(0, factor, halved=False) == reckoned(0, factor, halved=True) == 0


@case("9.4")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (26, 9, "2-1"),
        (29, 10, "2-1"),
        (30, 10, "3-1"),
        (9, 10, "1-2"),
        (5, 10, "1-2"),
        (4, 10, "1-3"),
        (1, 10, "1-3"),
        (120, 10, "10-1"),
        (10, 10, "1-1"),
        (19, 10, "1-1"),
        (20, 10, "2-1"),
    ],
)
def test_the_rulebook_s_own_ratios_come_out_as_printed(attack: int, defence: int, column: str):
    assert COLUMNS[ratio_column(attack, defence, COLUMNS)] == column


@case("9.4")
def test_every_ratio_is_rounded_for_the_defender():
    for attack in range(61):
        for defence in range(1, 31):
            if attack >= defence:
                expected = f"{min(10, attack // defence)}-1"
            else:
                expected = "1-2" if 2 * attack >= defence else "1-3"
            assert COLUMNS[ratio_column(attack, defence, COLUMNS)] == expected, (attack, defence)


@case("9.5", "14.14")
def test_a_shift_is_held_within_the_table():
    for column in range(len(COLUMNS)):
        for shift in range(-3, 4):
            assert shifted(column, shift, COLUMNS) == min(max(column + shift, 0), len(COLUMNS) - 1)


@case("9.5")
def test_better_odds_are_never_worse_for_the_attacker_on_average():
    harm = {"-": 0, "1": 1, "2": 2, "3": 3, "E": 4, "eng": 1}

    def balance(column: int) -> int:
        total = 0
        for die in range(1, 7):
            attacker, defender = (
                ("eng", "eng") if DATA.result(column, die) == "eng" else DATA.result(column, die).split("/")
            )
            total += harm[defender] - harm[attacker]
        return total

    balances = [balance(column) for column in range(len(COLUMNS))]
    assert balances == sorted(balances)
    assert balances[0] < 0 < balances[-1]
