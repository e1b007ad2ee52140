"""Ground (5.0, 15.2): the weather of the turn, bridges as they stand, who holds a hex, and what supply may pass."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from engine import hexset
from engine.facts import Fact, Marked, Noted, TookHex
from engine.hexes import Hex, opposite
from engine.hexset import HexSet, Sides
from engine.rules.ground import number
from engine.rules.marks import game_mark
from engine.rules.movement import Exits
from engine.table import kept_while_marked, kept_while_still
from games.jaws.data import GERMAN, NO_SIDES, SOVIET, Data, Table, both, joined, without
from games.jaws.rules.units import standing
from games.jaws.rules.zones import ZONE_MARKS, controlled
from games.jaws.shapes import Going, Ground

BRIDGE = "bridge"  # a hexside's mark, in words: what stands there is no longer, or more than, what the map has
DOWN, REPAIR = "down", "repair"  # closed; under repair (15.2.2)
RAILS = "rails"  # the road is repaired, the rails are not (15.2.2-1)
BUILDING, BUILT, J, K = "building", "built", "J", "K"  # 15.2.3, 15.2.4: open where the map has none, unless building
SPANS = (BUILT, J, K)
SOUND = "sound"  # 18.3-p3: a hexside's mark: a bridge that is known to carry Panthers and Tigers
CONTROL = "control"  # whose units crossed a bridge last (15.2)
MINES = "mines"  # 15.3: a hexside's mark: the hexes, joined by +, whose minefields lie there
POSITION = "position"  # 15.1: a hex's mark: an improved position
CUT = "rail cut"  # 13.1.2: a hex's mark; 15.2.5-p1: `repair` while it is repaired
FORD = "ford"  # 12.5.2-h: a hexside's mark
EXITS_KEPT = 64  # for as many ways in which bridges stand, and classes of movement


def ground(table: Table) -> Ground:
    """5.1-p4: frozen until the first Weather Stage has said."""
    return "mud" if game_mark(table, "ground") == "mud" else "frozen"


def visibility(table: Table) -> str:
    return game_mark(table, "visibility") or "clear"


# Bridges (15.2)


@kept_while_marked
def bridges_by(table: Table, mark: str) -> dict[str, Sides]:
    """The hexsides that bear each value of the bridge mark."""
    found: dict[str, list[tuple[Hex, Hex]]] = {}
    for subject, marks in table.position.marks.items():
        if mark in marks and "/" in subject:
            a, b = subject[1:].split("/")
            found.setdefault(str(marks[mark]), []).append((table.grid.hex(a), table.grid.hex(b)))
    return {value: hexset.sides_of(table.grid, pairs) for value, pairs in found.items()}


def _worded(table: Table, *words: str) -> Sides:
    """The hexsides whose bridge mark has one of these words."""
    rows = bridges_by(table, BRIDGE).items()
    return joined(NO_SIDES, *(sides for value, sides in rows if set(words) & set(value.split())))


def down(table: Table, *, heavy: bool = False) -> Sides:
    """9.2.2: the bridges that no road leads over; one built in its place does."""
    return without(_worded(table, DOWN, REPAIR), built(table, heavy=heavy))


def rails_down(table: Table) -> Sides:
    """13.1.1-b, 15.2.2-1: those that no train crosses, nothing built in their place being for trains."""
    return _worded(table, DOWN, REPAIR, RAILS)


def built(table: Table, *, heavy: bool = False) -> Sides:
    """15.2.3, 15.2.4: bridges that the map has not; a K bridge does not carry Panthers and Tigers."""
    kinds = {BUILT, J} if heavy else {BUILT, J, K}
    rows = [(set(value.split()), sides) for value, sides in bridges_by(table, BRIDGE).items()]
    return joined(NO_SIDES, *(sides for words, sides in rows if words & kinds and BUILDING not in words))


@kept_while_marked
def exits(table: Table, mark: str, going: Going, on: Ground, strategic: bool, heavy: bool) -> Exits:
    """9.2: what steps cost as the bridges stand (`mark` is theirs), zones apart."""
    closed, rails, spans = down(table, heavy=heavy), rails_down(table), built(table, heavy=heavy)
    return _laid_out(table.data, going, on, closed, rails, spans, strategic)


@lru_cache(maxsize=EXITS_KEPT)
def _laid_out(
    data: Data, going: Going, on: Ground, closed: Sides, rails: Sides, spans: Sides, strategic: bool
) -> Exits:
    """For every table on which the bridges stand so."""
    return data.exits(going, on, closed, rails, spans, strategic=strategic)


@kept_while_marked
def bridged(table: Table, mark: str) -> Sides:
    """Where a river or stream is crossed dry: the map's bridges that stand, and those built."""
    return joined(without(table.data.bridges, down(table)), built(table))


@kept_while_marked
def marked_sides(table: Table, mark: str) -> Sides:
    """The hexsides that bear a mark."""
    return joined(NO_SIDES, *bridges_by(table, mark).values())


def open_fords(table: Table, side: str) -> Sides:
    """12.5.2-h: the fords that a side may use; 18.6-c2: one that only the enemy found, while it holds both hexes."""
    rows = bridges_by(table, FORD)
    if not rows:
        return NO_SIDES
    enemy = table.enemy(side)
    found = joined(NO_SIDES, *(sides for finders, sides in rows.items() if finders != enemy))
    own = hexset.of(h for h in hexset.members(hexset.union(rows.get(enemy, NO_SIDES))) if owner(table, h) == side)
    ends = (own & hexset.step(table.grid, own, opposite(d)) for d in range(6))
    a, b, c, d, e, f = (mask & ours for mask, ours in zip(rows.get(enemy, NO_SIDES), ends, strict=True))
    return both(joined(found, (a, b, c, d, e, f)), table.data.everywhere)


