"""Every way a game ends: its final fact names the way, so that finished games can be told apart by it."""

from __future__ import annotations

import re

import pytest

from engine.cases.case_file import read_text
from engine.cases.deal import bare_position
from engine.cases.run_case import play_case
from engine.facts import Counted, GameEnded, Placed, StageBegan
from engine.position import apply
from engine.table import Table
from games.manstein.data import FOLDER
from games.manstein.game import RULEBOOK
from games.manstein.rules.victory import end_of_turn

case = pytest.mark.case

CITIES = {
    "Kharkov": ("2634", "2635"),
    "Kiev": ("2918", "2919"),
    "Odessa": ("0218", "0318"),
    "Tarnopol": ("2305", "2306"),
    "Stalino": ("1338", "1339"),
    "Dnepropetrovsk": ("1631", "1630"),
}
# Where the game is, and what it must then end with; the turn's end needs dice where air markers are drawn.
ENDINGS = {
    "Soviet victory: the points are reached": "turn 3, draw\ncount vp_destroyed 65",
    "Axis victory: the Soviets fell short": "turn 8, draw\ndice 1 1 1",
    "Soviet victory: the Dnieper is crossed": "scenario race\nturn 4, draw\ncount vp_destroyed 50",
    "Axis victory: the Dnieper line holds": "scenario race\nturn 4, draw\ncount vp_destroyed 49",
    "Soviet victory: the bid is made": "option bid yes\nturn 3, draw\ncount bid 1\ncount vp_destroyed 1",
    "Axis victory: the bid is not made": "option bid yes\nturn 8, draw\ncount bid 66\ndice 1 1 1",
}


def plays(text: str) -> None:
    play_case(read_text(text, "an ending"), RULEBOOK)


@case("manstein", "16.2(3)", "17.1(3)")
@pytest.mark.parametrize("city", CITIES)
def test_an_ordered_city_that_is_entered_ends_the_game_by_its_name(city: str) -> None:
    spot, beside = CITIES[city]
    plays(
        f"case 16.2(3)\nturn 2, soviet move\nplace 6Tk {beside} activated\nsoviet> move 6Tk to {spot}\n"
        f"expect ended Soviet victory: {city} fell under an Absolute Order\nexpect winner soviet"
    )


@case("manstein", "13.2", "16.2(3)")
@pytest.mark.parametrize("city", CITIES)
def test_an_ordered_city_that_is_jumped_into_ends_the_game_by_paratroops(city: str) -> None:
    spot, beside = CITIES[city]
    plays(
        f"case 13.2\nturn 3, soviet drop\nbox 18G Abn\nplace 6Tk {beside}\nsoviet> drop {spot}\n"
        f"expect ended Soviet victory: {city} fell to paratroops under an Absolute Order\nexpect winner soviet"
    )


@case("manstein", "17.1(3)", "17.1(4)", "17.2(3)", "18.1(3)")
@pytest.mark.parametrize("result", ENDINGS)
def test_a_game_that_goes_to_the_end_of_a_turn_ends_by_its_way(result: str) -> None:
    winner = result.split()[0].casefold()
    plays(f"case 17.0\n{ENDINGS[result]}\nexpect ended {result}\nexpect winner {winner}\nexpect no ask")


@case("manstein", "17.1(1)", "17.2(2)", "17.2(3)")
@pytest.mark.parametrize(("scenario", "turn", "scored"), [("campaign", 3, 66), ("campaign", 8, 7), ("race", 4, 49)])
@pytest.mark.parametrize("over", [False, True])
def test_the_end_names_the_soviet_points_and_those_over_the_river_in_whole(
    scenario: str, turn: int, scored: int, over: bool
) -> None:
    game = RULEBOOK.game(scenario)
    position = bare_position(game)
    apply(position, StageBegan(stage="draw", turn=turn, side="soviet"))
    apply(position, Counted(track="vp_destroyed", value=scored))
    if over:  # a crossing point, and a mechanized corps with a line west of the river
        apply(position, Placed(unit="6Tk", at="2222"))
    ended = [fact for fact in end_of_turn(Table(game, position)) if isinstance(fact, GameEnded)]
    extra = 6 if over and scenario == "race" else 0
    assert [fact.points for fact in ended] == [(("soviet", scored + extra),)]


def test_the_readme_lists_every_ending() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## How a game ends")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))
    fallen = {f"Soviet victory: CITY fell {how}under an Absolute Order" for how in ("", "to paratroops ")}
    assert listed == {*ENDINGS, *fallen}
