"""The options of section 18: what they change when a game begins, and that nothing changes without them."""

import pytest

import games
from engine.asks import Roll
from engine.facts import Counted, Fact, Marked, Placed, StageBegan, Told
from engine.position import Position, apply
from engine.table import Table
from games.jaws.data import GERMAN, SOVIET
from games.jaws.rules.audit import faults
from games.jaws.rules.reliability import reliability_rolls
from games.jaws.rules.setup import opening
from games.jaws.rules.stacking import breach

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


# The audit


ALL = dict.fromkeys(OPTIONS, True)


def wrong(*happened: Fact, **options: bool) -> list[str]:
    """What the audit says of an empty map on which this has happened."""
    game = games.rulebook("jaws").game("ring", options)
    position = game.new_position()
    for unit in game.setting.roster:
        away = options.get("partisans") and "partisan" in unit.classes
        apply(position, Placed(unit=unit.id, at="partisans back on turn 9" if away else "unused"))
    for fact in (*happened, StageBegan(stage="soviet.movement", turn=5, side="soviet")):
        apply(position, fact)
    return faults(Table(game, position))


def test_what_the_options_bring_is_as_it_should_be() -> None:
    sound = [
        Placed(unit="Part1", at="3503"),
        Marked(subject="@4430/4530", mark="sound"),
        Marked(subject="@3923/3924", mark="ford", value="german"),
        Marked(subject="@3215", mark="second airfield", value="building"),
        Marked(subject="@3214", mark="second depot", value=4),
    ]
    assert wrong(*sound, **ALL) == []


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (Placed(unit="Part1", at="4204"), "Part1 is in the open, in 4204"),
        (Placed(unit="Part1", at="eliminated"), "Part1 is in eliminated"),
        (Marked(subject="@4430/4429", mark="sound"), "a bridge is sound, and does not stand"),
        (Marked(subject="@4430/4530", mark="ford", value="german"), "there is a ford where none can be"),
        (Counted(track="ford tries german", value=9), "german has looked for fords too often"),
        (Marked(subject="@3312", mark="second depot", value=4), "the second depot is on no road"),
        (Counted(track="second airfield", value=2), "there is no second airfield, and it holds SPs"),
        (Marked(subject="SDM-20TkC", mark="relayed", value="SDM-5GTkA"), "there are relays on frozen ground"),
    ],
)
def test_the_audit_finds_what_an_option_must_not_leave_behind(then: Fact, said: str) -> None:
    assert said in wrong(then, **ALL)


def test_nothing_bears_a_mark_of_an_option_that_is_off() -> None:
    assert wrong(Marked(subject="@4430/4530", mark="sound")) == ["@4430/4530 is marked 'sound' without the option"]


# Secrets


@pytest.mark.case("jaws", "18.2", "3.2-F1C")
def test_only_the_germans_see_the_dice_for_engines() -> None:
    game = games.rulebook("jaws").game("ring", {"reliability": True})
    position = game.new_position()
    for fact in (Placed(unit="s503", at="4440"), StageBegan(stage="german.declarations", turn=10, side=GERMAN)):
        apply(position, fact)
    rolls, said, cast = list[Roll](), list[str](), reliability_rolls(Table(game, position))
    step = next(cast)
    while True:
        try:
            rolls += [step] if isinstance(step, Roll) else []
            said += [step.text] if isinstance(step, Told) else []
            step = cast.send(1 if isinstance(step, Roll) else None)
        except StopIteration:
            break
    assert [(roll.stream, roll.only) for roll in rolls] == [("engines", (GERMAN,))] * 2
    assert not any("s503" in text for text in said)


# Stalin intervenes


@pytest.mark.case("jaws", "18.13-b", "11.0-s1")
def test_who_is_given_to_an_army_stacks_with_it_though_he_was_asked_about_before() -> None:
    game = games.rulebook("jaws").game("ring", {"stalin": True})
    table = Table(game, begun("ring", stalin=True))
    table = table.suppose([Marked(subject="game", mark="stalin", value="17", because="18.13")])
    pair, h = ["62GRD", "54EngA"], table.grid.hex("5717")
    before = breach(table, SOVIET, pair, h)
    assert before is not None
    assert before.case == "11.0-s1"
    given = table.suppose([Marked(subject="62GRD", mark="attached", value="53A", because="18.13-b")])
    assert breach(given, SOVIET, pair, h) is None
