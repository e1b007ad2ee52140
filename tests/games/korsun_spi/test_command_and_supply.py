"""Steps, retreats, lines and command over every value, where a case file tries one."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from random import Random

import pytest

import games
from engine.facts import Fact, Placed, StageBegan, StepLost
from engine.game import Game
from engine.hexes import Hex
from engine.hexset import members
from engine.position import apply
from engine.rules.ground import held, units_at
from engine.table import Table
from games.korsun_spi.rules import retreat
from games.korsun_spi.rules.ground import crosses_major, open_to, overstacked, zoc
from games.korsun_spi.rules.hqs import limit
from games.korsun_spi.rules.supply import headquarters, lines, sources


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", *numbers)


@cache
def game(scenario: str = "korsun") -> Game:
    return games.rulebook("korsun_spi").game(scenario, {})


def laid(facts: Iterable[Fact], scenario: str = "korsun") -> Table:
    position = game(scenario).new_position()
    for fact in facts:
        apply(position, fact)
    return Table(game(scenario), position)


def strengths(unit: str, scenario: str) -> list[str]:
    """A unit's printed strengths as it loses one step after another."""
    table = laid([Placed(unit=unit, at="0505")], scenario)
    found = []
    while table.position.alive(unit):
        values = [table.position.value(unit, name) for name in ("attack", "defence", "move")]
        found.append("-".join(map(str, values)))
        if table.position.steps_left(unit) == 1:
            break
        apply(table.position, StepLost(unit=unit, steps=1))
    return found


@case("9.61", "9.64")
@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("44", ["8-10-9", "5-7-9", "3-4-9", "1-2-9"]),
        ("299", ["5-7-9", "3-4-9", "1-2-9"]),
        ("68", ["7-8-9", "4-5-9", "2-3-9"]),
        ("4/13", ["6-2-10", "3-1-10"]),
        ("66/13", ["1-3-10", "0-1-10"]),
    ],
)
def test_a_german_unit_goes_down_its_own_levels_and_no_others(unit: str, expected: list[str]):
    assert strengths(unit, "proving") == expected


@case("9.61", "9.64")
def test_losing_two_steps_at_once_is_losing_one_twice():
    once = laid([Placed(unit="44", at="0505"), StepLost(unit="44", steps=2)], "proving")
    twice = laid([Placed(unit="44", at="0505"), *[StepLost(unit="44", steps=1)] * 2], "proving")
    assert once.position.value("44", "attack") == twice.position.value("44", "attack") == 3
    assert once.position.value("44", "defence") == twice.position.value("44", "defence") == 4


@case("19.63")
def test_korsun_has_no_untried_units_and_no_pool():
    assert game().data.switch["untried"] is False
    assert not any("untried" in unit.classes for unit in game().setting.roster)
    assert not game().data.scenario.get("pool")


@case("23.11")
@pytest.mark.parametrize("turn", range(1, 14))
def test_the_number_of_active_hqs_is_the_schedule_s(turn: int):
    schedule = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2]
    assert limit(laid([StageBegan(stage="soviet.command", turn=turn, side="soviet")])) == schedule[turn - 1]


@case("23.2")
@pytest.mark.parametrize("turn", range(1, 14))
def test_operations_are_half_the_rating_from_turn_5_on(turn: int):
    expected = {4: 2, 6: 3} if turn >= 5 else {4: None, 6: None}
    assert {rating: game().data.operations(turn, rating) for rating in (4, 6)} == expected


@case("24.2", "24.22", "24.23")
def test_four_corps_are_supported_on_turn_1_two_on_turn_2_and_none_after():
    assert [game().data.supported(turn) for turn in range(1, 14)] == [4, 2, *[0] * 11]


@case("12.12", "19.71", "19.72")
def test_sources_are_those_that_the_scenario_names():
    table = laid([])
    number = table.grid.number_of
    north = {f"{column:02}01" for column in range(1, 40)}
    east = {f"39{row:02}" for row in range(1, 20)}
    assert {number(h) for h in members(sources(table, "soviet"))} == north | east
    assert {number(h) for h in members(sources(table, "german"))} == {"0117", "0626", "1726", "2226"}
    small = laid([], "proving")
    assert {small.grid.number_of(h) for h in members(sources(small, "soviet"))} == {"1403", "1407", "1212"}


def scattered(seed: int) -> Table:
    """Units thrown on the map: no position of a real game, but every rule must hold in it."""
    dice = Random(seed)
    board = game().board
    ground = [number for h in members(game().data.passable) if 1300 < int(number := board.grid.number_of(h)) < 2600]
    corner = [number for number in ground if 8 <= int(number[2:]) <= 20]
    units = [u.id for side in ("soviet", "german") for u in dice.sample(list(game().setting.roster.by_side(side)), 22)]
    sides: dict[str, str] = {}
    facts: list[Fact] = []
    for unit in units:
        side = game().setting.roster.get(unit).side
        spot = dice.choice([n for n in corner if sides.get(n, side) == side])
        sides[spot] = side
        facts.append(Placed(unit=unit, at=spot))
    return laid(facts)


@case("11.31", "11.32", "19.71")
@pytest.mark.parametrize("seed", range(6))
def test_a_line_of_communications_is_a_walk_of_no_more_hexes_than_the_rating(seed: int):
    table = scattered(seed)
    enemy, friends, zones = held(table, "german"), held(table, "soviet"), zoc(table, "german")
    for hq in headquarters(table):
        start = table.position.hex_of(hq)
        assert start is not None
        reached: set[Hex] = {start}
        edge = {start}
        for _ in range(table.position.value(hq, "rating")):
            near = {n for h in edge for n in table.grid.neighbours(h)} - reached
            edge = {
                h
                for h in near
                if table.data.passable >> h & 1 and not enemy >> h & 1 and (friends >> h & 1 or not zones >> h & 1)
            }
            reached |= edge
        assert set(members(lines(table, "soviet").radius[hq])) == reached, hq


@case("9.71", "9.73", "9.74", "9.78")
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_every_way_of_retreat_is_open_straight_and_no_worse_than_another(seed: int, length: int):
    table = scattered(seed)
    for unit in table.position.where:
        start = table.position.hex_of(unit)
        if start is None:
            continue
        side = table.unit(unit).side
        open_ = open_to(table, side, without=[unit])
        faults = set()
        for way in retreat.ways(table, unit, [unit], length):
            assert way[0] == start
            assert len(way) == length + 1
            assert [table.grid.distance(start, h) for h in way] == list(range(length + 1))
            assert all(open_ >> h & 1 for h in way[1:])
            assert not any(overstacked(table, [*units_at(table, h, side), unit]) for h in way[1:])
            crossed = any(crosses_major(table, a, b) for a, b in pairwise(way))
            faults.add((crossed, sum(bool(units_at(table, h, side)) for h in way[1:])))
        assert len(faults) <= 1, unit


@case("9.74", "9.75")
@pytest.mark.parametrize("seed", range(8))
def test_units_that_retreat_together_never_break_the_stacking_limit(seed: int):
    table = scattered(seed)
    for h in members(held(table, "german")):
        group = units_at(table, h, "german")
        chosen = retreat.choose(table, group, 1, {})
        ends = {way[-1] for way in chosen.values() if way}
        for end in ends:
            coming = [unit for unit, way in chosen.items() if way and way[-1] == end]
            assert not overstacked(table, [*units_at(table, end, "german"), *coming])
        assert set(chosen) == set(group)
