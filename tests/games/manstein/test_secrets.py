"""What one side must not know is nowhere in what it is given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.log import items
from engine.view import view
from games.manstein.game import RULEBOOK

SECRET = {"soviet": {"axis cup", "hand", "air in hand"}, "axis": {"soviet cup"}}


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Two turns between bots that answer everything."""
    game = RULEBOOK.game("race")
    return play(
        game, {"soviet": RandomLegal(3, restless=3), "axis": RandomLegal(4, restless=3)}, seed=5, turns=2
    ).campaign


@pytest.mark.case("manstein", "6.1(4)")
@pytest.mark.parametrize("side", ["soviet", "axis"])
def test_a_sides_view_holds_none_of_the_others_pools(played: Campaign, side: str) -> None:
    assert not SECRET[side] & set(view(played.position, side).pools)


@pytest.mark.case("manstein", "15.1(4)")
@pytest.mark.parametrize("side", ["soviet", "axis"])
def test_a_sides_log_holds_none_of_the_others_pools_selections_and_draws(played: Campaign, side: str) -> None:
    seen = [item for line in played.export(side) for item in items(line)]
    assert not [item for item in seen if item.body.get("pool") in SECRET[side] and item.body["fact"] == "Pooled"]
    assert not [item for item in seen if item.kind == "roll" and item.body["stream"] == "cup"]
    assert not [item for item in seen if _selects(item.body, side)]


def _selects(body: dict[str, Any], side: str) -> bool:
    order = body.get("order", {})
    return order.get("verb") in ("select", "enter", "pass") and body.get("side") != side


@pytest.mark.case("manstein", "6.1(1-2)")
def test_the_soviets_know_how_many_chits_are_held_and_in_the_cup(played: Campaign) -> None:
    seen = view(played.position, "soviet")
    assert seen.tracks["hand"] == played.position.tracks["hand"]
    assert seen.tracks["cup"] == played.position.tracks["cup"]
    assert "Manstein" not in json.dumps(seen.pools.get("hand", ()))
