"""Whose chair it is."""

from __future__ import annotations

import pytest

from pbem.gate import TurnedAway
from tests.pbem.gate.gatehouse import ANNA, BORIS, CHAIRS, CLARA, MODERATOR, OWN, Gatehouse


def verdict(gate: Gatehouse, **said: str) -> TurnedAway:
    found = gate.pass_gate(gate.mail("resign", **said))
    assert isinstance(found, TurnedAway)
    assert (found.rule, found.action) == ("token", "answer")
    return found


@pytest.mark.parametrize(("game", "side"), CHAIRS)
@pytest.mark.parametrize("sender", [ANNA, BORIS, CLARA])
def test_a_token_opens_its_chair_to_its_player_and_to_nobody_else(
    gate: Gatehouse, game: str, side: str, sender: str
) -> None:
    told = gate.told(sender=sender, to=gate.chair(game, side))
    assert told == (f"{side} of {game}" if CHAIRS[game, side][0] == sender else "token: answer")


@pytest.mark.parametrize("token", ["b1" * 16, "ff" * 16, "../../etc", "b1' or '1'='1", "%", "winter-1", "x" * 3000])
def test_a_stolen_or_invented_token_is_answered_without_a_word_about_games(gate: Gatehouse, token: str) -> None:
    to = f'<"fieldpost+{token}"@table.example>' if "'" in token else f"<fieldpost+{token}@table.example>"
    said = gate.pass_gate(gate.mail("resign", to=to))
    assert isinstance(said, TurnedAway)
    assert (said.rule, said.action) == ("bare_address" if "'" in token else "token", "answer")
    assert "winter" not in said.say
    assert said.data["reply_to"] == gate.chair("winter-1", "german")


def test_the_moderator_s_token_is_of_no_use_to_a_player(gate: Gatehouse) -> None:
    assert verdict(gate, to=gate.chair("winter-1", "moderator")).data["kind"] == "wrong"


def test_the_moderator_does_not_speak_for_a_player_by_his_token(gate: Gatehouse) -> None:
    assert verdict(gate, sender=MODERATOR).data["kind"] == "wrong"


def test_a_mail_to_two_chairs_of_one_player_speaks_for_neither(gate: Gatehouse) -> None:
    both = f"{gate.chair('winter-1', 'soviet')}, {gate.chair('spring-2', 'german')}"
    assert verdict(gate, sender=BORIS, to=both).data["kind"] == "two"


def test_a_copy_to_the_service_and_to_the_opponent_s_chair_does_no_harm(gate: Gatehouse) -> None:
    copies = f"{OWN}, {gate.chair('winter-1', 'soviet')}"
    assert gate.told(Cc=copies) == "german of winter-1"


def test_a_chair_that_a_bot_has_taken_over_is_closed_to_its_player(gate: Gatehouse) -> None:
    gate.told()
    gate.seat_goes_to("winter-1", "german", None, bot="sensible")
    assert verdict(gate).data == {"kind": "stale"}


def test_a_replaced_player_is_told_so_and_a_stranger_to_the_chair_is_not(gate: Gatehouse) -> None:
    gate.told()
    gate.seat_goes_to("winter-1", "german", CLARA)
    assert verdict(gate).data["kind"] == "stale"
    assert verdict(gate, sender=BORIS).data["kind"] == "wrong"
