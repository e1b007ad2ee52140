"""Charts, counters and scenarios against the figures that the text prints."""

import tomllib
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import games
from engine.folder import scenario_table
from engine.ledger import Ledger
from engine.pieces import Roster
from games.jaws.data import FOLDER, sixths
from games.jaws.shapes import Scenario, State

SCENARIOS = ("konev", "vatutin", "ring", "vormann", "wanda", "hells_gate", "campaign")


def test_the_ledger_holds_every_case(ledger: Ledger) -> None:
    assert len(ledger.counted) == 748
    for there in ("3.2-F1C", "3.2-F7", "6.1.1-p2", "14.5.4", "16.1", "16.5.4-5", "18.1", "18.14-p2", "21.3", "23.8"):
        assert there in ledger


# Counters


def test_there_are_215_german_and_180_soviet_units_and_their_markers(roster: Roster) -> None:
    units = [unit for unit in roster if "sdm" not in unit.classes and not unit.of]
    assert [sum(unit.side == side for unit in units) for side in ("german", "soviet")] == [215, 180]


@pytest.mark.case("jaws", "13.2.2")
@pytest.mark.case("jaws", "13.2.3")
def test_two_sdms_for_every_army_and_korps_one_for_every_tank_army_corps_and_panzer_division(roster: Roster) -> None:
    count: dict[str, int] = {}
    for unit in roster:
        if "sdm" in unit.classes:
            command = unit.id.removeprefix("SDM-").partition("-")[0]
            count[command] = count.get(command, 0) + 1
    assert {name for name, number in count.items() if number == 2} == {
        "7K", "11K", "42K", "47PzK", "3PzK", "27A", "40A", "52A", "4GA", "53A",
    }  # fmt: skip
    panzers = {body.id for body in roster.formations if body.kind == "panzer"}
    corps = {body.id for body in roster.formations if body.kind == "corps"}
    assert {name for name, number in count.items() if number == 1} == {
        *panzers, *corps, "5GTkA", "6TkA", "2TkA", "Wal", "Haake", "Korsun",
    }  # fmt: skip


@pytest.mark.case("jaws", "2.4-l")
def test_the_sdm_of_14_pz_as_the_example_prints_it(roster: Roster) -> None:
    assert roster.get("SDM-14Pz").steps == ({"capacity": 4, "frozen": 6, "mud": 4},)
    capacities = [unit.value("capacity") for unit in roster if "sdm" in unit.classes]
    assert max(capacities) == 4  # a counter that is turned has four edges


@pytest.mark.case("jaws", "2.4-k")
def test_soviet_class_a_has_twelve_at_four_steps_and_nine_at_three(roster: Roster) -> None:
    unit = roster.get("62GRD")
    assert [step["strength"] for step in unit.steps] == [20, 16, 12, 9, 6, 3]
    assert unit.value("strength", 6 - 4) == 12
    assert unit.value("strength", 6 - 3) == 9


@pytest.mark.case("jaws", "2.4-o")
def test_values_that_the_text_shows(roster: Roster) -> None:
    assert len(roster.get("I-2/16Pz").steps) == 4  # 4.9-ex
    assert roster.get("I-36/14Pz").value("white") == 3  # 9.11: Pz IV
    assert roster.get("155TB").value("white") == 2  # 9.11: T-34
    assert roster.get("11GM4").value("white") == roster.get("2M4").value("white") == 1  # 4.5.4, 4.5.5
    assert roster.get("88/3Pz").value("black") == 3  # 18.11
    assert roster.get("7GMB").steps[0]["move"] == 10
    assert (len(roster.get("544/389").steps), roster.get("544/389").value("move")) == (5, 5)
    assert (len(roster.get("RG593").steps), roster.get("RG593").value("move")) == (3, 5)
    assert (roster.get("Barrage53").value("strength"), roster.get("Barrage53").value("range")) == (9, 3)


@pytest.mark.parametrize(
    ("unit", "bodies"),
    [
        ("105/72", ["72ID", "11K", "8A"]),
        ("Germania/5SS", ["5SS", "11K", "8A"]),
        ("417/168", ["42K", "1PzA"]),
        ("s503", ["Bake", "3PzK", "1PzA"]),
        ("155TB", ["20TkC", "5GTkA", "2Uk"]),
        ("45Mech", ["5MC", "6TkA", "1Uk"]),
        ("180RD", ["27A", "1Uk"]),
        ("11GCD", ["5GCC", "2Uk"]),
        ("49Lt-16AD", ["16ArtD", "53A", "2Uk"]),
    ],
)
def test_every_formation_has_its_parents(roster: Roster, unit: str, bodies: list[str]) -> None:
    assert [body.id for body in roster.levels(roster.get(unit).formation)] == bodies


