"""Stacking in the Movement Segment: no order of legal moves leads where the segment cannot be closed."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.asks import Ask
from engine.cases.deal import bare_position
from engine.facts import Marked, Placed, StageBegan
from engine.game import Game
from engine.position import apply
from engine.refusals import Illegal
from engine.table import Table
from games.manstein.game import RULEBOOK
from games.manstein.orders import End, Move, Strat
from games.manstein.rules.ground import AXIS, SOVIET, crowded, zoc
from games.manstein.rules.movement import check_move, movement_segment
from games.manstein.rules.stacking import check_end, movable

case = pytest.mark.case


@cache
def campaign() -> Game:
    return RULEBOOK.game("campaign")


def crush(seed: int) -> Table:
    """Thirty Axis units and two HQs two to a hex within a small ring of enemies, most of them activated."""
    random = Random(seed)
    game = campaign()
    position = bare_position(game)
    apply(position, StageBegan(stage="axis.move", turn=2, side=AXIS))
    spots = [f"{row}{column}" for row in (12, 13, 14) for column in (33, 34, 35, 36, 37)]
    units = [unit.id for unit in game.setting.roster.by_side(AXIS) if "hq" not in unit.classes][:30]
    for index, unit in enumerate([*units, "8A", "6A"]):
        apply(position, Placed(unit=unit, at=spots[index % len(spots)]))
        if random.random() < 0.8:
            apply(position, Marked(subject=unit, mark="activated", value=1))
        if random.random() < 0.5:
            apply(position, Marked(subject=unit, mark="supply", value="isolated"))
    enemies = iter(unit.id for unit in game.setting.roster.by_side(SOVIET) if "hq" not in unit.classes)
    for column in range(32, 40):
        for row in (10, 16):
            apply(position, Placed(unit=next(enemies), at=f"{row}{column}"))
    return Table(game, position)


def ask_of(table: Table) -> Ask:
    ask = next(movement_segment(table, AXIS))
    assert isinstance(ask, Ask)
    return ask


def carry_out(table: Table, order: Move | Strat) -> None:
    for unit in order.units:
        apply(table.position, Marked(subject=unit, mark="moved", value=1))
        apply(table.position, Placed(unit=unit, at=order.to))


def random_move(table: Table, random: Random) -> Move | Strat:
    """Any of the legal moves of a unit, those into full hexes among them."""
    ask = ask_of(table)
    first = random.choice([found for found in ask.choices() if len(found.given.get("units", ())) == 1])
    order = random.choice(first.following()).order()
    assert isinstance(order, Move | Strat)
    return order


@case("manstein", "3.1(3)")
@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_whatever_was_moved_the_defaults_lead_to_a_legal_end(seed: int) -> None:
    table, random = crush(seed), Random(seed)
    worst = 0
    for _ in range(12):
        order = random_move(table, random)
        check_move(table, AXIS, order)
        carry_out(table, order)
        worst = max(worst, len(crowded(table, AXIS)))
    assert worst > 0
    before = len(movable(table, AXIS))
    for _ in range(before + 1):
        usual = ask_of(table).default()
        ask_of(table).check(usual)
        if isinstance(usual, End):
            break
        assert isinstance(usual, Move | Strat)
        carry_out(table, usual)
    assert not crowded(table, AXIS)
    check_end(table, AXIS)


@case("manstein", "9.1.1")
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_stack_goes_wherever_it_is_offered_to_go(seed: int) -> None:
    table = crush(seed)
    ask = ask_of(table)
    together = [choice for choice in ask.choices() if len(choice.given.get("units", ())) > 1]
    assert together
    for choice in together:
        for found in choice.following():
            ask.check(found.order())


@case("manstein", "3.1(3)")
def test_what_is_refused_could_not_have_been_mended() -> None:
    table = crush(1)
    for unit in table.position.on_map(AXIS):
        apply(table.position, Marked(subject=unit, mark="activated", value=None))
    apply(table.position, Marked(subject="88ID", mark="activated", value=1))
    apply(table.position, Marked(subject="88ID", mark="supply", value=None))
    with pytest.raises(Illegal) as refused:
        check_move(table, AXIS, Move(units=("88ID",), to="1335"))
    assert refused.value.case == "3.1(3)"
    assert refused.value.at == "1335"
    assert "go elsewhere" in refused.value.sentence()


@case("manstein", "3.1(3)")
def test_an_overfull_hex_that_nobody_can_leave_does_not_hold_the_game_up() -> None:
    position = bare_position(campaign())
    apply(position, StageBegan(stage="axis.move", turn=2, side=AXIS))
    for unit in ("88ID", "75ID", "68ID"):
        apply(position, Placed(unit=unit, at="1335"))
    table = Table(campaign(), position)
    assert isinstance(ask_of(table).default(), End)
    check_end(table, AXIS)


@case("manstein", "3.2(1)")
def test_no_zone_of_control_reaches_into_the_sea() -> None:
    position = bare_position(campaign())
    apply(position, Placed(unit="88ID", at="0218"))
    table = Table(campaign(), position)
    around = set(table.grid.neighbours(table.grid.hex("0218")))
    water = {table.grid.hex(spot) for spot in ("0118", "0219")}
    assert water < around
    zones = {h for h in range(zoc(table, AXIS).bit_length()) if zoc(table, AXIS) >> h & 1}
    assert zones == around - water


@case("manstein", "4.0-a")
@case("manstein", "4.0-d", "11.1.5", "16.1(2)")
@case("manstein", "2.2.3")
def test_everybody_on_the_map_starts_at_full_strength_and_in_supply() -> None:
    game = campaign()
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    rows = game.data.scenario["units_at_start"]
    for side in (SOVIET, AXIS):
        there = list(position.on_map(side))
        hqs = [unit.id for unit in game.setting.roster.by_side(side) if "hq" in unit.classes]
        assert len(set(there) - set(hqs)) == rows[side]["count"]
        assert not any(position.lost.get(unit, 0) or position.mark(unit, "supply") for unit in there)


@case("manstein", "3.4(1)")
def test_the_armies_face_each_other_over_the_start_line() -> None:
    game = campaign()
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    assert not position.held(AXIS) & ~game.data.axis_ground
    assert not position.held(SOVIET) & game.data.axis_ground
