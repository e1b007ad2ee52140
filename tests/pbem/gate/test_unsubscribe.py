"""The Unsubscribe button: whoever presses it hears less, once, and nobody else does."""

from __future__ import annotations

import pytest
from sqlmodel import select

from pbem.house.wishes import reminders, wish_of
from pbem.outbox.unsubscribing import Subscription, unsubscribe_address
from pbem.store import GameRow, Player, Seat, Spectator
from tests.pbem.gate.gatehouse import ANNA, BORIS, CLARA, Gatehouse


def spared(gate: Gatehouse) -> list[str]:
    """The chairs whose reminders are off."""
    with gate.house.database.begin() as session:
        seats = session.exec(select(Seat)).all()
        return [
            f"{seat.side} of {seat.game_id}"
            for seat in seats
            if wish_of(session, session.get_one(Player, seat.player_id), reminders(seat))
        ]


@pytest.mark.parametrize("sender", [ANNA, "anna@work.example", "no-reply@mailprogram.example"])
@pytest.mark.parametrize("text", ["", "unsubscribe", "reminders on"])
def test_whatever_comes_there_ends_the_reminders_of_that_chair_alone(gate: Gatehouse, sender: str, text: str) -> None:
    found = gate.pass_gate(gate.mail(text, to=gate.unsubscribe("winter-1", "german"), sender=sender))
    assert found.action == "answer"
    assert found.data["to"] == ANNA
    assert found.data["reply_to"] == gate.chair("winter-1", "german")
    assert spared(gate) == ["german of winter-1"]


def test_it_opens_no_chair(gate: Gatehouse) -> None:
    assert gate.told("end phase", to=gate.unsubscribe("winter-1", "german")) == "unsubscribe: answer"


def test_one_that_was_made_up_or_is_another_s_ends_nothing(gate: Gatehouse) -> None:
    real = gate.unsubscribe("winter-1", "german")
    soviet = gate.unsubscribe("winter-1", "soviet")
    mixed = f"{real.rpartition('-')[0]}-{soviet.rpartition('-')[2]}"
    assert gate.told(to=mixed) == "unsubscribe: silent"
    assert spared(gate) == []


def test_whoever_sits_there_next_is_reminded(gate: Gatehouse) -> None:
    gate.told(to=gate.unsubscribe("winter-1", "german"))
    gate.seat_goes_to("winter-1", "german", CLARA)
    assert spared(gate) == []


def test_an_onlooker_leaves_with_it(gate: Gatehouse) -> None:
    with gate.house.database.begin() as session:
        lookers = [Spectator(game_id="winter-1", address=address) for address in (CLARA, BORIS)]
        session.add_all(lookers)
        session.flush()
        button = unsubscribe_address(gate.house, Subscription(session.get_one(GameRow, "winter-1"), lookers[0]))
    assert gate.told("", to=button, sender=CLARA) == "unsubscribe: answer"
    with gate.house.database.begin() as session:
        assert [looker.address for looker in session.exec(select(Spectator)).all()] == [BORIS]
    assert gate.told("", to=button, sender=CLARA) == "unsubscribe: silent"
