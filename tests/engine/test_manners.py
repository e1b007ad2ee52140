"""The referee's manners: a line too many gives nothing away, a faulty one makes no later one worse."""

from __future__ import annotations

import json

import pytest

from engine.campaign import Campaign
from engine.drawer import Drawer
from tests.engine.ford import ATTACK, asked, facing
from tests.engine.skirmish import skirmish
from tests.engine.toy import BOOK

# A line too many.


def test_without_a_die_or_an_answer_every_end_closes_its_stage() -> None:
    campaign = Campaign.new(None, skirmish(), seed=1)
    campaign.submit("red", "end\nend")
    assert campaign.position.stage == "blue.move"


@pytest.mark.parametrize(
    ("last", "stage"),
    [("end", "red.move"), ("end combat", "red.move"), ("end move", "red.combat"), ("default", "red.move")],
)
def test_an_end_in_the_drawer_closes_only_what_it_names(last: str, stage: str) -> None:
    campaign = Campaign.new(None, skirmish(options={"weather": True}), seed=1)
    campaign.submit("red", f"end\nend\n{last}")
    reply = campaign.submit("blue", "end\nend")
    assert campaign.position.stage == stage
    assert [line.state for line in reply.drawn["red"]] == ["done" if stage == "red.combat" else "refused"]
    assert campaign.drawer.waiting.get("red", []) == []


def test_an_end_laid_ahead_closes_the_stage_of_the_line_before_it_and_no_other() -> None:
    campaign = Campaign.new(None, skirmish(), seed=1)
    campaign.submit("red", "end\nend")
    campaign.lay_ahead("red", "move R1 0203\nend\nend")
    reply = campaign.submit("blue", "end\nend")
    assert campaign.position.stage == "red.combat"
    assert [line.state for line in reply.drawn["red"]] == ["done", "done", "refused"]


def test_that_the_last_line_was_carried_out_here_outlives_a_stop() -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}\nstay\nend")
    referee.drawer = Drawer.from_json(json.loads(json.dumps(referee.drawer.to_json())), BOOK)
    referee.submit("blue", "retreat P1 0104")
    assert asked(referee) == [("blue", "move")]


def test_an_end_that_names_another_stage_comes_back() -> None:
    reply = Campaign.new(None, skirmish(), seed=1).submit("red", "end combat")
    assert [str(line.refusal) for line in reply.refused] == [
        "What is open now is red move (case 1.0). Write `end move` to close it."
    ]


# A faulty line.


def test_a_clause_that_is_not_allowed_is_skipped_where_the_game_skips_and_nothing_is_closed() -> None:
    referee = facing(6)
    referee.submit("red", f"{ATTACK}; advance T-34\nstay\nmove T-34 0202\nend", skip=True)
    reply = referee.submit("blue", "retreat P1 0104", skip=True)
    assert [line.state for line in reply.drawn["red"]] == ["refused", "done", "done", "refused"]
    assert asked(referee) == [("red", "move")]
