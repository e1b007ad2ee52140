"""The figures of the rulebook as the rules read them: tables.toml, the map and the scenario's switches."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from engine import hexset
from engine import table as engine_table
from engine.board import Board
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rulebook import read_tables, roster
from engine.rules.movement import Exits
from engine.rules.terrain import Six, hexes_where, hexsides, sides_where
from games.manstein.shapes import Chit, Scenario, Switches, Tables

FOLDER = Path(__file__).parent
HALF = 2  # movement and negotiation are counted in half points (9.3.1, T1)
QUARTER = 4  # the short scenario's points in quarters (17.2)


def tables() -> Tables:
    found: Tables = read_tables(FOLDER, "tables.toml", Tables)
    return found


@dataclass(frozen=True, eq=False)
class Data:
    """What the rules look up. Every figure comes from tables.toml, every hex from the map."""

    board: Board
    scenario: Scenario
    switch: Switches
    tables: Tables = field(default_factory=tables)

    @property
    def turns(self) -> int:
        return self.scenario["turns"]

    @cached_property
    def race(self) -> bool:
        """17.2: whether the short scenario is played."""
        return self.turns == self.tables["victory"]["race"]["turn"]

    @cached_property
    def hqs(self) -> frozenset[str]:
        """14.0: the units that are headquarters."""
        return frozenset(unit.id for unit in roster(FOLDER, self.scenario["counters"]) if "hq" in unit.classes)

    # Tables.

    @property
    def columns(self) -> tuple[str, ...]:
        return self.tables["combat_results"]["columns"]

    def result(self, column: int, die: int) -> str:
        """T6: the Combat Results Table."""
        return self.tables["combat_results"]["die"][str(die)][column]

    def by_cp(
        self,
        table: Literal["air_reorganization", "negotiation", "special_activation"],
        figure: Literal["markers", "points", "units"],
        cp: int,
    ) -> float:
        """T2 to T4: what a table gives for so many crossing points in Soviet hands."""
        rows = self.tables[table]["by_cp"]
        return next((row[figure] for row in rows if row["cp"][0] <= cp <= row["cp"][1]), 0)

    @cached_property
    def prices(self) -> dict[str, int]:
        """T1, in half points."""
        rows = self.tables["negotiation_cost"]
        return {what: int(cost * HALF) for what, cost in rows.items() if not isinstance(cost, str)}

    def axis_com(self, turn: int) -> int:
        """6.2(2): how many chits the Axis selects."""
        return next((row["axis_com"] for row in self.tables["turn_track"]["turns"] if row["turn"] == turn), 0)

    def date(self, turn: int) -> str:
        return next((row["date"] for row in self.tables["turn_track"]["turns"] if row["turn"] == turn), "")

    @cached_property
    def chits(self) -> dict[str, dict[str, Chit]]:
        """6.2: each side's chits, by name."""
        return {
            side: {name: row for name, row in rows.items() if not isinstance(row, str)}
            for side, rows in self.tables["chits"].items()
        }

    @cached_property
    def owner_of_chit(self) -> dict[str, str]:
        return {name: side for side, rows in self.chits.items() for name in rows}

    # The map.

    @cached_property
    def passable(self) -> HexSet:
        """Hexes that units may enter at all (9.2.4bis)."""
        charts = self.tables["terrain"]["hex"]
        return self.board.land & ~hexes_where(self.board, charts, lambda row: row.get("shut"))

    def area(self, name: str) -> HexSet:
        return self.board.areas.get(name, 0)

    @cached_property
    def cities(self) -> HexSet:
        """Major cities."""
        return self.board.towns.get("major city", 0)

    @cached_property
    def axis_ground(self) -> HexSet:
        """3.4(1): the land on the Axis side of the start line."""
        return self.board.inside("start line")

    @cached_property
    def crossings(self) -> tuple[Hex, ...]:
        """16.3: the crossing points of the Dnieper."""
        return tuple(hexset.members(self.area("crossing points")))

    @cached_property
    def west_bank(self) -> HexSet:
        """17.2(2): the land west of the Dnieper; its courses name the left, eastern bank first."""
        banks = [side for course in self.board.courses if course.name.startswith("Dnieper") for side in course.sides]
        river = hexset.sides_of(self.board.grid, banks)
        allowed = tuple(self.open_sides[d] & ~river[d] for d in range(6))
        return hexset.flood(self.board.grid, hexset.of(west for _, west in banks), self.passable, allowed)

    @cached_property
    def shut_sides(self) -> Six:
        """Hexsides that nothing crosses."""
        return sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: row.get("shut"))

    @cached_property
    def river_sides(self) -> Six:
        """10.3.1-b: hexsides that halve an attack, bridged or not."""
        return sides_where(self.board, self.tables["terrain"]["hexside"], lambda row: row.get("halves_attack"))

    @cached_property
    def open_sides(self) -> Six:
        """3.2(1), 8.2.1: hexsides that zones of control and command ranges cross."""
        return tuple(self.passable & ~mask for mask in self.shut_sides)

    @cached_property
    def bridges(self) -> Six:
        """2.1.3: hexsides that a road or a railroad crosses."""
        ways = list(self.board.ways.values())
        return tuple(hexset.union(masks[d] for masks in ways) for d in range(6))

    @cached_property
    def unbridged_major(self) -> Six:
        major = hexsides(self.board, "major")
        return tuple(major[d] & ~self.bridges[d] for d in range(6))

    @cached_property
    def line_sides(self) -> Six:
        """3.3(2): hexsides that a communication line crosses."""
        return tuple(self.open_sides[d] & ~self.unbridged_major[d] for d in range(6))

    @cached_property
    def rails(self) -> Six:
        """12.1: the steps along a railroad."""
        rail = self.board.ways.get("rail", (0,) * 6)
        return tuple(rail[d] & self.open_sides[d] for d in range(6))

    @cached_property
    def rail_hexes(self) -> HexSet:
        return hexset.union(self.rails)

    @cached_property
    def roads(self) -> Six:
        road = self.board.ways.get("road", (0,) * 6)
        return tuple(road[d] & self.open_sides[d] for d in range(6))

    @cached_property
    def road_hexes(self) -> HexSet:
        return hexset.union(self.roads)

    # What a step costs, in half Movement Points.

    def step_cost(self, here: Hex, there: Hex) -> int | None:
        """9.2: terrain, road and rivers, without zones of control; None where nobody goes."""
        d = self.board.grid.direction(here, there)
        if d is None or not self.passable >> there & 1 or self.shut_sides[d] >> here & 1:
            return None
        charts = self.tables["terrain"]
        if self.roads[d] >> here & 1:
            cost = charts["way"]["road"]["move"]
        else:
            cost = charts["hex"][self.board.terrain_of(there)]["move"]
        if not self.bridges[d] >> here & 1:
            cost += sum(charts["hexside"][name].get("extra", 0) for name in self.board.feature(here, there))
        return cost * HALF

    def one_step(self, here: Hex, there: Hex) -> str:
        """9.2.1(1)-b, 9.2.4(1): the case that makes a step the first and only one of a move; empty if none does."""
        d = self.board.grid.direction(here, there)
        if d is None or not self.passable >> there & 1:
            return ""
        if self.unbridged_major[d] >> here & 1:
            return "9.2.1(1)-b"
        swampy = self.tables["terrain"]["hex"][self.board.terrain_of(there)].get("one_step")
        return "9.2.4(1)" if swampy and not self.roads[d] >> here & 1 else ""

    @cached_property
    def exits(self) -> Exits:
        """What it costs to leave every hex in each direction, one-step moves left out."""

        def cost(here: Hex, there: Hex) -> int | None:
            return None if self.one_step(here, there) else self.step_cost(here, there)

        return self.board.exits(cost)

    @cached_property
    def zone_cost(self) -> tuple[int, int]:
        """9.2.2: leaving and entering an enemy zone of control, in half points."""
        row = self.tables["movement"]
        return row["leave_zoc"]["points"] * HALF, row["enter_zoc"]["points"] * HALF

    @cached_property
    def shifts(self) -> dict[Hex, int]:
        """10.3.3(1): columns to the left for whoever defends in a hex."""
        charts = self.tables["terrain"]
        found = {h: charts["hex"][kind].get("shift", 0) for h, kind in self.board.kinds.items()}
        for h, place in self.board.places.items():
            found[h] += charts["place"].get(place.size, {}).get("shift", 0)
        return found


Table = engine_table.Table[Data]
