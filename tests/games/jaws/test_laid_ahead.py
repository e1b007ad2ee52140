"""SDMs laid ahead (13.2.1): for the next turn, whatever the ground will be."""

from collections.abc import Sequence

import pytest

import games
from engine.dice import ForcedDice
from engine.facts import StageBegan
from engine.position import apply
from engine.referee import Referee
from games.jaws.data import GERMAN, SOVIET

FROZEN, MUD = (1, 1, 1, 1, 1), (6, 1, 1, 1, 1)
GROUNDS = pytest.mark.parametrize(("dice", "place"), [(FROZEN, "5225"), (MUD, "4844")], ids=["frozen", "mud"])
LINES = "if ground is mud: sdm 47PzK-1 4844\nif ground is frozen: sdm 47PzK-1 5225"


def at_the_end_of_turn_1(dice: Sequence[int]) -> Referee:
    """The German Engineering Phase of the first turn, with the dice of the next one's weather."""
    game = games.rulebook("jaws").game("konev", {})
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    apply(position, StageBegan(stage="german.engineering", turn=1, side=GERMAN))
    referee = Referee(game, position, ForcedDice(list(dice)))
    referee.start()
    return referee


def asked(referee: Referee) -> list[tuple[str, str]]:
    return [(ask.side, ask.name) for ask in referee.asks]


@pytest.mark.case("jaws", "13.2.1")
@GROUNDS
def test_the_rest_of_a_mail_lays_the_next_turns_sdms_by_the_ground(dice: Sequence[int], place: str) -> None:
    referee = at_the_end_of_turn_1(dice)
    assert asked(referee) == [(GERMAN, "engineering")]
    reply = referee.submit(GERMAN, f"end engineering\n{LINES}")
    assert [line.state for line in reply.lines if line.understood] == ["done", "sealed"]
    referee.submit(SOVIET, "keep")
    assert referee.position.where["SDM-47PzK-1"] == place


@pytest.mark.case("jaws", "13.2.1")
@GROUNDS
def test_a_side_lays_its_sdms_before_the_other_has_ended_its_turn(dice: Sequence[int], place: str) -> None:
    referee = at_the_end_of_turn_1(dice)
    lines = "if ground is mud: sdm 20TkC 5917\nif ground is frozen: sdm 20TkC 5617"
    statements, reply = referee.understand(SOVIET, lines)
    assert not reply.refused
    referee.drawer.keep(SOVIET, statements)
    referee.submit(GERMAN, f"end engineering\n{LINES}")
    assert not [ask for ask in asked(referee) if ask[1] == "sdm"]
    assert referee.position.where["SDM-20TkC"] == ("5617" if place == "5225" else "5917")
    assert referee.position.where["SDM-47PzK-1"] == place


@pytest.mark.case("jaws", "3.2-C")
def test_what_is_laid_ahead_is_not_seen_by_the_other_side_before_both_are_opened() -> None:
    referee = at_the_end_of_turn_1(FROZEN)
    referee.submit(GERMAN, f"end engineering\n{LINES}")
    assert referee.table.seen_by(SOVIET).position.where["SDM-47PzK-1"] == "supply"
