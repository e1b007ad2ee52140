"""The referee's manners in every rulebook: with fog and secrets, whichever side writes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest

import games
from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.log import Item
from engine.orders.order import Order
from engine.referee import Referee

# A scenario of each, with the options that hide most, and the turns of it that are played.
PLAYED = {
    "korsun_spi": ("proving", {}, 2),
    "korsun_vv": ("encirclement", {"fog": True}, 2),
    "manstein": ("race", {"bid": True}, 1),
}


def begun(name: str, seed: int = 4) -> Campaign:
    scenario, options, _ = PLAYED[name]
    return Campaign.new(None, games.find_game(name, scenario, options), seed=seed)


def beside(referee: Referee) -> Referee:
    """The same game at the same ask, with the same dice to come."""
    twin = referee.twin()
    twin._run.dice = deepcopy(referee._run.dice)
    return twin


def mails(name: str) -> Iterator[tuple[Campaign, Referee, list[Item]]]:
    """A short campaign of bots: as it stands after each mail, as it stood before it, and what happened."""
    campaign, bot = begun(name), RandomLegal(seed=4)
    while not campaign.over and campaign.position.turn <= PLAYED[name][2]:
        side = next(ask.side for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        before = beside(campaign.referee)
        items = campaign.converse(side, lambda ask: bot.answer(campaign.referee.table, ask)).items
        yield campaign, before, items


def written(campaign: Campaign, items: list[Item]) -> list[Order]:
    """The lines of a mail."""
    said = [item.body for item in items if item.kind == "answer" and item.body["source"] == "hand"]
    return [campaign.game.book.load(body["order"]) for body in said]


@pytest.mark.parametrize("name", PLAYED)
def test_two_ends_too_many_close_nothing_once_something_fell(name: str) -> None:
    tried: dict[str, int] = {}
    for campaign, before, items in mails(name):
        lines = written(campaign, items)
        answers = [item.body["side"] for item in items if item.kind == "answer"]
        fell = any(item.kind == "roll" for item in items) or len({*answers}) > 1
        if len(before.asks) > 1 or not lines or not fell or lines[-1].opens:  # what it opens by name it may close
            continue
        end = campaign.game.book.by_verb["end"]()
        before.submit(answers[0], [*lines, end, end])
        assert before.position.hash() == campaign.position.hash(), (before.position.stage, lines)
        tried[answers[0]] = tried.get(answers[0], 0) + 1
    assert tried.keys() == {*campaign.game.sides}, tried
