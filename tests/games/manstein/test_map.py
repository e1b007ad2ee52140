"""The map of the Ukraine against every hex that the rulebook names, and against the ground itself."""

import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import games.manstein
from engine import hexset
from engine.board import Board, load_board
from engine.hexset import HexSet
from tests.games.test_folders import joined

FOLDER = Path(games.manstein.__file__).parent
CITIES = {
    "2634": "Kharkov",
    "2918": "Kiev",
    "0218": "Odessa",
    "2305": "Tarnopol",
    "1338": "Stalino",
    "1631": "Dnepropetrovsk",
}


@cache
def board() -> Board:
    return load_board(FOLDER)


def at(*numbers: str) -> HexSet:
    return hexset.of(board().grid.hex(number) for number in numbers)


def numbers(hexes: HexSet) -> set[str]:
    return {board().grid.number_of(h) for h in hexset.members(hexes)}


@cache
def dry() -> HexSet:
    """Every hex that a unit may enter."""
    return board().land & ~board().terrain["water"] & ~board().terrain["mountains"]


@cache
def right_bank() -> HexSet:
    """What a unit reaches from Kiev without crossing the Dnieper."""
    river = [side for course in board().courses if course.name.startswith("Dnieper") for side in course.sides]
    shut = hexset.sides_of(board().grid, river)
    return hexset.flood(board().grid, at("2918"), dry(), tuple(dry() & ~mask for mask in shut))


@cache
def axis_side() -> HexSet:
    return board().inside("start line")


def net(kind: str, start: str) -> HexSet:
    return hexset.flood(board().grid, at(start), board().land, board().ways[kind])


def hex_of(town: str) -> int:
    (place,) = board().find(town)
    return place.hex


def side(one: str, two: str) -> tuple[frozenset[str], frozenset[str]]:
    """The features of a hexside, and the ways that cross it."""
    a, b = board().grid.hex(one), board().grid.hex(two)
    return board().feature(a, b), board().way(a, b)


# ---- what the text says, hex by hex


@pytest.mark.case("manstein", "4.0-e")
@pytest.mark.parametrize("number", CITIES)
def test_a_city_under_an_absolute_order_stands_in_its_hex_on_road_and_rail(number: str) -> None:
    (place,) = board().find(CITIES[number])
    assert (board().grid.number_of(place.hex), place.size) == (number, "major city")
    assert net("road", "2634") & net("rail", "2634") & at(number)


@pytest.mark.case("manstein", "17.1(1)-a")
def test_there_are_no_other_major_cities() -> None:
    assert numbers(board().towns["major city"]) == set(CITIES)


@pytest.mark.case("manstein", "16.3(2)-b-ex")
@pytest.mark.parametrize("number", ["1826", "1827"])
def test_a_crossing_of_kremencuk_lies_over_the_bridge_from_1926(number: str) -> None:
    (place,) = board().find("Kremencuk")
    assert board().grid.number_of(place.hex) == "1926"
    features, ways = side("1926", number)
    assert "major" in features
    assert "road" in ways
    assert at(number) & right_bank()
    assert not at("1926") & right_bank()


@pytest.mark.case("manstein", "16.3")
def test_six_crossing_points_lie_on_the_right_bank_of_the_dnieper() -> None:
    points = board().areas["crossing points"]
    assert hexset.count(points) == 6
    assert points & ~right_bank() == 0
    bank = hexset.spread(board().grid, dry() & ~right_bank())
    assert points & ~bank == 0


@pytest.mark.case("manstein", "16.3")
@pytest.mark.parametrize("number", ["2918", "2421", "2222", "1826", "1827", "1631"])
def test_a_crossing_point_has_a_bridge(number: str) -> None:
    grid, h = board().grid, board().grid.hex(number)
    over = [n for n in grid.neighbours(h) if not right_bank() >> n & 1]
    assert any("major" in board().feature(h, n) and board().way(h, n) for n in over)


@pytest.mark.case("manstein", "1.1")
def test_the_map_is_43_hexes_wide_and_33_high_with_odd_rows_half_a_hex_east() -> None:
    grid = board().grid
    assert (grid.columns, grid.rows) == ((1, 43), (1, 33))
    assert {grid.number_of(n) for n in grid.neighbours(grid.hex("1926"))} == {
        "1925", "1927", "2026", "2027", "1826", "1827",
    }  # fmt: skip


