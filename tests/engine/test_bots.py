"""Bots play whole campaigns, and what they play is a log like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.asks import Ask
from engine.bots import Endless, Idle, RandomLegal, Sensible, Stuck, play
from engine.campaign import verify_lines
from engine.orders.order import Order
from engine.table import Table
from tests.engine.skirmish import Move, skirmish


def campaign_of(kind: type, seed: int):
    bots = {"red": kind(seed), "blue": kind(seed + 1)}
    return play(skirmish(), bots, seed=seed)


@pytest.mark.parametrize("kind", [RandomLegal, Sensible, Idle])
@pytest.mark.parametrize("seed", range(5))
def test_bots_play_a_campaign_to_its_end_and_the_log_verifies(kind: type, seed: int):
    result = campaign_of(kind, seed)
    assert result.ended == "draw"
    verdict = verify_lines(result.campaign.lines(), None, skirmish)
    assert verdict.faults == []


@pytest.mark.parametrize("kind", [RandomLegal, Sensible])
def test_the_same_seed_plays_the_same_campaign(kind: type):
    assert campaign_of(kind, 3).campaign.head == campaign_of(kind, 3).campaign.head
    assert campaign_of(kind, 3).campaign.head != campaign_of(kind, 4).campaign.head


def test_a_sensible_player_fights_where_a_random_one_might_not():
    result = campaign_of(Sensible, 1)
    rolls = [item for line in result.campaign.lines() for part in line["parts"].values() for item in part]
    assert any(kind == "roll" for _, kind, _ in rolls)


def test_a_sensible_player_does_what_the_rulebook_advises_if_it_is_legal():
    game = skirmish()
    asked: list[str] = []

    def advise(table: Table, ask: Ask) -> Order | None:
        asked.append(ask.key)
        return ask.default() if len(asked) % 2 else Move(unit="R1", to="0606")  # the other is refused, or not asked for

    result = play(replace(game, advise=advise), {"red": Sensible(1), "blue": Sensible(2)}, seed=1)
    assert result.ended == "draw"
    assert len(asked) == result.answers


def test_a_phase_is_one_line_of_the_log():
    result = campaign_of(RandomLegal, 2)
    movement = [line for line in result.campaign.lines() if line.get("by") == "red"]
    assert result.answers > len(movement)


def test_a_campaign_that_does_not_end_is_given_up():
    with pytest.raises(Endless):
        play(skirmish(), {"red": RandomLegal(1), "blue": RandomLegal(2)}, seed=1, limit=3)


class _Stubborn:
    def answer(self, table: object, ask: object) -> Order:
        return Move(unit="R1", to="0606")


def test_a_bot_whose_line_comes_back_is_stuck_and_says_why():
    with pytest.raises(Stuck) as caught:
        play(skirmish(), {"red": _Stubborn(), "blue": RandomLegal(2)}, seed=1)
    assert "1.3" in str(caught.value)


def test_a_campaign_can_be_played_to_the_end_of_a_turn():
    bots = {"red": RandomLegal(1), "blue": RandomLegal(2)}
    result = play(skirmish(), bots, seed=1, turns=1)
    assert result.campaign.position.turn == 2


def test_an_idle_player_gives_what_is_given_for_whoever_says_nothing():
    asked: list[tuple[Ask, Order]] = []

    class Heard(Idle):
        def answer(self, table: Table, ask: Ask) -> Order:
            asked.append((ask, super().answer(table, ask)))
            return asked[-1][1]

    campaign_of(Heard, 1)
    assert asked
    assert all(order == ask.default() for ask, order in asked)
