"""The figures of the rulebook as the rules read them: tables.toml, setup.toml, the map and the scenario's switches."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from engine import hexset
from engine import table as engine_table
from engine.board import Board
from engine.hexes import Hex, opposite
from engine.hexset import HexSet, Sides
from engine.rulebook import read_tables
from engine.rules.terrain import hexes_where
from games.jaws.shapes import Costs, Going, Ground, Points, Scenario, Start, Switches, Tables, Turn

FOLDER = Path(__file__).parent
GERMAN, SOVIET = "german", "soviet"
SIXTH = 6  # movement is counted in sixths of a point: halves and thirds occur (9.4.2)
RAIL = "rail"
WATERS = ("river", "stream")  # what a way crosses by a bridge (15.2)
NO_SIDES: Sides = (0, 0, 0, 0, 0, 0)


def tables() -> Tables:
    found: Tables = read_tables(FOLDER, "tables.toml", Tables)
    return found


def sixths(points: Points) -> int:
    """Movement points in the unit that they are counted in."""
    exact = Fraction(points) * SIXTH
    assert exact.denominator == 1, points
    return int(exact)


def joined(*masks: Sides) -> Sides:
    """The hexsides of all of these."""
    a, b, c, d, e, f = (hexset.union(column) for column in zip(*masks, strict=True))
    return (a, b, c, d, e, f)


def without(masks: Sides, less: Sides) -> Sides:
    a, b, c, d, e, f = (mask & ~gone for mask, gone in zip(masks, less, strict=True))
    return (a, b, c, d, e, f)


def both(masks: Sides, more: Sides) -> Sides:
    a, b, c, d, e, f = (mask & other for mask, other in zip(masks, more, strict=True))
    return (a, b, c, d, e, f)


@dataclass(frozen=True, eq=False)
class Data:
    """What the rules look up. Every figure comes from tables.toml, every hex from the map."""

    board: Board
    scenario: Scenario
    switch: Switches
    tables: Tables = field(default_factory=tables)

    # The scenario.

    @property
    def first(self) -> int:
        return self.scenario["first"]

    @property
    def turns(self) -> int:
        """The last turn."""
        return self.scenario["turns"]

    def turn(self, number: int) -> Turn:
        """The row of the Turn Record Track."""
        rows = self.tables["turn_track"]["turns"]
        return rows[max(1, min(number, len(rows))) - 1]

    @cached_property
    def start(self) -> Start:
        found: dict[str, Start] = read_tables(FOLDER, self.scenario["setup"], dict[str, Start])
        return found[self.scenario["start"]]

    @cached_property
    def sheet(self) -> HexSet:
        """The hexes of the sheets in play."""
        grid, (first, last) = self.board.grid, self.scenario["sheets"]
        return hexset.of(h for h in hexset.members(self.board.land) if first <= int(grid.number_of(h)[:2]) <= last)

    @cached_property
    def land(self) -> HexSet:
        """Where units may be at all: the sheets in play without what lies beyond the Dnepr or out of play."""
        return self.sheet & ~hexes_where(self.board, self.tables["terrain"]["hex"], lambda row: row.get("shut"))

    @cached_property
    def placed(self) -> dict[str, str]:
        """Every unit that stands on the sheets in play when the scenario begins, with its hex."""
        grid, start = self.board.grid, self.start
        rows = [(h, u) for side in (start["german"], start["soviet"]) for h, us in side.items() for u in us]
        return {unit: h for h, unit in rows if self.land >> grid.hex(h) & 1}

    @cached_property
    def home(self) -> dict[str, HexSet]:
        """22.2: what lay nearer to each side's units when the scenario began; the Germans inside their line."""
        grid, start = self.board.grid, self.start
        held = {
            side: hexset.of(grid.hex(h) for h in spots) & self.land
            for side, spots in ((GERMAN, start["german"]), (SOVIET, start["soviet"]))
        }
        german, soviet = held[GERMAN], held[SOVIET]
        while True:
            near = hexset.spread(grid, german) & self.land & ~soviet
            far = hexset.spread(grid, soviet) & self.land & ~near & ~german
            if near == german and far == soviet:
                return {GERMAN: german, SOVIET: self.land & ~german}
            german, soviet = near | german, far | soviet

    # The map (2.2, 10.6).

    def area(self, name: str) -> HexSet:
        return self.board.areas[name] & self.sheet

    def sides(self, feature: str) -> Sides:
        return self.board.sides.get(feature, NO_SIDES)

    @cached_property
    def towns(self) -> HexSet:
        return self.board.towns.get("town", 0)

    @cached_property
    def villages(self) -> HexSet:
        return self.board.towns.get("village", 0)

    @cached_property
    def fields_of_fire(self) -> HexSet:
        """9.11-c2: clear hexes, those with a village too, but no town."""
        return self.board.terrain.get("clear", 0) & ~self.towns

    @cached_property
    def forest(self) -> HexSet:
        return self.board.terrain.get("forest", 0) & ~self.towns

    @cached_property
    def blind(self) -> HexSet:
        """10.6.1: towns and forest, into which no zone goes."""
        charts = self.tables["terrain"]
        towns = hexset.union(hexes for size, hexes in self.board.towns.items() if charts["place"][size].get("blind"))
        return hexes_where(self.board, charts["hex"], lambda row: row.get("blind")) | towns

    def _where(self, says: str, value: object) -> Sides:
        rows = self.tables["terrain"]["hexside"].items()
        return joined(NO_SIDES, *(self.sides(name) for name, row in rows if row.get(says) == value))

    @cached_property
    def shut(self) -> Sides:
        """9.2.3, 10.6.3: hexsides that nobody crosses: lakes and the Dnepr."""
        return self._where("shut", True)

    @cached_property
    def everywhere(self) -> Sides:
        """All hexsides but lakes and the Dnepr."""
        land = self.land
        return without((land, land, land, land, land, land), self.shut)

    @cached_property
    def zone_sides(self) -> Sides:
        """10.6: hexsides that zones cross."""
        return without(self.everywhere, self._where("zones", False))

    @cached_property
    def ways(self) -> dict[str, Sides]:
        """Each kind of way on the sheets in play."""
        return {
            kind: both(self.board.ways.get(kind, NO_SIDES), self.everywhere) for kind in self.tables["terrain"]["way"]
        }

    @cached_property
    def roads(self) -> Sides:
        """9.2.2, 13.2.1: primary, secondary and trail."""
        return joined(*(masks for kind, masks in self.ways.items() if kind != RAIL))

    @cached_property
    def road_hexes(self) -> HexSet:
        return hexset.union(self.roads) & self.land

    @cached_property
    def any_way(self) -> Sides:
        return joined(self.roads, self.ways[RAIL])

    @cached_property
    def bridges(self) -> Sides:
        """15.2: where a way crosses a river or a stream."""
        return both(self.any_way, joined(*(self.sides(name) for name in WATERS)))

    @cached_property
    def bridge_list(self) -> list[tuple[Hex, Hex]]:
        """Every bridge once."""
        grid = self.board.grid
        found = []
        for d in range(3):
            for h in hexset.members(self.bridges[d]):
                other = grid.neighbour(h, d)
                if other is not None and self.land >> h & 1 and self.land >> other & 1:
                    found.append((h, other))
        return found

    # Sources (13.1).

    def sources(self, command: str) -> HexSet:
        """The map-edge sources printed with an army's or armee's name."""
        side = GERMAN if command in ("8A", "1PzA") else SOVIET
        return self.area(f"{command} {side} sources")

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """21.3: the armies and armees whose own sources all lie on the sheet that is not in play."""
        named = [name.partition(" ")[0] for name in self.board.areas if name.endswith(" sources")]
        return frozenset(command for command in named if not self.sources(command))

    @cached_property
    def border(self) -> dict[str, HexSet]:
        """21.3: the hexes from which roads, and from which railroads, leave toward the other sheet."""
        grid, beyond = self.board.grid, self.board.land & ~self.sheet
        found = {"road": 0, RAIL: 0}
        for kind, masks in self.board.ways.items():
            for d in range(6):
                leaving = masks[d] & self.sheet & hexset.step(grid, beyond, opposite(d))
                found[RAIL if kind == RAIL else "road"] |= leaving
        return found

    # What a step costs (2.4-g), in sixths, zones apart.

    def cost(self, row: Costs, going: Going, ground: Ground) -> int | None:
        """What a row of the chart asks of a class; None where it does not go."""
        pair = row.get(going)
        return None if pair is None else sixths(pair[ground == "mud"])

    def exits(
        self, going: Going, ground: Ground, down: Sides, rails: Sides, built: Sides, *, strategic: bool
    ) -> dict[int, tuple[HexSet, ...]]:
        """9.2: by cost, the hexes that a class may leave in each direction; bridges that roads or rails lack, and
        those that were built."""
        charts, grid, board = self.tables["terrain"], self.board.grid, self.board
        found: dict[int, list[HexSet]] = {}
        enterable = {kind: self.cost(charts["hex"][kind], going, ground) for kind in board.terrain}
        leavable = hexset.union(board.terrain[kind] for kind, cost in enterable.items() if cost is not None) & self.land
        extras = {name: self.cost(charts["hexside"][name], going, ground) for name in board.sides}
        for d in range(6):
            left = self.everywhere[d] & hexset.step(grid, self.land, opposite(d))
            for price, mask in self._by_way(going, ground, (down[d], rails[d]), strategic, d):
                here = mask & left
                found.setdefault(price, [0] * 6)[d] |= here
                left &= ~here
            left &= leavable  # 9.9.1: what could not be entered again is not left either
            sides = {name: masks[d] & ~built[d] for name, masks in board.sides.items()}
            plain = left & ~hexset.union(sides.values())
            for kind, cost in enterable.items():
                if cost is None:
                    continue
                into = hexset.step(grid, board.terrain[kind] & self.land, opposite(d))
                found.setdefault(cost, [0] * 6)[d] |= plain & into
                for name, extra in extras.items():
                    if extra is not None:
                        found.setdefault(cost + extra, [0] * 6)[d] |= left & sides[name] & into
        return {cost: tuple(masks) for cost, masks in sorted(found.items()) if any(masks)}

    def _by_way(
        self, going: Going, ground: Ground, closed: tuple[HexSet, HexSet], strategic: bool, d: int
    ) -> list[tuple[int, HexSet]]:
        """9.2.2: what the ways ask, the cheapest first; none leads over a bridge that is down."""
        found = []
        down, rails = closed
        for kind, row in self.tables["terrain"]["way"].items():
            rates = row.get("strategic", row) if strategic else row
            cost = self.cost(rates, going, ground)  # type: ignore[arg-type]
            if cost is not None:
                found.append((cost, self.ways[kind][d] & ~(rails if kind == RAIL else down)))
        return sorted(found)


Table = engine_table.Table[Data]
