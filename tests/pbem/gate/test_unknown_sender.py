"""People who play in no game."""

from __future__ import annotations

from pbem.gate.arrival import SENTENCES
from pbem.store import GameRow
from tests.pbem.gate.gatehouse import ANNA, BORIS, CHAIRS, CLARA, MODERATOR, OWN, Gatehouse

SAY = SENTENCES["unknown_sender"]["say"]


def test_an_outsider_learns_nothing_from_the_answer() -> None:
    secrets = [
        ANNA,
        BORIS,
        CLARA,
        MODERATOR,
        OWN,
        *(game for game, _ in CHAIRS),
        *(token for _, token in CHAIRS.values()),
    ]
    assert not [secret for secret in secrets if secret in SAY]


def test_an_outsider_with_a_player_s_token_is_told_what_every_outsider_is_told(gate: Gatehouse) -> None:
    found = gate.pass_gate(gate.mail("resign", sender="spy@elsewhere.example"))
    assert getattr(found, "say", "") == SAY
    assert not getattr(found, "data", None)


def test_a_name_that_looks_like_an_address_is_not_the_sender(gate: Gatehouse) -> None:
    assert gate.told(sender='"anna@players.example" <spy@elsewhere.example>') == "unknown_sender: answer"


def test_the_moderators_of_games_are_known(gate: Gatehouse) -> None:
    with gate.house.database.begin() as session:
        game = session.get_one(GameRow, "winter-1")
        game.moderator = "marshal@games.example"
        session.add(game)
    office = gate.chair("winter-1", "moderator")
    assert gate.told(sender="marshal@games.example", to=office) == "moderator of winter-1"
    assert gate.told(sender="marshal@games.example", to=gate.chair("spring-2", "moderator")) == "token: answer"
