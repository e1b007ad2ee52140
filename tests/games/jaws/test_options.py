"""The options of section 18: what they change when a game begins, and that nothing changes without them."""

import pytest

import games
from engine.position import Position, apply
from games.jaws.rules.setup import opening

OPTIONS = (
    "partisans", "reliability", "bridge_collapse", "rail_capacity", "trucks", "fords", "panzer_24", "second_airfield",
    "second_depot", "strengths_by_size", "flak_intercepts", "stalin", "relay",
)  # fmt: skip


def begun(scenario: str, **options: bool) -> Position:
    """The scenario as it begins."""
    game = games.rulebook("jaws").game(scenario, options)
    position = game.new_position()
    for fact in opening(game):
        apply(position, fact)
    return position


def where(unit: str, scenario: str, **options: bool) -> str:
    return begun(scenario, **options).where[unit]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_off_unless_somebody_says_otherwise(name: str) -> None:
    switches = games.rulebook("jaws").game("konev", {}).data.switch
    assert switches[name] is False
    assert games.rulebook("jaws").game("konev", {name: True}).data.switch[name] is True


@pytest.mark.case("jaws", "18.1", "18.1.1")
@pytest.mark.parametrize(("group", "base"), [("Part1", "3503"), ("Part2", "4202"), ("Part3", "4404")])
def test_partisans_begin_in_their_bases_in_the_forests_of_map_a(group: str, base: str) -> None:
    position, board = begun("ring", partisans=True), games.rulebook("jaws").game("ring", {}).board
    assert position.where[group] == base
    assert position.steps_left(group) == 2
    assert board.kinds[board.grid.hex(base)] == "forest"
    assert position.at(board.grid.hex(base)) == (group,)


@pytest.mark.case("jaws", "18.1")
def test_there_are_no_partisans_without_the_option_or_without_their_forests() -> None:
    assert where("Part1", "ring") == "unused"
    assert where("Part1", "vatutin", partisans=True) == "unused"
    assert where("Part1", "konev", partisans=True) == "3503"
