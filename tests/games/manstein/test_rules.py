"""The rules on small positions: ratio, movement, lines, command, crossing points, chits."""

from __future__ import annotations

from functools import cache

import pytest

from engine.cases.deal import bare_position
from engine.facts import Counted, Marked, Placed, StageBegan, TookHex
from engine.game import Game
from engine.position import apply
from engine.refusals import Illegal
from engine.table import Table
from games.manstein.game import RULEBOOK
from games.manstein.orders import Attack, Select
from games.manstein.rules.activation import in_range
from games.manstein.rules.chits import available, check_selection, wanted
from games.manstein.rules.combat import check_attack, harm
from games.manstein.rules.crossings import ORDER, counted_points
from games.manstein.rules.lines import lines, railheads
from games.manstein.rules.odds import odds, ratio_column, with_ace, with_air
from games.manstein.rules.reach import NORMAL, allowance, reachable, step
from games.manstein.rules.retreat import ways
from games.manstein.rules.victory import points

case = pytest.mark.case


@cache
def campaign() -> Game:
    return RULEBOOK.game("campaign")


def table(turn: int = 2, **units: str) -> Table:
    """A bare map with these units on it, ids written with x before a digit."""
    game = campaign()
    position = bare_position(game)
    apply(position, StageBegan(stage="soviet.combat", turn=turn, side="soviet"))
    for unit, spot in units.items():
        apply(position, Placed(unit=unit.removeprefix("x"), at=spot))
    return Table(game, position)


@case("manstein", "10.3.2")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(15, 5, "3-1"), (26, 9, "2-1"), (12, 7, "1.5-1"), (18, 13, "1-1"), (25, 2, "10+")],
)
def test_ratios_are_rounded_down_to_a_column(attack: int, defence: int, column: str) -> None:
    columns = campaign().data.columns
    assert columns[ratio_column(attack, defence, columns)] == column


@case("manstein", "10.3.3(2)")
def test_a_stuka_moves_two_to_one_to_four_to_one() -> None:
    columns = campaign().data.columns
    t = table()
    assert columns[with_air(t, columns.index("2-1"), "stuka")] == "4-1"
    assert columns[with_air(t, columns.index("9-1"), "stuka")] == "10+"


@case("manstein", "10.4.1(2)")
def test_an_ace_takes_two_off_the_die_and_never_below_one() -> None:
    assert [with_ace(table(), die, "ace") for die in (1, 2, 4, 6)] == [1, 1, 2, 4]


@case("manstein", "10.3.1-c")
def test_a_unit_out_of_supply_attacks_with_two_less() -> None:
    t = table(x6Tk="2531", x88ID="2532")
    before = odds(t, ("6Tk",), t.grid.hex("2532")).attack
    apply(t.position, Marked(subject="6Tk", mark="supply", value="out of supply"))
    assert odds(t, ("6Tk",), t.grid.hex("2532")).attack == before - 2


@case("manstein", "11.2.3")
def test_isolation_takes_two_off_the_movement_allowance() -> None:
    t = table(x88ID="2528")
    apply(t.position, Marked(subject="88ID", mark="supply", value="isolated"))
    assert allowance(t, "88ID") == (5 - 2) * 2


@case("manstein", "10.3.4")
def test_an_attack_below_one_to_one_is_refused() -> None:
    t = table(x27G="2527", GD="2528")
    apply(t.position, Marked(subject="27G", mark="activated", value=1))
    with pytest.raises(Illegal) as refused:
        check_attack(t, "soviet", Attack(target="2528", units=("27G",)))
    assert refused.value.case == "10.3.4"


@case("manstein", "16.2(1)")
def test_under_an_absolute_order_retreats_are_steps() -> None:
    t = table()
    kharkov = t.grid.hex("2634")
    assert [harm(t, kharkov, "axis", result) for result in ("R", "RR", "3RR")] == [(1, 0), (2, 0), (5, 0)]
    apply(t.position, Marked(subject="@2634", mark=ORDER, value=None))
    assert [harm(t, kharkov, "axis", result) for result in ("R", "RR", "3RR")] == [(0, 1), (0, 2), (3, 2)]


@case("manstein", "9.2-ex")
def test_infantry_goes_from_zone_to_zone_one_clear_hex_for_all_its_points() -> None:
    t = table(x88ID="2531", x27G="2632")
    here, there = t.grid.hex("2531"), t.grid.hex("2532")
    assert step(t, "soviet", here, there) == allowance(t, "88ID") == 5 * 2
    assert reachable(t, "88ID", NORMAL) >> there & 1


