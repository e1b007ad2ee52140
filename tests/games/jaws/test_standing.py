"""The head of every report, where the campaign ends on a turn that its calendar has not."""

import pytest

import games
from engine.facts import Noted, StageBegan
from engine.position import apply
from engine.table import Table
from games.jaws.standing import standing

case = pytest.mark.case


@case("jaws", "16.4-e3")
@pytest.mark.parametrize(
    ("turn", "told"), [(24, "24 of 24, 17 February 1944"), (25, "25, the Soviet turn after the Breakout")]
)
def test_the_turn_after_the_last_is_not_one_of_the_scenarios(turn: int, told: str) -> None:
    game = games.rulebook("jaws").game("campaign", {})
    position = game.new_position()
    apply(position, StageBegan(stage="soviet.movement", turn=turn, side="soviet"))
    apply(position, Noted(subject="game", mark="breakout", value="24"))
    table = Table(game, position)
    assert dict(standing(table))["Turn"] == told
    assert game.summary(table).startswith(f"turn {told.removesuffix(', 17 February 1944')}, soviet movement")
