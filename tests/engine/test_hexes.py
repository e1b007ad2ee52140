"""Grids as five printed maps have them, and what must hold on any grid."""

from itertools import pairwise
from math import dist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hexes import Grid, NoSuchHex, NotAdjacent, opposite

WIDE = Grid(columns=(1, 39), rows=(1, 26))
LARGE = Grid(columns=(1, 66), rows=(1, 44))
RAGGED = Grid(columns=(1, 35), rows=(1, 21), ragged="even")
NORTHWARD = Grid((1, 43), (1, 33), orientation="pointed", pushed="odd", number="RRCC", rows_grow="north")
WESTWARD = Grid((1, 23), (1, 33), orientation="pointed", pushed="even", number="RRCC", columns_grow="west")
MAPS = (WIDE, LARGE, RAGGED, NORTHWARD, WESTWARD)

steady = settings(derandomize=True, deadline=None)

grids = st.builds(
    Grid,
    columns=st.tuples(st.integers(0, 3), st.integers(4, 9)),
    rows=st.tuples(st.integers(0, 3), st.integers(4, 9)),
    orientation=st.sampled_from(["flat", "pointed"]),
    pushed=st.sampled_from(["odd", "even"]),
    push=st.sampled_from(["+", "-"]),
    number=st.sampled_from(["CCRR", "RRCC"]),
    rows_grow=st.sampled_from(["south", "north"]),
    columns_grow=st.sampled_from(["east", "west"]),
    ragged=st.sampled_from(["none", "odd", "even"]),
)


def hexes(grid):
    return [h for h in range(grid.everything.bit_length()) if grid.everything >> h & 1]


@st.composite
def grid_and_two_hexes(draw):
    grid = draw(grids)
    pick = st.sampled_from(hexes(grid))
    return grid, draw(pick), draw(pick)


def around(grid, number):
    """The neighbours' numbers by the name of their direction."""
    h = grid.hex(number)
    steps = ((name, grid.neighbour(h, d)) for d, name in enumerate(grid.direction_names))
    return {name: grid.number_of(n) for name, n in steps if n is not None}


def numbers(grid, found):
    return [grid.number_of(h) for h in found]


def adjacent(grid, a, b):
    return grid.direction(grid.hex(a), grid.hex(b)) is not None


def test_even_columns_lie_half_a_hex_lower_on_the_wide_map():
    assert around(WIDE, "1214") == {
        "N": "1213", "NE": "1314", "SE": "1315", "S": "1215", "SW": "1115", "NW": "1114"
    }  # fmt: skip
    assert adjacent(WIDE, "2807", "2907")
    assert adjacent(WIDE, "2807", "2806")
    assert not adjacent(WIDE, "1214", "1313")


def test_odd_columns_lie_half_a_hex_higher_on_the_large_map():
    assert around(LARGE, "3821")["SE"] == "3922"
    assert around(LARGE, "4121") == {
        "N": "4120", "NE": "4220", "SE": "4221", "S": "4122", "SW": "4021", "NW": "4020"
    }  # fmt: skip
    assert around(LARGE, "6644") == {"N": "6643", "NW": "6544"}


def test_even_columns_of_the_ragged_map_lack_their_last_hex():
    pairs = ["2818 2918", "2818 2919", "2912 3011", "2914 3013", "3015 3115", "0413 0314", "2203 2304"]
    for a, b in (pair.split() for pair in pairs):
        assert adjacent(RAGGED, a, b), (a, b)
    assert RAGGED.has("2820")
    assert not RAGGED.has("2821")
    assert around(RAGGED, "2721") == {"N": "2720", "NE": "2820", "NW": "2620"}


def test_odd_rows_lie_half_a_hex_east_where_rows_grow_north():
    assert around(NORTHWARD, "1926") == {
        "NE": "2027", "E": "1927", "SE": "1827", "SW": "1826", "W": "1925", "NW": "2026"
    }  # fmt: skip
    assert around(NORTHWARD, "1826")["NE"] == "1926"
    assert around(NORTHWARD, "1826")["NW"] == "1925"


def test_even_rows_lie_half_a_hex_west_where_columns_grow_west():
    pairs = ["1012 0912", "1507 1407", "1614 1515", "1712 1811", "1712 1812", "1711 1810", "2010 2111"]
    for a, b in (pair.split() for pair in [*pairs, "1912 2011", "2111 2210", "2112 2011"]):
        assert adjacent(WESTWARD, a, b), (a, b)
    assert around(WESTWARD, "1515") == {
        "NE": "1414", "E": "1514", "SE": "1614", "SW": "1615", "W": "1516", "NW": "1415"
    }  # fmt: skip


def test_lines_pushed_back_are_the_others_pushed_on():
    even_on = Grid((1, 6), (1, 6), pushed="even", push="+")
    odd_back = Grid((1, 6), (1, 6), pushed="odd", push="-")
    assert all(even_on.neighbours(h) == odd_back.neighbours(h) for h in hexes(even_on))


def test_a_number_that_is_not_printed_names_no_hex():
    for number in ["4001", "0100", "0127", "101", "01 01", "A1", ""]:
        assert not WIDE.has(number)
        assert WIDE.find(number) is None
        with pytest.raises(NoSuchHex) as refusal:
            WIDE.hex(number)
        assert refusal.value.number == number


