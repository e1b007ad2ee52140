"""What a sensible player makes of the pocket: when he declares, whom he merges, which way he leads them out."""

from typing import Any, cast

import games
from engine.facts import Counted, Fact, Marked, Noted, Placed, StageBegan
from engine.position import apply
from engine.table import Table
from games.jaws.data import Data
from games.jaws.judgement import pocket
from games.jaws.judgement.goals import aim_of, presses
from games.jaws.orders.breakout import BreakOut, Consolidate
from games.jaws.orders.turn import End

RELIEF = Placed(unit="3/3Pz", at="4442")
NO_ASK = cast(Any, None)


def member(unit: str, at: str, lost: int = 0, wave: int = 1) -> list[Fact]:
    """A unit of Gruppe Stemmermann, in its wave."""
    mark = Marked(subject=unit, mark="stemmermann", value=1)
    return [Placed(unit=unit, at=at, lost=lost), mark, Noted(subject=unit, mark="wave", value=wave)]


def dealt(*happened: Fact, turn: int = 14) -> Table[Data]:
    """The campaign on a map with nobody but these, Korsun isolated and the first wave about to move."""
    game = games.rulebook("jaws").game("campaign", {})
    position = game.new_position()
    for unit in game.setting.roster:
        apply(position, Placed(unit=unit.id, at="unused"))
    begun = [
        StageBegan(stage="german.breakout", turn=turn, side="german"),
        Marked(subject="game", mark="korsun isolated", value="5"),
        Noted(subject="game", mark="breakout step", value="wave 1"),
        Counted(track="stemmermann", value=10),
    ]
    for fact in (*begun, *happened):
        apply(position, fact)
    return Table(game, position)


def test_a_stack_goes_round_the_soviets_where_it_can() -> None:
    table = dealt(*member("105/72", "4439"), RELIEF, Placed(unit="62GRD", at="4440"))
    order = pocket.advise(table, NO_ASK)
    assert isinstance(order, BreakOut)
    assert order.hexes[-1] == "4442"
    assert "4440" not in order.hexes


def test_it_goes_through_them_where_it_must() -> None:
    line = [Placed(unit=unit, at=at) for unit, at in (("62GRD", "4440"), ("69GRD", "4340"), ("31RD", "4540"),
                                                      ("254RD", "4240"), ("294RD", "4640"))]  # fmt: skip
    order = pocket.advise(dealt(*member("105/72", "4438"), RELIEF, *line), NO_ASK)
    assert isinstance(order, BreakOut)
    assert order.hexes[-1] == "4442"


def test_who_has_no_way_out_stays() -> None:
    assert pocket.advise(dealt(*member("105/72", "4436"), RELIEF), NO_ASK) == End()


def test_the_breakout_is_declared_once_enough_can_get_out_and_late_for_anything() -> None:
    ring = [Placed(unit=unit, at=at) for unit, at in (("62GRD", "4338"), ("69GRD", "4538"), ("31RD", "4440"))]
    few = [*member("105/72", "4438", lost=3), RELIEF, *ring]
    assert pocket.breakout_worth(dealt(*few)) == 0
    assert pocket.breakout_worth(dealt(*few, turn=24)) > 0
    assert pocket.breakout_worth(dealt(*member("105/72", "4438"), *member("124/72", "4438"), RELIEF, *ring)) > 0


def test_no_breakout_is_declared_that_would_give_a_victory_away() -> None:
    ring = [Placed(unit=unit, at=at) for unit, at in (("62GRD", "4338"), ("69GRD", "4538"), ("31RD", "4440"))]
    few = [*member("105/72", "4438", lost=3), RELIEF, *ring]
    away = [fact for unit in ("124/72", "266/72") for fact in member(unit, "4442")]
    assert pocket.breakout_worth(dealt(*few, *away, turn=24)) == 0
    assert pocket.breakout_worth(dealt(*few, *away[:3], turn=24)) > 0


def test_guns_are_merged_and_infantry_is_left_alone() -> None:
    table = dealt(*member("105/72", "4439", lost=4), *member("Art72", "4439"), *member("Fus72", "4439"), RELIEF)
    assert pocket.merged_worth(table, Consolidate(units=("Art72",), unit="105/72")) == 2
    assert pocket.merged_worth(table, Consolidate(units=("Fus72",), unit="105/72")) == 0


def test_the_relief_goes_for_the_pocket_and_the_pocket_comes_to_meet_it_late() -> None:
    ring = [Placed(unit=unit, at=at) for unit, at in (("62GRD", "3009"), ("69GRD", "3111"), ("31RD", "2911"))]
    shut = [*member("105/72", "3010"), RELIEF, *ring]
    early, late = dealt(*shut), dealt(*shut, turn=20)
    assert pocket.shut(early)
    assert aim_of(early, "3/3Pz") == 1 << early.grid.hex("3010")
    assert presses(early, "3/3Pz")
    assert not presses(early, "105/72")
    assert presses(late, "105/72")
    assert aim_of(late, "105/72") == 1 << late.grid.hex("4442")


def test_the_soviets_put_themselves_into_the_way_that_leads_into_the_pocket() -> None:
    table = dealt(*member("105/72", "4439"), RELIEF, Placed(unit="62GRD", at="4036"))
    leak = pocket.leak(table)
    assert leak >> table.grid.hex("4439") & 1
    assert aim_of(table, "62GRD") & leak == leak


def test_a_tight_ring_leaks_nothing() -> None:
    ring = [Placed(unit=unit, at=at) for unit, at in (("62GRD", "4339"), ("69GRD", "4538"), ("31RD", "4440"))]
    table = dealt(*member("105/72", "4439"), RELIEF, *ring)
    assert pocket.leak(table) == 0


def test_before_the_pocket_is_shut_the_soviets_go_for_the_way_to_korsun() -> None:
    game = games.rulebook("jaws").game("ring")
    position = game.new_position()
    for unit in game.setting.roster:
        apply(position, Placed(unit=unit.id, at="unused"))
    for fact in (StageBegan(stage="soviet.movement", turn=4, side="soviet"), Placed(unit="62GRD", at="3015"),
                 *member("105/72", "5225"), Placed(unit="69GRD", at="5325")):  # fmt: skip
        apply(position, fact)
    table = Table(game, position)
    leak = pocket.leak(table)
    assert leak >> table.grid.hex("3010") & 1
    assert not leak >> table.grid.hex("5225") & 1
    assert aim_of(table, "62GRD") & leak == leak