def test_an_infantry_division_has_six_units_and_a_corps_eight_to_ten(roster: Roster) -> None:
    def units(body: str) -> int:
        return sum(not unit.of for unit in roster.by_formation(body))

    assert units("72ID") == 6
    assert units("16Pz") == 9
    for body in roster.formations:
        if body.kind == "corps":
            assert 8 <= units(body.id) <= 10, body.id


@pytest.mark.case("jaws", "22.4")
@pytest.mark.parametrize(
    ("unit", "steps", "parts"),
    [("62GRD", 6, [2, 2, 2]), ("11GCD", 4, [2, 2]), ("7GMB", 4, [2, 2]), ("2Mech", 4, [2, 2]), ("105/72", 5, [3, 2]),
     ("21/24Pz", 5, [3, 2]), ("245/88", 4, [2, 2]), ("110/11Pz", 4, [2, 2])],
)  # fmt: skip
def test_a_unit_breaks_down_into_parts_of_its_body_with_all_its_steps(
    roster: Roster, unit: str, steps: int, parts: list[int]
) -> None:
    found = [part for part in roster.parts(unit) if "part" in part.classes]
    assert [len(part.steps) for part in found] == parts
    assert len(roster.get(unit).steps) == sum(parts) == steps
    assert {part.formation for part in found} == {roster.get(unit).formation}


@pytest.mark.case("jaws", "22.4")
@pytest.mark.case("jaws", "4.6-a")
def test_everybody_who_breaks_down_has_parts_and_nobody_else(roster: Roster) -> None:
    for unit in roster:
        assert ("breaks" in unit.classes) == any("part" in part.classes for part in roster.parts(unit.id)), unit.id
        assert ("breaks" in unit.classes) == (unit.side == "soviet" and "division" in unit.classes and not unit.of) or (
            "division" not in unit.classes
        ), unit.id


@pytest.mark.case("jaws", "4.6-p1")
def test_the_last_step_of_a_battalion_of_three_is_the_regiments_cadre(roster: Roster) -> None:
    strong = [unit for unit in roster if "part" in unit.classes and len(unit.steps) == 3]
    assert strong
    for part in strong:
        assert part.steps[-1]["strength"] == roster.get(part.of).steps[-1]["strength"], part.id


@pytest.mark.case("jaws", "4.7")
def test_every_soviet_division_has_a_marker_that_moves_as_it_does(roster: Roster) -> None:
    divisions = [unit.id for unit in roster if "division" in unit.classes and not unit.of]
    markers = [unit for unit in roster if "extension" in unit.classes]
    assert sorted(marker.of for marker in markers) == sorted(divisions)
    assert all(marker.value("move") == roster.get(marker.of).value("move") for marker in markers)


def test_no_name_of_a_formation_means_an_sdm(roster: Roster) -> None:
    assert all(unit.formation == "" for unit in roster if "sdm" in unit.classes)


# Charts


@pytest.mark.case("jaws", "2.4-g")
def test_a_motorized_unit_on_a_secondary_road_pays_a_third_by_strategic_movement(tables: dict[str, Any]) -> None:
    row = tables["terrain"]["way"]["secondary"]["strategic"]["motor"]
    assert row[0] == "1/3"
    assert sixths(row[0]) == 2
    costs = [pair for kind in ("hex", "hexside", "way") for row in tables["terrain"][kind].values()
             for pair in row.values() if isinstance(pair, list)]  # fmt: skip
    assert all(sixths(cost) > 0 for pair in costs for cost in pair)


@pytest.mark.case("jaws", "2.4-a")
def test_the_combat_results_table_runs_evenly_from_1_3_to_10_1(tables: dict[str, Any]) -> None:
    table = tables["combat_results"]
    assert (table["columns"][0], table["columns"][-1], len(table["columns"])) == ("1-3", "10-1", 12)
    assert list(table["dice"]) == [str(n) for n in range(2, 13)]
    assert all(len(row) == 12 for row in table["dice"].values())
    assert table["dice"]["7"][8] == "1/1DR"  # the sample of 12.12.2
    for low, high in zip(range(2, 12), range(3, 13), strict=True):
        for column in range(2, 11):
            assert table["dice"][str(low)][column + 1] == table["dice"][str(high)][column]


@pytest.mark.case("jaws", "2.4-b")
def test_five_german_points_at_a_four_are_two_shifts(tables: dict[str, Any]) -> None:
    table = tables["artillery"]["german"]
    assert table["die"]["4"][table["points"].index(5)] == 2


@pytest.mark.case("jaws", "2.4-c")
def test_the_soviet_guns_table_falls_with_the_die_and_rises_with_the_points(tables: dict[str, Any]) -> None:
    rows = [tables["artillery"]["soviet"]["die"][str(n)] for n in range(1, 9)]
    assert all(list(row) == sorted(row) for row in rows)
    assert all(a >= b for upper, lower in pairwise(rows) for a, b in zip(upper, lower, strict=True))


