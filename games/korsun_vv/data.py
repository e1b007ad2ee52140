"""The figures of the rulebook as the rules read them: tables.toml, the map and the scenario's switches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from engine import hexset
from engine import table as engine_table
from engine.board import Board
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rulebook import read_tables
from engine.rules.movement import Exits
from engine.rules.terrain import Six, hexes_where, hexsides, sides_where
from games.korsun_vv.shapes import Marker, Scenario, Tables

FOLDER = Path(__file__).parent
HALF = 2  # movement is counted in half points (a road costs one)
Going = Literal["foot", "mobile"]  # the two columns of the terrain chart
FOOT: Going = "foot"
MOBILE: Going = "mobile"
SNOW, MUD = "snow", "mud"


@dataclass(frozen=True)
class Result:
    """A cell of the Combat Results Table taken apart (7.7)."""

    text: str
    attacker: int
    attacker_star: bool
    defender: int
    defender_star: bool
    breakthrough: bool


def read_result(text: str) -> Result:
    """7.7-a: A/D; a star asks for a step, a bold attacker's part is a breakthrough."""
    attacker, defender = text.split("/")

    def number(part: str) -> int:
        return int(part.rstrip("*!").replace("-", "0"))

    return Result(text, number(attacker), "*" in attacker, number(defender), "*" in defender, "!" in attacker)


@dataclass(frozen=True, eq=False)
class Data:
    """What the rules look up. Every figure comes from tables.toml, every hex from the map."""

    board: Board
    scenario: Scenario
    switch: Mapping[str, bool | str]
    tables: Tables = field(default_factory=lambda: read_tables(FOLDER, "tables.toml", Tables))

    @property
    def turns(self) -> int:
        return self.scenario["turns"]

    # Tables.

    @cached_property
    def columns(self) -> list[str]:
        return self.tables["combat_results"]["columns"]

    @cached_property
    def results(self) -> dict[int, list[Result]]:
        rows = self.tables["combat_results"]["die"]
        return {int(die): [read_result(cell) for cell in row] for die, row in rows.items()}

    def result(self, column: int, die: int) -> Result:
        """7.6-g, 7.4-g: dice and columns beyond the table use its ends."""
        return self.results[max(min(die, max(self.results)), min(self.results))][self.held(column)]

    def held(self, column: int) -> int:
        """7.6-f: beyond the table its end."""
        return max(0, min(len(self.columns) - 1, column))

    def armour(self, difference: int, die: int) -> tuple[int, str]:
        """7.5-a: columns to the right, and A or D if that side's unit loses a step."""
        table = self.tables["armour_superiority"]
        row = table["difference"][str(max(table["lowest"], min(table["highest"], difference)))]
        columns, _, loss = row[die - 1].partition(" ")
        return int(columns), loss[:1]

    def weather(self, turn: int) -> str:
        """15-a; beyond the track as on its last turn."""
        rows = self.tables["turn_track"]["turns"]
        return rows[max(0, min(turn, len(rows)) - 1)]["weather"]

    def date(self, turn: int) -> str:
        return next((row["date"] for row in self.tables["turn_track"]["turns"] if row["turn"] == turn), "")

    def marker(self, name: str) -> Marker:
        return self.tables["support"]["marker"][name]

    @cached_property
    def reach(self) -> dict[str, int]:
        """8.1-a: command range by side."""
        return {side: row for side, row in self.tables["command_range"].items() if isinstance(row, int)}

    @cached_property
    def size(self) -> dict[tuple[str, str], int]:
        """5-a, 5-b: what a unit of a side and size counts for stacking."""
        rows = self.tables["stacking"]["size"]
        return {(side, size): n for side, row in rows.items() for size, n in row.items() if isinstance(n, int)}

    @cached_property
    def limit(self) -> dict[str, int]:
        rows = self.tables["stacking"]
        return {"german": rows["german"]["limit"], "russian": rows["russian"]["limit"]}

    @cached_property
    def tired_arrivals(self) -> dict[str, int]:
        """18.1.1-d: reinforcements that have fewer action points on the turn they arrive, with that turn."""
        rows = self.tables["reinforcements"]["german"]
        return {unit: row["turn"] for row in rows if row.get("less") for unit in row["units"]}

    # The map.

    @cached_property
    def land(self) -> HexSet:
        """Where units may be at all: the Dnepr's left bank is out of play."""
        return hexes_where(self.board, self.tables["terrain"]["hex"], lambda row: row["foot"])

    @cached_property
    def airfield(self) -> Hex:
        """13.4-a: Korsun and its airfield."""
        return next(hexset.members(self.board.areas[self.tables["pocket"]["airfield"]["area"]]))

    def edges(self, side: str) -> HexSet:
        """10.2-d: the friendly map edges."""
        return hexset.union(self.board.edges[edge] for edge in self.scenario["sources"][side]["edges"]) & self.land

    @cached_property
    def roads(self) -> Six:
        ways = [self.board.ways.get(kind, (0,) * 6) for kind in self.tables["terrain"]["way"]]
        return tuple(hexset.union(way[d] for way in ways) & ~self.shut[d] for d in range(6))

    @cached_property
    def road_hexes(self) -> HexSet:
        return hexset.union(self.roads)

    @cached_property
    def shut(self) -> Six:
        """Hexsides that nothing crosses."""
        return sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: row.get("shut"))

    @cached_property
    def open_sides(self) -> Six:
        return tuple(self.board.land & ~mask for mask in self.shut)

    @cached_property
    def rivers(self) -> Six:
        """4.1-b: hexsides that no zone of control crosses."""
        return sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: not row["zoc"])

    @cached_property
    def zone_sides(self) -> Six:
        return tuple(self.board.land & ~mask for mask in self.rivers)

    @cached_property
    def free(self) -> HexSet:
        """4.3-b: the hexes without a duty to attack."""
        charts = self.tables["terrain"]
        free = {size for size, row in charts["place"].items() if row["free"]}
        towns = hexset.union(hexes for size, hexes in self.board.towns.items() if size in free)
        return hexes_where(self.board, charts["hex"], lambda row: row["free"]) | towns

    @cached_property
    def difficult_roads(self) -> HexSet:
        """6.2-c: road hexes in difficult terrain hold one mechanized unit."""
        return self.board.terrain.get("difficult", 0) & self.road_hexes

    @cached_property
    def shifts(self) -> dict[Hex, int]:
        """7.4-a: columns to the left for whoever defends in a hex."""
        charts = self.tables["terrain"]
        found = {h: charts["hex"][kind]["shift"] for h, kind in self.board.kinds.items()}
        for h, town in self.board.places.items():
            found[h] += charts["place"][town.size]["shift"] if town.size in charts["place"] else 0  # a height is a name
        return found

    @cached_property
    def river_shift(self) -> int:
        return self.tables["terrain"]["hexside"]["river"].get("shift", 0)

    @cached_property
    def river_sides(self) -> Six:
        return hexsides(self.board, "river")

    # What a step costs, in half Movement Points.

    def _hex_cost(self, kind: Going, weather: str, there: Hex) -> float | None:
        """Off the road: the dearer of terrain and town; None where that kind does not go."""
        charts = self.tables["terrain"]
        terrain = charts["hex"][self.board.kinds[there]][kind].get(weather)
        town = self.board.places.get(there)
        if town is None or terrain is None or town.size not in charts["place"]:
            return terrain
        inside = charts["place"][town.size][kind][weather]
        return inside if self.board.kinds[there] == "clear" else max(terrain, inside)

    def step_cost(self, kind: Going, weather: str, here: Hex, there: Hex, *, alone: bool = True) -> int | None:
        """6.2: one step without zones of control; None if it is closed. Mobile units use a road only alone."""
        d = self.board.grid.direction(here, there)
        if d is None or self.shut[d] >> here & 1:
            return None
        road = bool(self.roads[d] >> here & 1)
        if road and (alone or kind == FOOT):
            return int(self.tables["terrain"]["way"]["road"][kind][weather] * HALF)
        cost = self._hex_cost(kind, weather, there)
        if cost is not None and self.rivers[d] >> here & 1 and not road:
            extra = self.tables["terrain"]["hexside"]["river"][kind].get(weather)
            cost = None if extra is None else cost + extra
        return None if cost is None else int(cost * HALF)

    def entry_cost(self, kind: Going, weather: str, there: Hex, *, alone: bool) -> int | None:
        """18.1.1-a: what a unit pays for the hex by which it enters the map."""
        if self.road_hexes >> there & 1 and (alone or kind == FOOT):
            return int(self.tables["terrain"]["way"]["road"][kind][weather] * HALF)
        cost = self._hex_cost(kind, weather, there)
        return None if cost is None else int(cost * HALF)


