"""A rulebook made from its folder and its rules; boards and counters are read once for all its games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.board import Board, load_board
from engine.folder import read_title, scenario_table, switches
from engine.game import Game, Rulebook
from engine.pieces import Roster, load_roster
from engine.position import Setting
from engine.reference import Chart


@cache
def board(folder: Path, name: str) -> Board:
    return load_board(folder, name)


@cache
def roster(folder: Path, name: str) -> Roster:
    return load_roster(folder / name)


def rulebook(
    folder: Path,
    sides: tuple[str, ...],
    data: Callable[[Board, Mapping[str, Any], Mapping[str, Any]], Any],
    rules: Callable[..., Game],
    charts: Callable[[Game], Sequence[Chart]],
) -> Rulebook:
    """What a rulebook offers: the rules are a Game but for what the folder says of the rulebook and the scenario."""
    title = read_title(folder)

    def start(scenario: str, options: Mapping[str, Any]) -> Game:
        row = scenario_table(folder, scenario)
        ground = board(folder, row["map"])
        return rules(
            rulebook=title.id,
            version=title.version,
            title=row["title"],
            scenario=scenario,
            options=dict(options),
            setting=Setting(ground.grid, roster(folder, row["counters"]), sides),
            board=ground,
            data=data(ground, row, switches(folder, row, options)),
        )

    return Rulebook(**vars(title), start=start, charts=charts)
