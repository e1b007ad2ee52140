"""The Axis windows around every draw: asked only of who wants to be asked, whatever he holds."""

from __future__ import annotations

import pytest

from engine.campaign import Campaign
from engine.facts import Told
from tests.games.manstein.second_turn import answer_one, second_turn
from tests.patience import patience

case = pytest.mark.case


def names(campaign: Campaign) -> list[str]:
    return [ask.name for ask in campaign.asks]


@case("manstein", "7.4(1)")
def test_without_a_standing_order_nobody_waits_for_the_axis() -> None:
    campaign = second_turn("select 1PzA, 4PzA, 8A, Manstein hold Manstein")
    asked = []
    waiting = patience("the third turn")
    while campaign.position.turn == 2:
        next(waiting)
        asked += names(campaign)
        answer_one(campaign)
    assert not {"drawn", "holding", "cup empty"} & set(asked)


@case("manstein", "6.4(2)")
@pytest.mark.parametrize("held", ["6A", "Manstein"])
def test_whoever_wants_to_be_asked_is_asked_whatever_he_holds(held: str) -> None:
    campaign = second_turn(f"select 1PzA, 6A, 8A, Manstein hold {held}", "when drawn: ask")
    assert names(campaign) == ["drawn"]
    assert campaign.asks[0].side == "axis"


@case("manstein", "7.4(1)")
@case("manstein", "7.4(3)")
def test_an_interrupt_sends_the_drawn_chit_back_and_may_not_negotiate() -> None:
    campaign = second_turn("select 1PzA, 6A, 8A, Manstein hold Manstein", "when drawn: ask")
    cup = campaign.position.tracks["cup"]
    reply = campaign.submit("axis", "interrupt")
    assert any(isinstance(fact, Told) and "back into the cup" in fact.text for fact in reply.facts)
    assert campaign.position.tracks["cup"] == cup + 1
    assert names(campaign) == ["command"]
    (refused,) = campaign.submit("axis", "negotiate").refused
    assert refused.refusal is not None
    assert "an interrupt does not negotiate (7.4(3))" in refused.refusal.sentence()


@case("manstein", "6.1(1-2)")
def test_a_held_chit_may_be_entered_between_a_draw_and_what_it_does() -> None:
    campaign = second_turn("select 1PzA, 6A, 8A, Manstein hold 6A", "when drawn: ask")
    cup = campaign.position.tracks["cup"]
    campaign.submit("axis", "enter 6A")
    assert campaign.position.tracks["hand"] == 0
    assert campaign.position.tracks["cup"] == cup + 1
    assert "6A" in campaign.position.pools["axis cup"]
    assert names(campaign) == ["mode"]  # the chit that was drawn before is carried out


@case("manstein", "6.4(2)")
def test_only_a_held_manstein_interrupts() -> None:
    campaign = second_turn("select 1PzA, 6A, 8A, Manstein hold 6A", "when drawn: ask")
    refused = campaign.submit("axis", "interrupt").refused
    assert [getattr(line.refusal, "case", "") for line in refused] == ["6.4(2)"]
