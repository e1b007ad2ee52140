"""The weather, turn by turn and die by die; what it does; and who comes with the turn."""

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.run_case import play_case

RULEBOOK = games.rulebook("korsun_spi")


def plays(text: str) -> None:
    """What a case file of this text would say."""
    play_case(read_text(text, "weather.case"), RULEBOOK)


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", *numbers)


DATES = {
    1: "26 January", 2: "28 January", 3: "30 January", 4: "1 February", 5: "3 February", 6: "5 February",
    7: "7 February", 8: "9 February", 9: "11 February", 10: "13 February", 11: "15 February", 12: "17 February",
    13: "19 February",
}  # fmt: skip
MUD = {4, 5, 6, 7, 8, 12, 13}


@case("turn-track", "20.11", "20.12")
@pytest.mark.parametrize("turn", DATES)
def test_every_turn_has_its_date_its_weather_and_its_air_points(turn: int):
    weather, points = ("mud", 3) if turn in MUD else ("snow", 0)
    plays(
        f"""
        case turn-track
        turn {turn}, soviet command
        expect told "{DATES[turn]} 1944"
        expect game mark weather {weather}
        expect count air_soviet {points}
        expect count air_german {points}
        """
    )


@case("turn-track", "26.0")
def test_the_flags_of_the_track_stand_where_reinforcements_come():
    tables = RULEBOOK.game("korsun").data.tables
    flags = {row["turn"]: row["reinforcements"] for row in tables["turn_track"]["turns"] if "reinforcements" in row}
    assert flags == {3: "soviet", 5: "soviet", 6: "german"}
    assert flags == {row["turn"]: row["side"] for row in tables["reinforcements"]}


@case("28.0")
@pytest.mark.parametrize("turn", [4, 9, 13])
@pytest.mark.parametrize("die", range(1, 7))
def test_variable_weather_is_mud_on_one_to_four_whatever_the_track_says(turn: int, die: int):
    plays(
        f"""
        case 28.0
        option variable_weather yes
        turn {turn}, soviet command
        dice {die}
        expect game mark weather {"mud" if die <= 4 else "snow"}
        """
    )


@case("28.0")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_variable_weather_leaves_the_first_three_turns_snow(turn: int):
    plays(f"case 28.0\noption variable_weather yes\nturn {turn}, soviet command\nexpect game mark weather snow")


SEVERE, MODERATE, CLEAR = "severe", "moderate", "clear"
ROSTOV = {  # turn: north and south, by die
    2: ([SEVERE, *[MODERATE] * 4, CLEAR], [*[MODERATE] * 3, *[CLEAR] * 3]),
    4: ([SEVERE, *[MODERATE] * 4, CLEAR], [*[MODERATE] * 3, *[CLEAR] * 3]),
    5: ([*[SEVERE] * 2, *[MODERATE] * 4], [SEVERE, *[MODERATE] * 4, CLEAR]),
    8: ([*[SEVERE] * 2, *[MODERATE] * 4], [SEVERE, *[MODERATE] * 4, CLEAR]),
    9: ([*[SEVERE] * 4, *[MODERATE] * 2], [*[SEVERE] * 3, *[MODERATE] * 3]),
    13: ([*[SEVERE] * 4, *[MODERATE] * 2], [*[SEVERE] * 3, *[MODERATE] * 3]),
}


@case("rostov-20.34")
@pytest.mark.parametrize("turn", ROSTOV)
@pytest.mark.parametrize("die", range(1, 7))
def test_the_weather_of_rostov_by_turn_zone_and_die(turn: int, die: int):
    north, south = ROSTOV[turn]
    plays(
        f"""
        case rostov-20.34
        scenario proving-weather
        turn {turn}, soviet initial
        dice {die}
        expect game mark "weather north" {north[die - 1]}
        expect game mark "weather south" {south[die - 1]}
        """
    )


STAR = {  # turn: rifle divisions, rifle brigades, tank brigades, anti-tank brigades
    1: (0, 0, 0, 0), 2: (2, 0, 3, 0), 3: (3, 1, 2, 0), 4: (3, 0, 2, 1), 5: (3, 1, 2, 0), 6: (2, 0, 1, 0),
}  # fmt: skip


@case("star-23.11", "star-25.1")
@pytest.mark.parametrize("turn", STAR)
def test_the_chart_of_operation_star_brings_so_many_of_each_kind_to_area_l(turn: int):
    kinds = zip(("RD", "RB", "TB", "AB"), STAR[turn], strict=True)
    expected = []
    for kind, count in kinds:
        pool = [u.id for u in RULEBOOK.game("proving-star").setting.roster if u.setup == "chart" and u.id[:2] == kind]
        expected += [f'expect {unit} in "turn {turn} L"' for unit in pool[:count]]
        expected += [f"expect {unit} in chart" for unit in pool[count:]]
    plays("\n".join(["case star-23.11", "scenario proving-star", "opening", f"turn {turn}, soviet initial", *expected]))
