"""Fog of war: what a side may look at, and what is nowhere in its view."""

from __future__ import annotations

from functools import cache

import pytest

from engine.asks import Ask
from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.facts import Fact, LostSight, Marked, Placed, StageBegan, StepLost, load
from engine.game import Game
from engine.log import items
from engine.position import Position, apply
from engine.referee import Referee
from engine.table import Table
from engine.view import view
from games.korsun_vv.game import RULEBOOK
from games.korsun_vv.orders import Hold
from games.korsun_vv.rules.sight import visible

SIDES = ("russian", "german")


def case(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.case("korsun_vv", *numbers)


@cache
def game(*, fog: bool = True) -> Game:
    return RULEBOOK.game("battle", {"fog": fog})


def referee(stage: str, *, fog: bool = True, dice: tuple[int, ...] = (), **spots: str) -> Referee:
    """A bare map with these units, by hex; everybody of the side to play has two action points."""
    position = bare_position(game(fog=fog))
    side = stage.partition(".")[0]
    apply(position, StageBegan(stage=stage, turn=2, side=side))
    for spot, units in spots.items():
        for unit in units.split():
            apply(position, Placed(unit=unit, at=spot.removeprefix("at")))
            if position.setting.roster.get(unit).side == side:
                apply(position, Marked(subject=unit, mark="ap", value=2))
    drawer = Drawer()
    for other in SIDES:
        drawer.stand(other, "when attacked: hold")
    found = Referee(game(fog=fog), position, ForcedDice(dice), drawer=drawer)
    found.start()
    return found


def on_map(position: Position, side: str) -> set[str]:
    return set(position.on_map(side))


def shown(found: Referee, to: str) -> set[str]:
    """The enemy units that a side's view has on the map."""
    enemy = SIDES[to == SIDES[0]]
    return on_map(view(found.position, to), enemy)


@case("11-a")
def test_without_the_option_every_stack_is_open() -> None:
    found = referee("russian.activation", fog=False, at3215="375RD 252RD", at3520="585/320 586/320")
    assert shown(found, "german") == {"375RD", "252RD"}
    assert shown(found, "russian") == {"585/320", "586/320"}


@case("11.1")
def test_of_a_distant_stack_only_the_top_unit_shows() -> None:
    found = referee("russian.activation", at3215="375RD 252RD 4GA", at3520="585/320 586/320")
    assert len(shown(found, "german")) == 1
    assert shown(found, "german") <= {"375RD", "252RD"}
    assert len(shown(found, "russian")) == 1


@case("11.1")
def test_a_zone_of_control_opens_a_stack_and_a_river_shuts_it() -> None:
    # 2818 and 2918 are parted by a river, 2818 and 2919 are not (4.1).
    across = referee("russian.activation", at2918="375RD 252RD", at2818="585/320 586/320")
    beside = referee("russian.activation", at2919="375RD 252RD", at2818="585/320 586/320")
    assert (len(shown(across, "german")), len(shown(across, "russian"))) == (1, 1)
    assert (len(shown(beside, "german")), len(shown(beside, "russian"))) == (2, 2)


@case("11.1")
def test_who_exerts_no_zone_sees_the_top_and_is_seen_whole() -> None:
    found = referee("russian.activation", at3215="375RD 252RD", at3214="Cossacks 47PzK")
    assert len(shown(found, "german")) == 1
    assert shown(found, "russian") == {"Cossacks", "47PzK"}


@case("11.1")
def test_a_stack_that_walks_away_is_out_of_sight_again() -> None:
    found = referee("german.activation", at3216="375RD 252RD", at3217="585/320 586/320")
    assert len(shown(found, "german")) == 2
    found.submit("german", "move 585/320, 586/320 to 3219")
    assert len(shown(found, "german")) == 1
    assert len(shown(found, "russian")) == 1


@case("11.1")
def test_attacked_stacks_are_open_from_the_declaration_to_the_end_of_the_combat() -> None:
    found = referee("german.activation", at3215="375RD 252RD", at3214="Cossacks", dice=(1,))
    found.drawer.stand("russian", "when defence: ask")
    assert len(shown(found, "german")) == 1
    found.submit("german", "attack 3215 with Cossacks")
    assert found.asks[0].name == "defence"
    assert visible(found.table, "german") == {"375RD", "252RD"}
    assert shown(found, "german") == {"375RD", "252RD"}
    found.submit("russian", "defend")
    found.submit("german", "hold")
    assert found.asks[0].name == "action"
    assert len(shown(found, "german")) == 1


@case("11-a")
def test_by_mail_a_choice_in_battle_waits_for_its_answer_and_not_for_an_hour() -> None:
    """The answer is the enemy's secret; that he was asked is not, for the battle is in the open."""
    found = referee("german.activation", at3215="375RD 252RD", at3214="Cossacks", dice=(1,))
    found.drawer.timed = frozenset(SIDES)
    found.drawer.stand("russian", "when defence: ask")
    found.submit("german", "attack 3215 with Cossacks\nhold")
    assert (found.asks[0].name, found.drawer.window(found.asks)) == ("defence", None)
    found.submit("russian", "defend")
    assert found.asks[0].name == "action"


@case("11.1")
@pytest.mark.parametrize(("at", "shows"), [("2519", False), ("2520", True)])
def test_who_comes_onto_the_map_under_another_counter_is_not_seen_coming(at: str, shows: bool) -> None:
    found = referee("german.activation", at2519="585/320", at2620="47PzK")
    apply(found.position, Placed(unit="Alarm1", at="alarm"))
    reply = found.submit("german", f"alarm Alarm1 at {at}")
    assert found.position.where["Alarm1"] == at
    assert ("Alarm1" in shown(found, "russian")) is shows
    told = [item.fact.only for item in reply.items if item.kind == "fact" and isinstance(item.fact, Placed)]
    assert told == [None if shows else ("german",)]


@case("11.2")
def test_the_owner_says_which_unit_shows() -> None:
    found = referee("russian.activation", at3215="375RD 252RD 4GA", at3520="585/320")
    for unit in ("252RD", "375RD", "4GA"):
        found.submit("russian", f"top {unit}")
        assert shown(found, "german") == {unit}


@case("11.2")
def test_a_top_unit_that_leaves_uncovers_another() -> None:
    found = referee("russian.activation", at3215="375RD 252RD", at3520="585/320")
    found.submit("russian", "top 252RD")
    found.submit("russian", "move 252RD to 3213")
    assert shown(found, "german") == {"252RD", "375RD"}


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Two turns between random players in the fog."""
    return play(game(), {"russian": RandomLegal(7), "german": RandomLegal(8)}, seed=5, turns=2).campaign


@case("11.1")
@pytest.mark.parametrize("side", SIDES)
def test_a_view_holds_the_units_that_may_be_looked_at_and_no_others(played: Campaign, side: str) -> None:
    enemy = SIDES[side == SIDES[0]]
    table = Table(game(), played.position)
    assert on_map(view(played.position, side), enemy) == visible(table, side)
    assert len(visible(table, side)) < len(on_map(played.position, enemy))


def named(fact: Fact) -> str:
    """The unit that a fact is about."""
    return str(getattr(fact, "unit", "") or getattr(fact, "subject", ""))


@case("11.1")
@pytest.mark.parametrize("side", SIDES)
def test_a_side_is_told_of_enemy_units_only_while_it_sees_them(played: Campaign, side: str) -> None:
    enemy = SIDES[side == SIDES[0]]
    position = game().new_position()
    told = 0
    for item in (item for line in played.lines() for item in items(line) if item.kind == "fact"):
        fact = load(item.body)
        theirs = named(fact) in game().setting.roster and game().setting.roster.get(named(fact)).side == enemy
        before = seen_whole(position, side, named(fact))
        apply(position, fact)
        if theirs and position.views and fact.seen_by(side) and not isinstance(fact, LostSight):
            assert before or seen_whole(position, side, named(fact)), fact
            told += 1
    assert told > 50


def seen_whole(position: Position, side: str, unit: str) -> bool:
    """Whether a side's view has the unit where it is, on the map or off it."""
    return view(position, side).where.get(unit) == position.where.get(unit)


@case("11.1")
@pytest.mark.parametrize("side", SIDES)
def test_a_sides_log_holds_no_orders_of_the_enemy(played: Campaign, side: str) -> None:
    enemy = SIDES[side == SIDES[0]]
    seen = [item for line in played.export(side) for item in items(line)]
    assert [item for item in seen if item.kind == "answer" and item.body.get("side") == side]
    assert not [item for item in seen if item.kind == "answer" and item.body.get("side") == enemy]


@case("3.5-a")
@pytest.mark.parametrize("fog", [True, False])
def test_who_would_be_fatigued_is_named_to_whoever_is_to_activate(fog: bool) -> None:
    position = bare_position(game(fog=fog))
    apply(position, StageBegan(stage="russian.sequence", turn=2, side="russian"))
    for unit, at in {"53A": "3513", "213RD": "3514", "233RD": "3514", "585/320": "2120"}.items():
        apply(position, Placed(unit=unit, at=at))
    for unit in ("53A", "213RD"):
        apply(position, Marked(subject=unit, mark="activated", value=1))
    found = Referee(game(fog=fog), position, ForcedDice(()), drawer=Drawer())
    found.start()
    said = "a second activation would fatigue whom you name so: `activate 53A again 213RD`"
    assert found.asks[0].prompt.endswith(said)
    assert found.asks[0].hidden == fog  # so that nobody else reads it
    assert not found.submit("russian", "activate 53A again 213RD").refused
    assert found.position.mark("213RD", "fatigued") == 1


@pytest.mark.parametrize(("fog", "asked"), [(True, [True, True]), (False, [False, True])])
@pytest.mark.parametrize("word", ["ask if 108/14Pz is reduced, else hold", "hold if 108/14Pz is not reduced, else ask"])
def test_no_pause_hangs_on_a_unit_that_the_enemy_does_not_see(word: str, fog: bool, asked: list[bool]) -> None:
    waits = []
    for reduced in (False, True):
        found = referee("russian.activation", fog=fog, at3215="252RD", at3216="585/320", at2719="103/14Pz 108/14Pz")
        apply(found.position, StepLost(unit="108/14Pz", only=("german",) if fog else None)) if reduced else None
        found.drawer.stand("german", f"when attacked: {word}")
        ask = Ask("german", "attacked", "3216", "", (Hold,), Hold, list)
        waits.append(found.drawer.waits(ask, found.table))
    assert waits == asked
