"""Mail that goes in circles."""

from __future__ import annotations

import pytest

from pbem.gate.loop import is_ours
from pbem.letters import Letter, enclose
from tests.pbem.gate.gatehouse import BORIS, MODERATOR, NOON, OWN, Gatehouse


@pytest.mark.parametrize("kind", ["answer", "report", "notice"])
def test_two_services_do_not_answer_each_other(gate: Gatehouse, kind: str) -> None:
    letter = Letter(kind, gate.chair("winter-1", "german"), "Turn 3")  # type: ignore[arg-type]
    mail = enclose(letter, id_="1" * 32, address="fieldpost@another-table.example", at=NOON)
    found = gate.pass_gate(gate.arrive(mail.as_bytes()))
    assert getattr(found, "action", "") == "silent"


@pytest.mark.parametrize("header", ["List-Id", "List-Post", "X-Fieldpost-Loop"])
def test_a_player_s_mail_through_a_list_is_not_answered(gate: Gatehouse, header: str) -> None:
    assert gate.told(**{header: "<list@lists.example>"}) == "loop: silent"


def test_an_x_loop_of_ours_stops_a_mail_and_that_of_others_does_not(gate: Gatehouse) -> None:
    assert gate.told(X_Loop=OWN) == "loop: silent"
    assert gate.told(X_Loop="anna@players.example") == "german of winter-1"


def test_our_address_is_ours_with_every_tag_and_nobody_else_s() -> None:
    assert is_ours("FieldPost+abc@Table.example", OWN)
    assert not is_ours("fieldpost2@table.example", OWN)
    assert not is_ours(MODERATOR, OWN)
    assert not is_ours(BORIS, OWN)
