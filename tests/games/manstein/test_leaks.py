"""Air markers, bids and pauses: whatever one side holds, the other is given the same."""

from __future__ import annotations

import pytest

from engine.bots import RandomLegal
from engine.campaign import Campaign
from engine.drawer import CAREFUL
from engine.facts import Counted, Pooled
from engine.refusals import Refusal, Unclear
from games.manstein.game import RULEBOOK
from tests.engine.test_secrets import Given
from tests.games.manstein.second_turn import idle_answer

case = pytest.mark.case


def attacked(held: tuple[str, ...]) -> Given:
    """A turn in which the Soviets attack at random, and the Axis keep the air markers they hold."""
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=3, pace=CAREFUL)
    hidden = Pooled(pool="air in hand", items=held, only=("axis",))
    campaign.correct([hidden, Counted(track="air", value=len(held))])
    campaign.stand("axis", "when air: ask")
    given, bot = Given(campaign, "soviet"), RandomLegal(7, restless=6)
    while campaign.position.turn == 1:
        ask = next(a for a in campaign.asks if campaign.drawer.sealed(a.key) is None)
        if ask.side == "soviet":
            line = bot.answer(campaign.referee.table, ask).line()
            given.rehearse(line)
            given.read.append(foreseen(campaign, line))
            given.mail("soviet", line)
        else:
            assert ask.window or ask.name != "air"  # no pause for it, however short, may tell
            given.mail("axis", "no air" if ask.name == "air" else idle_answer(ask))
    return given


def foreseen(campaign: Campaign, line: str) -> str:
    """What the Soviets are told of the chances of an order, or why there are none."""
    seen, game = campaign.referee.table.seen_by("soviet"), campaign.game
    try:
        return repr(game.forecast(seen, "soviet", game.book.read(line, seen.reading("soviet"))))
    except Refusal as refusal:
        return refusal.sentence()


@case("manstein", "15.1(4)")
def test_the_soviets_attack_into_any_air_markers_alike() -> None:
    hands = [("barkhorn", "hartmann"), ("rudel-1", "rudel-2"), ("hartmann", "rudel-1")]
    worlds = [attacked(hand) for hand in hands]
    assert sum("an air marker for the defence" in str(read) for read in worlds[0].read) > 2
    assert len({world.without_hashes() for world in worlds}) == 1


@case("manstein", "18.1(1)")
def test_an_opponent_cannot_tell_one_sealed_bid_from_another() -> None:
    given = {}
    for bid in (40, 60, 199):
        given[bid] = Given(Campaign.new(None, RULEBOOK.game("race", {"bid": True}), seed=1), "axis")
        given[bid].mail("soviet", f"bid {bid}")
        given[bid].rehearse("bid 61")
    assert len({world.without_hashes() for world in given.values()}) == 1


# A pause.


@case("manstein", "6.4(2)")
@pytest.mark.parametrize(
    "line",
    [
        "when drawn: ask if manstein is 1 or more, else pass",
        "when cup empty: ask if manstein is 1 or more, else pass",
        "when cup empty: pass if manstein is 0, else ask",
        "when asked: ask if manstein is 1 or more, else default",
        "when asked: interrupt if manstein is 1 or more, else ask",
    ],
)
def test_no_standing_order_makes_the_game_wait_for_what_is_held(line: str) -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=1)
    with pytest.raises(Unclear, match="was not understood; "):
        campaign.stand("axis", line)
    assert campaign.drawer.standing.get("axis", []) == []


@case("manstein", "7.4(4)")
@pytest.mark.parametrize("standing", ["interrupt", "interrupt if manstein is 1 or more", "pass"])
@pytest.mark.parametrize("held", ["6A", "Manstein"])
def test_the_empty_cup_waits_for_nobody_who_has_said_what_to_do(held: str, standing: str) -> None:
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=1)
    campaign.stand("axis", f"when cup empty: {standing}")
    campaign.stand("axis", "when drawn: pass")
    asked = []
    while campaign.position.turn < 3:
        ask = next(a for a in campaign.asks if campaign.drawer.sealed(a.key) is None)
        asked.append((ask.side, ask.name))
        chosen = campaign.position.turn == 2 and asked[-1] == ("axis", "selection")
        campaign.submit(ask.side, f"select 1PzA, 4PzA, 8A, {held} hold {held}" if chosen else idle_answer(ask))
    assert ("axis", "cup empty") not in asked
    assert (("axis", "command") in asked) == (held == "Manstein" and standing != "pass")
