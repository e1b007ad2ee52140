"""Finished campaigns: whatever log lies in tests/campaigns is verified line by line, by being there.

All of them in `.ci/run`; `make test` verifies one of a kind, and looks at the end of every other.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import games
from engine.campaign import verify
from engine.campaign.folding import replay
from engine.game import Game
from engine.position import Position
from engine.table import Table
from tests.stored import LOGS, WALKED


@cache
def ended(path: Path) -> tuple[Game, Position]:
    """A campaign's game, and its position after the last line."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    game = games.find_game(lines[0]["game"], lines[0]["scenario"], lines[0]["options"])
    return game, replay(lines, game)


@pytest.mark.parametrize("path", WALKED, ids=lambda path: path.stem)
def test_a_finished_campaign_verifies_under_the_present_rules(path: Path) -> None:
    assert verify(path, games.find_game).faults == []


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_finished_campaign_has_an_end_and_nothing_is_missing(path: Path) -> None:
    game, position = ended(path)
    assert position.ended
    assert game.faults(Table(game, position)) == []


@pytest.mark.case("korsun_spi", "27.3")
def test_every_level_of_victory_at_korsun_is_reached_in_some_campaign() -> None:
    played = [ended(path) for path in LOGS if path.parent.name == "korsun_spi"]
    reached = {position.ended for game, position in played if game.scenario == "korsun"}
    levels = games.find_game("korsun_spi").data.tables["victory_levels"]["levels"]
    assert reached == {row["level"] for row in levels}


def test_every_scenario_of_korsun_has_been_played_to_its_end() -> None:
    played = {ended(path)[0].scenario for path in LOGS if path.parent.name == "korsun_spi"}
    assert played == {scenario.id for scenario in games.rulebook("korsun_spi").scenarios}


def results(rulebook: str, scenario: str) -> set[str]:
    """How the stored campaigns of a scenario have ended."""
    played = [ended(path) for path in LOGS if path.parent.name == rulebook]
    return {position.ended for game, position in played if game.scenario == scenario}


def test_every_way_in_which_mansteins_last_battle_can_end_is_reached_in_some_campaign() -> None:
    campaign, race = results("manstein", "campaign"), results("manstein", "race")
    assert {"Soviet victory: the points are reached", "Axis victory: the Soviets fell short"} <= campaign
    assert {"Soviet victory: the Dnieper is crossed", "Axis victory: the Dnieper line holds"} <= race
    assert {"Soviet victory: the bid is made", "Axis victory: the bid is not made"} <= campaign | race
    assert any(result.endswith("fell under an Absolute Order") for result in campaign)
    assert any(result.endswith("fell to paratroops under an Absolute Order") for result in campaign | race)


@pytest.mark.parametrize("scenario", ["encirclement", "battle"])
def test_every_level_of_korsun_1944_is_reached_in_some_campaign(scenario: str) -> None:
    levels = games.find_game("korsun_vv", scenario).data.tables["victory"][scenario]["levels"]
    assert results("korsun_vv", scenario) == {row["title"] for row in levels}


@pytest.mark.parametrize("scenario", ["initial_assault", "star_and_gallop", "campaign"])
def test_every_way_in_which_a_game_of_kharkov_can_end_is_reached_in_some_campaign(scenario: str) -> None:
    rules = games.find_game("kharkov", scenario).data.tables
    if scenario == "initial_assault":
        ways = {("operational", False), ("tactical", False), ("tactical", True)}
    elif scenario == "star_and_gallop":
        ways = {("strategic", False), *((row["level"], row["won"]) for row in rules["victory"][scenario]["levels"])}
    else:
        ways = {(end["level"], won) for row in rules["calendar"] for won in (False, True)
                for end in row.get("win" if won else "loss", ())}  # fmt: skip
    told = {f"German {level} {'victory' if won else 'defeat'}" for level, won in ways}
    assert results("kharkov", scenario) == told | ({"draw"} if scenario == "campaign" else set())


JAWS = {f"{side} {level} victory" for side in ("German", "Soviet") for level in ("decisive", "marginal")} | {"Draw"}


def test_every_level_of_the_campaign_in_the_jaws_of_victory_is_reached() -> None:
    assert results("jaws", "campaign") == JAWS


def test_every_scenario_of_the_jaws_of_victory_has_been_played_to_its_end() -> None:
    played = {ended(path)[0].scenario for path in LOGS if path.parent.name == "jaws"}
    assert played == {scenario.id for scenario in games.rulebook("jaws").scenarios}


@pytest.mark.parametrize(
    ("what", "mark", "found"),
    [
        ("no pocket ever", "korsun isolated", False),
        ("a Breakout", "breakout", True),
        ("Korsun abandoned", "airfield abandoned", True),
    ],
)
def test_the_pocket_has_gone_every_way_in_some_campaign(what: str, mark: str, found: bool) -> None:
    played = [ended(path) for path in LOGS if path.parent.name == "jaws"]
    went = [position for game, position in played if game.scenario == "campaign"
            and (position.mark("game", mark) is not None) == found]  # fmt: skip
    assert went, what


def test_the_pocket_was_relieved_without_a_breakout_in_some_game() -> None:
    played = [ended(path) for path in LOGS if path.parent.name == "jaws"]
    relieved = [position for game, position in played if game.scenario in ("wanda", "hells_gate")
                and position.winner == "german" and position.mark("game", "breakout") is None]  # fmt: skip
    assert relieved
