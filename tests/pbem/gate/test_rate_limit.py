"""Too many mails."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlmodel import insert

from pbem.gate import TurnedAway
from pbem.inbox.incoming import open_mail
from pbem.store import MailIn
from tests.pbem.gate.conftest import NewGate
from tests.pbem.gate.gatehouse import ANNA, BORIS, OWN, Gatehouse


def flood(gate: Gatehouse, sender: str, count: int) -> list[str]:
    """So many mails stored at once; gives their ids in order."""
    ids = [f"{number:032x}" for number in range(count)]
    row = {"digest": "0", "raw": "", "sender": sender, "received": gate.now, "state": "stored"}
    with gate.house.database.begin() as session:
        session.connection().execute(insert(MailIn), [row | {"id": id_, "message_id": id_} for id_ in ids])
    return ids


def test_ten_thousand_mails_from_one_sender_cost_little(gate: Gatehouse) -> None:
    ids = flood(gate, "spammer@elsewhere.example", 10_000)
    sample = ids[:100] + ids[100::99]
    raw = gate.letter(sender="spammer@elsewhere.example", Message_ID=None)
    asked: list[str] = []
    event.listen(gate.house.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    fates: Counter[str] = Counter()
    for id_ in sample:
        found = gate.judge(open_mail(id_, raw + id_.encode(), gate.now, gate.house))
        fates[f"{found.rule}: {found.action}"] += 1
    assert fates == {"unknown_sender: answer": len(sample)}  # none was written down as answered
    asked = [question for question in asked if not question.startswith("BEGIN")]
    assert len(asked) <= 6 * len(sample)
    assert all("LIMIT" in question or "player" in question for question in asked)  # nothing is counted to its end


def test_the_same_holds_for_a_player(new_gate: NewGate) -> None:
    gate = new_gate(mails_an_hour=5)
    fates = Counter(gate.told() for _ in range(20))
    assert fates == {"german of winter-1": 5, "rate_limit: answer": 1, "rate_limit: silent": 14}


def test_a_mail_looked_at_again_after_a_crash_gets_the_same_verdict(new_gate: NewGate) -> None:
    gate = new_gate(mails_an_hour=2)
    mails = [gate.mail() for _ in range(4)]
    once = [gate.judge(mail).__class__ for mail in mails]
    for mail in mails:
        gate.pass_gate(mail)
    assert [gate.judge(mail).__class__ for mail in mails] == once


def test_one_player_s_flood_is_not_another_s(new_gate: NewGate) -> None:
    gate = new_gate(mails_an_hour=1)
    assert [gate.told(sender=ANNA) for _ in range(2)] == ["german of winter-1", "rate_limit: answer"]
    assert gate.told(sender=BORIS, to=gate.chair("winter-1", "soviet")) == "soviet of winter-1"


def test_the_last_answer_of_the_hour_says_that_it_is_the_last(new_gate: NewGate) -> None:
    gate = new_gate(mails_an_hour=1)
    found = [gate.pass_gate(gate.mail(to=OWN)) for _ in range(2)]
    said = ["no more are answered" in verdict.say for verdict in found if isinstance(verdict, TurnedAway)]
    assert said == [False, True]


def test_the_hour_is_the_clock_s(new_gate: NewGate) -> None:
    gate = new_gate(mails_an_hour=1)
    gate.now += timedelta(minutes=59)
    assert [gate.told() for _ in range(2)] == ["german of winter-1", "rate_limit: answer"]
    gate.now += timedelta(minutes=1)
    assert gate.told() == "german of winter-1"


@pytest.mark.parametrize(
    "forged", [{}, {"to": OWN}, {"Auto-Submitted": "auto-replied"}, {"to": "fieldpost+ff@table.example"}]
)
def test_forgeries_do_not_use_up_a_player_s_allowance(new_gate: NewGate, forged: dict[str, str]) -> None:
    gate = new_gate(mails_an_hour=2, authentication="trusted header", trusted_host="mx.table.example")
    fates = [gate.told(**forged) for _ in range(5)]
    assert not set(fates) & {"german of winter-1", "rate_limit: answer"}
    proof = "mx.table.example; dkim=pass header.d=players.example"
    assert gate.told(Authentication_Results=proof) == "german of winter-1"
