"""The demonstration: a pen that foresees nothing, and a story that anybody can open."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from engine.bots import Sensible
from engine.campaign import Campaign, verify_lines
from engine.log import items
from pbem.workshop.demonstrating.demonstration import Demonstration
from pbem.workshop.demonstrating.pen import asked_of, write_orders


@pytest.fixture
def campaign() -> Campaign:
    return Campaign.new(None, games.find_game("korsun_spi", "proving"), seed=5)


def test_a_mail_written_beforehand_is_read_without_a_refusal(campaign: Campaign) -> None:
    lines = write_orders(campaign, "soviet", Sensible(1))
    assert lines
    assert campaign.rehearse("soviet", "\n".join(lines)).refused == []


def test_whoever_is_not_asked_writes_nothing(campaign: Campaign) -> None:
    assert asked_of(campaign.referee, "german") is None
    assert write_orders(campaign, "german", Sensible(1)) == []


def test_the_pen_does_not_see_the_dice_that_will_be_cast(campaign: Campaign) -> None:
    """Two games that differ in their secret alone are planned alike."""
    other = Campaign.new(None, campaign.game, seed=6)
    assert write_orders(campaign, "soviet", Sensible(1)) == write_orders(other, "soviet", Sensible(1))
    assert campaign.count == 1


def test_who_seals_an_answer_writes_on_for_the_stages_that_follow() -> None:
    """Both lay their supply unseen: the rest of the mail waits until the other has written too."""
    campaign = Campaign.new(None, games.find_game("jaws", "konev"), seed=5)
    lines = write_orders(campaign, "soviet", Sensible(1))
    verbs = [line.split()[0] for line in lines]
    assert verbs[0] in ("sdm", "keep")
    assert "move" in verbs
    assert "declare" in verbs[verbs.index("move") :]
    assert campaign.submit("soviet", "\n".join(lines)).refused == []
    assert [ask.side for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None] == ["german"]


def test_a_campaign_by_mail_leaves_a_story(tmp_path: Path) -> None:
    said: list[str] = []
    played = Demonstration("korsun_spi", tmp_path, scenario="proving", turns=1).play(lambda what, *_: said.append(what))
    assert played.faults == ()
    assert any("turn 1" in what for what in said)
    page = played.index.read_text(encoding="utf-8")
    assert page.count("<article") == played.mails == len(list((tmp_path / "mails").glob("*.eml")))
    for name in ("replay.html", "log.jsonl", "house/daemon.log"):
        assert f'href="{name}"' in page
        assert (tmp_path / name).stat().st_size
    lines = Campaign.open(tmp_path / "house" / "games" / "demo" / "log.jsonl", games.find_game).lines()
    assert verify_lines(lines, None, games.find_game).faults == []


def test_with_standing_orders_a_turn_takes_four_mails_beyond_one_for_each_activation(tmp_path: Path) -> None:
    played = Demonstration("manstein", tmp_path, scenario="race", turns=1, pictures=False).play(lambda *_: None)
    assert played.faults == ()
    lines = Campaign.open(tmp_path / "house" / "games" / "demo" / "log.jsonl", games.find_game).lines()
    answers = [item.body for line in lines for item in items(line) if item.kind == "answer"]
    for (who, wrote), side in zip(played.written.items(), ("soviet", "axis"), strict=True):
        activations = sum(answer["side"] == side and answer["order"]["verb"] == "mode" for answer in answers)
        joined_and_drew = 2
        assert wrote - joined_and_drew <= activations + 4, who


def test_who_plays_alone_writes_nine_mails_a_turn_at_most(tmp_path: Path) -> None:
    course = Demonstration("kharkov", tmp_path, scenario="initial_assault", pictures=False)
    assert course.about.startswith("A bot plays alone: 2 turns of")
    played = course.play(lambda *_: None)
    assert played.faults == ()
    ((who, turns),) = played.by_turn.items()
    assert who == "Anna (german)"
    assert set(turns) <= {1, 2}
    assert all(0 < number <= 9 for number in turns.values()), turns
    assert sum(turns.values()) + 1 == played.written[who]  # and the one that joined
