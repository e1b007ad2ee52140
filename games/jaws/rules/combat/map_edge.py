"""Retreats off the map (12.16.1): who has nowhere else to go leaves it, and comes back a turn later."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Placed, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import number
from engine.rules.reinforcement import waiting_box
from engine.table import kept_for_good
from games.jaws.data import SOVIET, Table
from games.jaws.rules.depots import sources_of
from games.jaws.rules.losses import lose
from games.jaws.rules.spending import BY_AIR, SUPPLIED, TRACED
from games.jaws.rules.units import OOS


@kept_for_good
def torn_off(table: Table) -> HexSet:
    """21.3: the hexes on the border of the other sheet, if that is not in play."""
    return hexset.spread(table.grid, table.board.land & ~table.data.sheet) & table.data.land


def edges_at(table: Table, side: str, h: Hex) -> HexSet:
    """The hexes of the map edges that a hex lies on; where the other sheet is not in play, its border is one (21.3);
    10.6.3: the Dnepr is none, but for the crossing that feeds the 52nd Army."""
    data = table.data
    bank = data.area("Dnepr edge") & ~(data.sources("52A") if side == SOVIET else 0)
    edges = table.board.edges.items()
    rims = [hexes & data.land & ~(bank if name == "north" else 0) for name, hexes in edges]
    return hexset.union(rim for rim in (*rims, torn_off(table)) if rim >> h & 1)


def returns_at(table: Table, unit: str, h: Hex) -> Hex:
    """12.16.1: the next road hex of the same edge that is nearer to a source of the unit's; the nearest, if none is."""
    grid, side = table.grid, table.unit(unit).side
    sources = list(hexset.members(sources_of(table, side, table.unit(unit).formation)))

    def far(spot: Hex) -> int:
        return min((grid.distance(spot, source) for source in sources), default=0)

    roads = [spot for spot in hexset.members(edges_at(table, side, h) & table.data.road_hexes) if spot != h]
    nearer = [spot for spot in roads if far(spot) < far(h)]
    return min(nearer or roads or [h], key=lambda spot: (grid.distance(h, spot), far(spot), spot))


def driven_off(table: Table, unit: str, h: Hex) -> Iterator[Fact]:
    """12.16.1: if a path led to its source in the Supply Phase, it waits for the next turn; else it is eliminated."""
    position = table.position
    unfed = position.mark(unit, OOS) is not None or position.mark(unit, SUPPLIED) == BY_AIR
    if unfed and position.mark(unit, TRACED) is None:
        yield from lose(table, unit, table.position.steps_left(unit), "12.16.1")
        return
    back = number(table, returns_at(table, unit, h))
    yield Placed(unit=unit, at=waiting_box(table.position.turn + 1, back), because="12.16.1")
    yield Told(text=f"{unit} leaves the map at {number(table, h)} and may come back at {back}.", because="12.16.1")
