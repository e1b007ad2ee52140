"""Every counter of the game, and of the proving ground, is as the rulebook has it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import games.korsun_spi
from engine.pieces import Roster, load_roster

FOLDER = Path(games.korsun_spi.__file__).parent


@pytest.fixture(scope="module")
def proving() -> Roster:
    return load_roster(FOLDER / "counters_proving.toml")


def case(number: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", number)


def steps(roster: Roster, unit: str) -> list[str]:
    return ["-".join(map(str, step.values())) for step in roster.get(unit).steps]


@case("18.16")
def test_48_soviet_units_are_left_when_the_reinforcements_are_set_aside(roster: Roster, tables: dict[str, Any]) -> None:
    all_units = Counter(unit.kind for unit in roster.by_side("soviet"))
    later: Counter[str] = Counter()
    for row in tables["reinforcements"]:
        if row["side"] == "soviet":
            later.update(row["units"])
    assert later.total() == 15
    assert not later - all_units
    assert (all_units - later).total() == 48


@case("18.26")
def test_58_german_units_are_left_when_those_coded_6f_and_6g_are_set_aside(
    roster: Roster, tables: dict[str, Any]
) -> None:
    codes = Counter(unit.setup for unit in roster.by_side("german"))
    later = {row["code"] for row in tables["reinforcements"] if row["side"] == "german"}
    assert sum(codes[code] for code in later) == 10
    assert sum(count for code, count in codes.items() if code not in later) == 58
    assert "" not in codes


def test_the_german_set_up_codes_are_those_of_the_manifest(roster: Roster) -> None:
    codes = Counter(unit.setup for unit in roster.by_side("german"))
    letters = {"A": 9, "B": 9, "C": 5, "D": 5, "E": 12}
    hexes = {"0616": 2, "1113": 1, "1411": 1, "2209": 2, "2306": 4, "2316": 3, "2415": 3, "2416": 2}
    assert codes == letters | hexes | {"6F": 7, "6G": 3}


@pytest.mark.parametrize("side", ["soviet", "german"])
def test_each_sides_sheet_has_100_counters(roster: Roster, tables: dict[str, Any], side: str) -> None:
    units = roster.by_side(side)
    replacements = [unit for unit in units if "corps" in unit.classes]
    markers = tables["markers"][side]["counters"]
    assert len(units) + len(replacements) + sum(markers.values()) == 100


@case("19.6")
@case("19.61")
def test_a_soviet_corps_has_four_steps_an_hq_one_and_the_rest_two(roster: Roster) -> None:
    for unit in roster.by_side("soviet"):
        expected = 4 if "corps" in unit.classes else 1 if "hq" in unit.classes else 2
        assert len(unit.steps) == expected, unit.id


@pytest.mark.parametrize(
    ("unit", "printed"),
    [
        ("RD375", "4-5-5"),
        ("GRD95", "6-6-5"),
        ("GAD1", "5-5-5"),
        ("GAB3", "2-2-5"),
        ("GMB29", "5-3-7"),
        ("MC5", "14-10-7"),
        ("GMC8", "18-13-7"),
        ("TB25", "4-2-9"),
        ("GTB44", "5-3-9"),
        ("TC29", "14-10-8"),
        ("GTC11", "18-13-8"),
        ("CD63", "3-2-6"),
        ("GCD2", "4-2-6"),
        ("HQ-53", "4-9"),
        ("HQ-5GdTk", "6-9"),
        ("389", "4-5-5"),
        ("112/KaB", "2-3-5"),
        ("332/KaB", "1-1-5"),
        ("80/34", "2-3-5"),
        ("887/320", "1-1-5"),
        ("5/SSW", "6-3-8"),
        ("Pz1/1", "5-2-8"),
        ("6/3", "3-1-8"),
        ("Baeke", "8-3-8"),
        ("2/LAH", "3-3-8"),
        ("PG1/1", "2-3-8"),
        ("394/3", "1-1-8"),
        ("StuG249", "4-2-8"),
        ("Wallo", "4-6-8"),
    ],
)
def test_a_counters_front_is_as_printed(roster: Roster, unit: str, printed: str) -> None:
    assert steps(roster, unit)[0] == printed
    assert roster.get(unit).sources[0] == "text"


def test_a_corps_passes_to_its_replacement_counter_with_its_third_step(roster: Roster) -> None:
    assert [steps(roster, unit)[2] for unit in ("MC7", "GMC3", "TC18", "GTC5")] == [
        "6-4-7", "8-6-7", "6-4-8", "8-6-8",
    ]  # fmt: skip


def test_a_unit_grows_no_stronger_and_no_slower_by_losing_steps(roster: Roster, proving: Roster) -> None:
    for unit in [*roster, *proving]:
        for upper, lower in zip(unit.steps, unit.steps[1:], strict=False):
            assert lower["attack"] < upper["attack"], unit.id
            assert lower["defence"] < upper["defence"], unit.id
            assert lower["move"] == upper["move"], unit.id


def test_every_figure_says_whether_it_is_printed_or_worked_out(roster: Roster, proving: Roster) -> None:
    assert {source for unit in roster for source in unit.sources} == {"text", "inferred"}
    assert {source for unit in proving for source in unit.sources} == {"text", "invented"}


def test_every_division_that_can_have_integrity_has_three_units(roster: Roster, tables: dict[str, Any]) -> None:
    kinds = Counter(formation.kind for formation in roster.formations)
    assert kinds == {"panzer": 10, "infantry": 8, "": 1}
    for formation in roster.formations:
        units = roster.by_formation(formation.id)
        assert len(units) == (tables["integrity"]["units"] if formation.kind else 1), formation.id
        assert {"panzer": "mech", "infantry": "infantry", "": "infantry"}[formation.kind] in units[0].classes


def test_divisions_assault_guns_and_independent_units_belong_to_no_formation(roster: Roster) -> None:
    alone = {unit.id for unit in roster.by_side("german") if not unit.formation}
    assert alone == {"72", "82", "88", "389", "Baeke", "Wallo"} | {
        f"StuG{number}" for number in (202, 228, 235, 249, 261, 805, 911)
    }
    assert not any(unit.formation for unit in roster.by_side("soviet"))


def test_cavalry_is_mechanised_and_an_hq_is_not(roster: Roster) -> None:
    for unit in roster:
        assert ("mech" in unit.classes) + ("infantry" in unit.classes) + ("hq" in unit.classes) == 1, unit.id
        assert len(unit.classes & {"regiment", "brigade", "division", "corps", "hq"}) == 1, unit.id
    assert all("mech" in unit.classes for unit in roster if "cavalry" in unit.classes)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("gtc 5", "GTC5"),
        ("5th Guards Tank Corps", "GTC5"),
        ("stug 805", "StuG805"),
        ("805", "StuG805"),
        ("wiking 5", "5/SSW"),
        ("pz 1/1", "Pz1/1"),
        ("2nd tank army", "HQ-2Tk"),
        ("Bäke", "Baeke"),
        ("Wallonien", "Wallo"),
        ("3/3", "3/3"),
        ("72", "72"),
    ],
)
def test_a_player_may_call_a_unit_by_the_names_he_knows(roster: Roster, text: str, unit: str) -> None:
    assert [found.id for found in roster.find(text)] == [unit]


def test_the_two_units_printed_1_1_have_to_be_told_apart(roster: Roster) -> None:
    assert [unit.id for unit in roster.find("1/1")] == ["Pz1/1", "PG1/1"]


@pytest.mark.parametrize("sheet", ["roster", "proving"])
def test_no_long_name_is_shared_by_two_units(sheet: str, request: pytest.FixtureRequest) -> None:
    units = request.getfixturevalue(sheet)
    for unit in units:
        assert [found.id for found in units.find(unit.name)] == [unit.id]
        assert [found.id for found in units.find(unit.id)] == [unit.id]


# --- Ladders ---


@pytest.mark.parametrize(
    ("unit", "ladder"),
    [
        pytest.param("44", "8-10-9 5-7-9 3-4-9 1-2-9", marks=case("16.1")),
        pytest.param("68", "7-8-9 4-5-9 2-3-9", marks=case("16.1")),
        pytest.param("Geb1", "7-9-9 4-6-9 2-3-9 1-1-9", marks=case("16.1")),
        pytest.param("Geb3", "7-8-9 4-5-9 2-3-9", marks=case("16.1")),
        pytest.param("97", "8-10-10 5-7-10 3-4-10 1-2-10", marks=case("16.1")),
        pytest.param("15/29", "3-3-10 1-2-10", marks=case("16.2")),
        pytest.param("DF/DR", "3-3-10 2-2-10", marks=case("16.2")),
        pytest.param("Gr/GD", "4-3-8 2-2-8", marks=case("16.2")),
        pytest.param("4/13", "6-2-10 3-1-10", marks=case("16.2")),
        pytest.param("93/13", "1-3-10 0-1-10", marks=case("16.2")),
        pytest.param("39/17", "5-2-8 3-1-8", marks=case("16.2")),
        pytest.param("40/17", "2-3-8 1-1-8", marks=case("16.2")),
    ],
)
def test_a_german_unit_goes_down_the_ladder_of_its_type(proving: Roster, unit: str, ladder: str) -> None:
    assert steps(proving, unit) == ladder.split()


@case("kiev-counters")
def test_the_kiev_addendum_sets_five_rifle_divisions_right(proving: Roster, tables: dict[str, Any]) -> None:
    strengths = {"277": "1-1-6", "151": "1-2-6", "87": "3-2-6", "99": "0-1-6", "141": "0-1-6"}
    assert {number: steps(proving, f"RD{number}")[0] for number in strengths} == strengths
    assert tables["addenda"]["kiev_setup"]["hexes"] == {
        "277": "1307", "151": "0219", "87": "0219", "99": "0925", "141": "0925",
    }  # fmt: skip


def test_the_pool_can_turn_up_every_untried_division(proving: Roster) -> None:
    pool = [unit for unit in proving if unit.setup == "pool"]
    untried = proving.by_kind("untried rifle division")
    assert len(pool) >= len(untried)
    assert {steps(proving, unit.id)[0] for unit in pool} >= {
        "0-0-6",
        "0-1-6",
        "1-1-6",
        "1-2-6",
        "3-2-6",
        "6-8-6",
    }
    assert not any(unit.has("attack") or unit.has("defence") for unit in untried)
