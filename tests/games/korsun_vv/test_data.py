"""The counters, set-up and ledger agree with the rulebook and with one another."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import games
from engine.board import Board, load_board
from engine.folder import read_toml
from engine.ledger import Ledger
from engine.pieces import Roster

FOLDER = Path(games.__path__[0]) / "korsun_vv"
SIDES = ("german", "russian")
TYPES = {"infantry", "cavalry", "mechanised", "armour", "hq"}


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(FOLDER)


@pytest.fixture(scope="module")
def setup() -> dict[str, dict[str, list[str]]]:
    return read_toml(FOLDER, "setup.toml")


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


def arriving(tables: dict[str, Any], side: str) -> list[str]:
    rows = [*tables["reinforcements"][side], tables["reinforcements"]["pocket"][side]]
    return [unit for row in rows for unit in row["units"]]


def by_formation(roster: Roster, units: list[str]) -> dict[str, int]:
    return dict(Counter(roster.get(unit).formation for unit in units if "hq" not in roster.get(unit).classes))


# --- Counters ---


@case("1.1-a")
def test_there_are_72_german_and_63_russian_units_and_13_headquarters(roster: Roster) -> None:
    count = Counter((unit.side, "hq" in unit.classes) for unit in roster)
    assert count == {("german", False): 72, ("russian", False): 63, ("german", True): 6, ("russian", True): 7}


@case("1.1-a")
def test_every_unit_is_of_one_type(roster: Roster) -> None:
    assert all(len(unit.classes & TYPES) == 1 for unit in roster)


@case("1.4-a", "1.4-c", "16-d")
def test_every_formation_has_its_headquarters_and_only_cavalry_tank_corps_and_alarm_units_are_independent(
    roster: Roster,
) -> None:
    headquarters = [unit for unit in roster if "hq" in unit.classes]
    assert {unit.id for unit in headquarters} == {formation.id for formation in roster.formations}
    assert all(unit.id == unit.formation for unit in headquarters)
    alone = {unit.id for unit in roster if not unit.formation}
    assert alone == {"11GCD", "12GCD", "63CD", "3TC", "16TC", "Alarm1", "Alarm2"}


@case("1.1-g")
def test_the_second_and_fourth_step_are_the_one_above_less_the_loss_marker(
    roster: Roster, tables: dict[str, Any]
) -> None:
    for unit in roster:
        key = "strength" if unit.has("strength") else "defence"
        marked = (
            [(unit.steps[i], unit.steps[i + 1]) for i in range(0, len(unit.steps) - 1, 2)]
            if len(unit.steps) > 2
            else []
        )
        for above, below in marked:
            assert below[key] == above[key] - tables["loss_marker"][unit.side], unit.id
            assert {k: v for k, v in below.items() if k != key} == {k: v for k, v in above.items() if k != key}


@case("1.5-a")
def test_a_unit_has_one_to_four_steps_and_grows_no_better_by_losing_them(roster: Roster) -> None:
    for unit in roster:
        assert 1 <= len(unit.steps) <= 4
        for above, below in pairwise(unit.steps):
            assert all(below[key] <= above[key] for key in above), unit.id
        if "hq" in unit.classes:
            assert (len(unit.steps), unit.value("defence")) == (1, 1)


def test_only_headquarters_fortified_regions_and_security_troops_may_not_attack(roster: Roster) -> None:
    passive = {unit.id for unit in roster if unit.has("defence")}
    assert passive == {unit.id for unit in roster if "hq" in unit.classes} | {"159RF", "54RF", "213Sec"}


@case("1.1-c", "1.1-f", "1.1-h", "1.1-i", "16-a")
def test_the_few_figures_that_the_text_gives_are_on_the_counters(roster: Roster) -> None:
    assert all(roster.get(f"5MC-{n}").value("stars") == 1 for n in (1, 2, 3))
    assert not roster.get("KG/14Pz").has("stars")
    assert all(roster.get(f"20TC-{n}").value("quality", 1) == 4 for n in (1, 2, 3))
    assert all(len(roster.get(f"Alarm{n}").steps) == 1 for n in (1, 2))
    assert all(1 <= unit.value("stars") <= 3 for unit in roster if unit.has("stars"))


def test_every_unit_answers_to_each_of_its_names_alone(roster: Roster) -> None:
    for unit in roster:
        assert all(roster.find(name) == [unit] for name in (unit.id, unit.name, *unit.nicknames)), unit.id


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("7 Guards Para", "7GAD"),
        ("42 G", "42GRD"),
        ("180", "180RD"),
        ("11 G Cav", "11GCD"),
        ("159 RF", "159RF"),
        ("18 TC 1", "18TC-1"),
        ("HQ 47 PzK", "47PzK"),
        ("1 Pz/1 Pz", "Pz1/1Pz"),
        ("KG Koller", "Koller/5SS"),
        ("Cosaques", "Cossacks"),
    ],
)
def test_a_player_may_call_a_unit_as_the_set_up_lists_do(roster: Roster, text: str, unit: str) -> None:
    assert [found.id for found in roster.find(text)] == [unit]


# --- Set-up and reinforcements ---


def test_every_unit_starts_on_the_map_or_comes_later_and_none_twice(
    roster: Roster, tables: dict[str, Any], setup: dict[str, dict[str, list[str]]]
) -> None:
    start = tables["at_start"]
    apart = (
        [row["unit"] for row in start["free"]] + start["alarm"]["units"] + [tables["pocket"]["headquarters"]["unit"]]
    )
    for side in SIDES:
        placed = [unit for units in setup[side].values() for unit in units]
        found = [*placed, *arriving(tables, side), *(apart if side == "german" else [])]
        assert sorted(found) == sorted(unit.id for unit in roster.by_side(side))


LISTS = [*(f"18.1-{letter}" for letter in "abcd"), *(f"18.2-{letter}" for letter in "abcdefgh")]


def listed(ledger: Ledger, roster: Roster, number: str) -> dict[str, set[str]]:
    """The set-up list of a case: the units in each hex."""
    found: dict[str, set[str]] = {}
    text = re.sub(r"\(.*?\)", "", ledger.get(number).requires)
    for hexed, names in re.findall(r"(\d{4}) ([^;.]+)", text):
        for name in re.split(r", | and ", names):
            corps = [unit for unit in roster if unit.id.startswith(f"{name.strip().replace(' ', '')}-")]
            found.setdefault(hexed, set()).update(unit.id for unit in corps or roster.find(name))
    return found


@pytest.mark.parametrize("number", [pytest.param(n, marks=case(n)) for n in LISTS])
def test_a_formation_stands_where_its_list_says(
    roster: Roster, ledger: Ledger, setup: dict[str, dict[str, list[str]]], number: str
) -> None:
    side = "german" if number.startswith("18.1") else "russian"
    found = listed(ledger, roster, number)
    assert found
    for hexed, units in found.items():
        assert units
        assert units <= set(setup[side][hexed])


def test_each_formation_starts_with_as_many_units_as_its_list_has(
    roster: Roster, setup: dict[str, dict[str, list[str]]], scenarios: dict[str, Any]
) -> None:
    placed = {side: [unit for units in setup[side].values() for unit in units] for side in SIDES}
    assert by_formation(roster, placed["german"]) == {"7AK": 8, "42AK": 6, "11AK": 10, "47PzK": 14}
    assert by_formation(roster, placed["russian"]) == {
        "27A": 3, "40A": 6, "6TA": 3, "52A": 3, "4GA": 7, "53A": 10, "5GTA": 9, "": 3,
    }  # fmt: skip
    for side, count in scenarios["scenarios"]["battle"]["units_at_start"].items():
        assert sum(by_formation(roster, placed[side]).values()) == count["count"]


@case("18.1.1-c", "18.1.1-d", "18.1.1-e", "18.1.1-f", "18.1.1-g")
def test_german_reinforcements_come_as_listed(tables: dict[str, Any]) -> None:
    rows = tables["reinforcements"]["german"]
    assert Counter(row["turn"] for row in rows for _ in row["units"]) == {2: 3, 3: 4, 4: 10, 5: 9, 6: 1, 7: 1}
    assert [row["units"] for row in rows if row.get("option") == "panzer_24"] == [["24/24Pz", "21/24Pz", "26/24Pz"]]
    assert [(row["turn"], row["less"], len(row["units"])) for row in rows if "less" in row] == [(3, 1, 3)]


@case("18.2.1-a", "18.2.1-b", "18.2.1-c", "18.2.1-d", "18.2.1-e")
def test_russian_reinforcements_come_as_listed(tables: dict[str, Any]) -> None:
    rows = tables["reinforcements"]["russian"]
    assert Counter(row["turn"] for row in rows for _ in row["units"]) == {2: 10, 3: 3, 4: 3, 6: 2}
    assert tables["reinforcements"]["pocket"]["russian"]["units"] == ["54RF", "206RD"]


@case("18.1.1-e", "18.2.1-c")
def test_each_likely_misprint_has_a_switch_that_sets_it_right(
    tables: dict[str, Any], scenarios: dict[str, Any]
) -> None:
    rows = [row for side in SIDES for row in tables["reinforcements"][side] if "switch" in row]
    assert {row["switch"] for row in rows} == {"turn_4_entry", "rifle_edge"} <= scenarios["switches"].keys()
    assert all(row["otherwise"] != row["entry"] for row in rows)


def test_every_entry_is_an_area_or_an_edge_of_the_map(tables: dict[str, Any], board: Board) -> None:
    table = tables["reinforcements"]
    for row in [*table["german"], *table["russian"], *(table["pocket"][side] for side in SIDES)]:
        for entry in (row["entry"], row.get("otherwise", row["entry"])):
            assert entry.get("area", "airfield") in board.areas
            assert entry.get("edge", "west") in board.edges


@case("18.2-g", "18.2.1-a")
def test_two_of_the_18th_one_of_the_20th_and_29th_two_of_the_5th_guards_and_one_of_the_5th_mechanised_start_reduced(
    roster: Roster, tables: dict[str, Any]
) -> None:
    rows = [row for row in tables["at_start"]["reduced"].values() if isinstance(row, dict)]
    reduced = [unit for row in rows for unit in row["units"]]
    assert Counter(unit.partition("-")[0] for unit in reduced) == {"18TC": 2, "20TC": 1, "29TC": 1, "5GTC": 2, "5MC": 1}
    assert all(len(roster.get(unit).steps) == 2 for unit in reduced)


def test_the_set_up_keeps_to_the_stacking_limit(
    roster: Roster, tables: dict[str, Any], setup: dict[str, dict[str, list[str]]]
) -> None:
    stacking = tables["stacking"]
    for side in SIDES:
        for number, units in setup[side].items():
            sizes = [roster.get(unit).size for unit in units if "hq" not in roster.get(unit).classes]
            assert sum(stacking["size"][side][size] for size in sizes) <= stacking[side]["limit"], number


def test_those_far_from_their_headquarters_at_start_are_the_ones_that_can_be_counted_on_the_map(
    roster: Roster, tables: dict[str, Any], setup: dict[str, dict[str, list[str]]], board: Board
) -> None:
    grid = board.grid
    where = {u: grid.hex(number) for spots in setup.values() for number, units in spots.items() for u in units}
    far = {}
    for unit, h in where.items():
        hq = where.get(roster.get(unit).formation)
        if hq is not None and grid.distance(h, hq) > tables["command_range"][roster.get(unit).side]:
            far[unit] = grid.distance(h, hq)
    assert far == {"West/5SS": 12, "179/57": 10, "124/72": 10, "266/72": 9, "180RD": 8, "294RD": 7}


@case("18.1-f", "18.2-i", "18.1.1-c", "18.1.1-d", "18.1.1-e", "18.2.1-a", "18.2.1-d")
def test_the_germans_get_ten_support_markers_in_all_and_the_russians_twelve(tables: dict[str, Any]) -> None:
    support = tables["support"]
    for side, total in (("german", 10), ("russian", 12)):
        rows = [support["start"][side], *support["arrivals"][side].values()]
        count = Counter({name: sum(row.get(name, 0) for row in rows) for name in support[side]})
        assert count.total() == total
        assert all(name in support["marker"] for name in count)


# --- The ledger ---


def test_the_ledger_has_276_cases_and_248_that_ask_something(ledger: Ledger) -> None:
    assert (len(ledger), len(ledger.counted)) == (276, 248)
