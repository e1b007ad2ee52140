"""Machines that answer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.pbem.gate.gatehouse import ANNA, BORIS, Gatehouse

MACHINES = [
    {"Auto-Submitted": "auto-generated"},
    {"Auto-Submitted": "Auto-Replied; owner-email=anna@players.example"},
    {"Auto-Submitted": "(said by) auto-notified"},
    {"Precedence": "Junk"},
    {"Precedence": "auto_reply"},
    {"X-Auto-Response-Suppress": "All"},
    {"X-Autoreply": "yes"},
    {"X-Autorespond": "Out of office"},
    {"sender": "no-reply@shop.example"},
    {"sender": "DoNotReply@shop.example"},
]
PEOPLE: list[dict[str, str]] = [
    {"Auto-Submitted": "no"},
    {"Auto-Submitted": "No (a person)"},
    {"Precedence": "first-class"},
    {"X-Auto-Response-Suppress": "DR, RN, NRN"},
    {"Subject": "Automatic reply: Turn 3"},
]
SUBJECTS = [
    "Automatic reply: Turn 3",
    "Out of Office",
    "Abwesenheitsnotiz",
    "Réponse automatique : Turn 3",
    "Автоответ",
    "自動返信",
]


@pytest.mark.parametrize("said", MACHINES, ids=str)
def test_a_machine_is_not_answered(gate: Gatehouse, said: dict[str, str]) -> None:
    assert gate.told(**said) == "auto_reply: silent"


@pytest.mark.parametrize("said", PEOPLE, ids=str)
def test_a_person_is_let_in(gate: Gatehouse, said: dict[str, str]) -> None:
    assert gate.told(**said) == "german of winter-1"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_note_of_absence_right_after_a_letter_of_ours_is_a_machine_s(gate: Gatehouse, subject: str) -> None:
    gate.send(ANNA, ago=timedelta(seconds=40))
    assert gate.told(Subject=subject) == "auto_reply: silent"


def test_a_note_of_absence_an_hour_later_or_after_another_s_letter_is_a_person_s(gate: Gatehouse) -> None:
    gate.send(ANNA, ago=timedelta(hours=1))
    gate.send(BORIS)
    assert gate.told(Subject="Out of office") == "german of winter-1"


def test_quick_orders_are_a_person_s(gate: Gatehouse) -> None:
    gate.send(ANNA)
    assert gate.told(Subject="Re: [winter-1] Turn 3") == "german of winter-1"


def test_a_holiday_note_to_a_return_address_does_not_fail_the_letter(gate: Gatehouse) -> None:
    letter = gate.send(ANNA)
    to = f"fieldpost+bounces+{letter.id}@table.example"
    assert gate.told("I am away.", to=to, Auto_Submitted="auto-replied") == "auto_reply: silent"
    assert gate.letters(ANNA)[0].state == "sent"
