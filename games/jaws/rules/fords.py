"""Fords (18.6, an option): who finds them, who crosses them, and what it costs."""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Procedure, Roll
from engine.facts import Counted, Marked, Noted, Told
from engine.hexes import opposite
from engine.hexset import HexSet, Sides
from engine.refusals import Illegal, passes
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.movement import Exits
from engine.table import kept_for_good
from games.jaws.data import Table, both, sixths, without
from games.jaws.orders.optional import Ford
from games.jaws.rules.allowance import STOOD, check_ever_moves, moving
from games.jaws.rules.ground import BRIDGE, FORD, bridged
from games.jaws.rules.units import going
from games.jaws.shapes import Going, Ground

SOUNDED = "sounded"  # 18.6-p1: a hexside's mark: who has looked for a ford there
SEEKERS = ("armor", "mechanized", "recon")


def tries_track(side: str) -> str:
    """18.6-c1: how often a side has looked."""
    return f"ford tries {side}"


@kept_for_good
def fordable(table: Table) -> Sides:
    """18.6: the hexsides of the rivers that may have fords."""
    rivers = table.data.tables["options"]["fords"]["rivers"]
    pairs = [pair for course in table.board.courses if course.name in rivers for pair in course.sides]
    return both(hexset.sides_of(table.grid, pairs), table.data.everywhere)


# Crossing


def may_ford(table: Table, unit: str) -> bool:
    """18.6-p4, 12.5.2-h: infantry on foot, reconnaissance and armor cross a ford."""
    on_foot = is_a(table, unit, "infantry") and going(table, unit) == "foot"
    return on_foot or is_a(table, unit, "recon") or is_a(table, unit, "armor")


def over_fords(table: Table, exits: Exits, by: Going, on: Ground, fords: Sides) -> Exits:
    """18.6-p3: steps over fords too, at the price of the hex and of the ford; reconnaissance pays as armor does."""
    if not any(fords):
        return exits
    data, row = table.data, table.data.tables["options"]["fords"]
    more = sixths((row["foot"] if by == "foot" else row["armor"])[on == "mud"])
    open_ = without(fords, bridged(table, BRIDGE))
    found = {cost: list(masks) for cost, masks in exits.items()}
    for kind, hexes in table.board.terrain.items():
        cost = data.cost(data.tables["terrain"]["hex"][kind], by, on)
        for d in range(6) if cost is not None else ():
            into = hexset.step(table.grid, hexes & data.land, opposite(d))
            found.setdefault(cost + more, [0] * 6)[d] |= open_[d] & into  # type: ignore[operator]
    return {cost: tuple(masks) for cost, masks in sorted(found.items()) if any(masks)}


# Looking


def tries_left(table: Table, side: str) -> int:
    """18.6-c1: by the sheets in play."""
    row, (first, last) = table.data.tables["options"]["fords"], table.data.scenario["sheets"]
    both_maps = last - first + 1 > table.grid.columns[1] // 2
    most = row["two_maps"] if both_maps else row["one_map"]
    return most - table.position.tracks.get(tries_track(side), 0)


def _sounded(table: Table, side: str, spot: str) -> bool:
    return side in str(table.position.mark(spot, SOUNDED) or "").split()


def seeks(table: Table, unit: str) -> bool:
    """18.6: armor, mechanized and reconnaissance; a Soviet mechanized brigade moves on trucks and has the symbol."""
    return any(is_a(table, unit, kind) for kind in SEEKERS) or table.unit(unit).kind.startswith("mechanized")


def check_look(table: Table, side: str, order: Ford) -> None:
    """Raises Illegal."""
    unit, spot = order.unit, order.side
    check_ever_moves(table, side, unit)
    a, b = (table.grid.hex(end) for end in spot.split("/"))
    if not seeks(table, unit):
        raise Illegal("18.6", f"{unit} is no armor, mechanized or reconnaissance unit", unit=unit)
    if table.grid.direction(a, b) is None or not crosses(table, fordable(table), a, b):
        rivers = " and ".join(table.data.tables["options"]["fords"]["rivers"])
        raise Illegal("18.6", f"{spot} is no hexside of the {rivers}", at=spot)
    if place(table, unit) not in (a, b):
        raise Illegal("18.6", f"{unit} is not beside {spot}", unit=unit, at=spot)
    if unit not in moving(table) or table.position.mark(unit, STOOD) is not None:
        raise Illegal("18.6", f"{unit} has not just moved to {number(table, place(table, unit))}", unit=unit, at=spot,
                      instead="It looks for a ford in the course of its move")  # fmt: skip
    if _sounded(table, side, f"@{spot}"):
        raise Illegal("18.6-p1", f"you have looked for a ford at {spot}", at=spot)
    if tries_left(table, side) <= 0:
        raise Illegal("18.6-c1", "you have no more tries to find a ford")


def look(table: Table, side: str, order: Ford) -> Procedure:
    """18.6-p1, -p2: one die; what is found is marked for good."""
    spot, row = f"@{order.side}", table.data.tables["options"]["fords"]
    tracks = table.position.tracks
    yield Counted(track=tries_track(side), value=tracks.get(tries_track(side), 0) + 1, because="18.6-c1")
    looked = sorted({*str(table.position.mark(spot, SOUNDED) or "").split(), side})
    yield Noted(subject=spot, mark=SOUNDED, value=" ".join(looked), because="18.6-p1")
    die: int = yield Roll(f"ford {order.side}")
    if die < row["found"]:
        yield Told(text=f"No ford is found at {order.side}.", because="18.6-p1")
        return
    known = sorted({*str(table.position.mark(spot, FORD) or "").split(), side})
    yield Marked(subject=spot, mark=FORD, value=" ".join(known), because="18.6-p2")
    yield Told(text=f"A ford is found at {order.side}.", because="18.6-p2")


def looks(table: Table, side: str) -> Iterator[Ford]:
    """Every hexside at which somebody who has just moved may look for a ford."""
    for unit in moving(table) if table.data.switch["fords"] else ():
        h = table.position.hex_of(unit)
        for d in range(6) if h is not None and table.unit(unit).side == side else ():
            if h is not None and fordable(table)[d] >> h & 1:
                other = table.grid.neighbour(h, d)
                assert other is not None
                order = Ford(side=table.grid.hexside(h, other), unit=unit)
                if passes(check_look, table, side, order):
                    yield order


def barred(table: Table, unit: str, fords: Sides, here: HexSet, there: HexSet) -> bool:
    """18.6-p4: whether a ford is there that does not serve a unit."""
    return not may_ford(table, unit) and crosses(table, fords, here, there)
