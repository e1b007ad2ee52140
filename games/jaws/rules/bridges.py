"""Bridges in the enemy's movement (15.2.1): blown when he comes to them."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import is_a
from engine.rules.supply import within_line
from games.jaws.data import Table, joined, without
from games.jaws.orders.movement import Blow, Spare
from games.jaws.rules.ground import BRIDGE, DOWN, J, K, bridged, bridges_by, control
from games.jaws.rules.units import standing, units_in, upset

TRIED = "tried"  # 15.2.1-2: one attempt a bridge and phase


def bridges_at(table: Table, h: Hex) -> list[tuple[Hex, Hex]]:
    """The bridges that stand on a hex's own hexsides."""
    stand = bridged(table, BRIDGE)
    found = [table.grid.neighbour(h, d) for d in range(6) if stand[d] >> h & 1]
    return [(h, other) for other in found if other is not None and table.data.land >> other & 1]


def in_reach(table: Table, side: str, a: Hex, b: Hex) -> bool:
    """15.2.1-e: an engineer of that side within three hexes, past no enemy and over no river but by another bridge."""
    data = table.data
    rivers = without(data.sides("river"), bridged(table, BRIDGE))
    this = hexset.sides_of(table.grid, [(a, b)])
    sides = without(data.everywhere, joined(rivers, this))
    open_ = data.land & ~standing(table, table.enemy(side))
    near = within_line(table.grid, 1 << a | 1 << b, open_ | 1 << a | 1 << b, data.tables["bridges"]["reach"], sides)
    return any(
        is_a(table, unit, "engineer") and not upset(table, unit)
        for h in hexset.members(near & standing(table, side))
        for unit in units_in(table, h, side)
    )


def threatened(table: Table, side: str, h: Hex) -> list[tuple[Hex, Hex]]:
    """15.2.1-1: the bridges of that side at a hex that an enemy enters, which it may try to blow now."""
    return [
        (a, b)
        for a, b in bridges_at(table, h)
        if control(table, a, b) == side
        and table.position.mark(f"@{table.grid.hexside(a, b)}", TRIED) is None
        and in_reach(table, side, a, b)
    ]


def approached(table: Table, side: str, h: Hex) -> Procedure:
    """15.2.1-1: an enemy of that side has come to a hex: it is asked about every bridge there."""
    for a, b in threatened(table, side, h):
        order = yield _ask(table, side, a, b)
        if isinstance(order, Blow):
            yield from blow(table, a, b)


def blow(table: Table, a: Hex, b: Hex, more: int = 0) -> Procedure:
    """15.2.1-p: one die; a railroad bridge over a river stands longer."""
    row, spot = table.data.tables["bridges"], f"@{table.grid.hexside(a, b)}"
    d = table.grid.direction(a, b)
    assert d is not None
    rail = bool(table.data.ways["rail"][d] >> a & table.data.sides("river")[d] >> a & 1)
    yield Noted(subject=spot, mark=TRIED, because="15.2.1-2")
    die: int = yield Roll(f"bridge {spot[1:]}")
    if die + more + (row["rail"] if rail else 0) > row["destroyed"]:
        yield Told(text=f"The bridge {spot[1:]} stands.", because="15.2.1-p")
        return
    yield from destroyed(table, a, b)


def destroyed(table: Table, a: Hex, b: Hex) -> Iterator[Fact]:
    """15.2.1-p, 15.2.4-p3: a J or K bridge is gone for good; any other is down."""
    spot, d = f"@{table.grid.hexside(a, b)}", table.grid.direction(a, b)
    own = [kind for kind in (J, K) if d is not None and bridges_by(table, BRIDGE).get(kind, (0,) * 6)[d] >> a & 1]
    yield Marked(subject=spot, mark=BRIDGE, value=None if own else DOWN, because="15.2.4-p3" if own else "15.2.1-p")
    yield Told(text=f"The bridge {spot[1:]} is blown.", because="15.2.1-p")


def _ask(table: Table, side: str, a: Hex, b: Hex) -> Ask:
    seen, spot = table.seen_by(side), table.grid.hexside(a, b)
    beyond = bool(units_in(seen, b, side))

    def check(order: Order) -> None:
        if isinstance(order, Blow) and order.bridge not in ("", spot):
            raise Illegal("15.2.1-1", f"the bridge in question is {spot}", at=spot)

    return Ask(
        side=side,
        name="bridge",
        subject=spot,
        prompt=f"blow the bridge {spot}, or spare it",
        verbs=(Blow, Spare),
        check=check,
        offers=lambda: [whole(Blow(bridge=spot)), Choice(Spare)],
        default=partial(Spare) if beyond else partial(Blow, bridge=spot),
        case="15.2.1-1",
        reaction=True,
        passable=True,
    )
