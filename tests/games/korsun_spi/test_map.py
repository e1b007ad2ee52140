"""The map of Korsun against every hex that the rulebook names, and against the ground itself."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import games.korsun_spi
from engine import hexset
from engine.board import Board, load_board
from engine.hexset import HexSet
from tests.games.test_folders import joined

FOLDER = Path(games.korsun_spi.__file__).parent
SECTIONS = "ABCDE"


@cache
def board(name: str = "map") -> Board:
    return load_board(FOLDER, name)


def at(*numbers: str) -> HexSet:
    return hexset.of(board().grid.hex(number) for number in numbers)


def numbers(hexes: HexSet) -> set[str]:
    return {board().grid.number_of(h) for h in hexset.members(hexes)}


@cache
def german_side() -> HexSet:
    return board().inside(*SECTIONS)


@cache
def dry() -> HexSet:
    return board().land & ~board().terrain["river"]


@cache
def right_bank() -> HexSet:
    """What a unit on foot reaches from Cherkassy without crossing the Dnieper."""
    allowed = tuple(dry() & ~side for side in board().sides["major"])
    return hexset.flood(board().grid, at("2807"), dry(), allowed)


def road_net(start: str) -> HexSet:
    return hexset.flood(board().grid, at(start), board().land, board().ways["road"])


def section_distance(number: str, section: str) -> int:
    grid, h = board().grid, board().grid.hex(number)
    return min(grid.distance(h, border) for border in hexset.members(board().lines[section].inner))


# ---- what the text says, hex by hex


@pytest.mark.case("korsun_spi", "18.22")
def test_the_start_line_runs_from_0114_0115_to_2719_2619_without_a_gap() -> None:
    grid = board().grid
    sides = [side for section in SECTIONS for side in board().lines[section].sides]
    assert [grid.number_of(h) for h in sides[0]] == ["0115", "0114"]
    assert [grid.number_of(h) for h in sides[-1]] == ["2619", "2719"]
    assert all(joined(board(), one, two) for one, two in pairwise(sides))
    assert len(set(sides)) == len(sides)


@pytest.mark.case("korsun_spi", "18.23")
def test_the_start_line_parts_the_map_in_a_german_and_a_soviet_side() -> None:
    outer = hexset.of(h for s in SECTIONS for h in hexset.members(board().lines[s].outer))
    inner = hexset.of(h for s in SECTIONS for h in hexset.members(board().lines[s].inner))
    assert inner & ~german_side() == 0
    assert outer & german_side() == 0


@pytest.mark.case("korsun_spi", "18.21")
@pytest.mark.parametrize("number", ["0616", "1113", "1411", "2209", "2306", "2316", "2415", "2416", "2419"])
def test_a_german_set_up_hex_lies_dry_behind_the_line_on_the_right_bank(number: str) -> None:
    assert at(number) & german_side() & right_bank()


@pytest.mark.case("korsun_spi", "24.2")
@pytest.mark.parametrize("number", ["0611", "0709", "3217", "3317"])
def test_a_supported_corps_starts_on_the_soviet_side_of_the_line(number: str) -> None:
    assert at(number) & right_bank() & ~german_side()


@pytest.mark.case("korsun_spi", "23.12")
@pytest.mark.parametrize(("number", "edge"), [("0608", "north"), ("3215", "east")])
def test_a_tank_army_hq_reaches_its_supply_edge_over_dry_ground(number: str, edge: str) -> None:
    soviet = right_bank() & ~german_side()
    assert hexset.flood(board().grid, at(number), soviet) & board().edges[edge]


@pytest.mark.case("korsun_spi", "18.1")
def test_the_guards_division_of_the_addenda_starts_outside_the_line() -> None:
    assert at("1502") & right_bank() & ~german_side()


@pytest.mark.case("korsun_spi", "21.11-ex")
def test_1214_is_the_last_hex_that_a_unit_of_section_a_may_reach() -> None:
    assert section_distance("1214", "A") == 4
    assert section_distance("1215", "A") == 5
    assert section_distance("1315", "A") == 5
    assert at("1215", "1315") & ~hexset.spread(board().grid, at("1214")) == 0


@pytest.mark.case("korsun_spi", "19.25")
def test_the_dnieper_fills_an_unbroken_row_of_hexes_from_2907_to_the_east_edge() -> None:
    river = board().terrain["river"]
    assert at("2907", "3911") & ~river == 0
    assert hexset.flood(board().grid, at("2907"), river) == river
    assert at("3911") & board().edges["east"]


@pytest.mark.case("korsun_spi", "19.72")
@pytest.mark.parametrize(
    ("number", "edge"), [("0117", "west"), ("0626", "south"), ("1726", "south"), ("2226", "south")]
)
def test_a_german_source_lies_on_its_edge_with_a_road_to_the_front(number: str, edge: str) -> None:
    assert at(number) & board().edges[edge] & german_side()
    assert numbers(at(number) & board().areas["german sources"]) == {number}
    front = hexset.of(h for s in SECTIONS for h in hexset.members(board().lines[s].inner))
    assert road_net(number) & front


@pytest.mark.case("korsun_spi", "19.72")
def test_there_are_four_german_sources() -> None:
    assert hexset.count(board().areas["german sources"]) == 4


@pytest.mark.case("korsun_spi", "19.71")
def test_soviet_sources_are_the_north_and_east_edges_without_the_missing_corner() -> None:
    assert hexset.count(board().edges["north"]) == 39
    assert numbers(board().edges["east"]) == {f"39{row:02}" for row in range(1, 20)}


@pytest.mark.case("korsun_spi", "19.22-b")
def test_a_road_crosses_the_dnieper_at_cherkassy_and_nowhere_else() -> None:
    major, road = board().sides["major"], board().ways["road"]
    crossed = hexset.of(h for d in range(6) for h in hexset.members(major[d] & road[d]))
    assert numbers(crossed) == {"2806", "2807"}


@pytest.mark.case("korsun_spi", "10.25")
def test_the_map_has_roads_and_no_railroads() -> None:
    assert set(board().ways) == {"road"}


@pytest.mark.case("korsun_spi", "19.21")
def test_the_map_has_only_the_terrain_of_its_key() -> None:
    assert set(board().terrain) == {"clear", "woods", "city", "river"}
    assert set(board().sides) == {"minor", "major"}
    assert set(board().towns) == {"town", "city"}


@pytest.mark.case("korsun_spi", "10.26")
def test_every_city_is_drawn_as_one() -> None:
    assert board().terrain["city"] == board().towns["city"]


@pytest.mark.case("korsun_spi", "25.2")
def test_korsun_is_a_town_behind_the_line() -> None:
    (korsun,) = board().find("Korsun")
    assert (board().grid.number_of(korsun.hex), korsun.size) == ("1908", "town")
    assert german_side() >> korsun.hex & 1


@pytest.mark.case("korsun_spi", "26.0")
@pytest.mark.parametrize(
    ("area", "edges", "side"),
    [
        ("F", "west south", "german"),
        ("G", "south", "german"),
        ("K", "east", "soviet"),
        ("L", "north", "soviet"),
    ],
)
def test_an_entry_area_is_dry_edge_on_its_owners_side(area: str, edges: str, side: str) -> None:
    hexes = board().areas[area]
    rim = hexset.of(h for edge in edges.split() for h in hexset.members(board().edges[edge]))
    assert hexes & ~rim == 0
    assert hexes & ~right_bank() == 0
    assert hexes & (german_side() if side == "soviet" else ~german_side()) == 0


# ---- the ground


RIGHT_BANK = ("Cherkassy", "Smela", "Korsun", "Kanev", "Moshny", "Gorodishche", "Kamenka", "Chigirin")
GERMAN = (
    "Smela",
    "Korsun",
    "Kanev",
    "Moshny",
    "Lysyanka",
    "Zvenigorodka",
    "Shpola",
    "Boguslav",
    "Medvin",
    "Uman",
)
SOVIET = (
    "Cherkassy",
    "Zhashkov",
    "Stavishche",
    "Tarashcha",
    "Kamenka",
    "Chigirin",
    "Znamenka",
    "Zolotonosha",
)


def hex_of(town: str) -> int:
    (place,) = board().find(town)
    return place.hex


@pytest.mark.parametrize("town", RIGHT_BANK)
def test_a_town_of_the_right_bank_stands_there(town: str) -> None:
    assert right_bank() >> hex_of(town) & 1


def test_zolotonosha_stands_on_the_left_bank() -> None:
    assert not right_bank() >> hex_of("Zolotonosha") & 1


@pytest.mark.parametrize("town", GERMAN)
def test_a_town_in_german_hands_in_january_lies_behind_the_line(town: str) -> None:
    assert german_side() >> hex_of(town) & 1


@pytest.mark.parametrize("town", SOVIET)
def test_a_town_in_soviet_hands_in_january_lies_before_the_line(town: str) -> None:
    assert not german_side() >> hex_of(town) & 1


def test_every_town_and_road_keeps_to_dry_land() -> None:
    used = hexset.union(board().ways["road"]) | hexset.of(board().places)
    assert used & ~dry() == 0


def test_every_town_is_on_the_one_road_net() -> None:
    net = road_net("0718")
    assert [place.name for place in board().places.values() if not net >> place.hex & 1] == []


def test_every_dry_hex_can_be_walked_to() -> None:
    assert hexset.flood(board().grid, at("1908"), dry()) == dry()


# ---- the proving ground


def test_the_proving_ground_has_every_terrain_of_the_standard_chart() -> None:
    field = board("proving")
    assert set(field.terrain) == {"clear", "woods", "swamp", "rough", "city", "sea"}
    assert set(field.sides) == {"minor", "major", "sea"}
    assert set(field.ways) == {"road", "railroad"}
    assert set(field.towns) == {"town", "city"}


def test_the_proving_grounds_railroads_pass_through_all_its_cities() -> None:
    field = board("proving")
    start = 1 << field.grid.hex("0104")
    net = hexset.flood(field.grid, start, field.land, field.ways["railroad"])
    assert field.towns["city"] & ~net == 0
    assert net & field.areas["german sources"]
    assert net & field.areas["soviet sources"]


def test_the_proving_ground_is_parted_in_a_north_and_a_south() -> None:
    field = board("proving")
    assert field.areas["north"] | field.areas["south"] == field.land
    assert field.areas["north"] & field.areas["south"] == 0
