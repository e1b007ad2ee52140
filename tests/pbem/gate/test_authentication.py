"""Senders who must be believed before they are heard."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.gate import TurnedAway
from pbem.gate.authentication import MOST_SIGNATURES, judge, speaks_for
from tests.pbem.gate.conftest import NewGate
from tests.pbem.gate.gatehouse import BORIS, Gatehouse
from tests.pbem.gate.keys import dns_of, signed

HOST = "mx.table.example"


def told(gate: Gatehouse, results: str, **said: str) -> str:
    return gate.told(Authentication_Results=results, **said)


@pytest.fixture
def trusting(new_gate: NewGate) -> Gatehouse:
    return new_gate(authentication="trusted header", trusted_host=HOST)


@pytest.fixture
def signing(new_gate: NewGate) -> Gatehouse:
    return new_gate(authentication="dkim")


@pytest.mark.parametrize(
    "results",
    [
        "dkim=pass header.d=players.example",
        "dkim=pass header.i=@players.example",
        "dkim=fail header.d=x.example; dkim=pass header.d=players.example",
        "spf=pass smtp.mailfrom=anna@players.example",
        "dmarc=pass header.from=players.example",
        "dmarc=pass (p=reject dis=none) header.from=players.example",
    ],
)
def test_a_passed_check_of_the_sender_s_domain_is_believed(trusting: Gatehouse, results: str) -> None:
    assert told(trusting, f"{HOST}; {results}") == "german of winter-1"


@pytest.mark.parametrize(
    "results",
    [
        f"{HOST}; none",
        f"{HOST}; dkim=fail header.d=players.example",
        f"{HOST}; dkim=pass header.d=evil-players.example",
        f"{HOST}; dkim=pass header.d=example",
        f"{HOST}; dkim=pass header.d=mail.players.example",
        f"{HOST}; spf=pass smtp.mailfrom=players.example@evil.example",
        f"{HOST}; spf=pass smtp.helo=players.example",
        f"{HOST}; auth=pass smtp.auth=anna@players.example",
        f"{HOST}.evil.example; dkim=pass header.d=players.example",
        "players.example; dkim=pass header.d=players.example",
        "nonsense; ; = ;",
        "",
    ],
)
def test_anything_less_is_not(trusting: Gatehouse, results: str) -> None:
    assert told(trusting, results) == "authentication: answer"


def test_a_forged_result_below_the_server_s_own_is_not_read(trusting: Gatehouse) -> None:
    ours = f"{HOST}; dkim=none\r\nReceived: from evil.example by {HOST}; Fri, 1 Mar 2024 12:00:00 +0000\r\n"
    forged = f"Authentication-Results: {HOST}; dkim=pass header.d=players.example"
    assert told(trusting, ours + forged) == "authentication: answer"


def test_a_stamp_below_the_trusted_host_s_own_is_worth_nothing_whoever_s_name_it_bears(trusting: Gatehouse) -> None:
    for name in (HOST, "mx.elsewhere.example"):
        one, two = f"{HOST}; spf=fail smtp.mailfrom=x.example", f"{name}; dkim=pass header.d=players.example"
        assert told(trusting, f"{one}\r\nAuthentication-Results: {two}") == "authentication: answer"


def test_a_stamp_of_another_host_above_the_trusted_one_s_changes_nothing(trusting: Gatehouse) -> None:
    one, two = "relay.elsewhere.example; dkim=fail", f"{HOST}; dkim=pass header.d=players.example"
    assert told(trusting, f"{one}\r\nAuthentication-Results: {two}") == "german of winter-1"


def test_a_stamp_that_came_with_the_mail_is_not_the_server_s_though_it_stamped_nothing(trusting: Gatehouse) -> None:
    came = f"from relay.elsewhere.example by {HOST}; Fri, 1 Mar 2024 12:00:00 +0000\r\n"
    before = "Received: from evil.example by relay.elsewhere.example; Fri, 1 Mar 2024 11:59:00 +0000\r\n"
    forged = f"Authentication-Results: {HOST}; dkim=pass header.d=players.example"
    assert trusting.told(Received=came + before + forged) == "authentication: answer"


def test_a_stamp_below_the_received_lines_of_its_own_house_is_the_server_s(trusting: Gatehouse) -> None:
    inside = "by 2002:a05:6402:1234 with SMTP id x; Fri, 1 Mar 2024 12:00:01 +0000\r\n"
    came = f"Received: from players.example by {HOST}; Fri, 1 Mar 2024 12:00:00 +0000\r\n"
    stamp = f"Authentication-Results: {HOST}; dkim=pass header.d=players.example\r\n"
    before = "Received: from home by players.example; Fri, 1 Mar 2024 11:59:00 +0000"
    assert trusting.told(Received=inside + came + stamp + before) == "german of winter-1"


def test_without_a_trusted_host_nobody_is_believed(new_gate: NewGate) -> None:
    gate = new_gate(authentication="trusted header")
    assert told(gate, "; dkim=pass header.d=players.example") == "authentication: answer"


def by_signature(gate: Gatehouse, raw: bytes, *domains: str) -> TurnedAway | None:
    found: TurnedAway | None = gate.judge(gate.arrive(raw), partial(judge, look_up=dns_of(*domains)))
    return found


def test_a_signature_of_the_sender_s_domain_is_believed(signing: Gatehouse) -> None:
    assert by_signature(signing, signed(signing.letter(), "players.example"), "players.example") is None


def test_a_signature_of_another_domain_is_not(signing: Gatehouse) -> None:
    found = by_signature(signing, signed(signing.letter(), "evil.example"), "evil.example", "players.example")
    assert found is not None
    assert found.action == "answer"


def test_the_second_signature_may_be_the_right_one(signing: Gatehouse) -> None:
    raw = signed(signed(signing.letter(), "players.example"), "lists.example")
    assert by_signature(signing, raw, "players.example", "lists.example") is None


@pytest.mark.parametrize("change", [(b"status", b"resign"), (b"anna@", b"boris@"), (b"Orders", b"Others")])
def test_a_changed_mail_is_not_believed(signing: Gatehouse, change: tuple[bytes, bytes]) -> None:
    raw = signed(signing.letter(), "players.example").replace(*change)
    assert by_signature(signing, raw, "players.example") is not None


def test_a_signature_that_leaves_room_for_more_orders_is_not_believed(signing: Gatehouse) -> None:
    raw = signed(signing.letter("status"), "players.example", length=True)
    assert by_signature(signing, raw + b"resign\r\n", "players.example") is not None


def test_a_key_that_is_gone_from_the_dns_is_not_believed(signing: Gatehouse) -> None:
    assert by_signature(signing, signed(signing.letter(), "players.example")) is not None


def test_a_hundred_signatures_cost_few_questions(signing: Gatehouse) -> None:
    asked: list[bytes] = []

    def look_up(name: bytes, timeout: int = 5) -> None:
        asked.append(name)

    raw = signed(signing.letter(), "players.example")
    end = raw.index(b"\r\nFrom") + 2
    mail = signing.arrive(raw[:end] * 100 + raw[end:])
    assert signing.judge(mail, partial(judge, look_up=look_up)) is not None
    assert len(asked) <= MOST_SIGNATURES


def test_a_forged_mail_is_told_to_the_one_who_was_imitated_and_gives_nothing_away(trusting: Gatehouse) -> None:
    found = trusting.pass_gate(trusting.mail(sender=BORIS, to=trusting.chair("winter-1", "soviet")))
    assert isinstance(found, TurnedAway)
    assert found.action == "answer"
    assert "winter" not in found.say


def test_a_domain_speaks_downwards_only() -> None:
    assert speaks_for("players.example", "mail.players.example")
    assert not speaks_for("mail.players.example", "players.example")
    assert not speaks_for("layers.example", "players.example")
    assert not speaks_for("", "players.example")