def test_three_digits_are_printed_where_the_map_has_them():
    grid = Grid((98, 102), (1, 3), digits=3)
    assert grid.number_of(grid.hex("102003")) == "102003"
    assert grid.has("098001")


def test_a_hexside_has_one_name_from_both_sides():
    a, b = WIDE.hex("1315"), WIDE.hex("1214")
    assert WIDE.hexside(a, b) == WIDE.hexside(b, a) == "1214/1315"
    with pytest.raises(NotAdjacent) as refusal:
        WIDE.hexside(a, WIDE.hex("1213"))
    assert (refusal.value.first, refusal.value.second) == ("1213", "1315")


def test_distance_counts_the_hex_of_arrival():
    assert WIDE.distance(WIDE.hex("1214"), WIDE.hex("1214")) == 0
    assert WIDE.distance(WIDE.hex("1214"), WIDE.hex("1315")) == 1
    assert WIDE.distance(WIDE.hex("0101"), WIDE.hex("3926")) == 44
    assert NORTHWARD.distance(NORTHWARD.hex("1926"), NORTHWARD.hex("1726")) == 2


def test_the_hexes_between_are_on_some_shortest_way():
    a, b = WIDE.hex("0505"), WIDE.hex("0706")
    assert sorted(numbers(WIDE, WIDE.between(a, b))) == ["0605"]
    assert sorted(numbers(WIDE, WIDE.between(a, WIDE.hex("0705")))) == ["0604", "0605"]
    assert WIDE.between(a, a) == []


def test_a_line_of_sight_along_a_hexside_takes_the_hex_that_is_on_the_map():
    top = WIDE.line(WIDE.hex("0101"), WIDE.hex("0301"))
    assert numbers(WIDE, top) == ["0101", "0201", "0301"]
    assert numbers(WIDE, WIDE.line(WIDE.hex("0505"), WIDE.hex("0705"))) == ["0505", "0604", "0705"]


def test_equal_grids_are_one_key():
    assert len({WIDE, Grid((1, 39), (1, 26)), RAGGED}) == 2


@pytest.mark.parametrize("grid", MAPS)
def test_distance_is_the_number_of_steps_on_the_map(grid):
    start = hexes(grid)[17]
    steps, frontier = {start: 0}, [start]
    for h in frontier:
        for n in grid.neighbours(h):
            if n not in steps:
                steps[n] = steps[h] + 1
                frontier.append(n)
    assert steps == {h: grid.distance(start, h) for h in hexes(grid)}


@steady
@given(grids)
def test_neighbours_are_the_hexes_whose_centres_are_one_apart(grid):
    for h in hexes(grid):
        close = {n for n in hexes(grid) if abs(dist(grid.centre(h), grid.centre(n)) - 1) < 1e-9}
        assert set(grid.neighbours(h)) == close
        assert min(grid.centre(h)) >= 0


@steady
@given(grids)
def test_directions_point_where_the_sheet_says(grid):
    for h in hexes(grid):
        x, y = grid.centre(h)
        for n in grid.neighbours(h):
            d = grid.direction(h, n)
            assert grid.direction(n, h) == opposite(d)
            nx, ny = grid.centre(n)
            north_south = "N" * (ny < y - 0.1) + "S" * (ny > y + 0.1)
            assert grid.direction_names[d] == north_south + "W" * (nx < x - 0.1) + "E" * (nx > x + 0.1)


@steady
@given(grids)
def test_a_hexside_runs_between_two_corners_of_both_hexes(grid):
    for h in hexes(grid):
        corners = grid.corners(h)
        for n in grid.neighbours(h):
            d, back = grid.direction(h, n), grid.direction(n, h)
            there = grid.corners(n)
            assert dist(corners[d], there[(back + 1) % 6]) < 1e-9
            assert dist(corners[(d + 1) % 6], there[back]) < 1e-9


@steady
@given(grid_and_two_hexes())
def test_between_is_every_hex_that_makes_the_way_no_longer(drawn):
    grid, a, b = drawn
    far = grid.distance(a, b)
    on_the_way = [h for h in hexes(grid) if grid.distance(a, h) + grid.distance(h, b) == far]
    assert sorted([*grid.between(a, b), *{a, b}]) == on_the_way


@steady
@given(grid_and_two_hexes())
def test_a_line_goes_hex_by_hex_and_is_the_same_line_back(drawn):
    grid, a, b = drawn
    line = grid.line(a, b)
    assert line[0] == a
    assert line[-1] == b
    assert line == grid.line(b, a)[::-1]
    if grid.ragged == "none":
        assert len(line) == grid.distance(a, b) + 1
        assert all(grid.distance(one, two) == 1 for one, two in pairwise(line))


@steady
@given(grid_and_two_hexes())
def test_a_straight_line_keeps_its_direction(drawn):
    grid, a, b = drawn
    walks = []
    for d in range(6):
        h, walk = a, []
        while h is not None:
            walk.append(h)
            h = grid.neighbour(h, d)
        walks += walk
    if grid.ragged == "none":
        assert grid.straight(a, b) == (b in walks)
    assert grid.straight(a, b) == grid.straight(b, a)
