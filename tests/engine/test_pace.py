"""Pace: for which questions in the other side's play a game waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.campaign import Campaign, verify
from engine.campaign.errors import GameClosed
from engine.drawer import BRISK, CAREFUL
from engine.orders.usual import Lose
from engine.referee import Referee
from engine.standing import Question
from tests.engine.ford import ATTACK, NEAR, asked, begun, seated
from tests.engine.toy import toy


def attacked(pace: str, *standing: str, die: int = 6) -> Referee:
    referee = seated(die, pace=pace, P1="0103", P2="0103", SG="0104")
    for line in standing:
        referee.drawer.stand("blue", line)
    referee.submit("red", ATTACK)
    return referee


@pytest.mark.parametrize(
    ("pace", "standing", "waits"),
    [
        (BRISK, (), []),
        (BRISK, ("when loss: ask",), ["loss"]),
        (BRISK, ("when asked: ask",), ["support"]),
        (BRISK, ("when support: ask",), ["support"]),
        (CAREFUL, (), ["loss"]),
        (CAREFUL, ("when support: ask",), ["support"]),
        (CAREFUL, ("when loss: lose P2",), []),
        (CAREFUL, ("when loss: lose SG",), []),  # word was left, if for nothing: a pause would tell that
        (CAREFUL, ("when loss at 0606: lose P2",), ["loss"]),
    ],
)
def test_the_pace_decides_whether_the_side_not_moving_is_waited_for(
    pace: str, standing: tuple[str, ...], waits: list[str]
) -> None:
    assert [name for side, name in asked(attacked(pace, *standing)) if side == "blue"] == waits


@pytest.mark.parametrize("pace", [BRISK, CAREFUL])
def test_the_side_that_moves_is_waited_for_in_either_pace(pace: str) -> None:
    assert asked(attacked(pace, die=1)) == [("red", "loss")]


@pytest.mark.parametrize("pace", [BRISK, CAREFUL])
def test_what_is_asked_of_both_at_once_waits_in_either_pace(pace: str) -> None:
    campaign = Campaign.new(None, NEAR, seed=5, pace=pace)
    assert [ask.name for ask in campaign.asks] == ["bid", "bid"]


def test_a_game_goes_on_at_the_pace_it_began_with(tmp_path: Path) -> None:
    path = tmp_path / "ford.jsonl"
    Campaign.new(path, NEAR, seed=5, pace=CAREFUL)
    assert Campaign.open(path, toy).drawer.pace == CAREFUL


def test_a_changed_pace_is_a_line_that_all_may_read(tmp_path: Path) -> None:
    path = tmp_path / "ford.jsonl"
    Campaign.new(path, NEAR, seed=5, pace=CAREFUL).change_terms({"pace": BRISK}, at="noon")
    campaign = Campaign.open(path, toy)
    assert campaign.drawer.pace == BRISK
    assert (campaign.last["act"], campaign.last["terms"]) == ("terms", {"pace": BRISK})
    assert campaign.export(None)[-1]["terms"] == {"pace": BRISK}
    campaign.submit("red", "bid 1")
    campaign.submit("blue", "bid 0")
    assert verify(path, toy).ok
    campaign.conclude("draw", "", by="red")
    with pytest.raises(GameClosed):
        campaign.change_terms({"pace": CAREFUL})


def test_a_dry_run_keeps_the_pace() -> None:
    assert attacked(CAREFUL).twin().drawer.pace == CAREFUL


def test_the_moderator_who_goes_back_beyond_a_change_of_pace_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "ford.jsonl"
    Campaign.new(path, NEAR, seed=5, pace=CAREFUL).submit("red", "bid 1")
    Campaign.open(path, toy).submit("blue", "bid 0")
    Campaign.open(path, toy).change_terms({"pace": BRISK})
    assert Campaign.open(path, toy).last["n"] == 2
    Campaign.open(path, toy).rewind(1)
    assert Campaign.open(path, toy).drawer.pace == CAREFUL
    Campaign.open(path, toy).change_terms({"pace": BRISK})
    Campaign.open(path, toy).change_terms({"pace": CAREFUL})
    Campaign.open(path, toy).rewind(4)  # as it stood after the second change
    assert Campaign.open(path, toy).drawer.pace == BRISK
    Campaign.open(path, toy).rewind(3)
    assert Campaign.open(path, toy).drawer.pace == CAREFUL
    assert verify(path, toy).ok


def test_a_players_undo_leaves_the_terms_as_they_are() -> None:
    campaign = begun()
    campaign.submit("red", "dig T-34; face 0301")
    campaign.change_terms({"pace": BRISK})
    campaign.undo(1, by="red")
    assert campaign.drawer.pace == BRISK


@pytest.mark.parametrize(("pace", "waits"), [(BRISK, []), (CAREFUL, ["loss"])])
def test_in_a_stage_of_neither_side_a_question_goes_by_the_pace_as_the_list_says(
    pace: str, waits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = seated(6, pace=pace, P1="0103", P2="0103", SG="0104")
    loss = Question("loss", "what a fight costs you", (Lose,))
    monkeypatch.setitem(referee.game.questions, "loss", loss)  # type: ignore[arg-type]
    (told,) = referee.drawer.prospects(referee.table, "blue")
    assert told.source == ("by default" if pace == BRISK else "careful: the game waits for you")
    referee.position.side = ""
    referee.submit("red", ATTACK)
    assert [name for side, name in asked(referee) if side == "blue"] == waits
