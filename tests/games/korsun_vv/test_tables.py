"""The tables against what the rulebook prints of them, and the lost ones against what it says about them."""

from pathlib import Path
from typing import Any

import pytest

import games

FOLDER = Path(games.__path__[0]) / "korsun_vv"


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


# --- Lost charts, rebuilt: what the text says of them ---


@case("7.6-g")
def test_a_column_is_worth_as_much_as_a_pip_on_the_combat_results_table(tables: dict[str, Any]) -> None:
    crt = tables["combat_results"]
    cells: dict[int, set[str]] = {}
    for die, row in crt["die"].items():
        assert len(row) == len(crt["columns"])
        for column, cell in enumerate(row):
            cells.setdefault(int(die) + column, set()).add(cell)
    assert all(len(found) == 1 for found in cells.values())


@case("7.7.2-g")
def test_the_results_that_the_text_uses_as_examples_are_on_the_table(tables: dict[str, Any]) -> None:
    cells = {cell for row in tables["combat_results"]["die"].values() for cell in row}
    assert {"1/2", "1/2*", "-/3*"} <= cells


def test_only_an_attacker_who_loses_nothing_breaks_through(tables: dict[str, Any]) -> None:
    bold = {cell for row in tables["combat_results"]["die"].values() for cell in row if "!" in cell}
    assert bold
    assert all(cell.startswith("-!/") for cell in bold)


@case("7.5-a")
def test_armour_superiority_treats_both_sides_alike(tables: dict[str, Any]) -> None:
    rows = tables["armour_superiority"]["difference"]
    other = {"A1": "D1", "D1": "A1", "": ""}
    for difference, row in rows.items():
        mirror = rows[str(-int(difference))]
        for one, two in zip(row, reversed(mirror), strict=True):
            columns, _, loss = one.partition(" ")
            back, _, lost = two.partition(" ")
            assert (int(columns), loss) == (-int(back), other[lost])


@case("6.1-b", "6.2-a")
def test_tanks_pay_one_for_clear_and_two_for_difficult_terrain_in_snow(tables: dict[str, Any]) -> None:
    chart = tables["terrain"]["hex"]
    assert (chart["clear"]["mobile"]["snow"], chart["difficult"]["mobile"]["snow"]) == (1, 2)
    assert tables["terrain"]["hexside"]["river"]["mobile"] == {}


def test_a_village_in_difficult_terrain_shifts_two_columns(tables: dict[str, Any]) -> None:
    chart = tables["terrain"]
    assert chart["hex"]["difficult"]["shift"] + chart["place"]["village"]["shift"] == 2


def test_city_village_forest_and_difficult_terrain_lift_the_duty_to_attack(tables: dict[str, Any]) -> None:
    chart = tables["terrain"]
    free = {name for group in ("hex", "place") for name, row in chart[group].items() if row["free"]}
    assert free == {"city", "village", "forest", "difficult"}


@case("15-a")
def test_the_turn_track_has_nine_turns_and_begins_with_snow(tables: dict[str, Any]) -> None:
    track = tables["turn_track"]["turns"]
    assert [row["turn"] for row in track] == list(range(1, 10))
    assert track[0]["weather"] == "snow"
    assert {row["weather"] for row in track} == {"snow", "mud"}


@case("13.4-b")
def test_a_better_die_never_brings_less_air_supply(tables: dict[str, Any]) -> None:
    rolls = tables["air_supply"]["rolls"]
    assert [row["most"] for row in rolls] == sorted(row["most"] for row in rolls)
    assert rolls[-1]["most"] == 6
    for key, best in (("mobile", 1), ("foot", 1), ("fate", -1)):
        found = [best * row[key] for row in rolls]
        assert found == sorted(found)


# --- Figures of the text ---


def test_action_points_are_the_printed_ones(tables: dict[str, Any]) -> None:
    points = tables["action_points"]
    assert [points[kind] for kind in ("infantry", "cavalry", "mechanised", "armour", "hq")] == [2, 3, 3, 3, 3]
    assert points["alarm"]["points"] == 1
    caps = {name: row["points"] for name, row in points["cap"].items() if isinstance(row, dict)}
    assert caps == {"mud": 2, "isolated": 2, "unsupplied": 1, "c3i_failure": 1, "katyusha": 1}
    assert points["less"]["fatigued"]["points"] == 1


@case("7.3-a")
def test_actions_cost_what_is_printed(tables: dict[str, Any]) -> None:
    costs = {name: row["points"] for name, row in tables["actions"].items() if isinstance(row, dict)}
    assert costs == {"move": 1, "recover": 2, "enter_position": 1, "leave_position": 0}


def test_infantry_moves_four_and_vehicles_six_and_zones_cost_one_or_two(tables: dict[str, Any]) -> None:
    points = {name: row["points"] for name, row in tables["movement"].items() if isinstance(row, dict)}
    assert points == {"foot": 4, "mobile": 6, "leave_zoc": 1, "zoc_to_zoc": 2}


def test_the_germans_reach_further_and_activate_more_single_units(tables: dict[str, Any]) -> None:
    assert [tables["command_range"][side] for side in ("german", "russian")] == [8, 6]
    german, russian = tables["doctrine"]["german"], tables["doctrine"]["russian"]
    assert (german["general"]["units"], german["independents"]["units"]) == (6, 0)
    assert (russian["general"]["units"], russian["independents"]["units"]) == (4, 2)


def test_assault_guns_tigers_and_tank_brigades_need_ground_for_armour(tables: dict[str, Any]) -> None:
    markers = tables["support"]["marker"]
    assert {name for name, row in markers.items() if row.get("armour")} == {"stug", "tiger", "brigade"}


def test_replacements_surprise_and_the_armies_held_back_are_as_printed(tables: dict[str, Any]) -> None:
    replacements, activation = tables["replacements"], tables["activation"]
    assert (replacements["first_turn"], replacements["armour"], replacements["infantry"]) == (3, 1, 2)
    assert activation["held"]["formations"] == ["52A", "27A"]
    assert (activation["held"]["free_from_turn"], activation["surprise"]["formations"]) == (4, 2)
    assert (activation["turn_end"]["dice"], activation["turn_end"]["least"]) == (2, 11)


@case("18.3-c", "18.4-f")
def test_every_total_of_victory_points_has_its_level(tables: dict[str, Any]) -> None:
    short, long = tables["victory"]["encirclement"], tables["victory"]["battle"]
    best = sum(short[name]["points"] for name in ("pocket", "destroyed", "airfield"))
    assert [row["points"] for row in short["levels"]] == list(range(best + 1))
    worst = long["never_formed"]["points"] + long["few_destroyed"]["points"]
    best = sum(long[name]["points"] for name in ("pocket_destroyed", "korsun", "armour"))
    assert [row["points"] for row in long["levels"]] == list(range(worst, best + 1))
    assert [row["winner"] for row in long["levels"]] == ["german"] * 3 + [""] + ["russian"] * 3


@case("18.3-a", "18.4-a")
def test_the_encirclement_is_the_first_third_of_the_battle(scenarios: dict[str, Any]) -> None:
    battle, encirclement = scenarios["scenarios"]["battle"], scenarios["scenarios"]["encirclement"]
    assert (battle["turns"], encirclement["turns"], encirclement["like"]) == (9, 3, "battle")


def test_every_switch_takes_its_default_from_its_choices(scenarios: dict[str, Any]) -> None:
    assert all(switch["default"] == switch["choices"][0] for switch in scenarios["switches"].values())
