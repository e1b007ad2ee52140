"""Letters that come back."""

from __future__ import annotations

import pytest

from pbem.gate import TurnedAway, follow_up
from pbem.inbox.incoming import tags_of
from pbem.outbox.verp import envelope_sender
from tests.pbem.gate.gatehouse import ANNA, MODERATOR, OWN, Gatehouse

REPORT = """--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.example

Final-Recipient: rfc822; anna@players.example
Action: {action}
Status: {status}

--b
Content-Type: message/rfc822

From: fieldpost@table.example
To: anna@players.example
Message-ID: {message_id}

Turn 3
--b--
"""
DSN = "multipart/report; report-type=delivery-status; boundary=b"


def bounce(gate: Gatehouse, to: str, action: str = "failed", status: str = "5.1.1", **said: str) -> TurnedAway:
    text = REPORT.format(action=action, status=status, message_id=said.pop("message_id", "<x@y.example>"))
    headers = {"sender": "MAILER-DAEMON@mx.players.example", "Content-Type": DSN, "Auto-Submitted": "auto-replied"}
    found = gate.pass_gate(gate.mail(text, to=to, **(headers | said)))
    assert isinstance(found, TurnedAway)
    assert found.action == "silent"
    return found


def test_a_letter_that_came_back_has_failed_and_the_moderator_hears_of_it_once(gate: Gatehouse) -> None:
    letter = gate.send(ANNA)
    for _ in range(2):
        assert bounce(gate, envelope_sender(OWN, letter.id)).data["failed"] == letter.id
    assert [row.state for row in gate.letters(ANNA)] == ["failed"]
    assert len(gate.letters(MODERATOR)) == 1


def test_a_delay_fails_nothing(gate: Gatehouse) -> None:
    letter = gate.send(ANNA)
    assert bounce(gate, envelope_sender(OWN, letter.id), "delayed", "4.4.1").rule == "bounce"
    assert [row.state for row in gate.letters(ANNA)] == ["sent"]


def test_without_a_return_address_the_enclosed_letter_is_recognised(gate: Gatehouse) -> None:
    letter = gate.send(ANNA)
    assert bounce(gate, OWN, message_id=letter.message_id).data["failed"] == letter.id


def test_a_bounce_of_mail_that_was_never_ours_changes_nothing(gate: Gatehouse) -> None:
    gate.send(ANNA)
    assert not bounce(gate, OWN).data
    assert not bounce(gate, envelope_sender(OWN, "f" * 32)).data
    assert [row.state for row in gate.letters(ANNA)] == ["sent"]


@pytest.mark.parametrize("sender", ["MAILER-DAEMON", "<>", "postmaster@mx.players.example"])
def test_a_bounce_is_heard_whatever_its_sender_is_called(gate: Gatehouse, sender: str) -> None:
    letter = gate.send(ANNA)
    assert bounce(gate, envelope_sender(OWN, letter.id), sender=sender).data["failed"] == letter.id


def test_a_letter_to_the_moderator_that_came_back_is_not_told_to_the_moderator(gate: Gatehouse) -> None:
    letter = gate.send(MODERATOR)
    bounce(gate, envelope_sender(OWN, letter.id))
    assert [row.state for row in gate.letters(MODERATOR)] == ["failed"]


def test_a_letter_that_has_not_left_cannot_be_failed_by_a_forged_bounce(gate: Gatehouse) -> None:
    letter = gate.send(ANNA)
    with gate.house.database.begin() as session:
        letter.state = "queued"
        session.add(letter)
    bounce(gate, envelope_sender(OWN, letter.id))
    assert [row.state for row in gate.letters(ANNA)] == ["queued"]


def test_other_verdicts_have_nothing_to_follow(gate: Gatehouse) -> None:
    with gate.house.database.begin() as session:
        follow_up(gate.house, session, TurnedAway("loop", "silent"))
    assert not gate.letters(MODERATOR)


def test_the_gate_reads_the_return_addresses_that_the_outbox_writes(gate: Gatehouse) -> None:
    mail = gate.mail(to=envelope_sender(OWN, "ab" * 16))
    assert mail.message is not None
    assert tags_of(mail.message, OWN) == ("bounces+" + "ab" * 16,)
