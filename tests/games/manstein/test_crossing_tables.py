"""The tables read by crossing points (T2 to T5), row by row through the rules that use them."""

from __future__ import annotations

from functools import cache

import pytest

from engine.asks import Ask, Roll
from engine.cases.deal import bare_position
from engine.facts import Counted, Placed, Pooled, StageBegan, TookHex
from engine.game import Game
from engine.position import apply
from engine.table import Table
from games.manstein.game import RULEBOOK
from games.manstein.rules import negotiation
from games.manstein.rules.activation import most_direct
from games.manstein.rules.air import reorganize
from games.manstein.rules.airborne import airborne
from games.manstein.rules.chits import available
from games.manstein.rules.crossings import counted_points

case = pytest.mark.case
POINTS = ("2918", "2421", "2222", "1826", "1827", "1631")
GARRISON = ("88ID", "75ID", "68ID", "57ID", "255ID", "332ID")


@cache
def campaign(**options: object) -> Game:
    return RULEBOOK.game("campaign", options)


def river(cp: int, turn: int = 3, **options: object) -> Table:
    """The Soviets hold so many points, the seventh by the bridgehead; the Axis stand in the others."""
    position = bare_position(campaign(**options))
    apply(position, StageBegan(stage="draw", turn=turn, side="soviet"))
    for spot in POINTS[:cp]:
        apply(position, TookHex(hex=spot, side="soviet"))
    for unit, spot in zip(GARRISON[cp:], POINTS[cp:], strict=False):
        apply(position, Placed(unit=unit, at=spot))
    if cp > len(POINTS):
        apply(position, Counted(track="airborne", value=1))
    return Table(campaign(**options), position)


@case("manstein", "16.3")
def test_crossing_points_run_from_none_to_seven() -> None:
    assert [counted_points(river(cp)) for cp in range(8)] == list(range(8))


@case("manstein", "16.3")
def test_no_option_puts_a_row_of_the_tables_out_of_reach() -> None:
    choices = RULEBOOK.scenario("campaign").choices
    assert {counted_points(river(7, **{c.name: value})) for c in choices for value in c.values} == {7}


@case("manstein", "T2")
def test_air_markers_by_crossing_points() -> None:
    def drawn(cp: int) -> int:
        steps = reorganize(river(cp))
        step, rolls = next(steps), 0
        while not isinstance(step, Pooled):
            rolls += isinstance(step, Roll)
            step = steps.send(1)
        assert len(step.items) == rolls
        return rolls

    assert [drawn(cp) for cp in range(8)] == [0, 1, 1, 2, 2, 3, 3, 4]


@case("manstein", "T3")
def test_negotiation_points_by_crossing_points() -> None:
    noted = [next(negotiation.begin(river(cp))) for cp in range(8)]
    assert [fact.value / 2 for fact in noted] == [3, 4, 4, 4.5, 4.5, 5, 5, 5.5]


@case("manstein", "T4")
def test_units_of_a_special_activation_by_crossing_points() -> None:
    assert [most_direct(river(cp)) for cp in range(8)] == [6, 7, 7, 8, 8, 9, 9, 10]


@case("manstein", "T5", "6.3(3)-a")
@pytest.mark.parametrize(("turn", "most"), [(1, -1), (2, -1), (3, -1), (4, -1), (5, 0), (6, 1), (7, 3), (8, 5)])
def test_zhukov_comes_while_the_soviets_hold_no_more_points_than_the_turn_allows(turn: int, most: int) -> None:
    assert [cp for cp in range(8) if available(river(cp, turn), "soviet")["Zhukov"]] == list(range(most + 1))


@case("manstein", "13.2")
def test_paratroops_have_somewhere_to_go_when_every_crossing_is_held() -> None:
    table = river(6)
    for unit, spot in zip(("27G", "24G", "25G", "26G", "6G", "4G"), POINTS, strict=True):
        apply(table.position, Placed(unit=unit, at=spot))
    ask = next(airborne(table))
    assert isinstance(ask, Ask)
    ask.check(ask.default())
