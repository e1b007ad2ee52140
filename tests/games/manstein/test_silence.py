"""What is done for a side that has said nothing when its time is up, stage by stage."""

from __future__ import annotations

import pytest

from engine.asks import Ask
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.facts import Placed, StageBegan
from engine.position import apply
from engine.referee import Referee
from games.manstein.game import RULEBOOK

case = pytest.mark.case
GAME = RULEBOOK.game("campaign")


def question(stage: str, turn: int, units: dict[str, str], side: str = "soviet") -> Ask:
    """The first that a side is asked in a stage, with its units where they are."""
    position = bare_position(GAME)
    apply(position, StageBegan(stage=stage, turn=turn, side=side))
    for unit, at in units.items():
        apply(position, Placed(unit=unit, at=at))
    referee = Referee(GAME, position, ForcedDice([]), drawer=Drawer())
    referee.start()
    return next(ask for ask in referee.asks if ask.side == side)


def silent(stage: str, turn: int, units: dict[str, str], side: str = "soviet") -> str:
    """What it comes to if nobody answers."""
    ask = question(stage, turn, units, side)
    ask.check(ask.default())
    return ask.default().line()


@case("manstein", "6.2(2)")
def test_the_axis_select_their_hqs_before_manstein() -> None:
    assert silent("select", 2, {}, side="axis") == "select 1PzA, 4PzA, 6A, 8A"


@case("manstein", "6.2(1)-a", "6.2(1)-b")
def test_the_soviets_select_every_front_reinforcements_and_again_the_front_in_contact() -> None:
    fronts = {"Vrnz": "3235", "Step": "2837", "SW": "2239", "Sth": "1443"}
    units = {"22G": "3234", "23G": "3236", "26G": "2238", "33RC": "2238", "57ID": "2237", "68ID": "3333"}
    chosen = silent("select", 2, {**fronts, **units}).removeprefix("select ").split(", ")
    assert sorted(chosen) == ["Reinf", "SW", "SW", "Step", "Sth", "Vrnz"]
    assert silent("select", 2, {}).count("Reinf") == 1


@case("manstein", "7.2(4)")
def test_zhukov_leads_the_front_with_most_units_in_range() -> None:
    units = {"Vrnz": "3235", "SW": "2239", "22G": "2240", "23G": "2241", "50RC": "3236"}
    assert silent("soviet.command", 6, units) == "activate SW"


@case("manstein", "7.3(2)")
def test_without_an_hq_on_the_map_manstein_does_nothing() -> None:
    assert silent("axis.command", 3, {"88ID": "1234"}, side="axis") == "end"


@case("manstein", "12.2")
def test_reinforcements_go_as_near_to_the_enemys_sources_as_the_railroad_leads() -> None:
    ask = question("soviet.reinforce", 2, {"21RC": "arrived"})
    grid, sources = GAME.board.grid, ("3101", "2601", "1901", "0709", "0113")

    def far(line: str) -> int:
        return min(grid.distance(grid.hex(line.split()[-1]), grid.hex(end)) for end in sources)

    offered = [far(choice.line()) for choice in ask.choices()[0].following()]
    assert far(ask.default().line()) == min(offered) < max(offered)


@case("manstein", "12.2(3)")
def test_where_no_railroad_is_open_a_corps_is_converted() -> None:
    shut = dict(zip(("88ID", "75ID", "68ID", "57ID", "255ID"), ("3334", "3338", "2843", "1943", "0943"), strict=True))
    waiting = {"21RC": "arrived", "8GTk": "arrived"}
    assert silent("soviet.reinforce", 3, {**shut, **waiting, "6Tk": "2735"}) == "convert 6Tk to 8GTk"


@case("manstein", "13.2")
def test_the_airborne_corps_lands_on_a_crossing_point_that_is_not_soviet_yet() -> None:
    units = {"18G": "Abn", "27G": "1826", "6Tk": "1827", "2Tk": "2222"}
    assert silent("soviet.drop", 3, units) == "drop 1631"


@case("manstein", "4.0-b")
def test_reserves_go_to_the_easternmost_empty_city() -> None:
    assert silent("setup", 1, {"213SEC": "reserve"}, side="axis") == "place 213SEC at 1338"
    assert silent("setup", 1, {"213SEC": "reserve", "88ID": "1338"}, side="axis") == "place 213SEC at 2634"
