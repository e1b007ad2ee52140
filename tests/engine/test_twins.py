"""Two games on one secret: the same orders make the same log, and the end of one reveals nothing of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.campaign import Campaign, GameClosed, verify
from engine.dice import secret_from_seed
from engine.game import Game
from tests.engine.outpost import outpost

WORDS = {"garrison 1": "three herons", "garrison 2": "two storks"}


def found(rulebook: str, scenario: str, options: dict[str, str]) -> Game:
    return outpost(rulebook, scenario, options)


def twin(path: Path | None = None) -> Campaign:
    return Campaign.new(path, outpost("outpost", "river"), secret=secret_from_seed(5), nonces=WORDS)


def test_the_same_orders_make_the_same_log() -> None:
    one, two = twin(), twin()
    for campaign in (one, two):
        campaign.submit("garrison", "move c/2 to 0303\nend")
        campaign.submit("garrison", "end")
    assert one.lines() == two.lines()


def test_the_end_of_a_twin_does_not_reveal_the_secret(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    twin(path).conclude("garrison resigned", "raiders", by="garrison")
    campaign = Campaign.open(path, found)
    assert campaign.over
    assert campaign.twinned
    assert not campaign.revealed
    assert campaign.secret.hex() not in path.read_text()
    campaign.reveal()
    assert campaign.revealed
    assert verify(path, found).ok


def test_a_twin_that_is_over_stays_over_though_its_secret_is_kept() -> None:
    campaign = twin()
    campaign.submit("garrison", "end")
    campaign.conclude("garrison resigned", "raiders", by="garrison")
    for act in (lambda: campaign.rewind(0), lambda: campaign.conclude("again", "", by="moderator")):
        with pytest.raises(GameClosed):
            act()


def test_the_words_of_somebody_without_a_chair_are_what_makes_a_twin() -> None:
    own = Campaign.new(None, outpost(), nonces={"garrison": "three herons"})
    own.conclude("garrison resigned", "raiders", by="garrison")
    assert not own.twinned
    assert own.revealed
