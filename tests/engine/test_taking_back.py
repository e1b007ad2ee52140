"""Undo and rewind: what may be taken back, by whom, and what never is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine import log
from engine.campaign import (
    Campaign,
    CannotResume,
    NoUndo,
    replay,
    verify,
    verify_lines,
)
from tests.engine.ford import ATTACK, NEAR, any_answer, begun, standing
from tests.engine.toy import toy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


def test_a_player_may_take_back_what_nobody_has_answered(path: Path) -> None:
    campaign = begun(path)
    count, before = campaign.count, campaign.position.hash()
    keys = [ask.key for ask in campaign.asks]
    campaign.submit("red", "move G1 0202")
    campaign.submit("red", "dig G2")
    campaign.undo(count - 1, by="red", at="1944-01-26T08:00:00Z")
    assert campaign.position.hash() == before
    assert [ask.key for ask in campaign.asks] == keys
    assert campaign.count == count + 3  # nothing is deleted
    assert campaign.lines()[-1]["back"] == {"line": count - 1, "point": None}
    assert standing(Campaign.open(path, toy)) == standing(campaign)
    assert verify(path, toy).ok


def test_an_undo_may_end_inside_a_procedure() -> None:
    campaign = begun()
    campaign.submit("red", "dig G2")
    line = campaign.count - 1
    campaign.submit("red", "face 0103")
    campaign.undo(line, by="red")
    assert [ask.name for ask in campaign.asks] == ["face"]
    campaign.submit("red", "face 0101\nend")
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


@pytest.mark.parametrize(
    ("mails", "by", "why"),
    [
        ([("red", ATTACK)], "red", "a die was cast|blue has answered since"),
        ([("red", "scout\nlook 0303")], "red", "it showed somebody what he had not known"),
        ([("red", "end"), ("blue", "dig P2\nface 0304")], "red", "blue has answered since"),
        ([("red", "dig G1")], "blue", "red has answered since"),
    ],
)
def test_no_player_takes_back_what_cannot_be_taken_back(mails: list[tuple[str, str]], by: str, why: str) -> None:
    campaign = begun()
    line = campaign.count - 1
    for side, text in mails:
        campaign.submit(side, text)
    head = campaign.head
    with pytest.raises(NoUndo, match=why):
        campaign.undo(line, by=by)
    assert campaign.head == head
    campaign.undo(line, by="moderator")
    assert campaign.lines()[-1]["act"] == "rewind"


def test_a_rewind_never_rolls_a_die_again() -> None:
    campaign = begun()
    line = campaign.count - 1
    campaign.submit("red", ATTACK)
    campaign.rewind(line)
    campaign.submit("red", ATTACK)
    rolls = [item.body for one in campaign.lines() for item in log.items(one) if item.kind == "roll"]
    assert [roll["k"] for roll in rolls if roll["stream"] == "dice"] == [1, 2]
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_rewind_may_go_to_an_answer_inside_a_line() -> None:
    campaign = begun()
    campaign.submit("red", "move G1 0202\nmove G2 0202\nmove T-34 0303")
    line = campaign.lines()[-1]
    second = [i for i, item in enumerate(log.items(line)) if item.kind == "answer"][1]
    campaign.rewind(line["n"], point=second)
    assert (campaign.position.where["G1"], campaign.position.where["G2"]) == ("0202", "0102")
    campaign.submit("red", "end")
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok
    campaign.rewind(line["n"])  # all that is left of it
    assert campaign.position.where["G2"] == "0102"
    assert verify_lines(campaign.lines(), campaign.secret, toy).ok


def test_a_rewind_to_a_place_between_two_facts_is_refused() -> None:
    campaign = begun()
    campaign.submit("red", "move G1 0202\ndig G2")
    before = standing(campaign)
    with pytest.raises(CannotResume, match="no ask stands"):
        campaign.rewind(campaign.count - 1, point=2)
    with pytest.raises(log.NoWayBack):
        campaign.rewind(99)
    assert standing(campaign) == before


def test_what_waited_for_a_future_that_is_gone_comes_back() -> None:
    campaign = begun()
    campaign.stand("blue", "when support: ask")
    line = campaign.count - 1
    campaign.submit("red", f"{ATTACK}\nmove T-34 0202\nend")
    assert campaign.rewind(line).taken_out == {"red": ["move T-34 0202", "end"], "blue": []}
    assert campaign.drawer.waiting == {}
    assert campaign.drawer.standing["blue"]


def test_random_play_with_rewinds_and_resumptions_still_verifies(path: Path) -> None:
    campaign, rng = Campaign.new(path, NEAR, seed=11), random.Random(11)
    for step in range(120):
        if campaign.over:
            break
        campaign.submit(*any_answer(campaign, rng))
        if step % 9 == 8 and not campaign.over:
            in_force = [line for line, _ in log.effective(campaign.lines())]
            line = rng.choice(in_force[-6:])
            points = [i for i, item in enumerate(log.items(line)) if item.kind == "answer" and line["n"]]
            hidden = [i for i in points if log.items(line)[i].audience != log.ALL]
            point = rng.choice([None, *(i for i in points if i not in hidden)])
            before = campaign.head
            try:
                campaign.rewind(line["n"], point=point)
            except log.NoWayBack:  # beyond what an earlier rewind left of the line
                assert campaign.head == before
            campaign = Campaign.open(path, toy)
    verdict = verify(path, toy)
    assert verdict.faults == []
    assert replay(path, NEAR).hash() == campaign.position.hash()
