"""Ending a game by hand, and correcting a position: facts that no rule brought about."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import facts as f
from engine.campaign import Campaign, GameClosed, verify, verify_lines
from engine.refusals import NotNow
from games import find_game


@pytest.fixture
def proving(tmp_path: Path) -> Campaign:
    return Campaign.new(tmp_path / "log.jsonl", find_game("korsun_spi", "proving"), seed=3)


def test_a_game_given_up_ends_there_and_its_log_verifies(proving: Campaign, tmp_path: Path) -> None:
    proving.submit("soviet", "end")
    proving.conclude("german resigned", "soviet", by="german")
    assert proving.over
    verdict = verify(tmp_path / "log.jsonl", find_game)
    assert verdict.ok, verdict.faults
    again = Campaign.open(tmp_path / "log.jsonl", find_game)
    assert again.over
    assert (again.position.ended, again.position.winner) == ("german resigned", "soviet")
    with pytest.raises(GameClosed):
        again.conclude("draw", "", by="soviet")


def test_a_corrected_position_is_the_one_play_goes_on_from(proving: Campaign, tmp_path: Path) -> None:
    unit = next(iter(proving.position.on_map("soviet")))
    proving.correct([f.StepLost(unit=unit, because="a slip of the pen")])
    assert proving.position.lost[unit] == 1
    for aside in ("checkpoint",):
        (tmp_path / f"log.jsonl.{aside}").unlink(missing_ok=True)
    again = Campaign.open(tmp_path / "log.jsonl", find_game)
    assert again.position.lost[unit] == 1
    again.submit("soviet", "end")
    assert verify_lines(again.lines(), again.secret, find_game).faults == []


def test_nothing_is_corrected_once_the_game_is_over(proving: Campaign, tmp_path: Path) -> None:
    proving.referee.correct([f.GameEnded(result="draw")])
    with pytest.raises(NotNow):
        proving.referee.correct([f.StepLost(unit="x")])
