"""The map round Korsun against every hex that the rulebook names, and against the ground itself."""

from functools import cache
from pathlib import Path

import pytest

import games
from engine import hexset
from engine.board import Board, load_board
from engine.folder import read_toml
from engine.hexes import opposite
from engine.hexset import HexSet

FOLDER = Path(games.__path__[0]) / "korsun_vv"
SPOTS = [(side, number) for side, spots in read_toml(FOLDER, "setup.toml").items() for number in spots]
EDGES = {"german": ["south"], "russian": ["east", "west"]}


@cache
def board() -> Board:
    return load_board(FOLDER)


def case(number: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", number)


def at(*numbers: str) -> HexSet:
    return hexset.of(board().grid.hex(number) for number in numbers)


def numbers(hexes: HexSet) -> set[str]:
    return {board().grid.number_of(h) for h in hexset.members(hexes)}


def river(one: str, two: str) -> bool:
    return bool(board().feature(board().grid.hex(one), board().grid.hex(two)))


@cache
def in_play() -> HexSet:
    return board().land & ~board().terrain["left bank"]


@cache
def drivable() -> tuple[HexSet, ...]:
    """By direction, the hexes that a vehicle may leave in snow: no forest but by road, no river but by bridge."""
    roads, rivers = board().ways["road"], board().sides
    around = [hexset.step(board().grid, board().terrain["forest"], opposite(d)) for d in range(6)]
    return tuple(
        in_play() & (roads[d] | ~(around[d] | hexset.union(masks[d] for masks in rivers.values()))) for d in range(6)
    )


def home(side: str) -> HexSet:
    """All that vehicles reach from the friendly edges, over hexes that the other side does not hold at start."""
    enemy = hexset.of(board().grid.hex(number) for other, number in SPOTS if other != side)
    free = in_play() & ~enemy
    edge = hexset.union(board().edges[name] for name in EDGES[side])
    return hexset.flood(board().grid, edge & free, free, drivable())


def road_net(*starts: str) -> HexSet:
    return hexset.flood(board().grid, at(*starts), board().land, board().ways["road"])


# ---- what the text says, hex by hex


@case("0.2")
def test_the_south_edge_has_0321_2121_2321_and_2820() -> None:
    grid = board().grid
    assert at("0321", "2121", "2321", "2820") & ~board().edges["south"] == 0
    assert (grid.columns, grid.rows, grid.has("2821")) == ((1, 35), (1, 21), False)


def test_2918_has_the_river_towards_2818_and_2919_which_lie_on_one_bank() -> None:
    assert river("2818", "2918")
    assert river("2918", "2919")
    assert not river("2818", "2919")
    assert board().grid.distance(board().grid.hex("2818"), board().grid.hex("2919")) == 1


@pytest.mark.parametrize(("side", "number"), SPOTS, ids=[number for _, number in SPOTS])
def test_a_set_up_hex_lies_in_play_with_a_way_home_for_supplies(side: str, number: str) -> None:
    assert at(number) & in_play()
    assert at(number) & home(side)


@pytest.mark.parametrize(
    ("side", "number"),
    [("german", n) for n in ("0806", "2115", "2719")]
    + [("russian", n) for n in ("0105", "0114", "2806", "3310", "3414", "3413")],
)
def test_a_headquarters_starts_within_two_hexes_of_a_road_to_its_edge(side: str, number: str) -> None:
    edge = hexset.union(board().edges[name] for name in EDGES[side])
    roads = hexset.union(board().ways["road"])
    near = hexset.within(board().grid, at(number), 2)
    assert near & road_net(*numbers(edge & roads))


@pytest.mark.parametrize("number", ["0806", "2115", "2719", "0105", "0114", "2806", "3310", "3414", "3413"])
def test_a_headquarters_starts_where_it_can_drive_off(number: str) -> None:
    assert at(number) & board().terrain["clear"]


@case("18.1.1-a")
@pytest.mark.parametrize(("area", "hexes"), [("west road", {"0321"}), ("south roads", {"2121", "2321", "2820"})])
def test_a_german_entry_hex_is_a_road_that_leads_to_the_front(area: str, hexes: set[str]) -> None:
    assert numbers(board().areas[area]) == hexes
    assert board().areas[area] & ~road_net("1607") == 0


@case("18.2.1-a")
@case("18.2.1-e")
@case("18.1.1-b")
@pytest.mark.parametrize(
    ("area", "edge", "ends", "count"),
    [
        ("6 TA", "west", {"0113", "0118"}, 6),
        ("north", "north", {"0501", "1901"}, 15),
        ("Dnepr bank", "north", {"1101", "2001"}, 10),
    ],
)
def test_an_entry_span_runs_along_its_edge_from_end_to_end(area: str, edge: str, ends: set[str], count: int) -> None:
    span = board().areas[area]
    assert span & ~(board().edges[edge] & in_play()) == 0
    assert hexset.count(span) == count
    assert ends == {min(numbers(span)), max(numbers(span))}


def test_the_airfield_is_the_city_of_korsun() -> None:
    (korsun,) = board().find("Korsun")
    assert (korsun.size, board().areas["airfield"]) == ("city", 1 << korsun.hex)


@case("0.2")
def test_the_hill_where_the_relief_halted_is_on_rough_ground_north_of_lysyanka() -> None:
    (hill,), (town,) = board().find("Hill 239"), board().find("Lisyanka")
    assert board().grid.distance(hill.hex, town.hex) == 2
    assert board().kinds[hill.hex] == "difficult"
    assert board().grid.centre(hill.hex)[1] < board().grid.centre(town.hex)[1]


FACING = ["2912 3011", "2912 3012", "2913 3013", "2914 3014", "3015 3115", "0413 0313", "0413 0314", "0409 0310"]
FACING += ["2708 2807", "0316 0315", "0216 0215", "0117 0116"]


@pytest.mark.parametrize("pair", FACING)
def test_an_assault_group_faces_its_target_with_no_river_between(pair: str) -> None:
    one, two = pair.split()
    assert board().grid.distance(board().grid.hex(one), board().grid.hex(two)) == 1
    assert not river(one, two)


# ---- the ground


@case("6.2-a")
def test_the_map_has_only_the_terrain_of_its_chart() -> None:
    chart = read_toml(FOLDER, "tables.toml")["terrain"]
    assert set(board().terrain) == set(chart["hex"])
    assert set(board().sides) == set(chart["hexside"])
    assert set(board().ways) == set(chart["way"])
    assert set(board().towns) - {"height"} == set(chart["place"])  # a height is a name only


def test_the_dnepr_parts_the_left_bank_from_the_land_in_play() -> None:
    shut = hexset.sides_of(board().grid, [s for c in board().courses if c.feature == "major" for s in c.sides])
    allowed = tuple(board().land & ~mask for mask in shut)
    assert hexset.flood(board().grid, at("1607"), board().land, allowed) == in_play()


def test_no_bridge_spans_the_dnepr() -> None:
    dnepr = [side for course in board().courses if course.name == "Dnepr" for side in course.sides]
    assert not any(board().way(a, b) for a, b in dnepr)


def test_all_roads_hang_together_and_keep_to_the_land_in_play() -> None:
    used = hexset.union(board().ways["road"])
    assert used & ~in_play() == 0
    assert road_net("1607") == used


def test_every_place_stands_on_land_in_play() -> None:
    assert hexset.of(board().places) & ~in_play() == 0


NORTH = ("Korsun", "Boguslav", "Mironovka", "Stepantsy", "Tagancha")
SOUTH = ("Steblev", "Lysyanka", "Medvin", "Gorodishche", "Shenderovka", "Olshana")


@pytest.mark.parametrize(("towns", "north"), [(NORTH, True), (SOUTH, False)])
def test_a_town_stands_on_its_bank_of_the_ros(towns: tuple[str, ...], north: bool) -> None:
    ros = hexset.sides_of(board().grid, [s for c in board().courses if c.name == "Ros" for s in c.sides])
    bank = hexset.flood(board().grid, at("1607"), in_play(), tuple(in_play() & ~mask for mask in ros))
    assert all(bool(bank >> board().find(town)[0].hex & 1) == north for town in towns)
