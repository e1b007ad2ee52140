"""Whole games: bots finish them, and the position is whole wherever the player is asked."""

import pytest

from engine.asks import Ask
from engine.bots import RandomLegal, Sensible, play
from engine.bots.play import Bot
from engine.campaign import verify_lines
from engine.table import Table
from games.kharkov.data import GERMAN
from games.kharkov.game import RULEBOOK


@pytest.mark.case("kharkov", "2.3")
@pytest.mark.parametrize(("bot", "seed"), [(RandomLegal(50), 5), (Sensible(60), 6)])
def test_at_every_ask_each_card_and_chit_lies_somewhere(bot: Bot, seed: int) -> None:
    game, found = RULEBOOK.game("initial_assault"), []

    def watch(table: Table, ask: Ask) -> Ask:
        found.extend(f"{ask.key}: {fault}" for fault in game.faults(table))
        return ask

    campaign = play(game, {GERMAN: bot}, seed=seed, watch=watch).campaign
    assert found == []
    assert campaign.position.ended
    assert verify_lines(campaign.lines(), None, lambda *named: game).ok
