"""Mail that was set aside, and letters that did not arrive."""

from __future__ import annotations

import pytest

from pbem.moderator import CannotModerate, sorting
from pbem.moderator.act import NoSuchMail
from pbem.store import MailIn, MailOut
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, read


def set_aside(office: Moderated) -> str:
    office.mail(ANNA, office.seat(GAME, "soviet"), "status")
    with office.house.database.begin() as session:
        row = session.get_one(MailIn, office.last)
        row.state, row.tries, row.why = "shunted", 3, "ValueError('a bad day')"
        session.add(row)
    return office.last


def fail(office: Moderated) -> MailOut:
    with office.house.database.begin() as session:
        row = session.get_one(MailOut, office.out()[0].id)
        row.state, row.error, row.tries = "failed", "550 no such user", 10
        session.add(row)
    return row


def test_nothing_set_aside_is_said_so(office: Moderated) -> None:
    assert office.do(sorting.shunted) == ["No mail is set aside."]
    assert office.do(sorting.retry, "all") == ["No mail is set aside."]


def test_mail_set_aside_is_listed_with_why_and_tried_again_by_its_number(office: Moderated) -> None:
    number = set_aside(office)
    told = office.do(sorting.shunted)
    assert number[:8] in told[0]
    assert "a bad day" in told[1]
    office.do(sorting.retry, number[:8])
    assert office.row().state == "stored"


def test_a_letter_that_failed_is_listed_and_sent_again(office: Moderated) -> None:
    letter = fail(office)
    assert "550 no such user" in "\n".join(office.do(sorting.shunted))
    office.do(sorting.retry, "all")
    assert next(row for row in office.out() if row.id == letter.id).state == "queued"


@pytest.mark.parametrize("number", ["ffffffff", "a", "%"])
def test_a_number_that_is_none_is_refused(office: Moderated, number: str) -> None:
    set_aside(office)
    with pytest.raises(NoSuchMail):
        office.do(sorting.retry, number)


def test_the_last_letter_goes_out_again_under_a_number_of_its_own(office: Moderated) -> None:
    before = {row.id: row for row in office.out()}
    office.do(sorting.resend, GAME, "soviet")
    again = next(row for row in office.out() if row.id not in before)
    last = max((row for row in before.values() if row.to == ANNA), key=lambda row: row.queued)
    assert again.to == ANNA
    assert again.message_id != last.message_id
    assert read(again.raw)["Subject"] == read(last.raw)["Subject"]


def test_a_report_that_never_was_cannot_be_sent_again(office: Moderated) -> None:
    with pytest.raises(CannotModerate, match="no such letter"):
        office.do(sorting.resend, GAME, "soviet", 99)
