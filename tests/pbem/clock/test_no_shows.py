"""Whoever does not answer: invitations climb their ladder once, and who leaves all to the clock is told of once."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from engine.campaign import Campaign
from pbem.moderator import Act, arranging, timing
from pbem.store import MailOut, Player
from tests.pbem.desk.office import JOIN, MODERATOR, PEOPLE, Office, message_of, text_of
from tests.pbem.leaks.conftest import SOVIET
from tests.pbem.leaks.worlds import second_turn

ANNA, BERT = PEOPLE["soviet"], PEOPLE["german"]
DAY = 24


@pytest.fixture
def invited(tmp_path: Path) -> Office:
    """Anna has joined; Bert is asked, and says nothing."""
    office = Office(tmp_path)
    office.invite({"deadline": "48h"})
    office.mail("soviet", JOIN[0], minutes=0)
    return office


def days(office: Office, number: int) -> list[list[MailOut]]:
    """What every day brings."""
    return [office.wait(DAY) for _ in range(number)]


def said(row: MailOut) -> str:
    return " ".join(text_of(row).split())


def act(office: Office, verb: object, *args: str) -> list[MailOut]:
    before = {row.key for row in office.letters()}
    with office.house.transaction() as session:
        verb(Act(office.house, session), office.name, *args)  # type: ignore[operator]
    return [row for row in office.letters() if row.key not in before]


# Invitations.


def test_an_invitation_is_reminded_then_reported_then_lapses_and_each_step_is_one(invited: Office) -> None:
    written = [(number, row.to) for number, rows in enumerate(days(invited, 30), 1) for row in rows]
    assert sorted(written) == [(3, BERT), (7, MODERATOR), (14, ANNA), (14, BERT), (14, MODERATOR)]
    assert invited.game().state == "lapsed"


def test_a_reminder_is_the_invitation_again_and_says_how_long_it_stands(invited: Office) -> None:
    row = days(invited, 3)[2][0]
    assert row.subject == "Invitation: Proving ground, you as German, 11 days left [ford]"
    assert "You have not answered yet. You are invited to play German" in said(row)
    assert "`decline`" in said(row)
    assert "stands for 11 days more" in said(row)


def test_the_report_says_what_the_moderator_can_do(invited: Office) -> None:
    row = days(invited, 7)[6][0]
    assert f"{BERT}, who is asked to play German, has not answered for 7 days." in said(row)
    assert "moderator substitute german bot:sensible" in text_of(row)
    assert message_of(row)["Reply-To"]


def test_a_service_that_slept_takes_one_step_and_not_all(invited: Office) -> None:
    assert [row.to for row in invited.wait(8 * DAY)] == [MODERATOR]
    assert invited.wait(1) == []


def test_the_days_are_settings(invited: Office) -> None:
    invited.house.settings.times.remind_days = 1
    invited.house.settings.times.lapse_days = 2
    invited.house.settings.times.report_days = 9
    assert [sorted(row.to for row in rows) for rows in days(invited, 2)] == [[BERT], [ANNA, BERT, MODERATOR]]


def test_who_joins_after_it_has_lapsed_gets_a_sentence(invited: Office) -> None:
    days(invited, 14)
    (answer,) = invited.mail("german", JOIN[1])
    assert "The invitation has lapsed" in said(answer)
    assert "has lapsed already" in said(invited.mail("german", "decline")[0])
    assert "never began" in said(invited.mail("soviet", "move RD99 to 0707")[0])
    assert invited.game().state == "lapsed"


def test_a_lapsed_game_waits_again_when_the_moderator_asks_somebody(invited: Office) -> None:
    days(invited, 14)
    letters = act(invited, arranging.substitute, "german", BERT)  # the same again
    assert [row.to for row in letters if "You are invited to play German" in said(row)] == [BERT]
    assert invited.game().state == "joined"
    invited.mail("german", JOIN[1])
    assert invited.game().state == "playing"
    assert days(invited, 1)[0][0].key.startswith("reminder")


def test_a_lapsed_game_can_be_given_to_a_bot_and_begins(invited: Office) -> None:
    days(invited, 14)
    act(invited, arranging.substitute, "german", "bot:sensible")
    assert invited.game().state == "playing"


def test_whoever_joined_is_not_reminded(invited: Office) -> None:
    invited.mail("german", JOIN[1])
    assert not [row for rows in days(invited, 1) for row in rows if row.key.startswith("invited")]


# Declining.


def test_who_declines_gets_one_answer_and_the_moderator_hears_what_he_can_do(invited: Office) -> None:
    letters = {row.to: row for row in invited.mail("german", "decline I have no time this winter")}
    assert set(letters) == {ANNA, BERT, MODERATOR}
    assert "YOU HAVE DECLINED" in said(letters[BERT])
    assert "German has declined" in said(letters[ANNA])
    assert "I have no time this winter" in said(letters[MODERATOR])
    assert "moderator substitute german ADDRESS" in text_of(letters[MODERATOR])
    assert not [row for rows in days(invited, 20) for row in rows]  # he is not reminded, and nothing lapses
    invited.mail("german", JOIN[1])
    assert invited.game().state == "playing"  # he has changed his mind


def test_who_has_joined_may_step_back_until_the_game_begins(invited: Office) -> None:
    invited.mail("soviet", "decline")
    assert invited.game().state == "invited"
    assert not invited.seat("soviet").joined
    invited.mail("german", JOIN[1])
    assert invited.game().state == "joined"


def test_a_game_under_way_cannot_be_declined(invited: Office) -> None:
    invited.mail("german", JOIN[1])
    (answer,) = invited.mail("german", "decline")
    assert "`resign for good` gives it up" in said(answer)
    assert invited.game().state == "playing"


# Players who are not there any more.


@pytest.fixture
def playing(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "reminders": [], "no_show": 2})
    return office


def told_of(letters: list[MailOut]) -> list[MailOut]:
    return [row for row in letters if row.key.startswith("no-show")]


def miss(office: Office, times: int) -> list[MailOut]:
    """Anna lets the clock answer so often; Bert ends his turn at once."""
    written = []
    for _ in range(times):
        written += office.wait(49)
        written += office.mail("german", "end\nend\nend\nend")
    return written


def test_the_moderator_gets_one_letter_about_who_leaves_it_to_the_clock(playing: Office) -> None:
    assert told_of(miss(playing, 1)) == []
    (row,) = told_of(miss(playing, 1))
    assert (row.to, row.subject) == (MODERATOR, "For the moderator: Soviet does not answer [ford]")
    assert f"Soviet ({ANNA}) has left 2 deadlines running to the clock" in said(row)
    for way in ("substitute soviet ADDRESS", "substitute soviet bot:sensible", "extend soviet 3d", "pause", "close"):
        assert f"moderator {way}" in text_of(row)
    assert playing.game().state == "playing"
    assert told_of(miss(playing, 2)) == []


def test_who_answers_again_is_there_again(playing: Office) -> None:
    miss(playing, 1)
    playing.mail("soviet", "end\nend\nend\nend")
    playing.mail("german", "end\nend\nend\nend")
    assert told_of(miss(playing, 1)) == []
    assert len(told_of(miss(playing, 1))) == 1


def test_the_game_pauses_if_its_terms_say_so(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "reminders": [], "no_show": 1, "on_no_show": "pause"})
    invited = next(row for row in office.letters() if row.key.startswith("invitation"))
    assert "The game is paused when a side has left 1 deadline running to the clock." in said(invited)
    letters = {row.to: said(row) for row in told_of(office.wait(49))}
    assert set(letters) == {ANNA, BERT, MODERATOR}
    assert "THE GAME IS PAUSED" in letters[ANNA]
    assert "moderator resume" in letters[MODERATOR]
    assert office.game().state == "paused"
    assert office.wait(300) == []
    act(office, timing.resume)
    assert told_of(office.wait(1)) == []
    assert office.game().state == "playing"


def test_a_stop_after_the_line_of_the_clock_does_not_lose_the_letter(
    playing: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    miss(playing, 1)
    with monkeypatch.context() as patched:
        patched.setattr("pbem.service.ticking._tell_of_silence", lambda room: None)
        playing.wait(49)
    assert len(told_of(playing.wait(0))) == 1


def test_reminders_count_down_in_the_subject(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.begin({"deadline": "4d", "reminders": ["3d", "24h", "90m"], "grace": "6h"})
    subjects = [
        row.subject.partition(", ")[2].partition(", by")[0] for _ in range(4 * DAY + 5) for row in office.wait(1)
    ]
    assert subjects == ["3 days left", "24 hours left", "60 minutes left", "due, 6 hours left"]


def test_an_answer_under_seal_counts_as_given_though_the_clock_wrote_the_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = second_turn(tmp_path / "house")
    world.mail("soviet", SOVIET)  # both sides are asked at once: it makes no line
    real = vars(Campaign)["last"]
    with monkeypatch.context() as patched:
        patched.setattr(Campaign, "last", property(lambda campaign: {**real.fget(campaign), "act": "deadline"}))
        world.wait(25)  # a reminder to the other side, who has not answered
    assert world.seat("soviet").unheard == 0
    with world.house.database.begin() as session:
        player = session.exec(select(Player).where(Player.address == world.people["soviet"])).one()
    assert player.missed == 0
