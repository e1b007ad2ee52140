"""Hex sets against plain sets, queues and heaps, on every orientation and stagger, edges included."""

from heapq import heappop, heappush
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import hexset
from engine.hexes import Grid, NotAdjacent

WIDE = Grid(columns=(1, 39), rows=(1, 26))

steady = settings(derandomize=True, deadline=None)

grids = st.builds(
    Grid,
    columns=st.tuples(st.integers(0, 2), st.integers(3, 7)),
    rows=st.tuples(st.integers(0, 2), st.integers(3, 7)),
    orientation=st.sampled_from(["flat", "pointed"]),
    pushed=st.sampled_from(["odd", "even"]),
    push=st.sampled_from(["+", "-"]),
    rows_grow=st.sampled_from(["south", "north"]),
    columns_grow=st.sampled_from(["east", "west"]),
    ragged=st.sampled_from(["none", "odd", "even"]),
)


def some_hexes(grid):
    """Any set of the grid's hexes: full maps and empty ones are as likely as single hexes."""
    return st.integers(0, grid.everything).map(lambda bits: bits & grid.everything)


def some_sides(grid):
    return st.tuples(*[some_hexes(grid)] * 6)


@st.composite
def fields(draw):
    """A grid, a start, open ground, and sides that may be crossed."""
    grid = draw(grids)
    return grid, draw(some_hexes(grid)), draw(some_hexes(grid)), draw(some_sides(grid))


@st.composite
def marches(draw):
    """A grid, one start hex, what leaving each hex costs each way, a budget, and hexes that stop."""
    grid = draw(grids)
    start = draw(st.sampled_from(sorted(hexset.members(grid.everything))))
    exits = draw(st.dictionaries(st.integers(1, 5), some_sides(grid), max_size=3))
    return grid, start, exits, draw(st.integers(0, 12)), draw(some_hexes(grid))


def as_set(s):
    return set(hexset.members(s))


def step_by_step(grid, start, ground, sides):
    """Steps to each hex, by queue."""
    steps = dict.fromkeys(as_set(start & ground), 0)
    queue = list(steps)
    for h in queue:
        for d in range(6):
            n = grid.neighbour(h, d)
            crossable = sides is None or sides[d] >> h & 1
            if n is not None and n not in steps and ground >> n & 1 and crossable:
                steps[n] = steps[h] + 1
                queue.append(n)
    return steps


def cheapest(grid, start, exits, budget, stop):
    """What each hex costs, by heap."""
    costs, heap = {}, [(0, start)]
    while heap:
        spent, h = heappop(heap)
        if h in costs:
            continue
        costs[h] = spent
        if h != start and stop >> h & 1:
            continue
        for cost, sides in exits.items():
            for d in range(6):
                n = grid.neighbour(h, d)
                if n is not None and sides[d] >> h & 1 and spent + cost <= budget:
                    heappush(heap, (spent + cost, n))
    return costs


def price(grid, exits, a, b):
    """The least that the step from a to b costs."""
    d = grid.direction(a, b)
    return min(cost for cost, sides in exits.items() if sides[d] >> a & 1)


@steady
@given(st.sets(st.integers(0, 2000)))
def test_a_set_gives_back_its_members_in_order(hexes):
    s = hexset.of(hexes)
    assert list(hexset.members(s)) == sorted(hexes)
    assert hexset.count(s) == len(hexes)


@steady
@given(fields())
def test_a_step_moves_every_hex_and_none_round_the_edge(field):
    grid, s, _, _ = field
    for d in range(6):
        moved = {grid.neighbour(h, d) for h in as_set(s)} - {None}
        assert as_set(hexset.step(grid, s, d)) == moved


@steady
@given(fields())
def test_spreading_adds_the_neighbours_and_nothing_round_the_edge(field):
    grid, s, _, _ = field
    assert as_set(hexset.spread(grid, s)) == as_set(s).union(*(grid.neighbours(h) for h in as_set(s)))


@steady
@given(fields(), st.integers(0, 4))
def test_a_ring_is_what_one_more_hex_of_range_adds(field, far):
    grid, s, _, _ = field
    steps = step_by_step(grid, s, grid.everything, None)
    assert as_set(hexset.within(grid, s, far)) == {h for h, n in steps.items() if n <= far}
    assert as_set(hexset.ring(grid, s, far)) == {h for h, n in steps.items() if n == far}


