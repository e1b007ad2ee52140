"""Worlds are costly to bring to where something is hidden: they are led there once, and copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.patience import patience
from tests.pbem.leaks.worlds import World, play_on, second_turn, twin

SOVIET = "select Vrnz, Vrnz, Step, SW, Sth, Reinf"
HANDS = (  # each holds one chit and has three in the cup
    "select 1PzA, 6A, 8A, Manstein hold 6A",
    "select 1PzA, 6A, 8A, Manstein hold Manstein",
    "select 4PzA, 6A, Manstein, Manstein hold 4PzA",
)


@pytest.fixture(scope="session")
def selecting(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Both sides are to select their chits."""
    return second_turn(tmp_path_factory.mktemp("selecting") / "house")


@pytest.fixture(scope="session")
def drawn(selecting: World, tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    """A world for each hand of the Axis, who are asked about the first draw: nothing else differs."""
    worlds = [twin(selecting, tmp_path_factory.mktemp("drawn") / "house") for _ in HANDS]
    for world, hand in zip(worlds, HANDS, strict=True):
        world.mail("soviet", SOVIET)
        world.mail("axis", hand)
    return worlds


@pytest.fixture(scope="session")
def later(drawn: list[World], tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    """Two of them somewhat later: the Soviets have orders to give."""
    worlds = [twin(world, tmp_path_factory.mktemp("later") / "house") for world in drawn[:2]]
    for world in worlds:
        play_on(world, "soviet", 4)
        waiting = patience("a question to the Soviets", 50)
        while world.asked().side != "soviet":
            next(waiting)
            play_on(world, "soviet", 1)
    return worlds


@pytest.fixture
def at_a_draw(drawn: list[World], tmp_path: Path) -> list[World]:
    return [twin(world, tmp_path / f"draw {number}") for number, world in enumerate(drawn)]


@pytest.fixture
def at_soviet_orders(later: list[World], tmp_path: Path) -> list[World]:
    return [twin(world, tmp_path / f"orders {number}") for number, world in enumerate(later)]
