"""The referee's manners in every rulebook: with fog and secrets, whichever side writes."""

from __future__ import annotations

from functools import cache

import pytest

import games
from engine import log
from engine.bots import SensibleBot
from engine.bots.play import ASK_ME, play
from engine.campaign import Campaign
from engine.game import Game
from engine.orders.order import Order

# The scenario, the options that hide most, and how many turns of it are played.
PLAYED = {
    "korsun_spi": ("", {}, 1),
    "korsun_vv": ("", {"fog": True}, 1),
    "manstein": ("", {}, 1),
}


def game(name: str) -> Game:
    scenario, options, _ = PLAYED[name]
    return games.find_game(name, scenario, options)


@cache
def played(name: str) -> list[log.Line]:
    """A short campaign of bots: every line is a mail."""
    found = game(name)
    bots = {side: SensibleBot(seed=3) for side in found.sides}
    return play(found, bots, seed=3, turns=PLAYED[name][2]).campaign.lines()
