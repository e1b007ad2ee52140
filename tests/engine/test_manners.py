"""The referee's manners: a line too many gives nothing away, a faulty one makes no later one worse."""

from __future__ import annotations

import json

import pytest

from engine.campaign import Campaign
from engine.drawer import Drawer
from engine.facts import Fought
from engine.refusals import Illegal
from tests.engine.ford import ATTACK, asked, facing, seated
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


# What is said beforehand, and how.


def test_what_was_tied_to_an_order_and_not_called_for_is_told() -> None:
    reply = facing(4).submit("red", f"{ATTACK}; lose G2\ndig T-34; face 0301")
    assert [(line.text, line.state) for line in reply.lines[1:]] == [
        ("lose G2", "unused"),
        ("dig T-34; face 0301", "done"),
    ]


def test_default_is_an_order_whatever_is_asked() -> None:
    referee = facing(1)
    reply = referee.submit("red", f"{ATTACK}\ndefault\ndig T-34\ndefault")
    assert [line.understood for line in reply.lines[1:]] == ["lose G1", "dig T-34", "face 0201"]
    assert referee.position.lost == {"G1": 1}


def test_a_stack_is_named_by_its_hex_also_one_that_is_to_be_there() -> None:
    referee = seated(4, P1="0104")
    text = "move G1 0103\nmove G2 0103\nattack 0104 with [0103]\nmarch [0302] 0303"
    reply = referee.submit("red", text)
    assert [fact.attackers for fact in reply.facts if isinstance(fact, Fought)] == [("G1", "G2")]
    assert referee.position.where["T-34"] == "0303"


@pytest.mark.parametrize(
    "line", ["dig [0302]; face 0301", "march [0302] 0303", "attack 0103 with [0102]", "dig 0302; default"]
)
def test_a_hex_stands_for_its_stack_wherever_units_are_named(line: str) -> None:
    assert facing(4).submit("red", line).lines[0].state == "done"


def test_a_hex_with_two_units_is_no_name_for_one() -> None:
    assert "could be G1 or G2" in str(seated().submit("red", "dig [0102]").refused[0].refusal)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mvoe G1 0103", "Did you mean move?"),
        ("move G1 Gniloy Tikitch", "Did you mean Gniloy Tikich (0203)?"),
        ("move Strom Group 0103", "Did you mean SG?"),
        ("dig G11", "Did you mean G1"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_the_nearest_word(line: str, said: str) -> None:
    reply = seated().submit("red", line)
    assert said in str(reply.refused[0].refusal)


def test_alternatives_come_nearest_first_a_dozen_of_them_and_then_how_many_more() -> None:
    many = [f"{column:02}{row:02}" for column in range(1, 6) for row in range(1, 6)]
    said = str(Illegal("1", "no", alternatives=many))
    assert said.count(",") == 11
    assert said.endswith("and 13 more.")
    reply = seated().submit("red", "move G1 0405")
    assert reply.refused[0].refusal is not None
    assert "Legal instead: 0103, 0202" in str(reply.refused[0].refusal)
