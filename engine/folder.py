"""A rulebook's folder: its tables, boards, counters and scenarios, each file read once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.board import Board, load_board
from engine.game import Game, Scenario, Switch
from engine.pieces import Roster, load_roster
from engine.position import Setting

SCENARIOS = "scenarios.toml"


@cache
def read_toml(folder: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


@cache
def board(folder: Path, name: str) -> Board:
    return load_board(folder, name)


@cache
def roster(folder: Path, name: str) -> Roster:
    return load_roster(folder / name)


def scenario_table(folder: Path, name: str) -> dict[str, Any]:
    """A scenario's table with what it takes over from the one it is like."""
    found: dict[str, Any] = read_toml(folder, SCENARIOS)["scenarios"][name]
    if "like" not in found:
        return found
    parent = scenario_table(folder, found["like"])
    return {**parent, **found, "switches": {**parent["switches"], **found["switches"]}}


def switches(folder: Path, scenario: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Every switch at its value: the rulebook's, then the scenario's, then the players'."""
    values = {name: row["default"] for name, row in read_toml(folder, SCENARIOS)["switches"].items()}
    return {**values, **scenario["switches"], **options}


def scenarios(folder: Path) -> tuple[Scenario, ...]:
    """What can be played, each with the switches that its players may choose."""
    table = read_toml(folder, SCENARIOS)
    found = []
    for name in table["scenarios"]:
        row = scenario_table(folder, name)
        choices = tuple(
            Switch(key, tuple(s["choices"]), row["switches"].get(key, s["default"]), s["case"], s["about"])
            for key, s in table["switches"].items()
            if s.get("option")
        )
        found.append(Scenario(name, row["title"], row.get("about", row["title"]), row["turns"], choices))
    return tuple(found)


def starter(
    folder: Path,
    sides: tuple[str, ...],
    data: Callable[[Board, Mapping[str, Any], Mapping[str, Any]], Any],
    rules: Callable[..., Game],
) -> Callable[[str, Mapping[str, Any]], Game]:
    """What begins a game of a scenario: the rules are a Game but for what the folder says of the scenario."""

    def start(scenario: str, options: Mapping[str, Any]) -> Game:
        row = scenario_table(folder, scenario)
        ground = board(folder, row["map"])
        return rules(
            title=row["title"],
            scenario=scenario,
            options=dict(options),
            setting=Setting(ground.grid, roster(folder, row["counters"]), sides),
            board=ground,
            data=data(ground, row, switches(folder, row, options)),
        )

    return start
