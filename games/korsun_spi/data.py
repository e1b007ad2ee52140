"""The figures of the rulebook as the rules read them: tables.toml and the scenario's switches."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from pydantic import TypeAdapter

from engine import hexset, table
from engine.board import Board
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rulebook import read_tables
from engine.rules.movement import Exits
from engine.rules.terrain import Six, hexes_where, hexsides, sides_where
from games.korsun_spi.shapes import Action, Scenario, Spots, Switches, Tables

FOLDER = Path(__file__).parent
SECTIONS = "ABCDE"  # of the German start line (18.22)
HALF = 2  # movement is counted in half points (5.13)
_EXITS: dict[tuple[Board, str, str, str], Exits] = {}  # one map's are the same for all games on it


@dataclass(frozen=True, eq=False)
class Data:
    """What the rules look up. Every figure comes from tables.toml."""

    board: Board
    scenario: Scenario
    switch: Switches
    tables: Tables

    @property
    def turns(self) -> int:
        return self.scenario["turns"]

    @cached_property
    def stock(self) -> dict[str, Spots]:
        """The units by side and hex: the historical set-up, or a short game's only one."""
        rows = self.scenario["setup"]
        return read_tables(FOLDER, rows, dict[str, Spots]) if isinstance(rows, str) else rows

    @property
    def columns(self) -> list[str]:
        return self.tables["combat_results"]["columns"]

    def result(self, column: int, die: int) -> str:
        """9.5: the Combat Results Table."""
        return self.tables["combat_results"]["die"][str(die)][column]

    def cost(self, name: Action) -> int:
        """What an action costs, in half Movement Points."""
        return int(self.tables["costs"][name]["points"] * HALF)

    # Terrain.

    @cached_property
    def passable(self) -> HexSet:
        """Hexes that units may enter at all (10.16, 19.25)."""
        charts = self.tables["terrain"]["hex"]
        return self.board.land & ~hexes_where(self.board, charts, lambda row: row.get("prohibited"))

    @cached_property
    def german_side(self) -> HexSet:
        """18.23: the land behind the start line."""
        return self.board.inside(*SECTIONS) & self.passable

    @cached_property
    def sources(self) -> dict[str, HexSet]:
        """12.12: where each side's supply comes from: edges of the map, or an area."""
        rows, board = self.scenario["sources"], self.board
        edges = {side: hexset.union(board.edges[edge] for edge in row.get("edges", ())) for side, row in rows.items()}
        return {side: edges[side] or board.areas[row["area"]] for side, row in rows.items()}

    @cached_property
    def shelter(self) -> dict[Hex, int]:
        """10.4: by how much the terrain of each hex multiplies its defence."""
        chart = self.tables["terrain"]["hex"]
        return {h: chart[kind]["defence"] for h, kind in self.board.kinds.items()}

    @cached_property
    def swamp(self) -> HexSet:
        """12.11: hexes that a supply line may enter and not pass."""
        return hexes_where(self.board, self.tables["terrain"]["hex"], lambda row: row["supply"] == "into")

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

    @cached_property
    def rivers(self) -> dict[str, dict[str, int]]:
        """Movement Points to cross a river on top of the terrain, by its size and by side."""
        row = self.tables["river_costs"][self.switch["river_costs"]]
        return {"minor": row["minor"], "major": row["major"]}

    def exits(self, side: str, kind: str) -> Exits:
        """5.13: what it costs each side's mech, inf or hq units to leave every hex in each direction."""
        key = self.board, self.switch["river_costs"], side, kind
        if key not in _EXITS:
            _EXITS[key] = self.board.exits(partial(self.step_cost, side, kind))
        return _EXITS[key]

    def step_cost(self, side: str, kind: str, here: Hex, there: Hex) -> int | None:
        """10.4: half points for one step; None where it is prohibited."""
        charts = self.tables["terrain"]
        chart = charts["hex"][self.board.terrain_of(there)]
        features = self.board.feature(here, there)
        if chart.get("prohibited") or any(charts["hexside"][name].get("prohibited") for name in features):
            return None
        road = "road" in self.board.way(here, there)
        if road and kind in ("mech", "hq"):
            cost = charts["way"]["road"]["mech"]
        else:
            cost = chart["mech"] if kind == "mech" else chart["inf"]  # 10.23: a road is nothing to infantry
        # 19.22: in Korsun a road crosses rivers; 10.31: elsewhere the costs add up.
        if not (road and self.switch["river_costs"] == "korsun"):
            cost += sum(self.rivers[name][side] for name in features if name in self.rivers)
        return int(cost * HALF)

    # Schedules.

    def active_headquarters(self, turn: int) -> int:
        """23.11: how many Soviet HQs are active."""
        rows = self.tables["active_headquarters"]["schedule"]
        return next((row["active"] for row in rows if row["turns"][0] <= turn <= row["turns"][1]), 0)

    def supported(self, turn: int) -> int:
        """24.2: how many corps are supported."""
        by_turn = self.tables["supported_corps"]["by_turn"]
        return by_turn[min(turn, len(by_turn)) - 1]

    def operations(self, turn: int, rating: int) -> int | None:
        """23.2: how many operations an active HQ may run; None while there is no limit."""
        row = self.tables["headquarters_operations"]
        if self.switch["headquarters"] != "scheduled" or turn < row["first_turn"]:
            return None
        return rating // row["rating_divisor"]


Table = table.Table[Data]

_SCENARIO, _SWITCHES = TypeAdapter(Scenario), TypeAdapter(Switches)


def data_of(board: Board, scenario: Mapping[str, object], switch: Mapping[str, object]) -> Data:
    """28.0: variable weather takes the place of any other."""
    switches = {**switch, "weather": "variable"} if switch["variable_weather"] else switch
    tables = read_tables(FOLDER, "tables.toml", Tables)
    return Data(board, _SCENARIO.validate_python(scenario), _SWITCHES.validate_python(switches), tables)
