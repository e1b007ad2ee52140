"""Mails that are too large."""

from __future__ import annotations

from pbem.gate import TurnedAway
from pbem.gate.too_large import in_words
from tests.pbem.gate.conftest import NewGate
from tests.pbem.gate.gatehouse import Gatehouse


def test_fifty_megabytes_are_refused_without_being_read(gate: Gatehouse) -> None:
    mail = gate.arrive(gate.letter("x" * 76 + "\n") + b"y" * 50_000_000)
    found = gate.pass_gate(mail)
    assert isinstance(found, TurnedAway)
    assert (found.rule, found.action) == ("too_large", "answer")
    assert mail.message is not None
    assert not mail.message.get_payload()


def test_the_limit_itself_is_allowed(new_gate: NewGate) -> None:
    gate = new_gate(mail_bytes=1000)
    raw = gate.letter()
    assert gate.pass_gate(gate.arrive(raw + b"x" * (1000 - len(raw)))).__class__.__name__ == "Admitted"
    assert gate.told("x" * 1000) == "too_large: answer"


def test_a_large_mail_that_came_twice_is_answered_once(new_gate: NewGate) -> None:
    gate = new_gate(mail_bytes=1000)
    assert gate.told("x" * 2000, Message_ID="<1@players.example>") == "too_large: answer"
    assert gate.told("x" * 2000, Message_ID="<1@players.example>") == "duplicate: silent"


def test_a_large_mail_from_nobody_is_not_answered(new_gate: NewGate) -> None:
    assert new_gate(mail_bytes=1000).told("x" * 2000, sender="") == "too_large: silent"


def test_a_large_bounce_is_not_answered(new_gate: NewGate) -> None:
    assert new_gate(mail_bytes=1000).told("x" * 2000, sender="MAILER-DAEMON@mx.example") == "bounce: silent"


def test_sizes_are_said_as_people_say_them() -> None:
    assert [in_words(n) for n in (12, 2_400, 2_400_000)] == ["12 bytes", "2 kB", "2.4 MB"]
