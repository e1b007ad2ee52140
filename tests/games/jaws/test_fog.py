"""What is hidden in a played game: a side is told of enemy units only what it sees, and its log says no more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import games
from engine.asks import Ask
from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.facts import (
    Doubted,
    Eliminated,
    Fact,
    LostSight,
    Marked,
    Noted,
    Placed,
    Sighted,
    StageBegan,
    load,
)
from engine.game import Game
from engine.log import items
from engine.orders.order import Order
from engine.position import Position, apply
from engine.referee import Referee
from engine.rules.ground import number, units_at
from engine.table import Table
from engine.view import view
from games.jaws.data import GERMAN, SOVIET
from games.jaws.orders.combat import Attack, Declare
from games.jaws.rules.combat.declaration import attackable
from games.jaws.rules.sight import looked_at, shows_strength
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.top import TOP
from games.jaws.rules.units import has_chit, is_sdm, standing, units_in
from games.jaws.rules.zones import zones
from tests.test_log_format import check, check_copy, rows

SIDES = (SOVIET, GERMAN)


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("jaws", *numbers)


@cache
def game() -> Game:
    return games.rulebook("jaws").game("konev", {})


def other(side: str) -> str:
    return SIDES[side == SIDES[0]]


class Brawler(RandomLegal):
    """A random player who declares an attack on whomever he can, and fights them all."""

    def answer(self, table: Table, ask: Ask) -> Order:
        if ask.name == "declaration":
            found = attackable(table.seen_by(ask.side), ask.side)
            return Declare(hexes=tuple(number(table, h) for h in found))
        if Attack in ask.verbs:
            tries = (super(Brawler, self).answer(table, ask) for _ in range(8))
            return next((order for order in tries if isinstance(order, Attack)), ask.default())
        return super().answer(table, ask)


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Three turns with more than forty combats."""
    bots = {SOVIET: Brawler(7, restless=20), GERMAN: Brawler(8, restless=20)}
    return play(game(), bots, seed=5, turns=3).campaign


def facts_of(campaign: Campaign) -> Iterator[Fact]:
    """All that happened, in truth."""
    for line in campaign.lines():
        for item in items(line):
            if item.kind == "fact":
                yield load(item.body)


def words_in(said: Any) -> Iterator[str]:
    """Every text in a fact, whole and word by word."""
    if isinstance(said, str):
        yield said
        yield from said.replace(",", " ").split()
    elif isinstance(said, dict):
        for part in said.values():
            yield from words_in(part)
    elif isinstance(said, list | tuple):
        for part in said:
            yield from words_in(part)


def named(fact: Fact, side: str) -> set[str]:
    """The combat units of a side that a fact names anywhere."""
    roster = game().setting.roster
    words = {word for word in words_in(fact.model_dump(exclude={"only"})) if word in roster}
    return {word for word in words if roster.get(word).side == side and "sdm" not in roster.get(word).classes}


@case("11.3-5", "12.1.3-B1", "4.4.4")
@pytest.mark.parametrize("side", SIDES)
def test_a_side_is_told_of_enemy_units_only_while_it_sees_them(played: Campaign, side: str) -> None:
    """Whatever names a unit of the other side finds it where the reader's view has it, or off the map."""
    position, told = game().new_position(), 0
    for fact in facts_of(played):
        units = named(fact, other(side)) if fact.seen_by(side) else set()
        before = {unit for unit in units if where_it_is(position, side, unit)}
        apply(position, fact)
        if isinstance(fact, Placed | LostSight | Doubted | Eliminated):
            continue  # boxes lie open; what a side no longer knows it is told by name
        for unit in units - before:
            assert where_it_is(position, side, unit), fact
        told += len(units)
    assert told > 100


def where_it_is(position: Position, side: str, unit: str) -> bool:
    """Whether a side's view has a unit where it is; or it is nowhere on the map."""
    return position.hex_of(unit) is None or view(position, side).where.get(unit) == position.where[unit]