Table = engine_table.Table[Data]


# What the map and the weather alone decide.


@lru_cache
def exits(data: Data, kind: Going, weather: str, *, alone: bool = True) -> Exits:
    """What it costs to leave every hex in each direction."""
    return data.board.exits(lambda a, b: data.step_cost(kind, weather, a, b, alone=alone))


@lru_cache
def passable(data: Data, kind: Going, weather: str) -> Six:
    """By direction, the hexes from which that kind of unit can make a step at all."""
    every = [*exits(data, kind, weather).values(), *exits(data, kind, weather, alone=False).values()]
    return tuple(hexset.union(masks[d] for masks in every) for d in range(6))


@lru_cache
def lines(data: Data, weather: str) -> Six:
    """10.1-a: by direction, the hexes into which a Line of Supply comes by a step that a mobile unit can make."""
    steps = passable(data, MOBILE, weather)
    return tuple(hexset.step(data.board.grid, steps[d], d) for d in map(opposite, range(6)))


@lru_cache
def drivable(data: Data, weather: str) -> HexSet:
    """1.6.1-g: the hexes where armour can be: their terrain is open to it, or a road leads there."""
    able = [h for h in hexset.members(data.land) if data._hex_cost(MOBILE, weather, h) is not None]
    return hexset.of(able) | data.road_hexes


@lru_cache
def far_from_edge(data: Data, side: str) -> dict[Hex, int]:
    """7.7.1-d: how far every hex is from the nearest friendly edge."""
    layers = hexset.distance_layers(data.board.grid, data.edges(side), data.land)
    return {h: far for far, layer in enumerate(layers) for h in hexset.members(layer)}