@steady
@given(fields(), st.booleans())
def test_a_flood_fills_the_open_ground_that_is_connected(field, sided):
    grid, start, ground, sides = field
    sides = sides if sided else None
    assert as_set(hexset.flood(grid, start, ground, sides)) == set(step_by_step(grid, start, ground, sides))


@steady
@given(fields(), st.booleans(), st.none() | st.integers(0, 5))
def test_layers_count_the_steps(field, sided, limit):
    grid, start, ground, sides = field
    sides = sides if sided else None
    layers = hexset.distance_layers(grid, start, ground, limit, sides)
    found = {h: k for k, layer in enumerate(layers) for h in as_set(layer)}
    steps = step_by_step(grid, start, ground, sides)
    assert found == {h: k for h, k in steps.items() if limit is None or k <= limit}
    assert sum(map(hexset.count, layers)) == len(found)


@steady
@given(marches())
def test_reach_costs_what_the_cheapest_way_costs(march):
    grid, start, exits, budget, stop = march
    layers = hexset.reach(grid, 1 << start, exits, budget, stop)
    found = {h: k for k, layer in enumerate(layers) for h in as_set(layer)}
    assert len(layers) == budget + 1
    assert found == cheapest(grid, start, exits, budget, stop)
    assert sum(map(hexset.count, layers)) == len(found)


@steady
@given(marches())
def test_a_path_is_legal_and_no_dearer_than_the_layer_says(march):
    grid, start, exits, budget, stop = march
    layers = hexset.reach(grid, 1 << start, exits, budget, stop)
    for spent, layer in enumerate(layers):
        for target in hexset.members(layer):
            way = hexset.path(grid, layers, exits, target, stop)
            assert way[0] == start
            assert way[-1] == target
            assert not any(stop >> h & 1 for h in way[1:-1])
            assert sum(price(grid, exits, a, b) for a, b in pairwise(way)) == spent


def test_there_is_no_path_to_a_hex_out_of_reach():
    everywhere = {2: (WIDE.everything,) * 6}
    layers = hexset.reach(WIDE, 1 << WIDE.hex("1214"), everywhere, 5)
    assert hexset.path(WIDE, layers, everywhere, WIDE.hex("1218")) == []
    assert [WIDE.number_of(h) for h in hexset.path(WIDE, layers, everywhere, WIDE.hex("1216"))] == [
        "1214", "1215", "1216"
    ]  # fmt: skip


def test_a_path_does_not_leave_a_hex_that_stops_even_if_it_would_cost_the_same():
    everywhere = {1: (WIDE.everything,) * 6}
    start, stop, target = (WIDE.hex(number) for number in ("0505", "0604", "0705"))
    layers = hexset.reach(WIDE, 1 << start, everywhere, 2, 1 << stop)
    way = hexset.path(WIDE, layers, everywhere, target, 1 << stop)
    assert [WIDE.number_of(h) for h in way] == ["0505", "0605", "0705"]


def test_a_unit_may_leave_a_stopping_hex_that_it_starts_in_but_not_the_next():
    everywhere = {1: (WIDE.everything,) * 6}
    start = 1 << WIDE.hex("1214")
    stop = hexset.spread(WIDE, start)
    layers = hexset.reach(WIDE, start, everywhere, 4, stop)
    assert layers == [start, stop & ~start, 0, 0, 0]


def test_from_the_middle_of_the_wide_map_eighteen_points_reach_546_hexes():
    everywhere = {2: (WIDE.everything,) * 6, 1: (WIDE.level,) * 6}
    layers = hexset.reach(WIDE, 1 << WIDE.hex("2013"), everywhere, 18)
    assert [hexset.count(layer) for layer in layers[:7]] == [1, 0, 6, 10, 10, 18, 24]
    assert sum(map(hexset.count, layers)) == 546


def test_a_river_is_on_both_banks():
    a, b = WIDE.hex("1214"), WIDE.hex("1315")
    river = hexset.sides_of(WIDE, [(a, b)])
    assert hexset.across(WIDE, 1 << a, river) == 1 << b
    assert hexset.across(WIDE, 1 << b, river) == 1 << a
    assert sum(map(hexset.count, river)) == 2
    with pytest.raises(NotAdjacent):
        hexset.sides_of(WIDE, [(a, WIDE.hex("1313"))])


def test_leaving_a_hex_is_never_free():
    with pytest.raises(hexset.CostNotPositive) as refusal:
        hexset.reach(WIDE, 1, {0: (WIDE.everything,) * 6}, 3)
    assert refusal.value.cost == 0
