"""The figures of the rulebook as the rules read them: tables.toml, setup.toml, the map and the scenario's switches."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from engine import hexset
from engine import table as engine_table
from engine.board import Board
from engine.hexes import Hex
from engine.hexset import HexSet, Sides
from engine.rulebook import read_tables, roster
from games.kharkov.shapes import Adjustment, Arrows, CalendarRow, Scenario, Setup, Switches, Tables

FOLDER = Path(__file__).parent
HALF = 2  # movement is counted in half points (10.2)
GERMAN, SOVIET = "german", "soviet"
FRONTS = ("VF", "SWF")
LINES = ("East Line", "West Line", "Far Line")


def tables() -> Tables:
    found: Tables = read_tables(FOLDER, "tables.toml", Tables)
    return found


def arrows() -> Arrows:
    found: Arrows = read_tables(FOLDER, "arrows.toml", Arrows)
    return found


def turn_in(qualifier: str, turn: int) -> bool:
    """2.0-a: whether a rule that bears this box holds on a turn; an empty box holds always."""
    for part in qualifier.split(",") if qualifier else ():
        first, dash, last = part.strip().partition("-")
        if first.endswith("+"):
            if turn >= int(first[:-1]):
                return True
        elif int(first) <= turn <= int(last if dash else first):
            return True
    return not qualifier


@dataclass(frozen=True, eq=False)
class Data:
    """What the rules look up. Every figure comes from tables.toml, every hex from the map."""

    board: Board
    scenario: Scenario
    switch: Switches
    tables: Tables = field(default_factory=tables)
    arrows: Arrows = field(default_factory=arrows)

    @property
    def turns(self) -> int:
        return self.scenario["turns"]

    @cached_property
    def adjustments(self) -> dict[str, Adjustment]:
        found: Setup = read_tables(FOLDER, self.scenario["setup"], Setup)
        return found["adjustments"]

    def on(self, rule: str, turn: int) -> bool:
        """2.0-a: whether a rule that the turns switch is on."""
        return turn_in(self.tables["switches_by_turn"][rule], turn)

    def calendar(self, turn: int) -> CalendarRow:
        return self.tables["calendar"][turn - 1]

    # Formations (2.21).

    @cached_property
    def parents(self) -> dict[str, str]:
        """The front of each army, the army of each corps."""
        levels = roster(FOLDER, self.scenario["counters"])
        return {unit.formation: levels.levels(unit.formation)[1].id for unit in levels}

    @cached_property
    def german_corps(self) -> list[str]:
        return ["Raus", "IISS", "III", "XL", "XLVIII", "LVII"]

    @cached_property
    def ranks(self) -> dict[str, int]:
        """2.21-h: between units of one selector the lower-numbered army or corps comes first; Popov and Raus are 0."""
        return {"MGP": 0, "1G": 1, "3T": 3, "6": 6, "40": 40, "69": 69,
                "Raus": 0, "IISS": 2, "III": 3, "XL": 40, "XLVIII": 48, "LVII": 57}  # fmt: skip

    # The map (2.1).

    def hexes(self, *numbers: str) -> HexSet:
        return hexset.of(self.board.grid.hex(number) for number in numbers)

    def area(self, name: str) -> HexSet:
        return self.board.areas.get(name, 0)

    @cached_property
    def towns(self) -> HexSet:
        """Towns and cities: the in-hex terrain itself."""
        return self.board.towns.get("town", 0) | self.cities

    @cached_property
    def cities(self) -> HexSet:
        return self.board.towns.get("city", 0)

    @cached_property
    def villages(self) -> HexSet:
        return self.board.towns.get("village", 0)

    def terrain(self, h: Hex) -> str:
        """2.1-a: a town is no clear hex and no woods."""
        if self.cities >> h & 1:
            return "city"
        return "town" if self.towns >> h & 1 else self.board.terrain_of(h)

    @cached_property
    def marsh(self) -> HexSet:
        return self.board.terrain.get("marsh", 0) & ~self.towns

    @cached_property
    def woods(self) -> HexSet:
        return self.board.terrain.get("woods", 0) & ~self.towns

    @cached_property
    def points(self) -> dict[Hex, int]:
        """VPT: the victory points of a hex."""
        return {self.board.grid.hex(number): value for number, value in self.tables["victory_points"].items()}

    @cached_property
    def edge_vp(self) -> HexSet:
        """2.1-c: the four map-edge hexes that score while Soviets stand there in supply."""
        return self.area("edge VP")

    @cached_property
    def vp_hexes(self) -> HexSet:
        return hexset.of(self.points)

    @cached_property
    def rim(self) -> HexSet:
        """The hexes of the map's edge."""
        grid, land = self.board.grid, self.board.land
        whole = [h for h in hexset.members(land) if len(grid.neighbours(h)) == 6]
        inner = hexset.of(h for h in whole if all(land >> n & 1 for n in grid.neighbours(h)))
        return land & ~inner

    @cached_property
    def edges(self) -> dict[str, HexSet]:
        """2.1-d: each side's map edge."""
        soviet = self.area("soviet edge")
        return {SOVIET: soviet, GERMAN: self.rim & ~soviet}

    @cached_property
    def road_exits(self) -> HexSet:
        return self.area("road exits")

    @cached_property
    def roads(self) -> Sides:
        return self.board.ways["road"]

    def river(self, feature: str) -> Sides:
        return self.board.sides[feature]

    @cached_property
    def blocked(self) -> Sides:
        """Hexsides that nobody crosses (10.31), nor is adjacent over (9.25-b)."""
        return self.board.sides["blocked"]

    @cached_property
    def open_sides(self) -> Sides:
        """Where a hex may be left at all: onto the map, over no blocked hexside."""
        land = self.board.land
        a, b, c, d, e, f = (land & ~mask for mask in self.blocked)
        return (a, b, c, d, e, f)

    @cached_property
    def wide(self) -> Sides:
        """Unbridged hexsides of the Dniepr."""
        a, b, c, d, e, f = (mask & ~road for mask, road in zip(self.board.sides["dnieper"], self.roads, strict=True))
        return (a, b, c, d, e, f)

    @cached_property
    def near_sides(self) -> Sides:
        """Where supply goes on without a ferry: over no blocked and no unbridged Dniepr hexside."""
        a, b, c, d, e, f = (mask & ~wide for mask, wide in zip(self.open_sides, self.wide, strict=True))
        return (a, b, c, d, e, f)

    @cached_property
    def big_rivers(self) -> Sides:
        """Donets and Dniepr, bridged or not: what an attack is `across` (12.51)."""
        features = ("donets", "dnieper", "blocked")
        rivers = [self.board.sides[name] for name in features]
        a, b, c, d, e, f = (x | y | z for x, y, z in zip(*rivers, strict=True))
        return (a, b, c, d, e, f)

    @cached_property
    def inside(self) -> dict[str, HexSet]:
        """The hexes on the Soviet side of each line (2.1-e to 2.1-g); a line's own hexes lie inside."""
        return {name: self.board.inside(name) for name in LINES}

    @cached_property
    def targets(self) -> dict[str, HexSet]:
        """2.1-j: the hexes marked for each front."""
        return {"VF": self.area("voronezh targets"), "SWF": self.area("southwest targets")}

    @cached_property
    def logistics(self) -> dict[str, HexSet]:
        """2.1-k"""
        return {"VF": self.area("voronezh logistics"), "SWF": self.area("southwest logistics")}

    def arrow(self, front: str, h: Hex, which: str) -> Hex | None:
        """2.1-h: where the `primary` or `secondary` arrow of a hex points for a front."""
        number = self.board.grid.number_of(h)
        own = self.arrows["southwest_primary" if which == "primary" else "southwest_secondary"]
        shared = self.arrows["primary" if which == "primary" else "secondary"]
        found = own.get(number) if front == "SWF" and number in self.arrows["southwest_primary"] else shared.get(number)
        return self.board.grid.hex(found) if found is not None else None


Table = engine_table.Table[Data]
