"""The figures of the rulebook as the rules read them: tables.toml and the scenario's switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from engine import hexset
from engine.board import Board
from engine.folder import read_toml
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.movement import Exits
from engine.rules.terrain import Six, hexes_where, hexsides, sides_where

FOLDER = Path(__file__).parent
HALF = 2  # movement is counted in half points (5.13)


@dataclass(frozen=True)
class Data:
    """What the rules look up. Every figure comes from tables.toml."""

    board: Board
    scenario: Mapping[str, Any]
    switch: Mapping[str, Any]
    tables: Mapping[str, Any] = field(default_factory=lambda: read_toml(FOLDER, "tables.toml"))

    @property
    def turns(self) -> int:
        turns: int = self.scenario["turns"]
        return turns

    @cached_property
    def columns(self) -> list[str]:
        columns: list[str] = self.tables["combat_results"]["columns"]
        return columns

    def result(self, column: int, die: int) -> str:
        """9.5: the Combat Results Table."""
        result: str = self.tables["combat_results"]["die"][str(die)][column]
        return result

    def cost(self, name: str) -> int:
        """What an action costs, in half Movement Points."""
        points: float = self.tables["costs"][name]["points"]
        return int(points * HALF)

    # Terrain.

    @cached_property
    def passable(self) -> HexSet:
        """Hexes that units may enter at all (10.16, 19.25)."""
        charts = self.tables["terrain"]["hex"]
        return self.board.land & ~hexes_where(self.board, charts, lambda row: row.get("prohibited"))

    @cached_property
    def swamp(self) -> HexSet:
        """12.11: hexes that a supply line may enter and not pass."""
        charts = self.tables["terrain"]["hex"]
        return hexes_where(self.board, charts, lambda row: row["supply"] == "into")

    @cached_property
    def shut_sides(self) -> Six:
        """Hexsides that nothing crosses: all sea or lake."""
        return sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: row.get("prohibited"))

    @cached_property
    def zone_sides(self) -> Six:
        """8.12: the hexsides that a zone of control crosses."""
        stops = sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: not row["zoc"])
        return tuple(self.board.land & ~mask for mask in stops)

    @cached_property
    def on_river(self) -> HexSet:
        """Hexes that have a major-river hexside."""
        return hexset.union(hexsides(self.board, "major"))

    def exits(self, side: str, kind: str) -> Exits:
        """5.13: what it costs each side's mech, inf or hq units to leave every hex in each direction."""
        return _exits(self, side, kind)

    def step_cost(self, side: str, kind: str, here: Hex, there: Hex) -> int | None:
        """10.4: half points for one step; None where it is prohibited."""
        board = self.board
        charts = self.tables["terrain"]
        chart = charts["hex"][board.terrain_of(there)]
        features = board.feature(here, there)
        if chart.get("prohibited") or any(charts["hexside"][name].get("prohibited") for name in features):
            return None
        rivers = self.tables["river_costs"][self.switch["river_costs"]]
        road = charts["way"]["road"]
        if "road" in board.way(here, there) and kind in ("mech", "hq"):
            cost = road["mech"]
        else:
            cost = chart["mech" if kind == "mech" else "inf"]  # 10.23: a road is nothing to infantry
        # 19.22: in Korsun a road crosses rivers; 10.31: elsewhere the costs add up.
        if not ("road" in board.way(here, there) and self.switch["river_costs"] == "korsun"):
            cost += sum(rivers[name][side] for name in features if name in rivers)
        return int(cost * HALF)

    # Schedules.

    def active_headquarters(self, turn: int) -> int:
        """23.11: how many Soviet HQs are active."""
        for row in self.tables["active_headquarters"]["schedule"]:
            if row["turns"][0] <= turn <= row["turns"][1]:
                active: int = row["active"]
                return active
        return 0

    def supported(self, turn: int) -> int:
        """24.2: how many corps are supported."""
        by_turn: list[int] = self.tables["supported_corps"]["by_turn"]
        return by_turn[min(turn, len(by_turn)) - 1]

    def operations(self, turn: int, rating: int) -> int | None:
        """23.2: how many operations an active HQ may run; None while there is no limit."""
        table = self.tables["headquarters_operations"]
        if self.switch["headquarters"] != "scheduled" or turn < table["first_turn"]:
            return None
        limit: int = rating // table["rating_divisor"]
        return limit

    def weather(self, name: str) -> Mapping[str, Any]:
        row: Mapping[str, Any] = self.tables["weather"][name]
        return row

    def __hash__(self) -> int:
        return id(self)


def data_of(board: Board, scenario: Mapping[str, Any], switch: Mapping[str, Any]) -> Data:
    """28.0: variable weather takes the place of any other."""
    return Data(board, scenario, {**switch, "weather": "variable"} if switch["variable_weather"] else switch)


@cache
def _exits(data: Data, side: str, kind: str) -> Exits:
    return data.board.exits(lambda here, there: data.step_cost(side, kind, here, there))
