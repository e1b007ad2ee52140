"""Victory (27.0): every level at its exact boundary, and what each unit is worth."""

from __future__ import annotations

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.run_case import play_case
from engine.table import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.losses import worth

KORSUN = games.rulebook("korsun_spi")

ENDING = """
case 27.3
turn 13, german mechanised
count vp_soviet {soviet}
count vp_german {german}
place 82 0717
german> end
expect ended {level}
expect winner {winner}
"""


def table() -> Table:
    game = KORSUN.game("korsun", {})
    position = game.new_position()
    return Table(game, position)


@pytest.mark.case("korsun_spi", "27.3", "27.0")
@pytest.mark.parametrize("german", [0, 17])
@pytest.mark.parametrize(
    ("difference", "level"),
    [
        (85, "Soviet strategic victory"),
        (84, "Soviet operational victory"),
        (75, "Soviet operational victory"),
        (74, "Soviet tactical victory"),
        (65, "Soviet tactical victory"),
        (64, "Draw"),
        (60, "Draw"),
        (59, "German tactical victory"),
        (50, "German tactical victory"),
        (49, "German operational victory"),
        (40, "German operational victory"),
        (39, "German strategic victory"),
        (-5, "German strategic victory"),
    ],
)
def test_the_last_turn_ends_in_the_level_that_the_difference_gives(difference: int, level: str, german: int) -> None:
    winner = "nobody" if level == "Draw" else level.split()[0].casefold()
    soviet = difference + german
    text = ENDING.format(soviet=soviet, german=german, level=level, winner=winner)
    play_case(read_text(text, "27.3.case"), KORSUN)


@pytest.mark.case("korsun_spi", "27.1")
def test_only_infantry_regiments_and_divisionsgruppen_are_cheap() -> None:
    at = table()
    cheap = {unit.id for unit in at.roster.by_side(GERMAN) if worth(at, unit.id, isolated=False)[1] == 3}
    small = {unit.id for unit in at.roster.by_side(GERMAN) if unit.kind in ("infantry regiment", "Divisionsgruppe")}
    assert cheap == small
    assert len(small) == 25
    for unit in at.roster.by_side(GERMAN):
        normal, isolated = (worth(at, unit.id, isolated=flag) for flag in (False, True))
        assert (normal[:2], isolated[:2]) == (
            (SOVIET, 3 if unit.id in small else 6),
            (SOVIET, 4 if unit.id in small else 8),
        )


@pytest.mark.case("korsun_spi", "27.2")
def test_every_soviet_unit_has_its_price() -> None:
    at = table()
    prices = {unit.id: worth(at, unit.id, isolated=False) for unit in at.roster.by_side(SOVIET)}
    assert {side for side, _, _ in prices.values()} == {GERMAN}
    for unit in at.roster.by_side(SOVIET):
        price = {"X": 3, "XX": 4, "XXX": 12, "HQ": 6}[unit.size]
        assert prices[unit.id][1] == price, unit.id


@pytest.mark.case("korsun_spi", "27.2-a")
@pytest.mark.parametrize(("lost", "rest"), [(0, 12), (1, 10), (2, 8), (3, 6)])
def test_a_corps_is_worth_twelve_less_what_its_steps_have_given(lost: int, rest: int) -> None:
    at = table()
    at.position.lost["GTC5"] = lost
    assert worth(at, "GTC5", isolated=False)[1] == rest