def supply_sides(table: Table, side: str) -> Sides:
    """13.3: hexsides that a supply path of a side crosses; 15.3.2-S1: a German one, no minefield."""
    sides = _dry_sides(table, BRIDGE)
    fords = open_fords(table, side)
    found = joined(sides, fords) if any(fords) else sides
    return without(found, marked_sides(table, MINES)) if side == GERMAN else found


@kept_while_marked
def _dry_sides(table: Table, mark: str) -> Sides:
    """13.3: no lake, no river without a bridge, no swamp without a road."""
    data = table.data
    rivers = without(data.sides("river"), bridged(table, BRIDGE))
    swamps = without(data.sides("swamp"), data.roads)
    return without(data.everywhere, joined(rivers, swamps))


@kept_while_marked
def rail_sides(table: Table, mark: str) -> Sides:
    """13.1.1: the steps along railroads; over no bridge that is down."""
    return without(table.data.ways["rail"], rails_down(table))


@kept_while_marked
def cut_rails(table: Table, mark: str) -> HexSet:
    """13.1.2: the hexes in which a railroad is cut."""
    return hexset.of(table.grid.hex(spot[1:]) for spot, marks in table.position.marks.items() if mark in marks)


@kept_while_marked
def _broken_off(table: Table, mark: str) -> Sides:
    """13.1.2: the steps into those hexes and out of them."""
    cut, grid = cut_rails(table, mark), table.grid
    return hexset.sides_of(grid, [(h, other) for h in hexset.members(cut) for other in grid.neighbours(h)])


@kept_while_marked
def _road_sides(table: Table, mark: str) -> Sides:
    return without(table.data.roads, down(table))


@kept_while_marked
def _way_sides(table: Table, mark: str) -> Sides:
    return joined(_road_sides(table, BRIDGE), rail_sides(table, BRIDGE))


def road_sides(table: Table, side: str) -> Sides:
    """14.5.1-e: the steps along roads alone."""
    sides = _road_sides(table, BRIDGE)
    return without(sides, marked_sides(table, MINES)) if side == GERMAN else sides


def way_sides(table: Table, side: str) -> Sides:
    """13.2.1-b: the steps along roads and railroads, over no bridge that is down; a German's along no railroad where it
    is cut (13.1.2), and through no minefield (15.3.2-S1)."""
    if side != GERMAN:
        return _way_sides(table, BRIDGE)
    rails = without(rail_sides(table, BRIDGE), _broken_off(table, CUT))
    return without(joined(_road_sides(table, BRIDGE), rails), marked_sides(table, MINES))


def control(table: Table, a: Hex, b: Hex) -> str:
    """15.2: whose a bridge is; until somebody crosses, the side's that lay nearer (22.2)."""
    said = table.position.mark(f"@{table.grid.hexside(a, b)}", CONTROL)
    if said is not None:
        return str(said)
    home = table.data.home[GERMAN]
    return GERMAN if (home >> a | home >> b) & 1 else SOVIET


def owner(table: Table, h: Hex) -> str:
    """15.2.2: whose unit was last in a hex; until anybody's was, the side's that lay nearer."""
    said = table.position.owners.get(number(table, h))
    return said or (GERMAN if table.data.home[GERMAN] >> h & 1 else SOVIET)


def has_position(table: Table, h: Hex) -> bool:
    """15.1: whether a hex has an improved position."""
    return table.position.mark(f"@{number(table, h)}", POSITION) is not None


def passed(table: Table, side: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """15.2-c, 15.2.2: what a unit leaves behind it: the bridges it crossed and the hexes it entered are its side's;
    15.1.3: no improved position outlasts a Soviet unit."""
    stand = bridged(table, BRIDGE)
    for here, there in pairwise(path):
        d = table.grid.direction(here, there)
        if d is not None and stand[d] >> here & 1 and control(table, here, there) != side:
            yield Noted(subject=f"@{table.grid.hexside(here, there)}", mark=CONTROL, value=side, because="15.2-c")
        yield from occupied(table, side, there)


def occupied(table: Table, side: str, h: Hex) -> Iterator[Fact]:
    """15.2.2, 15.1.3: what a unit brings about in a hex that it comes to, also if it is placed there (7.1, 8.2.4)."""
    if owner(table, h) != side:
        yield TookHex(hex=number(table, h), side=side, because="15.2.2")
    if side == SOVIET and has_position(table, h):
        yield Marked(subject=f"@{number(table, h)}", mark=POSITION, value=None, because="15.1.3")


# What is open (13.3)


@kept_while_still(*ZONE_MARKS)
def open_to(table: Table, side: str) -> HexSet:
    """13.3: no enemy there, nor his zone unless a friendly unit stands in it."""
    enemy = table.enemy(side)
    free = ~controlled(table, enemy) | standing(table, side)
    return table.data.land & ~standing(table, enemy) & free


def river_steps(table: Table, side: str) -> Sides:
    """13.3: the unbridged river hexsides that only a unit's own first step may cross; 15.3.2-S1: a German's, no
    minefield."""
    data = table.data
    found = both(without(data.sides("river"), bridged(table, BRIDGE)), data.everywhere)
    return without(found, marked_sides(table, MINES)) if side == GERMAN else found