@pytest.mark.case("jaws", "2.4-d")
@pytest.mark.case("jaws", "2.4-e")
@pytest.mark.case("jaws", "6.1.1-v")
def test_air_missions_of_the_examples(tables: dict[str, Any]) -> None:
    missions = tables["air"]["missions"]
    assert missions["german"]["frozen"][2] == 1  # 6.1.1-ex
    assert missions["1Uk"]["frozen"][0] == 0  # 6.1.2-ex
    assert missions["2Uk"]["frozen"][3] == 2
    assert tables["air"]["visibility"]["overcast"] < 0 == tables["air"]["visibility"]["clear"]


@pytest.mark.case("jaws", "2.4-f")
def test_ten_air_counters_a_side(tables: dict[str, Any]) -> None:
    assert len(tables["air"]["counters"]["german"]) == len(tables["air"]["counters"]["soviet"]) == 10


@pytest.mark.case("jaws", "2.4-i")
@pytest.mark.case("jaws", "2.4-j")
def test_the_airlift_loses_less_with_higher_dice_and_drops_may_fail(tables: dict[str, Any]) -> None:
    loss, drop = tables["supply"]["airlift"]["loss"]["points"], tables["supply"]["airlift"]["drop"]
    assert loss == sorted(loss, reverse=True)
    assert (len(drop["sdm"]), len(drop["hex"]), drop["sdm"][0], drop["hex"][0]) == (6, 6, 0, 0)


@pytest.mark.case("jaws", "2.4-m")
def test_the_tracks_are_as_long_as_their_pictures(tables: dict[str, Any]) -> None:
    assert tables["supply"]["korsun"]["most"] == 20
    assert tables["supply"]["airlift"]["missions"] == 5
    assert tables["replacements"]["most"] == {"infantry": 5, "armor": 3}  # 8.1.2: 47 Pz holds one and three


@pytest.mark.case("jaws", "2.4-n")
def test_the_track_has_frost_then_mud_then_frost(tables: dict[str, Any]) -> None:
    rows = tables["turn_track"]["turns"]
    assert [row["turn"] for row in rows] == list(range(1, 25))
    assert (rows[0]["ground"], rows[11]["ground"], rows[23]["ground"]) == (-2, 2, -2)


@pytest.mark.case("jaws", "13.4.1-a")
def test_supply_ranges(tables: dict[str, Any]) -> None:
    row = tables["supply"]["range"]
    assert (row["soviet"], row["german"]) == ({"frozen": 10, "mud": 8}, {"frozen": 6, "mud": 4})


@pytest.mark.case("jaws", "22.3")
def test_five_components_make_a_barrage_unit(roster: Roster, tables: dict[str, Any]) -> None:
    for unit, parts in tables["barrage"]["components"].items():
        army = roster.levels(roster.get(unit).formation)[0]
        assert len(parts) == 5
        assert all("artillery" in roster.get(part).classes for part in parts)
        assert all(army in roster.levels(roster.get(part).formation) for part in parts)


@pytest.mark.case("jaws", "7.2")
def test_the_schedules_name_formations_units_and_edge_hexes_that_exist(roster: Roster, tables: dict[str, Any]) -> None:
    board = games.rulebook("jaws").game("ring", {}).board
    bodies = {body.id for body in roster.formations}
    for group in tables["reinforcements"]["groups"]:
        assert set(group.get("formations", ())) <= bodies
        assert all(unit in roster for unit in group.get("units", ()))
        assert any(edge >> board.grid.hex(group["hex"]) & 1 for edge in board.edges.values())


# Scenarios (21.3)


@pytest.mark.case("jaws", "21.3")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_says_everything_with_its_source(scenario: str) -> None:
    row = scenario_table(FOLDER, scenario)
    TypeAdapter(Scenario).validate_python(row)
    own = tomllib.loads((FOLDER / "scenarios.toml").read_text(encoding="utf-8"))["scenarios"][scenario]["state"]
    assert set(own) == set(State.__required_keys__), "said by itself, not taken over from another"
    for said in own.values():
        assert said["source"] in ("text", "inferred", "reconstructed")


@pytest.mark.case("jaws", "21.3")
@pytest.mark.parametrize("left_out", sorted(State.__required_keys__))
def test_a_scenario_that_leaves_something_out_is_refused(left_out: str) -> None:
    row: dict[str, Any] = deepcopy(scenario_table(FOLDER, "konev"))
    del row["state"][left_out]
    with pytest.raises(ValidationError, match=left_out):
        TypeAdapter(Scenario).validate_python(row)
    row = deepcopy(scenario_table(FOLDER, "konev"))
    del row["state"][left_out]["source"]
    with pytest.raises(ValidationError, match="source"):
        TypeAdapter(Scenario).validate_python(row)
