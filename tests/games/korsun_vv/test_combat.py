"""Combat over many positions and all dice: ratios, columns, forecasts, retreats and advances."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from engine import hexset
from engine.asks import Ask
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.facts import Fact, Fought, Marked, Placed, Pooled, StageBegan
from engine.forecast import even_chances
from engine.game import Game
from engine.position import apply
from engine.referee import Referee
from engine.rules.ground import place
from engine.table import Table
from games.korsun_vv.data import Data, passable, read_result
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.orders import Attack
from games.korsun_vv.rules.advance import Opening
from games.korsun_vv.rules.advance import ways as advances
from games.korsun_vv.rules.forecast import forecast
from games.korsun_vv.rules.ground import enemy_zoc, has_room, kind_of, weather
from games.korsun_vv.rules.losses import Payers
from games.korsun_vv.rules.odds import column_of, odds, ratio
from games.korsun_vv.rules.results import Verdict, suffer_result
from games.korsun_vv.rules.retreat import ways

case = pytest.mark.case
RUSSIANS = ("375RD", "252RD", "62GRD", "18TC-1", "18TC-2", "5MC-1", "11GCD", "4GA")
GERMANS = ("585/320", "586/320", "6/3Pz", "3/3Pz", "15/11Pz", "Alarm1", "47PzK")
AREAS = ("3317", "1211", "3018", "2008")  # the open, difficult ground with roads, and two rivers
FIELD = (("375RD", "3316"), ("18TC-1", "3316"), ("4GA", "3314"), ("585/320", "3317"), ("6/3Pz", "3317"))


@cache
def battle() -> Game:
    return RULEBOOK.game("battle")


def laid_out(units: Iterable[tuple[str, str]], facts: Iterable[Fact] = ()) -> Table:
    """A Russian activation of turn 2 with every unit ready to act."""
    game = battle()
    position = bare_position(game)
    apply(position, StageBegan(stage="russian.activation", turn=2, side="russian"))
    for unit, spot in units:
        apply(position, Placed(unit=unit, at=spot))
        if game.setting.roster.get(unit).side == "russian":
            apply(position, Marked(subject=unit, mark="ap", value=3))
    for fact in facts:
        apply(position, fact)
    return Table(game, position)


def scattered(seed: int) -> Table:
    """Units of both sides strewn over a few hexes, at most two in each."""
    game, chance = battle(), random.Random(seed)
    grid = game.board.grid
    near = hexset.within(grid, 1 << grid.hex(AREAS[seed % len(AREAS)]), 2) & game.data.land
    spots = [grid.number_of(h) for h in hexset.members(near)]
    chance.shuffle(spots)
    cut = len(spots) // 2
    found = []
    for units, places in ((RUSSIANS, spots[:cut]), (GERMANS, spots[cut:])):
        twice = [*places, *places]
        chance.shuffle(twice)
        found += list(zip(units, twice, strict=False))
    return laid_out(found)


def attack(*units: str, target: str = "3317", **said: Any) -> Attack:
    return Attack(target=target, units=units, **said)


def column(table: Table, order: Attack) -> int:
    columns: list[str] = battle().data.columns
    return columns.index(forecast(table, "russian", order).column)


# The ratio (7.6)


@case("korsun_vv", "7.6-d")
@pytest.mark.parametrize("attackers", range(1, 41))
def test_a_ratio_is_rounded_to_the_nearest_whole_and_an_exact_half_goes_up(attackers: int) -> None:
    for defenders in range(1, 41):
        more, less = max(attackers, defenders), min(attackers, defenders)
        whole = int(Fraction(more, less) + Fraction(1, 2))
        wanted = f"{whole}:1" if attackers >= defenders else f"1:{whole}"
        assert ratio(attackers, defenders) == wanted


@case("korsun_vv", "7.6-d")
@pytest.mark.parametrize(
    ("attackers", "defenders", "said"),
    [(149, 100, "1:1"), (150, 100, "2:1"), (100, 149, "1:1"), (100, 150, "1:2"), (2, 5, "1:3"), (249, 100, "2:1")],
)
def test_the_rulebook_s_own_ratios(attackers: int, defenders: int, said: str) -> None:
    assert ratio(attackers, defenders) == said


@case("korsun_vv", "7.6-d", "7.4-g")
def test_a_ratio_beyond_the_table_uses_its_end() -> None:
    columns = battle().data.columns
    assert column_of(columns, "1:9") == 0
    assert column_of(columns, "30:1") == len(columns) - 1
    assert [column_of(columns, text) for text in columns] == list(range(len(columns)))


@case("korsun_vv", "7.6-b", "7.6-c", "7.2-a")
def test_both_sides_add_up_what_their_units_have_left() -> None:
    table = laid_out([*FIELD, ("47PzK", "3317"), ("252RD", "3216")])
    apply(table.position, Placed(unit="585/320", at="3317", lost=1))
    found = odds(table, ("375RD", "18TC-1"), table.grid.hex("3317"))
    unit = table.unit
    assert found.attack == unit("375RD").value("strength") + unit("18TC-1").value("strength")
    assert found.defence == unit("585/320").value("strength", 1) + unit("6/3Pz").value("strength") + 1


@case("korsun_vv", "7.6-b", "7.6-c")
def test_halved_units_count_half_on_either_side() -> None:
    tired = Marked(subject="375RD", mark="fatigued", value=1)
    shaken = Marked(subject="585/320", mark="disorganized", value=1)
    whole, halved = laid_out(FIELD), laid_out(FIELD, [tired, shaken])
    target = whole.grid.hex("3317")
    before, after = (odds(table, ("375RD", "18TC-1"), target) for table in (whole, halved))
    assert after.attack < before.attack
    assert after.defence < before.defence


# Shifts (7.4, 7.6-f)


@case("korsun_vv", "7.6-f", "7.4-d")
@pytest.mark.parametrize("marker", ["katyusha", "brigade", "antitank"])
def test_a_support_moves_the_column_as_far_as_its_marker_says(marker: str) -> None:
    table = laid_out(FIELD, [Pooled(pool="4GA available", items=(marker,))])
    plain, supported = attack("375RD", "18TC-1"), attack("375RD", "18TC-1", support=(("4GA", marker),))
    shift = battle().data.marker(marker)["shift"]
    assert column(table, supported) - column(table, plain) == shift


@case("korsun_vv", "7.6-f", "7.4-d")
@pytest.mark.parametrize(("marker", "shift"), [("artillery", 1), ("nebelwerfer", 2)])
def test_support_in_defence_moves_the_column_to_the_left(marker: str, shift: int) -> None:
    units = [("375RD", "3316"), ("252RD", "3316"), ("31RD", "3216"), ("585/320", "3317"), ("47PzK", "3319")]
    table = laid_out(units, [Pooled(pool="47PzK available", items=(marker,))])
    found = []
    for answer in ("defend", f"defend support {marker}"):
        drawer = Drawer()
        drawer.stand("german", f"when defence: {answer}")
        referee = Referee(table.game, table.position.copy(), ForcedDice([1] * 3), drawer=drawer)
        referee.start()
        reply = referee.submit("russian", "attack 3317 with 375RD, 252RD, 31RD")
        fought = [item.body for item in reply.items if item.kind == "fact" and item.body["fact"] == "Fought"]
        found.append(battle().data.columns.index(fought[0]["column"]))
    assert found[0] - found[1] == shift


@case("korsun_vv", "7.6-f", "7.4-e")
def test_a_position_moves_the_column_one_to_the_left_and_only_if_all_are_in_it() -> None:
    one = [Marked(subject="585/320", mark="dug in", value=1)]
    both = [*one, Marked(subject="6/3Pz", mark="dug in", value=1)]
    order = attack("375RD", "18TC-1")
    found = [column(laid_out(FIELD, facts), order) for facts in ((), one, both)]
    assert found[1] == found[0]
    assert found[2] == found[0] - 1


@case("korsun_vv", "7.6-f", "7.4-a")
def test_the_column_moves_by_the_ground_of_the_defender_and_not_of_the_attacker() -> None:
    open_field = laid_out([("375RD", "3318"), ("585/320", "3317")])
    village = laid_out([("375RD", "3317"), ("585/320", "3318")])
    data: Data = battle().data
    shift = data.shifts[open_field.grid.hex("3318")]
    assert shift
    away, inside = column(open_field, attack("375RD")), column(village, attack("375RD", target="3318"))
    assert inside == max(0, away - shift)


# The tables (7.3, 7.5, 7.6-g, 7.7-a)


@case("korsun_vv", "7.3-a", "7.3.1-a", "7.3.2-a")
def test_the_two_kinds_of_attack() -> None:
    rows = battle().data.tables["attack"]
    figures = ("points", "supports", "must_lose", "must_advance")
    assert [rows["normal"][name] for name in figures] == [1, 1, 0, False]
    assert [rows["prepared"][name] for name in figures] == [2, 2, 1, True]


@case("korsun_vv", "7.7-a")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("-/3*", (0, False, 3, True, False)),
        ("1/2", (1, False, 2, False, False)),
        ("2*/-", (2, True, 0, False, False)),
        ("-!/4*", (0, False, 4, True, True)),
        ("1*!/2", (1, True, 2, False, True)),
    ],
)
def test_a_result_is_read_as_it_is_printed(text: str, parts: tuple[int, bool, int, bool, bool]) -> None:
    found = read_result(text)
    numbers = (found.attacker, found.attacker_star, found.defender, found.defender_star, found.breakthrough)
    assert numbers == parts


@case("korsun_vv", "7.6-g", "7.4-g")
def test_every_cell_is_found_and_beyond_the_ends_the_last_one_holds() -> None:
    data: Data = battle().data
    last, rows = len(data.columns) - 1, data.results
    low, high = min(rows), max(rows)
    for index in range(-3, last + 4):
        for die in range(low - 3, high + 4):
            cell = rows[max(low, min(high, die))][max(0, min(last, index))]
            assert data.result(index, die) == cell


# Forecasts


def results(table: Table, line: str, dice: Iterable[tuple[int, int]]) -> Counter[str]:
    """What a combat comes to for each pair of dice, armour first."""
    found: Counter[str] = Counter()
    for pair in dice:
        referee = Referee(table.game, table.position.copy(), ForcedDice([*pair, *[1] * 6]))
        referee.start()
        reply = referee.submit("russian", line)
        fought = [item.body for item in reply.items if item.kind == "fact" and item.body["fact"] == "Fought"]
        found[fought[0]["result"] if fought else "defender gone"] += 1
    return found


@case("korsun_vv", "7.5-a", "7.5-b", "7.6-g", "7.4-b", "7.4-f")
@pytest.mark.parametrize("lost", [0, 1])
def test_a_forecast_is_what_all_the_dice_together_come_to(lost: int) -> None:
    table = laid_out(FIELD[:3], [Placed(unit="585/320", at="3317", lost=lost)])
    pairs = [(one, two) for one in range(1, 7) for two in range(1, 7)]
    line = "attack 3317 with 375RD, 18TC-1"
    found = results(table, line, pairs)
    wanted = {text: Fraction(count, 36) for text, count in found.items()}
    assert dict(forecast(table, "russian", attack("375RD", "18TC-1")).chances) == wanted


@case("korsun_vv", "7.6-f", "7.6-g")
@pytest.mark.parametrize(("units", "lost"), [(("375RD",), 0), (("375RD", "252RD"), 0), (("375RD", "252RD"), 1)])
def test_column_and_result_of_every_die_are_the_forecast_s(units: tuple[str, ...], lost: int) -> None:
    table = laid_out([*((unit, "3316") for unit in units)], [Placed(unit="585/320", at="3317", lost=lost)])
    found, fought = forecast(table, "russian", attack(*units)), []
    for die in range(1, 7):
        referee = Referee(table.game, table.position.copy(), ForcedDice([die]))
        referee.start()
        reply = referee.submit("russian", f"attack 3317 with {', '.join(units)}")
        fought += [item.fact for item in reply.items if item.kind == "fact" and isinstance(item.fact, Fought)]
    assert [fact.decided for fact in fought] == [(("die", str(die)),) for die in range(1, 7)]
    assert {fact.column for fact in fought} == {found.column}
    assert found.chances == even_chances([fact.result for fact in fought])


@case("korsun_vv", "7.7-b", "7.7-c")
@pytest.mark.parametrize("lost", [0, 1])
def test_an_outlook_is_what_a_defender_who_holds_and_one_who_goes_make_of_every_die(lost: int) -> None:
    table = laid_out([("375RD", "3316"), ("252RD", "3316")], [Placed(unit="585/320", at="3317", lost=lost)])
    found = forecast(table, "russian", attack("375RD", "252RD"))
    assert found.outlook is not None
    cleared = Counter[str]()
    for answer in ("hold", "retreat"):
        for die in range(1, 7):
            drawer = Drawer()
            drawer.stand("german", f"when attacked: {answer}")
            referee = Referee(table.game, table.position.copy(), ForcedDice([die]), drawer=drawer)
            referee.start()
            referee.submit("russian", "attack 3317 with 375RD, 252RD")
            cleared[answer] += not referee.position.at(table.grid.hex("3317"))
    assert found.outlook.cleared_at_least == Fraction(cleared["hold"], 6)
    assert found.outlook.cleared_at_most == Fraction(cleared["retreat"], 6)
    assert found.outlook.cost == sum(chance for text, chance in found.chances if not text.startswith("-"))


@case("korsun_vv", "7.5-a", "7.5-d")
@pytest.mark.parametrize("stars", [-4, -3, -1, 0, 2, 3, 4])
def test_the_armour_table_is_read_by_the_difference_in_stars_and_held_at_its_ends(stars: int) -> None:
    data: Data = battle().data
    rows = data.tables["armour_superiority"]
    row = rows["difference"][str(max(rows["lowest"], min(rows["highest"], stars)))]
    for die in range(1, 7):
        columns, _, loss = row[die - 1].partition(" ")
        assert data.armour(stars, die) == (int(columns), loss[:1])


# Retreats and advances


@case("korsun_vv", "7.7.1-b", "7.7.1-e", "7.7.1-f")
@pytest.mark.parametrize("seed", range(24))
def test_no_retreat_leads_into_the_enemy_over_a_barrier_or_into_a_full_hex(seed: int) -> None:
    table = scattered(seed)
    data: Data = table.data
    for unit in (*RUSSIANS, *GERMANS):
        side = table.unit(unit).side
        ground = passable(data, kind_of(table, unit), weather(table))
        for length in (1, 2):
            for way in ways(table, unit, length, place(table, unit), {}, [unit]):
                assert len(way) == length + 1
                assert len(set(way)) == len(way)
                assert has_room(table, side, way[-1], [unit], leaving=[unit])
                for here, there in pairwise(way):
                    direction = table.grid.direction(here, there)
                    assert direction is not None
                    assert ground[direction] >> here & 1
                    assert not any(table.unit(other).side != side for other in table.position.at(there))


@case("korsun_vv", "7.7.1-h")
@pytest.mark.parametrize(
    ("units", "said"),
    [
        (("585/320",), ""),
        (("585/320", "6/3Pz"), "; 6/3Pz would be lost in a retreat of 1 hex"),
        (("6/3Pz",), "; nobody can go 1 hex"),
    ],
)
def test_whoever_is_asked_to_retreat_hears_who_has_no_way(units: tuple[str, ...], said: str) -> None:
    around = [("375RD", "3120"), ("252RD", "3118"), ("31RD", "3219"), ("62GRD", "3218")]  # a river on the other sides
    table = laid_out([*around, *((unit, "3119") for unit in units)])
    payers = Payers("german", units, units[0], False)
    ask = next(suffer_result(table, Verdict(payers, 1, 0, False, "defender", "3119", active=False)))
    assert isinstance(ask, Ask)
    assert ask.prompt == f"the defender ({', '.join(units)}) must take 1 step or hex of retreat{said}"


@case("korsun_vv", "7.7.2-a", "7.7.2-c", "7.7.2-f")
@pytest.mark.parametrize("seed", range(24))
def test_no_advance_goes_on_after_a_zone_or_a_river(seed: int) -> None:
    table = scattered(seed)
    zones, rivers = enemy_zoc(table, "russian"), table.data.rivers
    for unit in RUSSIANS[:7]:
        start = table.position.hex_of(unit)
        assert start is not None
        for target in table.grid.neighbours(start):
            opening = Opening("russian", (unit,), target, 3, (), mandatory=False)
            for way in advances(table, opening, unit):
                assert way[0] == target
                assert len(way) <= 3
                for index, there in enumerate(way[:-1]):
                    here = way[index - 1] if index else start
                    direction = table.grid.direction(here, there)
                    assert direction is not None
                    assert not rivers[direction] >> here & 1
                    assert not (index and zones >> there & 1)
