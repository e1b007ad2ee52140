"""Nothing grows for ever: letters and mails are emptied when their term is over, and what is known of them stays."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import select

from pbem.moderator import Act, CannotModerate, sorting
from pbem.service import clearing_out
from pbem.service.clearing_out import empty_letters, empty_mails
from pbem.store import GameRow, MailIn, RawMail
from tests.pbem.clock.served import Served
from tests.pbem.desk.office import message_of, report_of, text_of
from tests.pbem.received import receive

BERT = "bert@ford.example"
DAY = timedelta(days=1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path)
    found.begin()
    found.round()
    yield found
    found.house.close()


def whole(office: Served) -> int:
    return sum(bool(row.raw) for row in office.letters())


def kept(office: Served) -> int:
    with office.house.database.reading() as session:
        rows = len(session.exec(select(RawMail.digest)).all())
    return rows + len(list((office.home / "mail").rglob("*.eml")))


def over(office: Served, state: str = "finished") -> None:
    with office.house.database.begin() as session:
        session.get_one(GameRow, office.name).state = state


def test_letters_are_emptied_thirty_days_after_they_were_sent(office: Served) -> None:
    sent = max(row.sent for row in office.letters() if row.sent)
    letters = whole(office)
    office.now = sent.replace(tzinfo=office.now.tzinfo) + 30 * DAY - timedelta(seconds=1)
    assert empty_letters(office.house, office.now) == 0
    office.now += timedelta(seconds=1)
    assert empty_letters(office.house, office.now) == letters
    assert whole(office) == 0
    assert {row.subject for row in office.letters()} - {""}
    assert empty_letters(office.house, office.now) == 0


def test_a_letter_that_did_not_go_out_is_kept(office: Served) -> None:
    office.lorry.works = False
    office.mail("soviet", "status")
    office.pass_time(90 * DAY)
    empty_letters(office.house, office.now)
    (waits,) = office.letters("queued")
    assert waits.raw


def test_raw_mail_is_kept_while_its_game_goes_on_and_some_months_after(office: Served) -> None:
    mails = kept(office)
    assert mails == len(office.mails()) > 0
    assert empty_mails(office.house, office.now + 400 * DAY) == 0
    over(office)
    last = max(row.received for row in office.mails()).replace(tzinfo=office.now.tzinfo)
    assert empty_mails(office.house, last + 180 * DAY - timedelta(seconds=1)) == 0
    assert empty_mails(office.house, last + 180 * DAY) == mails
    assert kept(office) == 0
    assert [row.state for row in office.mails()] == ["done"] * mails


@pytest.mark.parametrize(("game", "state", "stays"), [("", "done", 0), ("", "shunted", 1), ("", "stored", 1)])
def test_a_mail_of_no_game_goes_unless_it_needs_a_hand(office: Served, game: str, state: str, stays: int) -> None:
    id_ = office.post("soviet", "hello", sender="zhukov@stavka.example")
    with office.house.database.begin() as session:
        row = session.get_one(MailIn, id_)
        row.game_id, row.state = game, state
    before = kept(office)
    empty_mails(office.house, office.now + 200 * DAY)
    assert before - kept(office) == 1 - stays


def test_bytes_that_two_mails_share_stay_until_both_are_over(office: Served) -> None:
    raw = office.raw("soviet", "status")
    ids = [receive(office.house, raw, id_=id_ * 32) for id_ in "ab"]
    with office.house.database.begin() as session:
        for id_, state in zip(ids, ("done", "shunted"), strict=True):
            row = session.get_one(MailIn, id_)
            row.game_id, row.state = "", state
    before = kept(office)
    empty_mails(office.house, office.now + 200 * DAY)
    assert kept(office) == before


def test_the_daemon_clears_out_once_a_day_and_a_batch_at_a_wake(
    office: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clearing_out, "BATCH", 2)
    letters = whole(office)
    office.lorry.works = False
    office.pass_time(40 * DAY)
    office.round()
    assert whole(office) >= letters - 2
    for _ in range(letters):
        office.round()
    assert [row.state for row in office.letters() if not row.raw] == ["sent"] * letters


def test_what_must_stay_for_ever_stays(office: Served) -> None:
    office.house.settings.keeping.letter_days = office.house.settings.keeping.mail_days = 0
    over(office)
    assert empty_letters(office.house, office.now + 900 * DAY) == empty_mails(office.house, office.now + 900 * DAY) == 0


def emptied(office: Served) -> None:
    office.pass_time(31 * DAY)
    assert empty_letters(office.house, office.now)


@pytest.mark.parametrize("pictures", ["none", "all"])
def test_an_emptied_letter_is_made_again_from_its_line(office: Served, pictures: str) -> None:
    with office.house.database.begin() as session:
        game = session.get_one(GameRow, office.name)
        game.settings = {**game.settings, "pictures": pictures}
    (last,) = [row for row in office.mail("soviet", "move RB8 to 0807") if row.to == BERT]
    office.round()
    office.mail("soviet", "end\nend")  # the game goes on
    office.round()
    line, told = last.tells["line"], report_of(last)
    emptied(office)
    written = {row.key.partition("/")[0]: row for row in office.mail("german", f"resend {line}")}
    assert "comes in a mail of its own" in " ".join(text_of(written["answer"]).split())
    again = written["again"]
    assert f"made again from line {line}" in " ".join(text_of(again).split())
    assert report_of(again) == told
    assert ("map.png" in {part.get_filename() for part in message_of(again).walk()}) == (pictures == "all")
    with office.house.transaction() as session:
        sorting.resend(Act(office.house, session, cause="f" * 32), office.name, "german", line)
    assert any(row.key.startswith("moderator/") and row.state == "queued" for row in office.letters())


def test_of_an_emptied_letter_that_told_of_no_line_nothing_is_left(office: Served) -> None:
    office.mail("soviet", "status")
    office.round()
    emptied(office)
    with office.house.transaction() as session, pytest.raises(CannotModerate, match="no longer kept"):
        sorting.resend(Act(office.house, session), office.name, "soviet")
    (answer,) = office.mail("soviet", "resend")
    assert "is no longer kept; `log` sends you" in " ".join(text_of(answer).split())


@pytest.mark.on_files
def test_only_what_is_whole_is_looked_at(office: Served) -> None:
    """However many letters were emptied before."""
    asked: list[tuple[str, Any]] = []
    event.listen(office.house.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2:4]))
    empty_letters(office.house, office.now)
    empty_mails(office.house, office.now)
    with office.house.database.begin() as session:
        for table in ("mail_out", "mail_in"):
            question, given = next((one, given) for one, given in asked if one.startswith(f"SELECT {table}."))
            plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {question}", given).all()
            assert f"ix_{table}_whole" in str(plan)
