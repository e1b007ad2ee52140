"""Combat and air power over many positions: ratios, retreats, advances, and what the Soviets may know of the air."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from engine import hexset
from engine.asks import Ask
from engine.cases.deal import bare_position
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.facts import Counted, Fought, Marked, Placed, Pooled, StageBegan
from engine.forecast import Outlook, even_chances
from engine.game import Game
from engine.position import apply
from engine.referee import Referee
from engine.table import Table
from engine.view import view
from games.manstein.game import RULEBOOK
from games.manstein.orders import Attack, Retreat
from games.manstein.rules.combat import combat_segment, forecast
from games.manstein.rules.falling_back import Rout, planned
from games.manstein.rules.odds import ratio_column
from games.manstein.rules.retreat import whole_ways, zones_entered

case = pytest.mark.case
SOVIETS = ("6Tk", "31Tk", "2Tk", "4GTk", "5GM", "22G", "23G", "50RC", "51RC", "Vrnz")
GERMANS = ("57ID", "255ID", "88ID", "75ID", "19Pz", "15Lw", "Ro14", "8A")
# Around Kremenchug, with its rivers and bridges, and a field in the open.
AREAS = (("1926", 2), ("1234", 2))


@cache
def campaign() -> Game:
    return RULEBOOK.game("campaign")


def scattered(seed: int) -> Table:
    """Units of both sides strewn over a few hexes, at most two in each."""
    game, chance = campaign(), random.Random(seed)
    middle, far = AREAS[seed % len(AREAS)]
    grid = game.board.grid
    near = hexset.within(grid, 1 << grid.hex(middle), far) & game.data.passable
    spots = [grid.number_of(h) for h in hexset.members(near)]
    chance.shuffle(spots)
    position = bare_position(game)
    apply(position, StageBegan(stage="soviet.combat", turn=3, side="soviet"))
    cut = len(spots) // 2
    for units, places in ((SOVIETS, spots[:cut]), (GERMANS, spots[cut:])):
        for unit in units:
            free = [p for p in places if len(position.at(grid.hex(p))) < 2]
            apply(position, Placed(unit=unit, at=chance.choice(free)))
            apply(position, Marked(subject=unit, mark="activated", value=1))
    return Table(game, position)


def at(table: Table, unit: str) -> int:
    found = table.position.hex_of(unit)
    assert found is not None
    return found


@case("manstein", "10.3.2")
def test_a_ratio_is_the_highest_column_that_it_reaches() -> None:
    columns = campaign().data.columns
    values = [Fraction(name.split("-")[0].rstrip("+")) for name in columns]
    for attack in range(60):
        for defence in range(1, 30):
            reached = [i for i, value in enumerate(values) if Fraction(attack, defence) >= value]
            assert ratio_column(attack, defence, columns) == max(reached, default=-1)


@case("manstein", "15.2(1)", "16.2(1)")
@pytest.mark.parametrize(("attacker", "target", "markers"), [("50RC", "57ID", 0), ("57ID", "50RC", 1)])
def test_a_forecast_warns_of_nothing_that_cannot_come(attacker: str, target: str, markers: int) -> None:
    position = bare_position(campaign())
    for unit, spot in ((attacker, "1334"), (target, "1234")):
        apply(position, Placed(unit=unit, at=spot))
    apply(position, Marked(subject=attacker, mark="activated", value=1))
    apply(position, Counted(track="air", value=markers))
    table = Table(campaign(), position)
    found = forecast(table, table.unit(attacker).side, Attack(target="1234", units=(attacker,)))
    assert {line.case for line in found.working} <= {"10.1.5", "10.3.1-a", "10.3.2"}


@case("manstein", "10.6.2-a")
@case("manstein", "10.6.4")
@case("manstein", "10.6.8")
@pytest.mark.parametrize("seed", range(12))
def test_no_retreat_enters_the_enemy_leaves_the_land_or_ends_in_a_full_hex(seed: int) -> None:
    table = scattered(seed)
    for unit in GERMANS:
        for length in (1, 2):
            found = whole_ways(table, unit, length)
            assert len({zones_entered(table, unit, way) for way in found}) <= 1
            for way in found:
                assert len(way) > length
                assert len(set(way)) == len(way)
                assert all(table.data.passable >> h & 1 for h in way)
                assert not any(table.position.held("soviet") >> h & 1 for h in way)
                mates = [u for u in table.position.at(way[-1]) if u != "8A"]
                assert unit == "8A" or len(mates) < 2


@case("manstein", "10.6.1")
@pytest.mark.parametrize("seed", range(8))
def test_whatever_the_owner_says_everybody_in_the_stack_has_a_way_or_none(seed: int) -> None:
    table = scattered(seed)
    for spot in {at(table, unit) for unit in GERMANS}:
        stack = tuple(table.position.at(spot))
        default = planned(table, Rout("axis", stack, 2), Retreat())
        assert [unit for unit, _ in default] == list(stack)
        for unit, way in default:
            assert way == () or way[0] == at(table, unit)


def played(seed: int, *, dice: int) -> list[Ask]:
    """Every question that comes up while the Soviets attack whatever they can, all dice alike."""
    table = scattered(seed)
    referee = Referee(table.game, table.position, ForcedDice([dice] * 40), drawer=_asking())
    referee.start()
    asked: list[Ask] = []
    for _ in range(40):
        ask = referee.asks[0]
        if ask.name == "combat" and asked and _line(ask) == "end":
            break
        asked.append(ask)
        check_options(ask)
        referee.submit(ask.side, _line(ask))
    return asked


def _asking() -> Drawer:
    drawer = Drawer()
    for question in ("loss", "retreat", "relocate"):
        drawer.stand("axis", f"when {question}: ask")
    return drawer


def _line(ask: Ask) -> str:
    """The default; of attacks the first that can be made, with everybody who can join it."""
    if ask.name != "combat":
        return ask.default().line()
    choice, legal = None, "end"
    while longer := [found for found in ask.choices(choice) if found.kind is Attack and "air" not in found.given]:
        choice = longer[0]
        legal = choice.line() if choice.complete else legal
    return legal


def check_options(ask: Ask) -> None:
    """Every complete option of a question, two steps deep, is an order it takes."""
    book, reading = campaign().book, scattered(0).reading(ask.side)
    for choice in ask.choices():
        for found in [choice, *choice.following()]:
            if found.complete:
                assert book.read(found.line(), reading) == found.order()
                ask.check(found.order())
    ask.check(ask.default())


@case("manstein", "10.5")
@case("manstein", "10.6.2-b")
@case("manstein", "10.7.3")
@pytest.mark.parametrize("dice", [4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_every_answer_offered_in_a_combat_is_legal(seed: int, dice: int) -> None:
    assert {"combat"} < {ask.name for ask in played(seed, dice=dice)}


def fought(seed: int, order: Attack, die: int) -> tuple[Fought, bool]:
    """What came of an attack at a die, and whether the hex was empty before anybody advanced."""
    table = scattered(seed)
    referee = Referee(table.game, table.position, ForcedDice([die]), drawer=Drawer())
    referee.start()
    reply = referee.submit("soviet", order.line())
    assert not reply.refused
    facts = [fact for fact in reply.facts if isinstance(fact, Fought)]
    return facts[0], not referee.position.at(table.grid.hex(order.target))


@case("manstein", "10.4.1(1)")
@pytest.mark.parametrize("seed", range(4))
def test_a_forecast_says_what_every_die_will_do(seed: int) -> None:
    table = scattered(seed)
    ask = next(combat_segment(table, "soviet"))
    assert isinstance(ask, Ask)
    attacks = [longer for choice in ask.choices() for longer in choice.following() if longer.complete]
    assert attacks
    for order in (choice.order() for choice in attacks[:3]):
        assert isinstance(order, Attack)
        found = forecast(table, "soviet", order)
        outcomes = [fought(seed, order, die) for die in range(1, 7)]
        assert {fact.column for fact, _ in outcomes} == {found.column}
        assert found.chances == even_chances([fact.result for fact, _ in outcomes])
        assert [fact.decided for fact, _ in outcomes] == [(("die", str(die)),) for die in range(1, 7)]
        cleared = Fraction(sum(empty for _, empty in outcomes), 6)
        cost = Fraction(sum(fact.result.startswith("A") for fact, _ in outcomes), 6)
        assert found.outlook == Outlook(cleared, cleared, cost)


def defended_by(*markers: str) -> Referee:
    """The Soviets attack 1234, and the Axis hold these markers and want to be asked."""
    game = campaign()
    position = bare_position(game)
    apply(position, StageBegan(stage="soviet.combat", turn=3, side="soviet"))
    for unit, spot in (("6Tk", "1235"), ("57ID", "1234")):
        apply(position, Placed(unit=unit, at=spot))
    apply(position, Marked(subject="6Tk", mark="activated", value=1))
    apply(position, Pooled(pool="air in hand", items=markers, only=("axis",)))
    apply(position, Counted(track="air", value=len(markers)))
    drawer = Drawer()
    drawer.stand("axis", "when air: ask")
    referee = Referee(game, position, ForcedDice([3]), drawer=drawer)
    referee.start()
    referee.submit("soviet", "attack 1234 with 6Tk")
    return referee


@case("manstein", "15.1(4)")
def test_the_soviets_see_how_many_markers_are_held_and_not_which() -> None:
    seen = view(defended_by("hartmann", "rudel-1").position, "soviet")
    assert seen.tracks["air"] == 2
    assert "air in hand" not in seen.pools


@case("manstein", "15.1(4)")
@case("manstein", "15.2(1)")
@pytest.mark.parametrize("marker", ["hartmann", "rudel-1"])
def test_the_pause_before_the_die_does_not_tell_which_marker_is_held(marker: str) -> None:
    asks = defended_by(marker).asks
    assert [(ask.side, ask.name, ask.hidden) for ask in asks] == [("axis", "air", True)]
