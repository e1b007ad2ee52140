"""The pocket under fog of war (11, 13.2): its units know that they are in it, whoever stands around them."""

from __future__ import annotations

import pytest

from engine.asks import Ask
from engine.bots import Sensible, play
from engine.table import Table
from games.korsun_vv.game import RULEBOOK


class Placed(Exception):
    """HQ Stemmermann was to be placed, and every place offered was legal."""


@pytest.mark.case("korsun_vv", "13.2-a")
def test_every_unit_of_an_unseen_ring_is_a_place_for_hq_stemmermann() -> None:
    game = RULEBOOK.game("battle", {"fog": True})

    def watch(table: Table, ask: Ask) -> Ask:
        if ask.name == "pocket":
            for option in ask.options(""):
                ask.check(game.book.read(option.line, table.reading(ask.side)))
            raise Placed
        return ask

    with pytest.raises(Placed):
        play(game, {side: Sensible(5 + n) for n, side in enumerate(game.sides)}, seed=5, watch=watch)
