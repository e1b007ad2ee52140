"""Dry runs in the fog: whoever tries a move out learns nothing of what he would meet."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.facts import Halted, LostSight, Marked, Sighted
from engine.referee import Referee
from engine.view import view
from tests.games.korsun_vv.test_fog import SIDES, case, game, referee
from tests.patience import patience

BESIDE = "move 585/320 to 3216"  # a zone of control that opens whatever stands in 3215


def tried(found: Referee, text: str, side: str = "german") -> list[Any]:
    """Everything that a dry run tells: each line, why it ended, and the enemy where it leads to."""
    reply = found.rehearse(side, text)
    assert reply.leads_to is not None
    enemy = sorted(reply.leads_to.position.on_map(SIDES[side == SIDES[0]]))
    return [[(line.text, line.state, str(line.refusal)) for line in reply.lines], reply.stopped, enemy]


@case("11.1")
@pytest.mark.parametrize("orders", [BESIDE, f"{BESIDE}\nattack 3215 with 585/320", "move 585/320 to 3216 via 3217"])
def test_a_dry_run_does_not_open_the_stack_beside_which_it_ends(orders: str) -> None:
    alone = referee("german.activation", at3215="375RD", at3218="585/320")
    stacked = referee("german.activation", at3215="375RD 252RD", at3218="585/320")
    assert tried(alone, orders) == tried(stacked, orders)
    assert tried(stacked, orders)[0][0][1] == "done"
    assert stacked.submit("german", BESIDE).facts != alone.submit("german", BESIDE).facts


@case("11.1", "4.2-a")
def test_a_dry_run_is_not_stopped_by_a_zone_that_nobody_sees() -> None:
    orders = "move 585/320 to 3416 via 3316\nmove 585/320 to 3417"
    bare, held = (referee("german.activation", at3315=f"4GA{under}", at3317="585/320") for under in ("", " 375RD"))
    for found in (bare, held):
        hide_under(found, "4GA", "3315")
    assert tried(bare, orders) == tried(held, orders)
    assert [isinstance(fact, Halted) for fact in bare.submit("german", orders).facts].count(True) == 0
    assert [isinstance(fact, Halted) for fact in held.submit("german", orders).facts].count(True) == 1


def hide_under(found: Referee, top: str, spot: str) -> None:
    """The stack is laid so that this unit shows, and the enemy forgets the others."""
    facts = [Marked(subject=f"@{spot}", mark="top", value=top)]
    hidden = [unit for unit in ("375RD",) if found.position.where[unit] == spot]
    gone = [LostSight(unit=unit, by="german") for unit in hidden]
    found.correct([*facts, Sighted(unit=top, by="german", at=spot), *gone])


@case("11.1")
def test_no_dry_run_in_a_whole_turn_shows_a_unit_that_was_not_seen_before() -> None:
    """The rules get along with a map on which nothing is but what the side knows of."""
    campaign, bot = Campaign.new(None, game(), seed=5), RandomLegal(7, restless=3)
    hidden = 0
    waiting = patience("the second turn", 2000)
    while campaign.position.turn == 1:
        next(waiting)
        ask = next(one for one in campaign.asks if campaign.drawer.sealed(one.key) is None)
        known = set(view(campaign.position, ask.side).on_map())
        line = bot.answer(campaign.referee.table, ask).line()
        reply = campaign.rehearse(ask.side, f"{line}\nend")
        assert reply.lines[0].state == "done", reply.lines
        assert reply.leads_to is not None
        shown = set(reply.leads_to.position.on_map()) - known
        assert {unit for unit in shown if game().setting.roster.get(unit).side != ask.side} == set()
        hidden += known != set(campaign.position.on_map())
        campaign.submit(ask.side, line)
    assert hidden > 20


@case("16-c")
@pytest.mark.parametrize("word", ["when alarm: ask", "when alarm: alarm Alarm1 at 2415", ""])
def test_a_dry_run_goes_on_where_the_german_could_place_a_battalion_whatever_he_has_left_word_of(word: str) -> None:
    found = referee("russian.activation", fog=False, at3515="213RD 29TC-1", at2719="47PzK", alarm="Alarm1")
    if word:
        found.drawer.stand("german", word)
    reply = found.rehearse("russian", "move 213RD to 3516\nmove 29TC-1 to 3514")
    assert [line.state for line in reply.lines] == ["done", "done"]
    assert reply.supposed
    assert reply.stopped == ""
    assert found.submit("russian", "move 213RD to 3516").lines[0].state == "done"
    assert (found.asks[0].side == "german") == (word == "when alarm: ask")


@case("16-c")
@pytest.mark.parametrize("word", ["when alarm: ask", "when alarm: alarm Alarm1 at 2415", ""])
def test_a_line_that_cannot_be_returns_the_whole_mail_before_the_german_is_asked(word: str) -> None:
    found = referee("russian.activation", fog=False, at3515="213RD 29TC-1", at2719="47PzK", alarm="Alarm1")
    if word:
        found.drawer.stand("german", word)
    before = found.position.hash()
    reply = found.submit("russian", "move 213RD to 3516\nmove 29TC-1 to 3401\nend")
    assert [line.state for line in reply.lines] == ["returned", "refused", "returned"]
    assert (found.position.hash(), reply.items, [ask.side for ask in found.asks]) == (before, [], ["russian"])
    found.submit("russian", "move 213RD to 3516\nmove 29TC-1 to 3514")
    assert (found.asks[0].side == "german") == (word == "when alarm: ask")