@pytest.mark.case("manstein", "2.1.1-b")
def test_the_map_has_only_the_terrain_of_its_chart() -> None:
    chart = tomllib.loads((FOLDER / "tables.toml").read_text(encoding="utf-8"))["terrain"]
    assert set(board().terrain) == set(chart["hex"])
    assert set(board().sides) == set(chart["hexside"])
    assert set(board().ways) == set(chart["way"])
    assert set(board().towns) == set(chart["place"])


@pytest.mark.case("manstein", "2.1.2")
@pytest.mark.parametrize(("area", "count"), [("soviet sources", 5), ("axis sources", 5)])
def test_a_source_lies_on_its_own_side_on_the_railroad(area: str, count: int) -> None:
    sources = board().areas[area]
    assert hexset.count(sources) == count
    assert sources & ~net("rail", "2634") == 0
    own = axis_side() if area.startswith("axis") else ~axis_side()
    assert sources & ~own == 0


@pytest.mark.case("manstein", "2.1.5")
def test_breakthrough_hexes_lie_far_west_of_the_dnieper() -> None:
    west = hexset.of(h for h in hexset.members(right_bank()) if int(board().grid.number_of(h)[2:]) < 10)
    assert board().areas["breakthrough"]
    assert board().areas["breakthrough"] & ~west == 0


@pytest.mark.case("manstein", "3.4(1)")
def test_the_start_line_runs_from_the_north_edge_to_the_sea_of_azov_without_a_gap() -> None:
    sides = board().lines["start line"].sides
    assert hexset.of(sides[0]) & board().edges["north"]
    assert any(board().terrain["water"] >> h & 1 for h in sides[-1])
    assert all(joined(board(), one, two) for one, two in pairwise(sides))
    assert board().lines["start line"].outer & axis_side() == 0


@pytest.mark.case("manstein", "3.4(1)")
@pytest.mark.parametrize("town", [*CITIES.values(), "Belgorod", "Sumy", "Chuguev", "Slavyansk", "Taganrog"])
def test_a_town_in_german_hands_in_august_1943_lies_west_of_the_line(town: str) -> None:
    assert axis_side() >> hex_of(town) & 1


@pytest.mark.case("manstein", "3.4(1)")
@pytest.mark.parametrize("town", ["Volchansk", "Kupyansk", "Balakleya", "Izyum", "Voroshilovgrad", "Rostov"])
def test_a_town_in_soviet_hands_in_august_1943_lies_east_of_the_line(town: str) -> None:
    assert not axis_side() >> hex_of(town) & 1


@pytest.mark.case("manstein", "3.3(2)")
def test_the_dnieper_is_bridged_in_eight_places() -> None:
    grid = board().grid
    (dnieper,) = [course for course in board().courses if course.name == "Dnieper"]
    bridged = {grid.hexside(a, b) for a, b in dnieper.sides if board().way(a, b)}
    assert bridged == {
        "2918/2919", "2421/2422", "2222/2223", "1826/1926", "1827/1926", "1631/1632", "1230/1231", "0323/0324",
    }  # fmt: skip


@pytest.mark.case("manstein", "9.2.4(3)")
def test_a_road_leads_through_the_swamp_east_of_kherson() -> None:
    assert at("0324") & board().terrain["swamp"]
    assert "road" in side("0323", "0324")[1]


@pytest.mark.case("manstein", "8.2.1-a")
@pytest.mark.parametrize("course", ["Dnieper liman", "Bug liman", "Dniester liman"])
def test_the_limans_are_impassable_and_bridged_nowhere(course: str) -> None:
    (liman,) = [found for found in board().courses if found.name == course]
    assert liman.feature == "impassable"
    assert not any(board().way(a, b) for a, b in liman.sides)


# ---- the ground


RIGHT_BANK = ("Kiev", "Lyutezh", "Kanev", "Cherkassy", "Dnepropetrovsk", "Nikopol", "Kherson", "Krivoi Rog", "Odessa")
LEFT_BANK = ("Kremenchug", "Zaporozhye", "Kakhovka", "Pereyaslav", "Zolotonosha", "Poltava", "Melitopol", "Kharkov")


