"""The counters, tables, scenarios, set-up and ledger agree with the rulebook and with one another."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import games.manstein
from engine.board import Board, load_board
from engine.folder import read_toml
from engine.ledger import Ledger
from engine.pieces import Roster

FOLDER = Path(games.manstein.__file__).parent


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(FOLDER)


def case(number: str) -> pytest.MarkDecorator:
    return pytest.mark.case("manstein", number)


# --- Tables ---

PRINTED = """
A2 A1 A1 - - R R RR RR 1RR 1RR
A1 A1 - - R R RR RR 1RR 1RR 2RR
A1 - - R R RR RR 1RR 1RR 2RR 2RR
- - R R RR RR 1RR 1RR 2RR 2RR 3RR
- R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR
R R RR RR 1RR 1RR 2RR 2RR 3RR 3RR 4RR
"""


@case("T6")
def test_the_combat_results_table_is_the_printed_one(tables: dict[str, Any]) -> None:
    crt = tables["combat_results"]
    assert " ".join(crt["columns"]) == "1-1 1.5-1 2-1 3-1 4-1 5-1 6-1 7-1 8-1 9-1 10+"
    assert [crt["die"][str(die)] for die in range(1, 7)] == [line.split() for line in PRINTED.strip().splitlines()]


@case("T6")
def test_each_row_of_the_combat_results_table_is_the_last_one_moved_a_column_left(tables: dict[str, Any]) -> None:
    rows = [tables["combat_results"]["die"][str(die)] for die in range(1, 7)]
    assert all(above[1:] == below[:-1] for above, below in pairwise(rows))


@case("T1")
def test_an_absolute_order_costs_as_much_as_a_panzer_and_an_infantry_division(tables: dict[str, Any]) -> None:
    cost = tables["negotiation_cost"]
    assert (cost["cancel"], cost["PR"], cost["IR"], cost["AR"]) == (3, 2, 1, 0.5)


@case("T2")
@case("T3")
@case("T4")
def test_axis_help_grows_with_the_crossing_points_in_soviet_hands(tables: dict[str, Any]) -> None:
    def read(table: str, what: str) -> list[float]:
        rows = tables[table]["by_cp"]
        return [row[what] for cp in range(8) for row in rows if row["cp"][0] <= cp <= row["cp"][1]]

    assert read("air_reorganization", "markers") == [0, 1, 1, 2, 2, 3, 3, 4]
    assert read("negotiation", "points") == [3, 4, 4, 4.5, 4.5, 5, 5, 5.5]
    assert read("special_activation", "units") == [6, 7, 7, 8, 8, 9, 9, 10]


@case("T5")
def test_zhukov_appears_from_turn_5_while_few_crossings_are_won(tables: dict[str, Any]) -> None:
    assert tables["zhukov"]["by_turn"] == {"5": [0, 0], "6": [0, 1], "7": [0, 3], "8": [0, 5]}


@case("4.0-e")
def test_the_absolute_orders_lie_on_the_major_cities(tables: dict[str, Any], board: Board) -> None:
    cities = {board.grid.number_of(h) for h, place in board.places.items() if place.size == "major city"}
    assert set(tables["absolute_order"]["cities"]["hexes"]) == cities


@case("9.2.1(1)-a")
@case("9.2.1(1)-b")
@case("10.3.1-b")
def test_rivers_halve_the_attack_and_major_ones_end_the_move(tables: dict[str, Any]) -> None:
    minor, major = (tables["terrain"]["hexside"][name] for name in ("minor", "major"))
    assert minor["halves_attack"]
    assert major["halves_attack"]
    assert (minor["extra"], major["one_step"]) == (1, True)
    assert tables["combat"]["river_divisor"]["by"] == 2


@case("10.3.3(1)")
def test_a_rough_hex_with_a_town_shifts_two_columns(tables: dict[str, Any]) -> None:
    assert tables["terrain"]["hex"]["rough"]["shift"] + tables["terrain"]["place"]["town"]["shift"] == 2


@case("9.2-ex")
def test_a_step_from_zone_to_zone_takes_the_infantrys_whole_allowance(tables: dict[str, Any], roster: Roster) -> None:
    zones = tables["movement"]["leave_zoc"]["points"] + tables["movement"]["enter_zoc"]["points"]
    allowance = roster.by_kind("infantry division")[0].value("move")
    assert tables["terrain"]["hex"]["clear"]["move"] + zones == allowance == 5


@case("6.2(1)-a")
@case("6.2(2)")
@case("6.3(1)")
@case("2.4")
def test_there_are_18_chits_and_enough_of_them_to_select_on_every_turn(tables: dict[str, Any]) -> None:
    chits = {side: {n: row for n, row in rows.items() if "count" in row} for side, rows in tables["chits"].items()}
    assert sum(row["count"] for rows in chits.values() for row in rows.values()) == 18
    for turn in tables["turn_track"]["turns"]:
        axis = sum(row["count"] for row in chits["axis"].values() if row.get("first", 1) <= turn["turn"])
        assert 3 <= turn["axis_com"] <= min(axis, 5)
    fronts = sum(row["count"] for row in chits["soviet"].values() if row.get("front"))
    assert fronts + chits["soviet"]["Reinf"]["count"] >= tables["selection"]["soviet"]["chits"] == 6


@case("17.1(1)-a")
@case("17.1(1)-b")
@case("17.1(1)-c")
@case("17.1(1)-d")
@case("17.1(1)-e")
@case("17.1(1)-f")
@case("17.1(1)-g")
@case("17.1(3)")
def test_victory_points_are_the_printed_ones(tables: dict[str, Any]) -> None:
    points = {
        name: row["points"] for name, row in tables["victory"].items() if isinstance(row, dict) and name != "race"
    }
    assert points == {
        "major_city": 8,
        "german_armour": 2,
        "german_other": 1,
        "axis_ally": 0,
        "german_relocation": 2,
        "soviet_relocation": -2,
        "breakthrough": 5,
        "win": 65,
    }


@case("17.2(2)")
@case("17.2(3)")
def test_the_race_adds_quarters_and_asks_for_50(tables: dict[str, Any]) -> None:
    race = tables["victory"]["race"]
    assert (race["crossing_point"], race["mech_with_line"], race["other_with_line"]) == (5, 1, 0.5)
    assert (race["mech_without_line"], race["other_without_line"], race["win"]["points"]) == (0.5, 0.25, 50)


@case("15.1(3)")
def test_four_air_markers_are_two_stukas_and_two_aces(tables: dict[str, Any]) -> None:
    assert Counter(tables["air_markers"]["markers"].values()) == {"stuka": 2, "ace": 2}


def _figures(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        if "case" in value or "source" in value:
            yield path, value
        for name, inner in value.items():
            yield from _figures(inner, f"{path}.{name}".strip("."))


def test_every_table_names_a_case_of_the_ledger_and_its_source(tables: dict[str, Any], ledger: Ledger) -> None:
    found = list(_figures(tables))
    assert [row["case"] for _, row in found if "case" in row and row["case"] not in ledger] == []
    assert {row["source"] for _, row in found if "source" in row} == {"text", "inferred", "reconstructed"}
    assert [name for name, table in tables.items() if not list(_figures(table))] == []


# --- Counters ---


@case("1.2")
def test_units_headquarters_chits_and_markers_make_280_counters(roster: Roster, tables: dict[str, Any]) -> None:
    units = sum("hq" not in unit.classes for unit in roster)
    headquarters = sum("hq" in unit.classes and not unit.setup.startswith("back") for unit in roster)
    chits = sum(row["count"] for rows in tables["chits"].values() for row in rows.values() if "count" in row)
    assert (units, headquarters, chits) == (195, 8, 18)
    assert units + headquarters + chits + sum(tables["markers"]["counters"].values()) == 280


@case("2.2.2-a")
@case("2.2.2-d")
def test_only_mechanized_units_have_two_strengths(roster: Roster) -> None:
    for unit in roster:
        single = all(step["attack"] == step["defence"] for step in unit.steps)
        assert single or "mech" in unit.classes, unit.id


@case("2.2.1")
def test_every_axis_unit_has_one_nation_and_no_ally_is_ss(roster: Roster) -> None:
    for unit in roster.by_side("axis"):
        assert len(unit.classes & {"german", "romanian", "hungarian"}) == 1
        assert "ss" not in unit.classes or "german" in unit.classes


@case("2.2.3")
def test_a_reduced_side_is_weaker_and_as_fast(roster: Roster) -> None:
    for unit in roster:
        assert len(unit.steps) <= 2
        for front, back in pairwise(unit.steps):
            assert back["attack"] < front["attack"]
            assert back["move"] == front["move"]


@case("2.3-abbr")
@case("18.2(1)")
def test_the_four_fronts_turn_into_the_ukrainian_fronts_with_better_values(
    roster: Roster, tables: dict[str, Any]
) -> None:
    backs = tables["headquarters"]["conversion"]["backs"]
    assert list(backs) == ["Vrnz", "Step", "SW", "Sth"]
    for front, back in backs.items():
        old, new = roster.get(front), roster.get(back)
        assert all(new.value(key) > old.value(key) for key in ("attack", "defence", "move"))
        assert new.value("range") == old.value("range")


@case("12.2(1)")
@case("12.3")
@case("4.0-b")
def test_every_group_pool_and_reserve_has_its_units(roster: Roster, tables: dict[str, Any]) -> None:
    codes = Counter(unit.setup for unit in roster)
    assert [codes[group] for group in tables["reinforcements"]["groups"]] == [6, 7, 6, 6, 5, 5, 4, 4]
    assert (codes["(2)"], codes["(3)"], codes["Abn"], codes["Res"]) == (1, 2, 1, 4)
    assert [codes[pool] for pool in tables["reinforcements"]["pools"]["codes"]] == [13, 19, 9]


@case("12.2(3)")
def test_a_converting_unit_finds_its_type_on_the_map_at_start(roster: Roster, tables: dict[str, Any]) -> None:
    placed = {unit for spots in read_toml(FOLDER, "setup.toml")["soviet"].values() for unit in spots}
    kinds = {roster.get(unit).kind for unit in placed}
    converting = [unit for unit in roster if unit.setup.startswith("(")]
    assert all(kinds & set(tables["reinforcements"]["converts"][unit.kind]) for unit in converting)


def test_every_unit_answers_to_each_of_its_names_alone(roster: Roster) -> None:
    for unit in roster:
        assert all(roster.find(name) == [unit] for name in (unit.id, unit.name, *unit.nicknames)), unit.id


def test_every_value_says_where_it_comes_from(roster: Roster) -> None:
    assert {source for unit in roster for source in unit.sources} <= {"text", "inferred", "reconstructed"}


# --- Set-up and scenarios ---


@case("4.0-a")
def test_the_set_up_places_just_the_units_that_start_on_the_map(roster: Roster, scenarios: dict[str, Any]) -> None:
    headquarters = {unit.id for unit in roster if "hq" in unit.classes}
    for side, spots in read_toml(FOLDER, "setup.toml").items():
        placed = [unit for units in spots.values() for unit in units]
        assert len(set(placed)) == len(placed)
        assert set(placed) == {unit.id for unit in roster.by_side(side) if unit.setup in headquarters}
        count = scenarios["scenarios"]["campaign"]["units_at_start"][side]["count"]
        assert len(set(placed) - headquarters) == count


@case("3.1(1)")
def test_the_set_up_keeps_to_the_stacking_limit(roster: Roster, tables: dict[str, Any]) -> None:
    limit = tables["stacking"]
    for spots in read_toml(FOLDER, "setup.toml").values():
        for units in spots.values():
            kinds = Counter("hq" in roster.get(unit).classes for unit in units)
            assert kinds[False] <= limit["units"]
            assert kinds[True] <= limit["headquarters"]


@case("3.4(1)")
def test_each_side_sets_up_on_its_own_side_of_the_line(board: Board) -> None:
    axis = board.inside("start line")
    for side, spots in read_toml(FOLDER, "setup.toml").items():
        assert all((axis >> board.grid.hex(spot) & 1) == (side == "axis") for spot in spots)


@case("8.2-a")
def test_every_unit_starts_in_the_command_range_of_some_headquarters(board: Board, roster: Roster) -> None:
    grid = board.grid
    for spots in read_toml(FOLDER, "setup.toml").values():
        where = {unit: grid.hex(spot) for spot, units in spots.items() for unit in units}
        ranges = {u: roster.get(u).value("range") for u in where if "hq" in roster.get(u).classes}
        lost = [u for u, h in where.items() if all(grid.distance(h, where[q]) > r for q, r in ranges.items())]
        assert lost == []


@case("4.0-b")
def test_the_reserve_finds_room_in_the_major_cities(
    roster: Roster, scenarios: dict[str, Any], tables: dict[str, Any]
) -> None:
    reserve = scenarios["scenarios"]["campaign"]["reserve"]["axis"]
    placed = read_toml(FOLDER, "setup.toml")["axis"]
    cities = tables["absolute_order"]["cities"]["hexes"]
    taken = sum("hq" not in roster.get(unit).classes for spot in cities for unit in placed.get(spot, ()))
    assert reserve["count"] == sum(unit.setup == reserve["code"] for unit in roster)
    assert 0 < reserve["count"] <= len(cities) * tables["stacking"]["units"] - taken


@case("17.1")
@case("17.2")
def test_the_race_is_the_first_half_of_the_campaign(scenarios: dict[str, Any], tables: dict[str, Any]) -> None:
    campaign, race = scenarios["scenarios"]["campaign"], scenarios["scenarios"]["race"]
    assert (campaign["turns"], race["turns"], race["like"]) == (8, 4, "campaign")
    assert [row["turn"] for row in tables["turn_track"]["turns"]] == list(range(1, 9))


def test_every_switch_names_a_case_and_takes_its_default_from_its_choices(
    scenarios: dict[str, Any], ledger: Ledger
) -> None:
    for name, switch in scenarios["switches"].items():
        assert switch["case"] in ledger
        assert switch["default"] == switch["choices"][0], name


# --- The ledger ---


def test_the_ledger_has_250_cases_and_216_that_ask_something(ledger: Ledger) -> None:
    assert (len(ledger), len(ledger.counted)) == (250, 216)