def watched(campaign: Campaign) -> Iterator[tuple[Fact, Table]]:
    """Every stage of the game as it began: all is at rest then."""
    position = game().new_position()
    for fact in facts_of(campaign):
        if isinstance(fact, StageBegan) and fact.stage != "setup":
            yield fact, Table(game(), position)
        apply(position, fact)


@case("11.3-5", "11.3-1", "11.3-2")
@pytest.mark.parametrize("side", SIDES)
def test_the_top_of_every_stack_is_known_as_it_is(played: Campaign, side: str) -> None:
    for fact, table in watched(played):
        known = view(table.position, side)
        for unit in table.position.on_map(other(side)):
            h = table.position.hex_of(unit)
            assert h is not None
            if is_sdm(table, unit) or unit not in looked_at(table, h, other(side)):
                continue
            assert known.where[unit] == table.position.where[unit], (fact, unit)
            if shows_strength(table, unit):
                assert unit not in known.unsure
                assert known.lost.get(unit, 0) == table.position.lost.get(unit, 0)
            else:
                assert unit in known.unsure


@case("11.3-5", "4.4.4")
@pytest.mark.parametrize("side", SIDES)
def test_no_chit_is_known_for_sure_between_combats(played: Campaign, side: str) -> None:
    for _, table in watched(played):
        known = view(table.position, side)
        for unit in known.on_map(other(side)):
            if has_chit(table, unit) and known.steps_left(unit) > 1:
                assert unit in known.unsure, unit


@case("11.3-5")
@pytest.mark.parametrize("side", SIDES)
def test_who_was_never_seen_is_nowhere_in_a_view(played: Campaign, side: str) -> None:
    """A unit is on the map of a view only from where it was sighted, shown or seen to move or come."""
    position, seen = game().new_position(), set[str]()
    for fact in facts_of(played):
        apply(position, fact)
        if isinstance(fact, Sighted) and fact.by == side:
            seen.add(fact.unit)
    enemy = [
        unit
        for unit in view(position, side).on_map(other(side))
        if "sdm" not in game().setting.roster.get(unit).classes
    ]
    boxed = {fact.unit for fact in game().opening(game()) if isinstance(fact, Placed) and fact.only is None}
    assert set(enemy) <= seen | boxed
    hidden = [unit for unit in position.on_map(other(side)) if unit not in seen]
    assert hidden


@case("10.2", "11.3-1")
@pytest.mark.parametrize("side", SIDES)
def test_where_units_stand_and_what_zones_they_have_is_seen_by_all(played: Campaign, side: str) -> None:
    """Whoever moves pays by the zones he meets, and enters no enemy's hex."""
    for fact, table in watched(played):
        seen = table.seen_by(side)
        assert standing(seen, other(side)) == standing(table, other(side)), fact
        assert zones(seen, other(side)) == zones(table, other(side)), fact


@case("4.8.1")
def test_the_soviets_never_hold_a_strength_of_an_alarm_unit_that_lies_on_its_alarm_side(played: Campaign) -> None:
    for _, table in watched(played):
        known = view(table.position, SOVIET)
        for unit in table.position.on_map(GERMAN):
            if table.position.mark(unit, "alarm") is not None:
                assert known.mark(unit, DRAWN) is None


@case("11.3-5")
@pytest.mark.parametrize("side", SIDES)
def test_a_sides_log_holds_no_orders_of_the_enemy(played: Campaign, side: str) -> None:
    seen = [item for line in played.export(side) for item in items(line)]
    assert [item for item in seen if item.kind == "answer" and item.body.get("side") == side]
    assert not [item for item in seen if item.kind == "answer" and item.body.get("side") == other(side)]


@case("11.3-5")
@pytest.mark.parametrize("side", SIDES)
def test_a_readers_fold_is_his_view(played: Campaign, side: str) -> None:
    """The facts of a side's own log lead to what the truth says that it knows."""
    mine = Position(game().setting, side)
    for line in played.export(side):
        for item in items(line):
            if item.kind == "fact":
                apply(mine, load(item.body))
    assert mine.sections() == view(played.position, side).sections()