@pytest.mark.parametrize("town", RIGHT_BANK)
def test_a_town_of_the_right_bank_stands_there(town: str) -> None:
    assert right_bank() >> hex_of(town) & 1


@pytest.mark.parametrize("town", LEFT_BANK)
def test_a_town_of_the_left_bank_stands_there(town: str) -> None:
    assert not right_bank() >> hex_of(town) & 1


def test_every_place_stands_on_dry_land() -> None:
    assert hexset.of(board().places) & ~dry() == 0


@pytest.mark.parametrize("kind", ["road", "rail"])
def test_all_ways_of_a_kind_hang_together_and_keep_to_dry_land(kind: str) -> None:
    used = hexset.of(h for mask in board().ways[kind] for h in hexset.members(mask))
    assert used & ~dry() == 0
    assert net(kind, "2634") == used


def test_every_place_lies_on_a_road_or_a_railroad() -> None:
    used = net("road", "2634") | net("rail", "2634")
    assert [place.name for place in board().places.values() if not used >> place.hex & 1] == []


def test_every_dry_hex_can_be_walked_to() -> None:
    shut = board().sides["impassable"]
    assert hexset.flood(board().grid, at("2634"), dry(), tuple(dry() & ~mask for mask in shut)) == dry()


def run_together(one: str, two: str) -> bool:
    """Whether two rivers meet anywhere."""
    first, second = (
        [side for course in board().courses if course.name == name for side in course.sides] for name in (one, two)
    )
    assert first
    assert second
    return any(joined(board(), a, b) or set(a) == set(b) for a in first for b in second)


@pytest.mark.parametrize(
    ("river", "other", "meet"),
    [
        ("Zbruch", "Dniester", True),
        ("Seret", "Dniester", True),
        ("Southern Bug", "Lower Bug", True),
        ("Sluch", "Southern Bug", False),
        ("Zbruch", "Southern Bug", False),
        ("Zbruch", "Goryn", False),
        ("Seret", "Goryn", False),
        ("Kalmius", "Mius", False),
    ],
)
def test_rivers_run_together_where_they_do_on_the_ground(river: str, other: str, meet: bool) -> None:
    assert run_together(river, other) is meet


def test_the_kalmius_runs_from_stalino_to_mariupol() -> None:
    assert "minor" in side("1338", "1339")[0]
    (kalmius,) = [course for course in board().courses if course.name == "Kalmius"]
    assert hexset.spread(board().grid, hexset.of(kalmius.sides[-1])) >> hex_of("Mariupol") & 1


def test_the_road_from_pervomaisk_to_voznesensk_keeps_to_its_bank() -> None:
    road, bug = board().ways["road"], hexset.sides_of(board().grid, [
        side for course in board().courses if course.name.endswith("Bug") for side in course.sides
    ])  # fmt: skip
    bank = tuple(road[d] & ~bug[d] for d in range(6))
    near = hexset.within(board().grid, at("1020"), 4)
    assert hexset.flood(board().grid, at("1219"), near, bank) & at("0920")
    assert "road" not in side("1219", "1119")[1] | side("1119", "1020")[1]


def test_lyutezh_lies_off_the_railroad_from_kiev_to_korosten() -> None:
    assert not net("rail", "2634") >> hex_of("Lyutezh") & 1
    assert "rail" in side("2917", "3017")[1]


@pytest.mark.parametrize("town", ["Cherkassy", "Makeyevka", "Kramatorsk", "Dneprodzerzhinsk"])
def test_a_town_of_industry_is_no_village(town: str) -> None:
    assert board().places[hex_of(town)].size == "town"


@pytest.mark.case("manstein", "2.1.2")
def test_a_source_on_the_east_edge_stands_where_the_railroad_leaves_the_map() -> None:
    rail, edge = board().ways["rail"], board().edges["east"]
    ends = hexset.of(h for h in hexset.members(edge) if sum(mask >> h & 1 for mask in rail) == 1)
    assert ends == board().areas["soviet sources"] & edge
