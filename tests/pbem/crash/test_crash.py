"""The daemon is killed at every durable step of a whole game, and nobody can tell from the game."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from pathlib import Path

import pytest
from sqlmodel import select

import games
from engine.campaign import Campaign, verify_lines
from pbem.store import MailIn, MailOut
from tests.pbem.crash.match import GAME, PLAYERS, Match
from tests.stored import THOROUGH

# In an order in which no mail is begun in vain three times: then it would be set aside, and rightly.
STEPS = (
    *("line-made", "after-store", "before-outbox", "after-commit", "before-commit"),
    *("torn-line", "after-line", "after-all", "mid-send", "after-data"),
)
IN_FILES = ("torn-line", "after-line")  # where a line goes into a file
# Whichever of two workers comes to it: no mail is begun in vain by both, and then by one again.
OF_EITHER = ("before-commit", "after-commit", "mid-send", "after-commit", "after-data", "after-all")
LIVES = 3 if THOROUGH else 1  # lost at each step; those of the desk are tried one by one in desk/test_exactly_once.py


@pytest.fixture(scope="session")
def undisturbed(kind_of_house: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the same game ends if nobody dies."""
    match = Match(tmp_path_factory.mktemp("undisturbed"))
    match.play([("none", 0)])
    return opened(match).position.hash()


def opened(match: Match) -> Campaign:
    return match.house.campaign(match.game())


def test_a_game_is_the_same_game_however_often_the_daemon_is_killed(tmp_path: Path, undisturbed: str) -> None:
    match = Match(tmp_path)
    never = IN_FILES if match.house.cabinet.shared else ()
    fates = [(step, 1) for step in STEPS if step not in never] * LIVES
    match.play([*fates, ("none", 0)])
    assert match.deaths == len(fates)
    nobody_can_tell(match, undisturbed)


def test_two_workers_are_killed_in_turn_and_nobody_can_tell(tmp_path: Path, undisturbed: str) -> None:
    match = Match(tmp_path)
    if not match.house.cabinet.shared:
        match.house.close()
        pytest.skip("a house on files has one worker")
    match.play(chain([(step, 1) for step in OF_EITHER] * LIVES, repeat(("none", 0))), workers=2)
    assert match.deaths >= len(OF_EITHER)
    nobody_can_tell(match, undisturbed)


def nobody_can_tell(match: Match, undisturbed: str) -> None:
    campaign = opened(match)
    assert campaign.over
    assert campaign.position.hash() == undisturbed
    assert verify_lines(campaign.lines(), campaign.secret, games.find_game).faults == []
    nothing_lost_and_nothing_done_twice(match, campaign)
    every_report_exactly_once(match, campaign)


def nothing_lost_and_nothing_done_twice(match: Match, campaign: Campaign) -> None:
    sent = [mail for chair in match.chairs for mail in chair.mails]
    with match.house.database.begin() as session:
        rows = session.exec(select(MailIn)).all()
    assert Counter(row.message_id for row in rows) == Counter(sent)
    assert {row.state for row in rows} == {"done"}
    causes = [line["cause"] for line in campaign.lines() if line.get("cause")]
    assert len(causes) == len(set(causes))
    made_lines = {row.id for row in rows if row.line is not None}
    assert made_lines == set(causes)


def every_report_exactly_once(match: Match, campaign: Campaign) -> None:
    with match.house.database.begin() as session:
        letters = session.exec(select(MailOut)).all()
        rows = {row.id: row for row in session.exec(select(MailIn)).all()}
    assert {letter.state for letter in letters} == {"sent"}
    keys = {letter.key for letter in letters}
    for line in campaign.lines():
        if not line.get("cause"):
            continue
        for side in PLAYERS:
            answer, report = f"answer/{line['cause']}", f"report/{GAME}/{line['n']}/{side}"
            assert (answer if rows[line["cause"]].side == side else report) in keys, (line["n"], side)
    assert {f"answer/{row}" for row in rows} <= keys
    for chair in match.chairs:
        got = Counter(str(letter["Message-ID"]) for letter in chair.letters)
        assert set(got) == {letter.message_id for letter in letters if letter.to == chair.box.address}
        again = [letter for letter, times in got.items() if times > 1]
        assert len(again) <= match.deaths  # SMTP cannot be asked: what a death leaves open goes out again, the same
