"""Ways to sit down at the toy game: with forced dice, after the bids, or played to the end."""

from __future__ import annotations

import random
from pathlib import Path

from engine.campaign import Campaign
from engine.dice import ForcedDice
from engine.drawer import CAREFUL, Drawer
from engine.position import apply
from engine.referee import Referee
from tests.engine.toy import opening, toy

GAME = toy()
NEAR = toy(options={"P1": "0103"})  # a Panzer stands before the Guards
ATTACK = "attack 0103 with G1, G2"


def begun(path: Path | None = None, seed: int = 5) -> Campaign:
    campaign = Campaign.new(path, NEAR, seed=seed, pace=CAREFUL)
    campaign.submit("red", "bid 1")
    campaign.submit("blue", "bid 0")
    return campaign


def any_answer(campaign: Campaign, rng: random.Random) -> tuple[str, str]:
    ask = rng.choice(campaign.asks)
    choice = rng.choice(ask.choices())
    while not choice.complete:
        choice = rng.choice(ask.choices(choice))
    return ask.side, choice.line()


def played(path: Path | None, seed: int) -> Campaign:
    """A whole game of random legal answers."""
    campaign, rng = Campaign.new(path, NEAR, seed=seed, pace=CAREFUL), random.Random(seed)
    while not campaign.over:
        reply = campaign.submit(*any_answer(campaign, rng))
        assert not reply.refused
    return campaign


def standing(campaign: Campaign) -> tuple[object, ...]:
    """Everything that must be the same after a resumption."""
    return (
        campaign.position.hash(),
        campaign.head,
        campaign.count,
        [ask.key for ask in campaign.asks],
        campaign.drawer.to_json(),
        dict(campaign._dice.used),
        campaign.referee.top[1],
        campaign.over,
    )


def seated(*dice: int, bids: str = "0 0", pace: str = CAREFUL, **places: str) -> Referee:
    """A referee after the bids (two dice of their own), with forced dice and units put elsewhere."""
    game = toy(options=places)
    position = game.new_position()
    for fact in opening(game):
        apply(position, fact)
    referee = Referee(game, position, ForcedDice([1, 1, *dice]), drawer=Drawer(pace=pace))
    referee.start()
    red, blue = bids.split()
    referee.submit("red", f"bid {red}")
    referee.submit("blue", f"bid {blue}")
    return referee


def facing(*dice: int) -> Referee:
    """The Guards stand before a Panzer, and red moves first."""
    return seated(*dice, P1="0103")


def asked(referee: Referee) -> list[tuple[str, str]]:
    return [(ask.side, ask.name) for ask in referee.asks]
