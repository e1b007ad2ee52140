"""The map of the Korsun battlefield against every hex, town, road and river that the text names."""

from functools import cache
from itertools import pairwise

import pytest

import games
from engine import hexset
from engine.hexset import HexSet
from games.jaws.data import GERMAN, SOVIET, Data

RELOCATION = {"11K": ("3821", "4223", "4114"), "42K": ("2310", "1911", "2713")}  # 16.2: the only hexes in the text
SOURCES = {"8A": 3, "1PzA": 2, "27A": 3, "40A": 1, "6TkA": 1, "2TkA": 1, "52A": 1, "4GA": 1, "5GTkA": 1, "53A": 1}
WITHOUT_A_WAY = ("2618", "2816", "1509", "1520", "5316", "5519", "5719", "4913", "1229", "2125", "2219")


@cache
def data() -> Data:
    found: Data = games.rulebook("jaws").game("ring", {}).data
    return found


def at(*numbers: str) -> HexSet:
    return hexset.of(data().board.grid.hex(number) for number in numbers)


def named(name: str) -> HexSet:
    (place,) = data().board.find(name)
    return 1 << place.hex


def ways_from(start: HexSet) -> HexSet:
    return hexset.flood(data().board.grid, start, data().land, data().any_way)


@pytest.mark.parametrize(("korps", "spots"), RELOCATION.items())
def test_the_six_hexes_of_korps_isolation_lie_on_roads_that_lead_to_a_german_source(
    korps: str, spots: tuple[str, ...]
) -> None:
    assert data().area(f"{korps} relocation") == at(*spots)
    sources = data().sources("8A") | data().sources("1PzA")
    for spot in spots:
        assert data().road_hexes & at(spot), spot
        assert ways_from(at(spot)) & sources, spot
        assert data().home[GERMAN] & at(spot), spot


@pytest.mark.case("jaws", "13.1-s")
@pytest.mark.case("jaws", "13.1-g")
def test_every_army_and_armee_has_as_many_sources_as_the_text_gives_it_all_on_roads_at_the_edge() -> None:
    rim = hexset.union(data().board.edges.values())
    assert {name: hexset.count(data().sources(name)) for name in SOURCES} == SOURCES
    for name in SOURCES:
        assert not data().sources(name) & ~(rim & data().road_hexes), name


def test_every_source_is_on_one_net_of_roads() -> None:
    everywhere = hexset.union(data().sources(name) for name in SOURCES)
    assert not everywhere & ~ways_from(data().sources("53A"))
    assert not data().road_hexes & ~ways_from(data().sources("53A"))


def test_korsun_and_talnoye_are_towns_and_rail_terminals_on_a_line_to_the_edge() -> None:
    rail = data().ways["rail"]
    line = hexset.flood(data().board.grid, data().sources("8A") | data().sources("1PzA"), data().land, rail)
    for name in ("Korsun", "Talnoye"):
        assert named(name) & data().towns & data().area("rail terminals") & data().road_hexes
    assert not data().area("rail terminals") & ~line
    beside = hexset.spread(data().board.grid, data().road_hexes)
    assert not data().area("rail terminals") & ~beside  # or no SDM could trace to it


def test_the_airfield_of_korsun_is_a_hex_of_its_own_beside_the_town() -> None:
    field = data().area("Korsun airfield")
    assert hexset.count(field) == 1
    assert field != named("Korsun")
    assert field & hexset.spread(data().board.grid, named("Korsun"))


@pytest.mark.case("jaws", "10.6.3")
def test_the_dnepr_is_an_edge_beyond_which_nobody_goes() -> None:
    beyond = data().board.terrain["left bank"]
    assert not beyond & data().land
    for d in range(6):
        shore = data().board.sides["dnepr"][d] & data().land
        assert not shore & data().everywhere[d]
    assert named("Cherkassy") == data().sources("52A")
    assert named("Cherkassy") & data().board.edges["north"]


def test_the_forests_of_the_partisans_lie_on_northern_map_a() -> None:
    bases = data().area("partisan bases")
    assert not bases & ~data().forest
    numbers = [data().board.grid.number_of(h) for h in hexset.members(bases)]
    assert all(n[:2] >= "34" and n[2:] <= "05" for n in numbers)
    for command in ("4GA", "5GTkA"):
        assert all(data().board.grid.number_of(h)[:2] >= "34" for h in hexset.members(data().sources(command)))


@pytest.mark.parametrize("name", ["Gniloy Tikich", "Shpolka", "Ros", "Tyasmin", "Gornyy Tikich"])
def test_the_rivers_that_the_text_or_history_knows_are_rivers(name: str) -> None:
    (course,) = [course for course in data().board.courses if course.name == name]
    assert course.feature == "river"


def test_the_olshanka_is_a_brook_above_gorodishche() -> None:
    features = {course.name: course.feature for course in data().board.courses}
    assert (features["Olshanka (upper)"], features["Olshanka"]) == ("stream", "river")


def test_the_tyasmin_has_one_railroad_bridge_and_the_road_to_znamenka_crosses_it_once() -> None:
    (course,) = [course for course in data().board.courses if course.name == "Tyasmin"]
    crossed = {frozenset(side) for side in course.sides}
    for name, count in (("Smela - Kamenka - Aleksandrovka - Znamenka", 1), ("Fastov - Belaya Tserkov - Mironovka - "
                        "Korsun - Bobrinskaya - Znamenka", 1)):  # fmt: skip
        (route,) = [route for route in data().board.routes if route.name == name]
        assert sum(frozenset(step) in crossed for step in pairwise(route.hexes)) == count, name


def test_lakes_are_crossed_by_no_way_and_are_no_river() -> None:
    lakes = data().board.sides["lake"]
    assert sum(map(hexset.count, lakes)) == 2 * 6
    for d in range(6):
        assert not lakes[d] & hexset.union(masks[d] for masks in data().board.ways.values())
        assert not lakes[d] & data().board.sides["river"][d]


def test_the_battle_villages_have_ways_to_them() -> None:
    for spot in WITHOUT_A_WAY:
        assert data().board.places[data().board.grid.hex(spot)].size == "village"
        assert hexset.union(data().any_way) & at(spot), spot


def test_the_south_western_corner_is_out_of_play_but_for_the_hex_of_the_line_there() -> None:
    out = data().board.terrain["out of play"]
    assert hexset.count(out) == 9 * 6 - 1
    assert data().land & at("0932")
    assert not out & data().land


@pytest.mark.case("jaws", "15.2")
def test_wherever_a_way_crosses_a_river_or_a_stream_there_is_a_bridge() -> None:
    grid, waters = data().board.grid, ("river", "stream")
    for route in data().board.routes:
        for a, b in pairwise(route.hexes):
            wet = any(name in waters for name in data().board.feature(a, b))
            d = grid.direction(a, b)
            assert d is not None
            if wet and data().land >> a & data().land >> b & 1:
                assert data().bridges[d] >> a & 1
    assert len(data().bridge_list) == sum(map(hexset.count, data().bridges)) // 2


def test_twenty_four_hilltops() -> None:
    assert hexset.count(data().area("hilltops")) == 24
    assert data().area("hilltops") & named("Hill 239") & at("2518")


def test_ground_is_parted_between_the_sides_when_a_scenario_begins() -> None:
    assert data().home[GERMAN] | data().home[SOVIET] == data().land
    assert not data().home[GERMAN] & data().home[SOVIET]
    assert named("Korsun") & data().home[GERMAN]
    assert named("Cherkassy") & data().home[SOVIET]
