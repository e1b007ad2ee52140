"""The terrain chart, walked step by step over whole maps, and the hexes nobody enters."""

from collections.abc import Iterator

import pytest

import games
from engine import hexset
from engine.game import Game
from engine.hexes import Hex
from tests.games.korsun_spi.chart import RIVERS, printed

RULEBOOK = games.rulebook("korsun_spi")


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_spi", *numbers)


def steps(game: Game) -> Iterator[tuple[Hex, Hex]]:
    for here in hexset.members(game.board.land):
        for there in game.board.grid.neighbours(here):
            if game.board.land >> there & 1:
                yield here, there


@case("10.4", "10.11", "10.13", "10.23", "10.31", "19.22-a", "19.23", "19.24")
@pytest.mark.parametrize("scenario", RIVERS)
@pytest.mark.parametrize("side", ["soviet", "german"])
@pytest.mark.parametrize("gait", ["mech", "inf", "hq"])
def test_every_step_on_the_map_costs_what_the_chart_prints(scenario: str, side: str, gait: str):
    game = RULEBOOK.game(scenario)
    for here, there in steps(game):
        found = game.data.step_cost(side, gait, here, there)
        expected = printed(scenario, side, gait, game, here, there)
        names = game.board.grid.number_of(here), game.board.grid.number_of(there)
        assert (None if found is None else found / 2) == expected, names


@case("10.4")
@pytest.mark.parametrize(
    ("terrain", "defence"),
    [("clear", 1), ("woods", 2), ("city", 2), ("swamp", 1), ("rough", 2), ("minor", 2), ("major", 3)],
)
def test_terrain_multiplies_the_defence_as_the_chart_prints(terrain: str, defence: int):
    charts = RULEBOOK.game("korsun").data.tables["terrain"]
    assert {**charts["hex"], **charts["hexside"]}[terrain]["defence"] == defence


@case("19.25")
def test_the_wide_dnieper_is_an_unbroken_chain_of_hexes_that_nothing_enters():
    game = RULEBOOK.game("korsun")
    grid, river = game.board.grid, game.board.terrain["river"]
    assert hexset.flood(grid, 1 << grid.hex("2907"), river) == river
    assert river >> grid.hex("3911") & 1
    for side in ("soviet", "german"):
        for gait in ("mech", "inf", "hq"):
            for masks in game.data.exits(side, gait).values():
                assert not hexset.across(grid, game.board.land, masks) & river
    assert not game.data.passable & river


@case("19.25", "8.12")
def test_below_cherkassy_no_two_hexes_of_the_opposite_banks_touch():
    game = RULEBOOK.game("korsun")
    grid, river = game.board.grid, game.board.terrain["river"]
    column = {h: int(grid.number_of(h)[:2]) for h in hexset.members(game.board.land)}
    east = hexset.of(h for h in column if column[h] >= 29)
    north = hexset.flood(grid, 1 << grid.hex("3001"), east & ~river)
    assert not north >> grid.hex("3012") & 1
    assert not north & hexset.spread(grid, hexset.flood(grid, 1 << grid.hex("3012"), east & ~river))


@case("10.15", "19.22-b")
def test_soviet_supply_crosses_the_dnieper_at_the_bridge_and_nowhere_else():
    board = RULEBOOK.game("korsun").board
    bridges = {
        tuple(sorted((board.grid.number_of(a), board.grid.number_of(b))))
        for a, b in steps(RULEBOOK.game("korsun"))
        if "major" in board.feature(a, b) and "road" in board.way(a, b)
    }
    assert bridges == {("2806", "2807")}
