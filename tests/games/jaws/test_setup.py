"""The seven set-ups: everybody in supply on frozen ground but for those named, and nobody too many in a hex."""

from dataclasses import replace
from functools import cache

import pytest

import games
from engine.dice import ForcedDice
from engine.facts import Marked, StageBegan
from engine.position import apply
from engine.referee import Referee
from engine.table import Table
from games.jaws.data import GERMAN, SOVIET, Data
from games.jaws.rules.audit import faults
from games.jaws.rules.depots import receive
from games.jaws.rules.ground import BRIDGE, DOWN
from games.jaws.rules.laying import default_places, lay
from games.jaws.rules.setup import blown, works
from games.jaws.rules.stacking import crowded
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.supply import hungry
from games.jaws.rules.units import is_sdm

SCENARIOS = ("konev", "vatutin", "ring", "vormann", "wanda", "hells_gate", "campaign")
UNITS = {"konev": (72, 86), "vatutin": (49, 55), "ring": (121, 141), "vormann": (66, 55), "wanda": (69, 80),
         "hells_gate": (58, 46), "campaign": (121, 141)}  # fmt: skip
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS)


@cache
def opened(scenario: str) -> Table[Data]:
    """The table as the scenario begins, on frozen ground."""
    game = games.rulebook("jaws").game(scenario, {})
    position = game.new_position()
    for fact in game.opening(game):
        if not isinstance(fact, StageBegan):
            apply(position, fact)
    position.turn = game.data.first
    apply(position, Marked(subject="game", mark="ground", value="frozen"))
    return Table(game, position)


@pytest.mark.case("jaws", "13.4.1-b")
@every_scenario
def test_every_unit_is_in_supply_on_frozen_ground_but_for_those_that_the_scenario_names(scenario: str) -> None:
    table = opened(scenario)
    found = []
    for side in (SOVIET, GERMAN):
        for fact in [*lay(table, default_places(table, side))]:
            apply(table.position, fact)
        for fact in [*receive(table, side)]:
            apply(table.position, fact)
        found += hungry(table, side)
    assert sorted(found) == sorted(table.data.scenario["state"]["isolated"]["units"])
    assert faults(table) == []


@every_scenario
def test_no_stack_breaks_a_limit(scenario: str) -> None:
    table = opened(scenario)
    for side in (SOVIET, GERMAN):
        assert crowded(table, side) == {}


@every_scenario
def test_as_many_units_stand_there_as_the_set_up_has_on_its_sheets(scenario: str) -> None:
    table = opened(scenario)
    count = [
        sum(not is_sdm(table, unit) and table.unit(unit).kind != "alarm unit" for unit in table.position.on_map(side))
        for side in (GERMAN, SOVIET)
    ]
    assert tuple(count) == UNITS[scenario]


@pytest.mark.case("jaws", "22.2")
def test_river_bridges_between_the_lines_are_down() -> None:
    table = opened("ring")
    down = {subject[1:] for subject, marks in table.position.marks.items() if marks.get(BRIDGE) == DOWN}
    assert down == set(blown(table.data)) != set()
    held = {side: table.position.held(side) for side in (GERMAN, SOVIET)}
    for side in down:
        a, b = (table.grid.hex(h) for h in side.split("/"))
        near = {a, b} | {*table.grid.neighbours(a)} | {*table.grid.neighbours(b)}
        assert all(any(held[who] >> h & 1 for h in near) for who in held)
        assert "river" in table.board.feature(a, b)


@pytest.mark.case("jaws", "21.3")
def test_positions_and_minefields_that_a_scenario_states_stand_when_it_begins() -> None:
    data = games.rulebook("jaws").game("konev", {}).data
    state = {
        **data.scenario["state"],
        "positions": {"hexes": ["4440"], "source": "text"},
        "minefields": {"markers": 0, "laid": {"4341": ["4340", "4440"], "4340": ["4341"]}, "source": "text"},
    }
    found = works(replace(data, scenario={**data.scenario, "state": state}))
    assert {(fact.subject, fact.mark, fact.value) for fact in found if isinstance(fact, Marked)} == {
        ("@4440", "position", 1), ("@4341", "minefield", "laid"), ("@4340", "minefield", "laid"),
        ("@4340/4341", "mines", "4341+4340"), ("@4341/4440", "mines", "4341"),
    }  # fmt: skip


@pytest.mark.case("jaws", "22.3")
def test_barrage_units_stand_where_they_are_formed_and_their_components_wait() -> None:
    table = opened("konev")
    assert table.position.where["Barrage53"] == "5718"
    assert all(
        table.position.where[part] == "barrage box" for part in table.data.tables["barrage"]["components"]["Barrage4G"]
    )
    assert opened("vatutin").position.where["Barrage53"] == "unused"


@pytest.mark.case("jaws", "4.8.1")
def test_only_the_germans_know_how_strong_their_alarm_units_are() -> None:
    game = games.rulebook("jaws").game("konev", {})
    position = game.new_position()
    for fact in game.opening(game):
        apply(position, fact)
    referee = Referee(game, position, ForcedDice([12, 1, 1, 1, 1, 1, 1]))
    referee.start()
    table = referee.table
    assert table.position.mark("Alarm1", DRAWN) == table.seen_by(GERMAN).position.mark("Alarm1", DRAWN) == 5
    assert table.seen_by(SOVIET).position.mark("Alarm1", DRAWN) is None
