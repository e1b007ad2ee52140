"""What one side must not know is nowhere in what it is given."""

from __future__ import annotations

import pytest

from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.log import Item, items
from engine.view import view
from games.manstein.game import RULEBOOK
from tests.games.manstein.second_turn import second_turn

SECRET = {"soviet": {"axis cup", "hand", "air in hand"}, "axis": {"soviet cup"}}


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Two turns between bots that answer everything."""
    game = RULEBOOK.game("race")
    return play(
        game, {"soviet": RandomLegal(3, restless=3), "axis": RandomLegal(4, restless=3)}, seed=5, turns=2
    ).campaign


@pytest.fixture(scope="module")
def drawing() -> Campaign:
    """A chit of turn 2 is drawn, and the Axis hold one."""
    return second_turn("select 1PzA, 6A, 8A, Manstein hold Manstein", "when drawn: ask")


@pytest.mark.case("manstein", "6.1(4)")
@pytest.mark.parametrize("side", ["soviet", "axis"])
def test_a_sides_view_holds_none_of_the_others_pools(drawing: Campaign, side: str) -> None:
    assert set(drawing.position.pools) > SECRET[side]
    assert not SECRET[side] & set(view(drawing.position, side).pools)


@pytest.mark.case("manstein", "15.1(4)")
@pytest.mark.parametrize("side", ["soviet", "axis"])
def test_a_sides_log_holds_none_of_the_others_pools_selections_and_draws(played: Campaign, side: str) -> None:
    told, seen = ([item for line in lines for item in items(line)] for lines in (played.lines(), played.export(side)))
    for hidden in (_pools, _draws, _selects):
        assert any(hidden(item, side) for item in told)
        assert not any(hidden(item, side) for item in seen)


def _pools(item: Item, side: str) -> bool:
    return item.body.get("fact") == "Pooled" and item.body["pool"] in SECRET[side]


def _draws(item: Item, side: str) -> bool:
    return item.kind == "roll" and item.body["stream"] == "cup"


def _selects(item: Item, side: str) -> bool:
    verb = item.body.get("order", {}).get("verb")
    return verb in ("select", "enter", "pass") and item.body.get("side") != side


@pytest.mark.case("manstein", "6.1(1-2)")
def test_the_soviets_know_how_many_chits_are_held_and_in_the_cup(drawing: Campaign) -> None:
    seen = view(drawing.position, "soviet")
    assert (seen.tracks["hand"], seen.tracks["cup"]) == (1, 9)


@pytest.mark.case("manstein", "6.1(4)", "7.4(1)")
@pytest.mark.parametrize(("seed", "drawn"), [(1, "Vrnz"), (5, "Supply"), (6, "8A")])
def test_a_chit_that_an_interrupt_sends_back_opens_nobodys_cup(seed: int, drawn: str) -> None:
    campaign = second_turn("select 1PzA, 6A, 8A, Manstein hold Manstein", "when drawn: ask", seed=seed)
    assert campaign.position.mark("game", "drawn") == drawn
    campaign.submit("axis", "interrupt")
    for side, secret in SECRET.items():
        seen = set(view(campaign.position, side).pools)
        assert not secret & seen
        assert "common cup" in seen
