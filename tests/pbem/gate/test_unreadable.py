"""Mails that cannot be taken apart, and mails made to choke their reader."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.gate import Admitted, TurnedAway
from pbem.gate.unreadable import ADDRESS
from pbem.inbox.incoming import content_of, open_mail
from tests.pbem.gate.gatehouse import ANNA, NOON, Gatehouse

HANGS = 20  # seconds of work: a mail that makes its reader hang takes many times that

BOMBS = {
    "a hundred thousand parts": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000,
    "parts within parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2_000)
    ),
    "a few too many parts": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 150 + b"--b--\n",
    "parts a little too deep": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(20)
    ),
    "a subject without end": b"Subject: " + b"=?utf-8?q?a?=\n " * 80_000 + b"\n\nhello",
    "a hundred thousand recipients": b"Cc: "
    + b",\n ".join(b"a%d@b.example" % n for n in range(100_000))
    + b"\n\nhello",
    "a part described without end": b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain"
    + b"".join(b";\n a%d=b" % n for n in range(100_000))
    + b"\n\nhello\n--b--\n",
    "ten thousand headers": b"".join(b"X-%d: y\n" % n for n in range(10_000)) + b"\nhello",
    "five hundred headers": b"".join(b"X-%d: y\n" % n for n in range(500)) + b"\nhello",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_answered_and_never_set_off(gate: Gatehouse, bomb: str) -> None:
    head = b"From: anna@players.example\nMessage-ID: <1@players.example>\n"
    began = process_time()
    found = gate.pass_gate(gate.arrive(head + BOMBS[bomb]))
    assert isinstance(found, TurnedAway)
    assert (found.rule, found.action) == ("unreadable", "answer")
    assert process_time() - began < HANGS


def test_a_mail_with_two_senders_is_set_aside(gate: Gatehouse) -> None:
    assert gate.told(X_A="b\r\nFrom: boris@players.example") == "unreadable: shunt"


def test_a_flood_of_mails_from_nobody_does_not_bury_the_moderator(gate: Gatehouse) -> None:
    fates = [gate.told(sender="nobody") for _ in range(70)]
    assert fates.count("unreadable: shunt") == 61
    assert set(fates[61:]) == {"unreadable: silent"}


@pytest.mark.parametrize(
    "address", ["a b@c.example", "a@b@c.example", "a@c.example\nBcc: x@y.example", "<a@c.example", "a@../x", ""]
)
def test_what_could_break_a_header_is_no_address(address: str) -> None:
    assert not ADDRESS.fullmatch(address)


@pytest.mark.parametrize("address", [ANNA, "o'neil+games@mail.players.example", "jürgen@spieler.example"])
def test_odd_but_honest_addresses_are_addresses(address: str) -> None:
    assert ADDRESS.fullmatch(address)


@pytest.fixture(scope="module")
def open_gate(tmp_path_factory: pytest.TempPathFactory) -> Gatehouse:
    return Gatehouse(tmp_path_factory.mktemp("gate"))


HEADERS = ("From", "To", "Subject", "Message-ID", "In-Reply-To", "Content-Type", "Return-Path", "Auto-Submitted")
LINES = st.tuples(st.sampled_from(HEADERS), st.text(max_size=40).map(lambda text: text.replace("\n", "\n ")))


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(LINES).map(lambda lines: "\n".join(map(": ".join, lines)).encode("utf-8", "replace")),
    )
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_nothing_a_stranger_sends_breaks_the_gate_or_gets_in(open_gate: Gatehouse, raw: bytes) -> None:
    mail = open_mail("0" * 32, raw, NOON, open_gate.house)
    assert not isinstance(open_gate.judge(mail), Admitted)
    assert len(content_of(mail)) == 64
