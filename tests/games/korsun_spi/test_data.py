"""The tables, scenarios and ledger agree with the rulebook and with one another."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import games.korsun_spi
from engine.board import load_board
from engine.ledger import Ledger
from engine.pieces import Roster, load_roster
from games.korsun_spi.reference import charts

FOLDER = Path(games.korsun_spi.__file__).parent


@pytest.fixture(scope="module")
def proving() -> Roster:
    return load_roster(FOLDER / "counters_proving.toml")


def case(number: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", number)


# --- Tables ---

CRT_1979 = """
1/- 1/1 -/1 -/1 -/2 -/2 -/2 1/3 -/3 -/E -/E -/E
1/- eng 1/1 -/1 -/1 1/2 -/2 -/2 1/3 -/3 -/E -/E
1/- 1/- 1/1 1/1 -/1 -/1 1/2 -/2 -/2 1/3 -/3 -/E
2/- 1/- eng 1/1 1/1 -/1 -/1 1/2 -/2 -/2 1/3 -/3
E/- 2/- 1/- eng 1/1 1/1 -/1 -/1 1/2 -/2 -/2 -/3
E/- E/- 2/- 1/- eng eng 1/1 -/1 -/1 -/2 -/2 -/2
"""


@case("9.5")
def test_the_combat_results_table_is_the_printed_one(tables: dict[str, Any]) -> None:
    crt = tables["combat_results"]
    assert " ".join(crt["columns"]) == "1-3 1-2 1-1 2-1 3-1 4-1 5-1 6-1 7-1 8-1 9-1 10-1"
    assert [crt["die"][str(die)] for die in range(1, 7)] == [line.split() for line in CRT_1979.strip().splitlines()]


@case("10.4")
def test_the_terrain_effects_chart_is_the_printed_one(tables: dict[str, Any]) -> None:
    chart = {
        name: (row.get("mech"), row.get("inf"), row["defence"], row["supply"])
        for name, row in tables["terrain"]["hex"].items()
    }
    assert chart == {
        "clear": (1, 1, 1, "free"),
        "woods": (2, 1, 2, "free"),
        "city": (1, 1, 2, "free"),
        "swamp": (3, 2, 1, "into"),
        "rough": (4, 2, 2, "free"),
        "sea": (None, None, 1, "blocked"),
        "river": (None, None, 1, "blocked"),
    }
    hexside = tables["terrain"]["hexside"]
    assert (hexside["minor"]["defence"], hexside["major"]["defence"]) == (2, 3)
    assert (hexside["minor"]["zoc"], hexside["major"]["zoc"]) == (True, False)
    assert tables["terrain"]["way"]["road"] == {"mech": 0.5, "inf": 1}


def test_rivers_cost_the_germans_more_everywhere_but_at_korsun(tables: dict[str, Any]) -> None:
    costs = tables["river_costs"]
    assert costs["chart"]["minor"] == {"german": 2, "soviet": 1}
    assert costs["star"]["minor"] == costs["korsun"]["minor"] == {"german": 1, "soviet": 1}
    assert costs["chart"]["major"] == costs["star"]["major"] == {"german": 3, "soviet": 2}
    assert costs["korsun"]["major"] == {"german": 2, "soviet": 2}


@case("turn-track")
def test_the_turn_track_has_13_turns_two_days_apart_with_their_weather(tables: dict[str, Any]) -> None:
    track = tables["turn_track"]["turns"]
    assert "".join(row["weather"][0] for row in track) == "sss" + "mmmmm" + "sss" + "mm"
    january = [f"{day} January 1944" for day in range(26, 31, 2)]
    february = [f"{day} February 1944" for day in range(1, 20, 2)]
    assert [row["date"] for row in track] == january + february
    assert [row["turn"] for row in track] == list(range(1, 14))
    assert (tables["weather"]["mud"]["air_points"], tables["weather"]["mud"]["allowance"]) == (3, 4)
    assert tables["weather"]["snow"]["air_points"] == 0
    assert "allowance" not in tables["weather"]["snow"]


@case("turn-track")
@case("26.1")
@case("26.2")
def test_the_turn_track_flags_the_turns_that_bring_reinforcements(tables: dict[str, Any]) -> None:
    flags = {row["turn"]: row.get("reinforcements") for row in tables["turn_track"]["turns"]}
    arrivals = {row["turn"]: row["side"] for row in tables["reinforcements"]}
    assert {turn: side for turn, side in flags.items() if side} == arrivals == {3: "soviet", 5: "soviet", 6: "german"}


@case("26.1-a")
@case("26.1-b")
def test_seven_soviet_units_arrive_on_turn_3_and_eight_on_turn_5(tables: dict[str, Any]) -> None:
    soviet = {(r["turn"], r["area"]): r["units"] for r in tables["reinforcements"] if r["side"] == "soviet"}
    assert soviet == {
        (3, "K"): {
            "guards airborne division": 2,
            "guards rifle division": 1,
            "guards motorised rifle corps": 1,
            "tank corps": 2,
        },
        (3, "L"): {"guards tank corps": 1},
        (5, "K"): {
            "guards rifle division": 1,
            "guards tank brigade": 3,
            "guards motorised rifle brigade": 3,
            "tank corps": 1,
        },
    }


@case("26.2")
def test_the_leibstandarte_the_first_and_baeke_arrive_in_f_and_the_13th_in_g(
    roster: Roster, tables: dict[str, Any]
) -> None:
    areas = {
        row["area"]: {unit.id for unit in roster if unit.setup == row["code"]}
        for row in tables["reinforcements"]
        if row["side"] == "german"
    }
    assert areas == {
        "F": {"LAH/LAH", "1/LAH", "2/LAH", "Pz1/1", "PG1/1", "113/1", "Baeke"},
        "G": {"4/13", "66/13", "93/13"},
    }


@case("23.11")
def test_the_number_of_active_hqs_follows_the_schedule(roster: Roster, tables: dict[str, Any]) -> None:
    active = {
        turn: row["active"]
        for row in tables["active_headquarters"]["schedule"]
        for turn in range(row["turns"][0], row["turns"][1] + 1)
    }
    assert [active[turn] for turn in range(1, 14)] == [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2]
    forced = tables["active_headquarters"]["forced"]
    assert (forced["turn"], set(forced["units"])) == (1, {"HQ-5GdTk", "HQ-2Tk"})
    assert all(unit in roster for unit in forced["units"])


def test_an_active_hq_of_rating_6_runs_three_operations_from_turn_5(roster: Roster, tables: dict[str, Any]) -> None:
    limits = tables["headquarters_operations"]
    assert roster.get("HQ-5GdTk").value("rating") // limits["rating_divisor"] == 3
    assert roster.get("HQ-27").value("rating") // limits["rating_divisor"] == 2
    assert limits["first_turn"] == 5


def test_four_corps_are_supported_then_two_then_none(tables: dict[str, Any]) -> None:
    assert tables["supported_corps"]["by_turn"] == [4, 2, 0]


def test_every_german_unit_on_the_map_has_a_radius_limit_on_turn_1_and_some_until_turn_3(
    roster: Roster, tables: dict[str, Any]
) -> None:
    limits = {code: row for row in tables["radius_limits"]["limits"] for code in row["codes"]}
    at_start = {unit.setup for unit in roster.by_side("german")} - {"6F", "6G"}
    assert set(limits) == at_start
    assert {code: row["hexes"] for code, row in limits.items() if row["turns"] == [1, 3]} == {
        "C": 2, "D": 2, "2306": 3,
    }  # fmt: skip
    assert {row["hexes"] for row in limits.values() if row["turns"] == [1, 1]} == {4}
    assert {code for code, row in limits.items() if row["from"] == "section"} == set("ABCDE")


def test_what_overrun_delay_disengagement_and_entry_cost(tables: dict[str, Any]) -> None:
    points = {name: row["points"] for name, row in tables["costs"].items() if name != "source"}
    assert points == {"overrun": 3, "delay": 2, "disengage": 2, "reinforcement": 1}
    assert tables["disengagement"]["korsun"]["first_turn"] == 3


@case("27.1")
@case("27.1-a")
def test_isolated_germans_are_worth_more_to_the_soviets(tables: dict[str, Any]) -> None:
    points = tables["victory_points"]
    assert points["soviet"]["destroyed"] == {"infantry regiment": 3, "other": 6}
    assert points["soviet"]["destroyed_isolated"] == {"infantry regiment": 4, "other": 8}
    assert points["soviet_at_end"]["heavy_equipment_under"] == {"infantry regiment": 1, "other": 2}
    assert points["soviet_at_end"]["isolated"] == {"infantry regiment": 2, "other": 4}


@case("27.2")
def test_a_whole_corps_is_worth_more_to_the_germans_than_its_steps(tables: dict[str, Any]) -> None:
    points = tables["victory_points"]["german"]
    assert {name: points[name] for name in ("brigade", "division", "corps_step", "corps", "hq")} == {
        "brigade": 3, "division": 4, "corps_step": 2, "corps": 12, "hq": 6,
    }  # fmt: skip


@case("27.3")
@pytest.mark.parametrize(
    ("difference", "level"),
    [
        (120, "Soviet strategic victory"),
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
        (-20, "German strategic victory"),
    ],
)
def test_the_difference_in_points_gives_the_level_of_victory(
    tables: dict[str, Any], difference: int, level: str
) -> None:
    levels = tables["victory_levels"]["levels"]
    row = next(row for row in levels if difference >= row.get("from", difference))
    assert row["level"] == level
    assert row["winner"] == ("" if level == "Draw" else level.split()[0].casefold())


@case("28.0")
def test_variable_weather_is_mud_on_four_faces_of_six(tables: dict[str, Any]) -> None:
    weather = tables["variable_weather"]
    assert [weather["die"][str(die)] for die in range(1, 7)] == ["mud"] * 4 + ["snow"] * 2
    assert weather["first_turn"] == 4


# --- The other games' charts ---


@case("rostov-21.3")
def test_the_rostov_disengagement_table_is_the_printed_one(tables: dict[str, Any]) -> None:
    table = tables["disengagement"]["rostov"]
    rows = [table["die"][str(die)] for die in range(table["least"], table["most"] + 1)]
    assert rows == [{"steps": 2}, {"steps": 1}, {"steps": 1}, {"retreat": 2}, {}, {}, {}, {}]
    assert [row["add"] for row in table["modifiers"]] == [1, 1, -1]
    assert table["sides"] == ["soviet"]


@case("rostov-20.34")
def test_the_rostov_weather_table_is_the_printed_one(tables: dict[str, Any]) -> None:
    table = tables["rostov_weather"]
    faces = [table["die"][str(die)] for die in range(1, 7)]
    assert faces == ["severe", "moderate", "moderate", "moderate", "moderate", "clear"]
    assert [(*row["turns"], row["north"], row["south"]) for row in table["modifiers"]] == [
        (2, 4, 0, 2), (5, 8, -1, 0), (9, 13, -3, -2),
    ]  # fmt: skip
    assert table["first_turn"] == 2


@case("star-23.11")
def test_the_star_reinforcement_chart_is_the_printed_one_and_has_counters_for_it(
    tables: dict[str, Any], proving: Roster
) -> None:
    chart = tables["star_reinforcements"]
    assert chart["turns"] == [2, 3, 4, 5, 6]
    assert chart["units"] == {
        "rifle division": [2, 3, 3, 3, 2],
        "rifle brigade": [0, 1, 0, 1, 0],
        "tank brigade": [3, 2, 2, 2, 1],
        "anti-tank brigade": [0, 0, 1, 0, 0],
    }
    waiting = Counter(unit.kind for unit in proving if unit.setup == "chart")
    assert waiting == {kind: sum(counts) for kind, counts in chart["units"].items()}


@case("rostov-18.11")
@case("rostov-18.14")
@case("rostov-map")
@case("kiev-23.1")
@case("kiev-24.2")
@case("star-25.1")
@case("korsun-map")
def test_the_addenda_of_october_1979_are_kept(tables: dict[str, Any]) -> None:
    addenda = tables["addenda"]
    assert list(addenda["rostov_setup"]["read"].items()) == [
        ("1225", "1809"), ("1125", "1910"), ("1525", "1510"), ("1726", "1309"),
    ]  # fmt: skip
    assert addenda["rostov_hex"]["hex"] == "0308"
    assert addenda["rostov_areas"]["read"] == dict(zip("KLMN", "DEFG", strict=True))
    assert addenda["kiev_entry"]["infantry"] == {"units": 5, "areas": list("KLMN")}
    assert addenda["kiev_entry"]["armour"] == {"units": 3, "areas": list("LMN")}
    assert addenda["kiev_names"]["read"] == {"SSR": "DR", "1P2": "1 Pz"}
    assert addenda["star_entry"]["area"] == "L"
    assert tables["star_integrity"]["two_units"] == ["17"]
    assert addenda["korsun_map"]["symbols"] == {"1502": "guards rifle division"}


def test_every_table_says_whether_it_is_printed_inferred_or_invented(tables: dict[str, Any]) -> None:
    for name, table in tables.items():
        rows = table if isinstance(table, list) else [table] if "source" in table else list(table.values())
        assert all(row.get("source") in {"text", "inferred", "invented"} for row in rows), name


# --- Scenarios ---


def test_every_switch_of_a_scenario_is_declared_and_has_one_of_its_choices(scenarios: dict[str, Any]) -> None:
    for name, scenario in scenarios["scenarios"].items():
        for switch, value in scenario["switches"].items():
            choices = scenarios["switches"][switch]["choices"]
            assert value in choices if choices else set(value) <= {"soviet", "german"}, (name, switch)
    for name, switch in scenarios["switches"].items():
        assert not switch["choices"] or switch["default"] in switch["choices"], name


@case("19.12")
def test_korsun_lasts_13_turns_the_soviets_first_without_rail_or_untried_units(
    scenarios: dict[str, Any], tables: dict[str, Any]
) -> None:
    korsun = scenarios["scenarios"]["korsun"]
    assert (korsun["turns"], korsun["first"]) == (13, "soviet")
    assert korsun["turns"] == len(tables["turn_track"]["turns"])
    chosen = {name: switch["default"] for name, switch in scenarios["switches"].items()} | korsun["switches"]
    assert (chosen["rail"], chosen["untried"], chosen["variable_weather"]) == ([], False, False)


def test_every_rule_a_proving_ground_tries_is_in_the_ledger(scenarios: dict[str, Any], ledger: Ledger) -> None:
    for scenario in scenarios["scenarios"].values():
        assert all(number in ledger for number in scenario.get("tries", ()))
        assert scenario.get("like", "proving") in scenarios["scenarios"]


def test_every_row_a_switch_names_is_in_the_tables(scenarios: dict[str, Any], tables: dict[str, Any]) -> None:
    switches = scenarios["switches"]
    assert set(switches["river_costs"]["choices"]) == set(tables["river_costs"])
    assert set(switches["disengage"]["choices"]) == {*tables["disengagement"], "none"}
    assert all(choice in tables["headquarters_defence"] for choice in switches["hq_defence"]["choices"])


@pytest.mark.parametrize("name", ["proving", "proving-untried", "proving-star"])
def test_every_unit_on_the_proving_ground_stands_on_a_hex_it_may_enter(
    scenarios: dict[str, Any], tables: dict[str, Any], proving: Roster, name: str
) -> None:
    board = load_board(FOLDER, scenarios["scenarios"]["proving"]["map"])
    for side, hexes in scenarios["scenarios"][name]["setup"].items():
        for number, units in hexes.items():
            terrain = board.terrain_of(board.grid.hex(number))
            assert not tables["terrain"]["hex"][terrain].get("prohibited"), number
            assert {proving.get(unit).side for unit in units} == {side}
            fighting = [unit for unit in units if "hq" not in proving.get(unit).classes]
            assert len(fighting) <= tables["stacking"]["units"], number


@pytest.mark.parametrize("name", ["map", "proving"])
def test_the_chart_has_every_terrain_and_hexside_of_the_maps(tables: dict[str, Any], name: str) -> None:
    board = load_board(FOLDER, name)
    assert set(board.terrain) <= set(tables["terrain"]["hex"])
    assert set(board.sides) <= set(tables["terrain"]["hexside"])


# --- The ledger ---


def test_the_ledger_has_all_390_cases_of_which_317_ask_something_of_the_code(ledger: Ledger) -> None:
    assert len(ledger) == 390
    assert len(ledger.counted) == 317


# --- The reference page ---


@pytest.mark.case("korsun_spi", "4.2-d", "19.21", "19.71", "19.72")
@pytest.mark.parametrize("scenario", ["korsun", "proving-rail"])
def test_the_reference_page_says_what_the_scenario_has(scenario: str) -> None:
    found = {chart.title: chart.rows for chart in charts(games.find_game("korsun_spi", scenario))}
    assert [row[1] for row in found["Sequence of play"]].count("Disruption removal") == 2
    assert any("rail" in row[2] for row in found["Sequence of play"]) == (scenario == "proving-rail")
    supply = next(row[-1] for row in found["Hexsides"] if row[0] == "major")
    assert ("19.71" in supply and "19.72" in supply) == (scenario == "korsun")
