"""Counters: values by step, and names as players write them."""

from pathlib import Path

import pytest

from engine.pieces import BadCounters, NoSuchUnit, NoSuchValue, Roster, Unit, load_roster, nth

TABLES = """
[ladders."line division"]
rungs = ["7-8", "4-5", "2-3"]
[ladders."light division"]
like = "line division"
extra_move = 1
"""

COUNTERS = """
ladders = "ladders.toml"
units = [
  { id = "GTC5", type = "guards tank corps", number = "5" },
  { id = "12/3", type = "regiment", formation = "3" },
  { id = "3/3", type = "regiment", formation = "3" },
  { id = "A1/1", type = "regiment", formation = "1", number = "1", nicknames = ["1/1"] },
  { id = "B1/1", type = "regiment", formation = "1", number = "1", nicknames = ["1/1", "3/3"] },
  { id = "72", type = "division" },
  { id = "97", type = "light division" },
  { id = "73", type = "division", rung = 3 },
  { id = "HQ-2", type = "headquarters" },
]
[types."guards tank corps"]
side = "red"
size = "XXX"
classes = ["mech", "corps"]
steps = ["18-13-8", "13-9-8"]
sources = ["text", "inferred"]
name = "{nth} Guards Tank Corps"
[types."regiment"]
side = "grey"
size = "III"
steps = ["2-3-5"]
name = "{nth} Regiment, {parent}"
[types."division"]
side = "grey"
size = "XX"
ladder = "line division"
rung = 2
move = 5
[types."light division"]
side = "grey"
size = "XX"
ladder = "light division"
move = 5
[types."headquarters"]
side = "red"
size = "HQ"
values = "rating-move"
steps = ["4-9"]
[formations]
"3" = { name = "3rd Division", kind = "line" }
"1" = { name = "1st Division" }
[words]
gd = ["guards"]
tk = ["tank"]
"""


def sheet(tmp_path: Path, text: str = COUNTERS) -> Path:
    (tmp_path / "ladders.toml").write_text(TABLES, encoding="utf-8")
    path = tmp_path / "counters.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def roster(tmp_path: Path) -> Roster:
    return load_roster(sheet(tmp_path))


def ids(units: list[Unit]) -> list[str]:
    return [unit.id for unit in units]


def test_a_unit_shows_its_lower_step_once_a_step_is_lost(roster: Roster) -> None:
    corps = roster.get("GTC5")
    assert (corps.value("attack"), corps.value("attack", 1), corps.value("move", 1)) == (18, 13, 8)


def test_a_unit_has_no_value_below_its_last_step_nor_one_that_is_not_printed(roster: Roster) -> None:
    with pytest.raises(NoSuchValue) as gone:
        roster.get("GTC5").value("attack", 2)
    assert (gone.value.unit, gone.value.key, gone.value.lost) == ("GTC5", "attack", 2)
    with pytest.raises(NoSuchValue):
        roster.get("HQ-2").value("attack")
    assert roster.get("HQ-2").value("rating") == 4
    assert not roster.get("HQ-2").has("attack")


def test_a_type_may_start_on_a_lower_rung_of_its_ladder_and_a_unit_lower_still(roster: Roster) -> None:
    assert [step["attack"] for step in roster.get("72").steps] == [4, 2]
    assert [step["attack"] for step in roster.get("73").steps] == [2]


def test_a_ladder_like_another_has_its_rungs_and_more_movement(roster: Roster) -> None:
    light = roster.get("97")
    assert [(s["attack"], s["move"]) for s in light.steps] == [(7, 6), (4, 6), (2, 6)]


@pytest.mark.parametrize(
    "text", ["GTC5", "gtc 5", "GTC-5", "gtc.5", "5th Guards Tank Corps", "5 gd tk corps", "5 GUARDS tk corps"]
)
def test_a_corps_is_found_however_it_is_spelled(roster: Roster, text: str) -> None:
    assert ids(roster.find(text)) == ["GTC5"]


def test_a_slash_may_be_left_out_but_not_what_it_parts(roster: Roster) -> None:
    assert ids(roster.find("12/3")) == ids(roster.find("12 3")) == ids(roster.find("12-3")) == ["12/3"]
    assert roster.find("123") == []


def test_a_list_with_commas_never_runs_together_into_one_name(roster: Roster) -> None:
    assert roster.find("12, 3") == []


def test_a_name_of_two_units_gives_both_and_never_guesses(roster: Roster) -> None:
    assert ids(roster.find("1/1")) == ["A1/1", "B1/1"]


def test_a_units_own_id_beats_the_nickname_of_another(roster: Roster) -> None:
    assert ids(roster.find("3/3")) == ["3/3"]


def test_a_name_that_is_nearly_right_is_only_suggested(roster: Roster) -> None:
    assert roster.find("GTC6") == []
    assert roster.suggest("GTC6")[0] == "GTC5"
    assert roster.suggest("zzzzzz") == []


def test_the_longest_name_at_the_start_of_a_line_is_taken(roster: Roster) -> None:
    found, used = roster.longest(["5", "Guards", "tank", "corps", "via", "0101"])
    assert (ids(found), used) == (["GTC5"], 4)
    assert roster.longest(["via", "GTC5"]) == ([], 0)
    assert roster.longest([]) == ([], 0)


