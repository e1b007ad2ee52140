"""Campaigns to report on: a real one played by bots, and a toy one with secrets in it."""

from __future__ import annotations

import pytest

import games
from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from tests.pbem.report.fords import ford


@pytest.fixture(scope="session")
def campaign() -> Campaign:
    """A turn of every rulebook's first scenario would be too many: the first that two people play does."""
    game = next(game for game in map(games.find_game, games.titles()) if len(game.setting.chairs) > 1)
    bots = {side: RandomLegal(number) for number, side in enumerate(game.sides)}
    return play(game, bots, seed=7, turns=1).campaign


@pytest.fixture
def fords() -> Campaign:
    return ford("bid 1", "0303")
