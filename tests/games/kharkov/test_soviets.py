"""The Soviet activation as a whole: the book's example of a move, and its pictures of the terms (9.3)."""

import pytest

import games
from engine.cases.case_file import read_text
from engine.cases.deal import Dealer, game_of
from engine.facts import Chose, Fact, StageBegan
from engine.position import apply
from engine.table import Table
from games.kharkov.rules.fields import field, supposed
from games.kharkov.rules.ground import army, spot
from games.kharkov.rules.soviet import moves
from games.kharkov.rules.soviet.terms import exposes, german_near, nearly_surrounded, ringed


def table_of(text: str) -> Table:
    """The position that the statements of a case file describe."""
    case = read_text(f"case 9.3-x\n{text}\nexpect turn 1\n", "a picture")
    game = game_of(case, games.rulebook("kharkov"))
    dealer = Dealer(case, game)
    for said in case.prepared:
        dealer.take(said)
    assert dealer.stage is not None
    stage, turn = dealer.stage
    apply(dealer.position, StageBegan(stage=stage, turn=turn, side="soviet"))
    return Table(game, dealer.position)


def hex_of(table: Table, number: str) -> int:
    return table.grid.hex(number)


@pytest.mark.case("kharkov", "9.21-x1", "9.21.11", "9.21.S")
def test_the_third_tank_army_moves_as_in_the_book() -> None:
    table = table_of(
        'opening\nturn 1, soviet moves\nmark game "VF objective" "1009 W"\nmark game "SWF objective" "1608 W"'
    )
    position = table.position
    own = [unit for unit in position.on_map("soviet") if army(table, unit) == "3T"]
    for unit in own:
        position.marks.setdefault(unit, {})["active"] = 1
    said = {}
    for step in moves.movement(table):
        assert isinstance(step, Fact)
        if isinstance(step, Chose):
            said[position.value(step.who, "selector")] = (step.what, step.by)
        apply(position, step)
    ends = {position.value(unit, "selector"): spot(table, unit) for unit in own}
    assert ends == {1: "1103", 3: "0504", 4: "1103", 5: "0703", 6: "0802", 8: "0903", 9: "1002", 10: "0903", 15: "0903",
                    24: "1002"}  # fmt: skip
    assert said[1] == ("method 11: to 1103", "9.25f")
    assert said[4] == ("method 11: to 1103", "9.24e")
    assert set(said) == {1, 3, 4, 6, 8, 9}


# Lozovaya is empty, B stands at 2010, Soviets at 1911, garrisons at 2109 and 1912. A and C are placed to fit the text.
NEAR = "turn 4, soviet moves\nplace 6/6 1911\nmark @2109 garrison\nmark @1912 garrison\n"


@pytest.mark.case("kharkov", "9.3-x", "9.3-proximate")
@pytest.mark.parametrize(
    ("german", "lozovaya", "east", "west"),
    [
        ("585/320 1707", True, True, False),  # A
        ("585/320 2010", False, True, True),  # B: adjacent, but zones and a garrison keep it out
        ("27/19P 2213", False, True, True),  # C
    ],
)
def test_who_is_proximate_to_what(german: str, lozovaya: bool, east: bool, west: bool) -> None:
    table = table_of(f"{NEAR}place {german}")
    found = [german_near(table, hex_of(table, number)) for number in ("1910", "2109", "1912")]
    assert found == [lozovaya, east, west]
    assert german_near(table, hex_of(table, "1911"))  # the Soviet unit: all can come next to it


@pytest.mark.case("kharkov", "9.3-x", "9.3-nearly")
@pytest.mark.parametrize(
    ("others", "nearly"),
    [
        ("27/19P 1613; 73/19P 1915", True),  # 73/19P to 1812 closes the ring
        ("27/19P 1613", False),
        ("27/19P 1613; 73/19P 1915 dispersed", False),
        ("73/19P 1915", False),  # it would take two
    ],
)
def test_one_move_of_one_german_nearly_surrounds(others: str, nearly: bool) -> None:
    table = table_of(f"turn 8, soviet moves\nplace 6/6 1713; {others}")
    assert nearly_surrounded(table, "6/6") is nearly


@pytest.mark.case("kharkov", "9.3-nearly")
def test_nobody_is_nearly_surrounded_on_his_own_edge() -> None:
    table = table_of("turn 8, soviet moves\nplace 6/6 1401; 27/19P 1402; 73/19P 1301; 25/7P 1501")
    assert not nearly_surrounded(table, "6/6")


@pytest.mark.case("kharkov", "9.3-x", "9.3-cause")
def test_only_units_whose_going_opens_the_ring_cause_surround() -> None:
    table = table_of("turn 3, soviet moves\nplace 680/333 1709; 57G/MGP 1708; 7Ski/MGP 1808; 6/6 1610; 5Ski/MGP 1809")
    now = field(table)
    assert ringed(table.data, now) == 1 << hex_of(table, "1709")
    causing = [
        u for u in ("57G/MGP", "7Ski/MGP", "6/6", "5Ski/MGP") if not ringed(table.data, supposed(table, u, None))
    ]
    assert causing == ["57G/MGP", "6/6"]


@pytest.mark.case("kharkov", "9.23.b")
def test_a_town_that_is_left_to_a_german_next_to_it_is_exposed() -> None:
    table = table_of("turn 3, soviet moves\ntook 1910 soviet\nplace 6/6 1910; 27/19P 1911")
    assert exposes(table, field(table), supposed(table, "6/6", hex_of(table, "1808")))


@pytest.mark.case("kharkov", "9.23.b")
def test_a_town_that_germans_could_enter_before_is_not_exposed_anew() -> None:
    table = table_of("turn 3, soviet moves\ntook 1910 soviet\nplace 6/6 1808; 27/19P 1911")
    assert not exposes(table, field(table), supposed(table, "6/6", hex_of(table, "1807")))
