"""Whoever did not write to us hears nothing of us: strangers, imitated people, and machines among themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.outbox.sending import send_due
from pbem.outbox.transport import Undelivered
from pbem.store import GameRow, MailOut
from tests.pbem.security.office import ANNA, BRUNO, MALLORY, MODERATOR, OWN, Office, html_of, text_of

ODD = "Cheap-Pills-Now"


class Refusing:
    """A relay that knows none of the people it is given mail for."""

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        raise Undelivered(550, "no such user")


def spam_of(office: Office, **more: str) -> list[EmailMessage]:
    sender = f"{ODD} <{MALLORY}>"
    return office.mail(sender, OWN, f"Buy {ODD}!", subject=ODD, References=f"<{ODD}@elsewhere.example>", **more)


def test_an_answer_to_a_stranger_has_nothing_of_his_in_it(office: Office) -> None:
    (answer,) = spam_of(office)
    assert str(answer["Subject"]) == "Not dealt with: Your mail to Fieldpost"
    assert str(answer["To"]) == MALLORY
    assert answer["In-Reply-To"] is None
    assert answer["References"] is None
    assert answer["Reply-To"] is None
    assert ODD not in answer.as_string() + text_of(answer) + html_of(answer)


def test_a_stranger_gets_one_answer_a_day_whatever_he_sends(office: Office) -> None:
    assert len(spam_of(office)) == 1
    office.clock.now += timedelta(hours=23)
    assert spam_of(office) == []
    assert office.mail(MALLORY, office.seat("mill", "soviet"), "x" * 3_000_000) == []
    office.clock.now += timedelta(hours=2)
    (answer,) = office.mail(MALLORY, OWN, "x" * 3_000_000)
    assert "referees games by mail" in " ".join(text_of(answer).split())


def test_all_strangers_together_get_so_many_answers_a_day(tmp_path: Path) -> None:
    office = Office(tmp_path, limits={"strangers_a_day": 3}, database="sqlite://")
    answers = [office.mail(f"dora{number}@elsewhere.example", OWN, "hello") for number in range(6)]
    assert [len(answer) for answer in answers] == [1, 1, 1, 0, 0, 0]
    office.clock.now += timedelta(days=1)
    assert len(office.mail("emil@elsewhere.example", OWN, "hello")) == 1


def test_an_answer_that_no_stranger_takes_is_not_the_moderators_business(office: Office) -> None:
    asyncio.run(send_due(office.house, Refusing()))
    before = [row for row in office.out() if row.to == MODERATOR]
    assert before  # what the players do not get is
    spam_of(office)
    asyncio.run(send_due(office.house, Refusing()))
    (answer,) = [row for row in office.out() if row.to == MALLORY]
    assert answer.state == "dropped"
    assert [row.id for row in office.out() if row.to == MODERATOR] == [row.id for row in before]


def test_nor_is_one_that_comes_back_later(office: Office) -> None:
    spam_of(office)
    (answer,) = [row for row in office.out() if row.to == MALLORY]
    with office.house.database.begin() as session:
        session.get_one(MailOut, answer.id).state = "sent"
    local, _, host = OWN.partition("@")
    bounce = (
        f"From: MAILER-DAEMON@elsewhere.example\r\nTo: {local}+bounces+{answer.id}@{host}\r\nReturn-Path: <>\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt cannot be delivered.\r\n--b\r\n"
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; elsewhere.example\r\n\r\n"
        f"Final-Recipient: rfc822; {MALLORY}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    assert office.raw(bounce.encode()) == []
    assert office.row().why == "bounce"
    with office.house.database.begin() as session:
        assert session.get_one(MailOut, answer.id).state == "dropped"


@pytest.mark.parametrize(
    "mark",
    [
        {"X_Spam_Flag": "YES"},
        {"X_Spam_Status": "Yes, score=15.2 required=5.0 tests=BAYES_99"},
        {"X_Spam": "Yes"},
        {"X_Rspamd_Action": "add header"},
        {"X_MS_Exchange_Organization_SCL": "9"},
        {"X_Forefront_Antispam_Report": "CIP:192.0.2.1;CTRY:;SFV:SPM;H:mail.elsewhere.example"},
        {"X_Microsoft_Antispam_Mailbox_Delivery": "ucf:0;jmr:0;auth:0;dest:J;OFR:SpamFilterFail"},
        {"X_GMX_Antispam": "5 (Score=9.1)"},
        {"Authentication_Results": "mx.fieldpost.example; spf=none; x-spam=yes"},
    ],
)
def test_what_the_provider_takes_for_spam_gets_silence(office: Office, mark: dict[str, str]) -> None:
    assert spam_of(office, **mark) == []
    assert office.row().why == "spam"
    assert office.mail(ANNA, OWN, "hello", **mark) == []  # in a player's name, without his token


@pytest.mark.parametrize(
    "mark", [{"X_Spam_Flag": "NO"}, {"X_Spam_Status": "No, score=-1"}, {"X_MS_Exchange_Organization_SCL": "-1"}, {}]
)
def test_what_it_takes_for_mail_is_answered(office: Office, mark: dict[str, str]) -> None:
    assert len(spam_of(office, **mark)) == 1


def test_a_player_who_is_taken_for_a_spammer_loses_no_turn(office: Office) -> None:
    head = office.head("mill")
    office.mail(ANNA, office.seat("mill", "soviet"), "end", X_Spam_Flag="YES")
    assert office.head("mill") != head


def meet(office: Office, words: Callable[[int], str], to: Callable[[EmailMessage], str]) -> int:
    """A machine without a mark answers every letter it gets; gives how many of its mails were answered."""
    letters = office.mail(ANNA, office.seat("mill", "soviet"), "status")
    for number in range(12):
        if not letters:
            return number - 1
        office.clock.now += timedelta(minutes=7)
        thread = str(letters[0]["Message-ID"])
        subject = f"Re: {letters[0]['Subject']}"
        letters = office.mail(ANNA, to(letters[0]), words(number), subject, In_Reply_To=thread)
    raise AssertionError("they never stop")


def reply(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).rpartition("<")[2].rstrip(">")


MACHINES: dict[str, Callable[[int], str]] = {
    "the same each time": lambda n: "I am away from my desk and will read your mail when I am back.",
    "with a number": lambda n: f"Your request has been received under number 2026-{n:04}.\nWe will see to it.",
    "with the letter below": lambda n: f"I am on leave.\n\n> Letter number {n}\n> {'abc'[n % 3]}\n",
}


@pytest.mark.parametrize("words", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("to", [reply, lambda letter: OWN, lambda letter: f"referee+{'0' * 32}@fieldpost.example"])
def test_two_machines_meet_at_most_three_times(
    office: Office, words: Callable[[int], str], to: Callable[[EmailMessage], str]
) -> None:
    assert meet(office, words, to) == 3
    answers = office.mail(ANNA, office.seat("mill", "soviet"), "status")
    assert len(answers) == 1  # who writes something else is heard


def test_before_the_last_answer_he_is_told_that_it_is_the_last(office: Office) -> None:
    soviet = office.seat("mill", "soviet")
    said = [text_of(office.mail(ANNA, soviet, "hello there", "Re: your letter")[0]) for _ in range(3)]
    assert ["not be answered" in " ".join(text.split()) for text in said] == [False, False, True]


def test_whoever_asks_the_same_thing_again_and_again_is_answered_each_time(office: Office) -> None:
    for _ in range(6):
        assert len(office.mail(ANNA, office.seat("mill", "soviet"), "status")) == 1


def test_nor_do_the_machines_of_who_is_not_asked_and_of_the_moderator_go_on(office: Office) -> None:
    with office.house.database.begin() as session:
        moderate = office.house.seat_address(session.get_one(GameRow, "mill").moderator_token)
    for sender, to in ((BRUNO, office.seat("mill", "german")), (MODERATOR, moderate)):
        answers = [len(office.mail(sender, to, f"I am away until the {day}th.", "Re: your letter")) for day in range(5)]
        assert answers == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("order", ["end", "move RD99 to 0101", "end combat"])
def test_an_order_that_is_refused_each_time_is_answered_each_time(office: Office, order: str) -> None:
    office.mail(ANNA, office.seat("mill", "soviet"), "end")
    head = office.head("mill")
    for _ in range(5):
        assert len(office.mail(BRUNO, office.seat("mill", "german"), order)) == 1
    assert office.head("mill") == head
