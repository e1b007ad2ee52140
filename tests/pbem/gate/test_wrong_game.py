"""Mail for another game than the one it was sent to."""

from __future__ import annotations

import pytest

from tests.pbem.gate.gatehouse import BORIS, MODERATOR, Gatehouse


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("Re: [winter-1] Turn 3", "soviet of winter-1"),
        ("Re: [spring-2] Turn 3", "wrong_game: answer"),
        ("Re: [SPRING-2] Turn 3", "wrong_game: answer"),
        ("Fwd: [spring-2] and [winter-1]", "soviet of winter-1"),
        ("spring-2", "soviet of winter-1"),
        ("[autumn-3] Orders", "soviet of winter-1"),
        ("[../spring-2] Orders", "soviet of winter-1"),
        ("[" * 5000, "soviet of winter-1"),
    ],
)
def test_the_subject_must_not_speak_of_another_game_of_the_sender_s(gate: Gatehouse, subject: str, told: str) -> None:
    assert gate.told(sender=BORIS, to=gate.chair("winter-1", "soviet"), Subject=subject) == told


@pytest.mark.parametrize("state", ["invited", "joined", "paused", "finished"])
def test_a_game_that_is_not_being_played_still_hears_its_players(gate: Gatehouse, state: str) -> None:
    gate.game_is("winter-1", state)
    assert gate.told() == "german of winter-1"


def test_an_abandoned_game_hears_its_moderator_alone(gate: Gatehouse) -> None:
    gate.game_is("winter-1", "abandoned")
    assert gate.told() == "wrong_game: answer"
    assert gate.told(sender=MODERATOR, to=gate.chair("winter-1", "moderator")) == "moderator of winter-1"
