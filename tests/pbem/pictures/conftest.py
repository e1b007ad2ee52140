"""Positions to paint: a fight at a ford, where some things are hidden, and an empty pointed field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine import facts as f
from engine.board import Board, load_board
from engine.game import Game
from engine.position import apply
from engine.table import Table
from tests.engine.toy import toy

FOUGHT: tuple[f.Fact, ...] = (
    f.StageBegan(stage="red.move", turn=1, side="red"),
    f.Moved(unit="G1", path=("0102", "0103", "0104")),
    f.Fought(
        kind="attack", attackers=("G1",), defenders=("P1",), targets=("0105",), column="3-1",
        decided=(("die", "4"),), result="-/1",
    ),
    f.StepLost(unit="P1"),
    f.Moved(unit="P1", path=("0105", "0106"), how="retreat"),
    f.Moved(unit="G1", path=("0104", "0105"), how="advance"),
    f.Eliminated(unit="SG", at="0305"),
)  # fmt: skip


def after(game: Game, facts: Sequence[f.Fact]) -> Table:
    """The table when all that has happened since the opening."""
    position = game.new_position()
    for fact in (*game.opening(game), *facts):
        apply(position, fact)
    return Table(game, position)


@pytest.fixture(scope="session")
def ford() -> Game:
    return toy()


@pytest.fixture
def fought(ford: Game) -> Table:
    return after(ford, FOUGHT)


@pytest.fixture(scope="session")
def pointed() -> Board:
    return load_board(Path(__file__).parent, "pointed")
