"""The language of standing orders: conditions, second thoughts, verbs alone, and whom an order is for."""

from __future__ import annotations

import pytest

from engine.campaign import Campaign, verify_lines
from engine.refusals import Unclear
from engine.standing import read_standing
from games import find_game


@pytest.fixture
def proving() -> Campaign:
    """RD277 will attack 4/13, 66/13 and 93/13 at 0604, or 44 at 0606 be attacked."""
    return Campaign.new(None, find_game("korsun_spi", "proving"), seed=2)


def test_an_order_knows_its_choices() -> None:
    order = read_standing("when attacked at 2708: retreat if losses are 2 or more, else hold")
    assert list(order.choices()) == [("retreat", "losses are 2 or more"), ("hold", "")]


def test_a_question_may_be_called_by_its_other_name(proving: Campaign) -> None:
    assert proving.stand("soviet", "when attacked: retreat").line() == "when loss: retreat"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("when bored: retreat", "no question of this game"),
        ("when loss at Nowhere: retreat", "no unit, hex, place or formation"),
        ("when loss: retreat if hunger is 3", "was not understood"),
        ("when loss: fly home", "not an order of this game"),
        ("when loss: no air", "'no air' does not answer 'loss'"),
        ("when air: hold if AB3 is whole, else no air", "'hold' does not answer 'air'"),
    ],
)
def test_what_a_game_cannot_ask_or_read_is_not_taken(proving: Campaign, line: str, problem: str) -> None:
    with pytest.raises(Unclear, match=problem):
        proving.stand("soviet", line)


@pytest.mark.parametrize(
    ("standing", "stays"),
    [
        ("when loss: hold", True),
        ("when loss: retreat", False),
        ("when loss: retreat if losses are 3 or more, else hold", True),
        ("when loss: retreat if losses are at least 1, else hold", False),
        ("when loss: hold if RD277 is whole, else retreat", True),
        ("when loss for RD277: retreat", False),
        ("when loss at 0704: hold", True),
    ],
)
def test_a_result_on_the_attacker_is_answered_as_he_said_beforehand(standing: str, stays: bool) -> None:
    for seed in range(1, 40):
        campaign = Campaign.new(None, find_game("korsun_spi", "proving"), seed=seed)
        campaign.stand("soviet", standing)
        campaign.submit("soviet", "end\nattack 0604 with RD277")
        facts = [body for _, kind, body in campaign.lines()[1]["parts"]["all"] if kind == "fact"]
        if any(body.get("result") in ("1/-", "2/-") for body in facts):
            assert any(body.get("how") == "retreat" for body in facts) is not stays
            return
    pytest.fail("no such result in forty games")


def test_whoever_has_left_an_answer_may_write_on_past_the_question(proving: Campaign) -> None:
    proving.stand("soviet", "when loss: retreat")
    reply = proving.submit("soviet", "end\nattack 0604 with RD277\nend\nend mechanized")
    assert [line.state for line in reply.lines] == ["done"] * 4
    assert [ask.side for ask in proving.asks] == ["german"]


def test_a_refused_answer_leaves_the_count_of_answers_as_it_was() -> None:
    campaign = Campaign.new(None, find_game("korsun_spi", "proving"), seed=1)
    campaign.submit("soviet", "end\nattack 0604 with RD277")
    assert not campaign.asks[0].top
    campaign.submit("soviet", "end")
    campaign.submit("soviet", "retreat")
    assert verify_lines(campaign.lines(), campaign.secret, find_game).ok
