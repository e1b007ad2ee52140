"""The stock set-up against the rules of setting up (18.1, 18.2)."""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import games.korsun_spi
from engine import hexset
from engine.board import Board, load_board
from engine.hexset import HexSet
from engine.pieces import Roster, Unit, load_roster

FOLDER = Path(games.korsun_spi.__file__).parent
SECTIONS = "ABCDE"


@cache
def board() -> Board:
    return load_board(FOLDER)


@cache
def roster() -> Roster:
    return load_roster(FOLDER / "counters.toml")


@cache
def placed(side: str) -> tuple[tuple[int, Unit], ...]:
    setup = tomllib.loads((FOLDER / "setup.toml").read_text(encoding="utf-8"))[side]
    return tuple((board().grid.hex(n), roster().get(unit)) for n, units in setup.items() for unit in units)


@cache
def german_side() -> HexSet:
    return board().inside(*SECTIONS)


def zone_of_control(h: int) -> HexSet:
    """The hex and its neighbours, but those across a major river (8.12)."""
    grid, major = board().grid, board().sides["major"]
    dry = board().land & ~board().terrain["river"]
    open_sides = tuple(dry & ~side for side in major)
    return (1 << h) | hexset.across(grid, 1 << h, open_sides) & dry


def border(section: str) -> HexSet:
    return board().lines[section].inner


@pytest.mark.case("korsun_spi", "18.16")
def test_48_soviet_units_start_on_the_map_in_the_numbers_of_each_type() -> None:
    assert len({unit.id for _, unit in placed("soviet")}) == len(placed("soviet")) == 48
    fighting = [unit.id.rstrip("0123456789") for _, unit in placed("soviet") if "hq" not in unit.classes]
    foot = {"RD": 18, "GRD": 5, "GAD": 2, "GAB": 2}
    mobile = {"MC": 3, "GMC": 2, "GTC": 2, "TB": 2, "GTB": 1, "CD": 1, "GCD": 2}
    assert Counter(fighting) == foot | mobile
    assert sum("hq" in unit.classes for _, unit in placed("soviet")) == 8


@pytest.mark.case("korsun_spi", "18.13")
def test_the_two_hqs_of_the_text_stand_in_their_hexes() -> None:
    at = {unit.id: board().grid.number_of(h) for h, unit in placed("soviet")}
    assert (at["HQ-2Tk"], at["HQ-5GdTk"]) == ("0608", "3215")


@pytest.mark.case("korsun_spi", "24.2")
@pytest.mark.parametrize("number", ["0611", "0709", "3217", "3317"])
def test_a_corps_stands_in_each_supported_hex(number: str) -> None:
    units = [unit for h, unit in placed("soviet") if h == board().grid.hex(number)]
    assert len(units) == 1
    assert "corps" in units[0].classes


@pytest.mark.case("korsun_spi", "18.1")
def test_a_guards_rifle_division_stands_in_1502() -> None:
    assert [unit.kind for h, unit in placed("soviet") if h == board().grid.hex("1502")] == ["guards rifle division"]


@pytest.mark.case("korsun_spi", "18.1")
def test_no_soviet_unit_starts_behind_the_line_or_in_the_river() -> None:
    hexes = hexset.of(h for h, _ in placed("soviet"))
    assert hexes & german_side() == 0
    assert hexes & board().terrain["river"] == 0


def test_every_soviet_unit_starts_within_reach_of_an_hq() -> None:
    grid = board().grid
    hqs = [(h, unit.value("rating", 0)) for h, unit in placed("soviet") if "hq" in unit.classes]
    lost = [unit.id for h, unit in placed("soviet") if not any(grid.distance(h, at) <= rating for at, rating in hqs)]
    assert lost == []


@pytest.mark.case("korsun_spi", "19.71")
def test_every_hq_starts_in_supply_from_the_north_or_east_edge() -> None:
    major, road = board().sides["major"], board().ways["road"]
    ground = board().land & ~board().terrain["river"] & ~german_side()
    allowed = tuple(ground & ~(major[d] & ~road[d]) for d in range(6))
    source = (board().edges["north"] | board().edges["east"]) & ground
    fed = hexset.flood(board().grid, source, ground, allowed)
    assert [unit.id for h, unit in placed("soviet") if "hq" in unit.classes and not fed >> h & 1] == []


def test_no_hq_starts_next_to_the_line() -> None:
    every = hexset.of(h for s in SECTIONS for h in hexset.members(border(s)))
    near = hexset.spread(board().grid, every)
    assert [unit.id for h, unit in placed("soviet") if "hq" in unit.classes and near >> h & 1] == []


def test_a_soviet_corps_starts_alone_and_no_hex_holds_more_than_three() -> None:
    stacks: dict[int, list[Unit]] = {}
    for h, unit in placed("soviet"):
        if "hq" not in unit.classes:
            stacks.setdefault(h, []).append(unit)
    assert all(len(s) <= 3 for s in stacks.values())
    assert all(len(s) == 1 for s in stacks.values() if any("corps" in unit.classes for unit in s))


@pytest.mark.case("korsun_spi", "18.26")
def test_58_german_units_start_on_the_map_and_none_of_the_reinforcements() -> None:
    assert len({unit.id for _, unit in placed("german")}) == len(placed("german")) == 58
    assert not [unit.id for _, unit in placed("german") if unit.setup in ("6F", "6G")]


@pytest.mark.case("korsun_spi", "18.21")
def test_a_german_unit_with_a_hex_number_stands_there_or_within_three_of_2306() -> None:
    grid = board().grid
    for h, unit in placed("german"):
        if unit.setup == "2306":
            assert grid.distance(h, grid.hex("2306")) <= 3, unit.id
        elif unit.setup.isdigit():
            assert grid.number_of(h) == unit.setup, unit.id


@pytest.mark.case("korsun_spi", "18.22")
def test_a_german_unit_with_a_letter_stands_on_or_next_to_its_sections_border() -> None:
    for h, unit in placed("german"):
        if unit.setup in SECTIONS:
            assert hexset.spread(board().grid, border(unit.setup)) >> h & 1, unit.id


@pytest.mark.case("korsun_spi", "18.23")
def test_every_german_unit_starts_behind_the_line() -> None:
    assert hexset.of(h for h, _ in placed("german")) & ~german_side() == 0


@pytest.mark.case("korsun_spi", "18.24")
@pytest.mark.parametrize("section", SECTIONS)
def test_every_border_hex_is_held_or_controlled_by_a_unit_of_its_letter(section: str) -> None:
    covered = hexset.of(
        x for h, unit in placed("german") if unit.setup == section for x in hexset.members(zone_of_control(h))
    )
    assert [board().grid.number_of(h) for h in hexset.members(border(section) & ~covered)] == []


@pytest.mark.case("korsun_spi", "18.25")
def test_no_german_hex_holds_more_than_three_units() -> None:
    assert max(Counter(h for h, _ in placed("german")).values()) <= 3