def test_the_roster_is_listed_by_side_formation_and_kind(roster: Roster) -> None:
    assert ids(roster.by_side("red")) == ["GTC5", "HQ-2"]
    assert ids(roster.by_formation("3")) == ["12/3", "3/3"]
    assert roster.by_formation("") == []
    assert ids(roster.by_kind("division")) == ["72", "73"]
    line = roster.formation("3")
    assert line is not None
    assert line.kind == "line"
    assert len(roster) == 9
    assert "72" in roster


def test_a_formation_has_the_units_of_all_that_belong_to_it(tmp_path: Path) -> None:
    corps = COUNTERS.replace('"1st Division" }', '"1st Division", parent = "3" }')
    roster = load_roster(sheet(tmp_path, corps))
    assert ids(roster.by_formation("3")) == ["12/3", "3/3", "A1/1", "B1/1"]
    assert ids(roster.by_formation("1")) == ["A1/1", "B1/1"]
    assert [level.id for level in roster.levels("1")] == ["1", "3"]


def test_every_unit_of_a_type_with_parts_has_its_own_and_they_are_called_after_it(tmp_path: Path) -> None:
    text = """
units = [{ id = "7/3", type = "regiment", formation = "3", name = "Regiment 7" }, { id = "9/3", type = "regiment" }]
[formations]
3 = { name = "3rd Division" }
[types."regiment"]
side = "grey"
size = "III"
steps = ["2-3-5"]
parts = [{ id = "{id}-A", type = "battalion", name = "{name} (I Battalion)" }]
[types."battalion"]
side = "grey"
size = "II"
steps = ["1-2-5"]
"""
    (tmp_path / "counters.toml").write_text(text)
    roster = load_roster(tmp_path / "counters.toml")
    assert [unit.id for unit in roster] == ["7/3", "7/3-A", "9/3", "9/3-A"]
    (part,) = roster.parts("7/3")
    assert (part.name, part.formation, part.of, part.kind) == ("Regiment 7 (I Battalion)", "3", "7/3", "battalion")
    assert roster.parts("7/3-A") == []


def test_an_unknown_id_is_refused(roster: Roster) -> None:
    with pytest.raises(NoSuchUnit, match="no unit is called 99"):
        roster.get("99")


def test_a_file_may_use_the_types_of_another_and_replace_some(tmp_path: Path) -> None:
    sheet(tmp_path)
    other = tmp_path / "other.toml"
    other.write_text(
        'extends = "counters.toml"\nunits = [{ id = "8/3", type = "regiment", formation = "3" }, '
        '{ id = "74", type = "division" }]\n'
        '[types.regiment]\nside = "grey"\nsize = "III"\nsteps = ["1-1-1"]\n',
        encoding="utf-8",
    )
    roster = load_roster(other)
    assert ids(list(roster)) == ["8/3", "74"]
    assert (roster.get("8/3").value("attack"), roster.get("74").value("attack")) == (1, 4)


@pytest.mark.parametrize(
    ("old", "new", "unit", "problem"),
    [
        ('type = "headquarters"', 'type = "headquarter"', "HQ-2", "there is no type"),
        ('"4-9"', '"4-9-1"', "HQ-2", "should read like rating-move"),
        ('"4-9"', '"four-9"', "HQ-2", "should read like rating-move"),
        ('id = "73"', 'id = "72"', "72", "two units have this id"),
        ('formation = "1"', 'formation = "2"', "A1/1", "there is no formation"),
        ('ladder = "line division"', 'ladder = "line"', "72", "there is no ladder 'line'"),
        ("rung = 3", "rung = 9", "73", "it has no steps"),
        ('"text", "inferred"', '"text"', "GTC5", "2 steps but 1 sources"),
        ('size = "HQ"\n', "", "HQ-2", "has no size"),
        ("{nth} Guards", "{ordinal} Guards", "GTC5", "cannot fill in"),
        ('{ id = "HQ-2",', "{", "headquarters", "needs an id"),
        ('name = "1st Division"', 'name = "1st Division", parent = "I"', "1", "cannot belong to 'I'"),
        ('name = "1st Division"', 'name = "1st Division", parent = "1"', "1", "cannot belong to '1'"),
        ("ladders.toml", "nowhere.toml", "file", "no such file"),
        ("units = [", "units = [[", "file", ""),
    ],
)
def test_a_mistake_in_the_file_says_where_it_is(tmp_path: Path, old: str, new: str, unit: str, problem: str) -> None:
    with pytest.raises(BadCounters) as bad:
        load_roster(sheet(tmp_path, COUNTERS.replace(old, new, 1)))
    assert unit in bad.value.unit
    assert problem in bad.value.problem
    assert bad.value.file in str(bad.value)


def test_ordinals_are_written_as_people_write_them() -> None:
    assert [nth(n) for n in ("1", "2", "3", "4", "11", "12", "21", "113", "LAH")] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th", "LAH",
    ]  # fmt: skip
