"""Nobody looks through all games for what is due: a row says when it is wanted next."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from pbem.house import House
from pbem.store import Due, MailIn
from pbem.store.database import utc
from tests.pbem.desk.office import JOIN, Office


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "grace": "6h"})
    return office


def wakes(house: House) -> dict[str, datetime | None]:
    with house.database.reading() as session:
        return {row.side: utc(row.wake) if row.wake else None for row in session.exec(select(Due)).all()}


def test_a_deadline_is_wanted_at_each_rung_and_then_at_the_end_of_grace(office: Office) -> None:
    asked = office.now
    for first, then in ((24, 42), (42, 48), (48, 54)):
        assert wakes(office.house) == {"soviet": asked + timedelta(hours=first)}
        office.now = asked + timedelta(hours=first)
        office.service.tick()
        assert wakes(office.house) == {"soviet": asked + timedelta(hours=then)}


def test_whoever_waits_is_wanted_later(office: Office) -> None:
    before = wakes(office.house)["soviet"]
    office.mail("soviet", "wait", minutes=120)
    after = wakes(office.house)["soviet"]
    assert before is not None
    assert after == before + timedelta(hours=2)


def test_a_bot_that_is_asked_is_wanted_at_once_and_a_person_without_a_deadline_never(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.invite(chairs={"german": "bot:random"})
    office.mail("soviet", JOIN[0])
    assert wakes(office.house) == {"soviet": None}
    assert office.service.bots_asked() == []
    office.service.play_bots = lambda game_id: None  # type: ignore[method-assign]
    office.mail("soviet", "end\nend\nend")
    assert wakes(office.house)["german"] == office.now
    assert office.service.bots_asked() == ["ford"]


def test_deadlines_of_a_version_that_noted_no_time_are_wound_by_one_look(office: Office) -> None:
    before = wakes(office.house)
    with office.house.database.begin() as session:
        session.exec(update(Due).values(wake=Due.asked))  # as the migration does
    office.service.tick()
    assert wakes(office.house) == before


def test_a_mail_knows_its_game_when_it_is_stored_and_forgets_it_when_it_is_turned_away(office: Office) -> None:
    id_ = office.post("soviet", "end")
    strange = office.post("soviet", "end", sender="mallory@elsewhere.example")
    with office.house.database.reading() as session:
        lanes = dict(session.exec(select(MailIn.id, MailIn.game_id).where(col(MailIn.id).in_((id_, strange)))).all())
    assert lanes == {id_: "ford", strange: "ford"}
    office.service.deal_with_all()
    assert {row.id: row.game_id for row in office.mails()[-2:]} == {id_: "ford", strange: ""}
