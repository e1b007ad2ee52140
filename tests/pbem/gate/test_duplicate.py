"""The same mail, or the same orders, twice."""

from __future__ import annotations

from datetime import timedelta

from pbem.gate import Admitted, TurnedAway
from pbem.inbox.incoming import content_of
from pbem.store import MailIn
from tests.pbem.gate.gatehouse import BORIS, Gatehouse


def test_of_many_copies_stored_at_once_exactly_one_is_dealt_with(gate: Gatehouse) -> None:
    copies = [gate.mail("end phase", Message_ID="<1@players.example>") for _ in range(5)]
    found = [gate.pass_gate(mail) for mail in reversed(copies)]
    assert sum(isinstance(verdict, Admitted) for verdict in found) == 1


def test_a_copy_with_other_servers_headers_is_still_a_copy(gate: Gatehouse) -> None:
    assert gate.told(Message_ID="<1@players.example>") == "german of winter-1"
    again = gate.told(Message_ID="<1@players.example>", Received="from a.example by b.example; Fri, 1 Mar 2024")
    assert again == "duplicate: silent"


def test_a_copy_is_dropped_days_later_too(gate: Gatehouse) -> None:
    assert gate.told(Message_ID="<1@players.example>") == "german of winter-1"
    gate.now += timedelta(days=9)
    assert gate.told(Message_ID="<1@players.example>") == "duplicate: silent"


def test_without_a_message_id_the_same_bytes_are_the_same_mail(gate: Gatehouse) -> None:
    assert gate.told("end phase", Message_ID=None) == "german of winter-1"
    assert gate.told("end phase", Message_ID=None) == "duplicate: silent"
    assert gate.told("end phase", Message_ID=None, Date="Fri, 1 Mar 2024 12:00:00 +0000") == "german of winter-1"


def test_nobody_can_block_another_s_mail_by_using_its_message_id(gate: Gatehouse) -> None:
    assert gate.told(sender=BORIS, Message_ID="<1@players.example>") == "token: answer"
    assert gate.told(Message_ID="<1@players.example>") == "german of winter-1"


def reply(gate: Gatehouse, text: str = "end phase", line: int | None = None, **said: str) -> TurnedAway | Admitted:
    return gate.pass_gate(gate.mail(text, In_Reply_To="<8@table.example>", **said), line=line)


def test_the_same_reply_twice_is_carried_out_once_and_each_is_answered(gate: Gatehouse) -> None:
    assert isinstance(reply(gate, line=9), Admitted)
    second = reply(gate)
    assert isinstance(second, TurnedAway)
    assert (second.rule, second.action, second.data["line"]) == ("duplicate", "answer", 9)


def test_the_same_reply_is_new_after_a_while_or_with_another_word(gate: Gatehouse) -> None:
    reply(gate, line=9)
    assert isinstance(reply(gate, "end phase, please"), Admitted)
    gate.now += timedelta(minutes=11)
    assert isinstance(reply(gate), Admitted)


def test_a_question_asked_twice_is_answered_twice(gate: Gatehouse) -> None:
    assert isinstance(reply(gate, "status"), Admitted)
    assert isinstance(reply(gate, "status"), Admitted)


def test_a_row_that_did_not_note_its_content_is_looked_up_in_the_stored_mail(gate: Gatehouse) -> None:
    mail = gate.mail("end phase", In_Reply_To="<8@table.example>")
    gate.pass_gate(mail, line=9)
    with gate.house.database.begin() as session:
        row = session.get_one(MailIn, mail.id)
        row.content = ""
        session.add(row)
    assert getattr(reply(gate), "rule", "") == "duplicate"


def test_content_does_not_depend_on_how_lines_are_broken(gate: Gatehouse) -> None:
    one, two = gate.mail("move A to 0204\r\nend"), gate.mail("move A to 0204   \nend\n\n")
    assert content_of(one) == content_of(two) != content_of(gate.mail("move A to 0205\nend"))