def test_stacks_in_sight_are_those_that_the_truth_has(played: Campaign) -> None:
    """The last position holds stacks enough for the tests above to mean something."""
    table = Table(game(), played.position)
    for side in SIDES:
        deep = [number(table, h) for h, _ in table.position.stacks() if len(units_in(table, h, side)) > 1]
        assert len(deep) > 5
        assert all(units_at(table, table.grid.hex(spot), side) for spot in deep)


# What only the truth forbids, and what a mail may still close


def at_table(stage: str, *facts: Fact, dice: tuple[int, ...] = ()) -> Referee:
    """A bare map with what these facts lay on it."""
    position = bare_position(game())
    for fact in facts:
        apply(position, fact)
    apply(position, StageBegan(stage=stage, turn=1, side=stage.partition(".")[0]))
    found = Referee(game(), position, ForcedDice(dice))
    found.start()
    return found


def placed(**spots: str) -> list[Fact]:
    return [Placed(unit=unit, at=spot[2:]) for spot, units in spots.items() for unit in units.split()]


def test_what_the_enemy_comes_to_see_does_not_keep_a_mail_from_closing_the_next_stage() -> None:
    unseen = LostSight(unit="Fus72", by=SOVIET, only=(SOVIET,))
    found = at_table(
        "german.movement", *placed(at4341="124/72 Fus72", at4344="62GRD", at4343="105/72"),
        Marked(subject="@4341", mark=TOP, value="124/72"), unseen, dice=(1,) * 12,
    )  # fmt: skip
    reply = found.submit("german", "move Fus72 to 4340\nend\nend")
    assert not reply.refused
    assert found.position.views[SOVIET].where["Fus72"] == "4340"
    assert not found.position.stage.endswith(("movement", "declaration"))


@case("11.3-5", "12.3.3")
def test_an_attack_on_who_is_believed_there_and_is_not_is_broken_off() -> None:
    """The engineers are believed in 4440 with one who fell back there: nobody is left who may be attacked."""
    found = at_table(
        "soviet.combat", *placed(at4441="62GRD", at4440="105/72", at4437="Pio72", at4034="138RD", at4033="124/72"),
        Marked(subject="@4440", mark="declared", value="open"), Marked(subject="@4033", mark="declared", value="open"),
        Noted(subject="105/72", mark="fell back"),
        Sighted(unit="Pio72", by=SOVIET, at="4440", only=(SOVIET,)),
    )  # fmt: skip
    reply = found.submit(SOVIET, "attack 4440 from 4441")
    assert not reply.refused
    halted = [item.body for item in reply.items if item.kind == "fact" and item.body["fact"] == "Halted"]
    assert [body["unit"] for body in halted] == ["62GRD"]
    assert found.position.mark("@4440", "declared") == "fought"


@case("11.3-5", "15.3.2-M1")
def test_a_die_in_a_minefield_does_not_say_what_tank_rolls_under_the_infantry() -> None:
    unseen = LostSight(unit="II-15/11Pz", by=SOVIET, only=(SOVIET,))
    found = at_table(
        "german.movement", *placed(at4823="110/11Pz II-15/11Pz", at4818="62GRD"), unseen,
        Marked(subject="@4823", mark=TOP, value="110/11Pz"), Marked(subject="@4822", mark="minefield", value="laid"),
        Marked(subject="@4822/4823", mark="mines", value="4822"), dice=(3,),
    )  # fmt: skip
    reply = found.submit(GERMAN, "move 110/11Pz, II-15/11Pz to 4822 via 4822")
    assert not reply.refused
    assert found.position.lost["II-15/11Pz"] == 1
    assert found.position.views[SOVIET].hex_of("II-15/11Pz") is None
    cast = [item.body for item in reply.items if item.kind == "roll"]
    assert len(cast) == 1
    assert "II-15/11Pz" not in str(cast)


def test_whoever_reads_the_log_by_its_page_alone_finds_it_sound(played: Campaign) -> None:
    """What a side keeps of a unit it lost sight of is in the log as the page on its format says."""
    assert check(rows(played), played.secret) > 100
    for side in SIDES:
        check_copy(rows(played, side))
    assert any(isinstance(fact, LostSight) and fact.kept for fact in facts_of(played))