@case("manstein", "3.3(1)")
def test_a_line_passes_an_enemy_zone_only_where_a_friend_stands() -> None:
    t = table(x88ID="2526", x27G="2527")
    beside = t.grid.hex("2627")
    assert not lines(t, "axis") >> beside & 1
    apply(t.position, Placed(unit="75ID", at="2627"))
    assert lines(t, "axis") >> beside & 1


@case("manstein", "12.1(1)")
def test_a_rail_line_is_closed_by_an_enemy_zone_even_with_a_friend_there() -> None:
    t = table(x88ID="2634", x27G="2635")
    assert not railheads(t, "axis") >> t.grid.hex("2634") & 1


@case("manstein", "8.1.3-a")
@case("manstein", "8.1.3-b")
def test_axis_hqs_activate_hqs_and_soviet_hqs_do_not() -> None:
    t = table(SW="2637", Step="2638", x8A="2525", x4PzA="2526")
    assert "4PzA" in in_range(t, "8A")
    assert "Step" not in in_range(t, "SW")


@case("manstein", "16.3(2)-b")
@case("manstein", "16.3(2)-b-ex")
def test_crossing_points_count_from_two_hexes_away_but_kremenchug_only_from_the_town() -> None:
    assert counted_points(table()) == 0
    assert counted_points(table(x27G="2919")) == 1
    assert counted_points(table(x27G="1828")) == 0
    assert counted_points(table(x27G="1926")) == 2


@case("manstein", "16.3(2)-c")
def test_from_turn_seven_every_point_without_an_axis_unit_is_soviet() -> None:
    assert counted_points(table(turn=7)) == 6
    assert counted_points(table(turn=7, x88ID="2918")) == 5


@case("manstein", "16.3(3)")
def test_the_airborne_marker_counts_for_ever() -> None:
    t = table()
    apply(t.position, Counted(track="airborne", value=1))
    assert counted_points(t) == 1


@case("manstein", "10.6.2-a")
def test_a_retreat_enters_the_fewest_enemy_zones() -> None:
    t = table(x88ID="2526", x27G="2527", x24G="2627")
    zones = {h for way in ways(t, "88ID", (t.grid.hex("2526"),), 2) for h in way[1:]}
    near = {n for unit in ("27G", "24G") for n in t.grid.neighbours(t.position.hex_of(unit) or 0)}
    assert zones
    assert not zones & near


@case("manstein", "6.2(1)-b")
def test_the_soviets_select_one_chit_of_each_front() -> None:
    t = table(turn=1)
    assert wanted(t, "soviet") == 6
    check_selection(t, "soviet", Select(chits=("Vrnz", "Vrnz", "Step", "SW", "Sth", "Reinf")))
    with pytest.raises(Illegal) as refused:
        check_selection(t, "soviet", Select(chits=("Vrnz", "Vrnz", "Step", "Step", "Sth", "Reinf")))
    assert refused.value.case == "6.2(1)-b"


@case("manstein", "6.3(1)")
@case("manstein", "6.3(2)")
def test_manstein_comes_on_turn_two_and_the_airborne_on_turn_three() -> None:
    assert [available(table(turn=turn), "axis")["Manstein"] for turn in (1, 2)] == [0, 2]
    assert [available(table(turn=turn), "soviet")["Abn"] for turn in (2, 3)] == [0, 1]


@case("manstein", "6.3(3)-a")
def test_zhukov_appears_only_while_the_soviets_hold_few_crossing_points() -> None:
    assert available(table(turn=5), "soviet")["Zhukov"] == 1
    assert available(table(turn=5, x27G="2919"), "soviet")["Zhukov"] == 0
    assert available(table(turn=6, x27G="2919"), "soviet")["Zhukov"] == 1


@case("manstein", "17.1(1)-a")
def test_a_major_city_scores_eight_while_it_is_held() -> None:
    t = table()
    apply(t.position, TookHex(hex="2634", side="soviet"))
    assert points(t) == 8
    apply(t.position, TookHex(hex="2634", side="axis"))
    assert points(t) == 0


@case("manstein", "17.1(1)-h")
def test_german_units_that_are_cut_off_count_as_destroyed_and_allies_do_not() -> None:
    ring = {"x27G": "2626", "x24G": "2627", "x25G": "2525", "x26G": "2527", "x6G": "2426", "x4G": "2427"}
    assert points(table(x88ID="2526", **ring)) == 1
    assert points(table(GD="2526", **ring)) == 2
    assert points(table(Ro14="2526", **ring)) == 0


def test_the_steppe_front_is_an_hq_and_no_idle_word_between_hexes() -> None:
    order = campaign().book.read("advance 3GM 1834 1835, Step 1834", table().reading("soviet"))
    assert order.line() == "advance 3GM 1834 1835, Step 1834"
