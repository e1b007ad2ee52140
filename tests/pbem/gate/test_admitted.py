"""Who is let in."""

from __future__ import annotations

from pbem.gate import Admitted, TurnedAway, admitted
from pbem.store import Seat
from tests.pbem.gate.gatehouse import MODERATOR, Gatehouse


def test_the_rows_can_be_used_and_changed_in_another_transaction(gate: Gatehouse) -> None:
    found = gate.pass_gate(gate.mail())
    assert isinstance(found, Admitted)
    assert found.seat is not None
    found.seat.waiting = True
    with gate.house.database.begin() as session:
        session.add(found.seat)
    with gate.house.database.begin() as session:
        assert session.get_one(Seat, found.seat.id).waiting


def test_the_moderator_needs_no_chair_and_no_account(gate: Gatehouse) -> None:
    found = gate.pass_gate(gate.mail(sender=MODERATOR, to=gate.chair("winter-1", "moderator")))
    assert isinstance(found, Admitted)
    assert (found.side, found.seat, found.player) == ("moderator", None, None)


def test_a_mail_without_a_chair_is_never_let_in(gate: Gatehouse) -> None:
    found = gate.judge(gate.mail(to="someone@else.example"), admitted.judge)
    assert isinstance(found, TurnedAway)
    assert found.action == "shunt"
