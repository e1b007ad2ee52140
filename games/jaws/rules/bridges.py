"""Bridges blown (15.2.1): when the enemy comes to them, and in the Engineering Phase."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.supply import within_line
from engine.table import kept
from games.jaws.data import Table, joined, without
from games.jaws.orders.movement import Blow, Spare
from games.jaws.rules.ground import BRIDGE, DOWN, SOUND, SPANS, bridged, control
from games.jaws.rules.units import of_class, standing, units_in, upset

TRIED = "tried"  # 15.2.1-2: one attempt a bridge and phase


def bridges_at(table: Table, h: Hex) -> list[tuple[Hex, Hex]]:
    """The bridges that stand on a hex's own hexsides."""
    stand = bridged(table, BRIDGE)
    found = [table.grid.neighbour(h, d) for d in range(6) if stand[d] >> h & 1]
    return [(h, other) for other in found if other is not None and table.data.land >> other & 1]


def in_reach(table: Table, side: str, a: Hex, b: Hex) -> bool:
    """15.2.1-e: an engineer of that side within three hexes, past no enemy and over no river but by another bridge."""
    data, engineers = table.data, _engineers(table, side)
    if not engineers & hexset.within(table.grid, 1 << a | 1 << b, data.tables["bridges"]["reach"]):
        return False
    rivers = without(data.sides("river"), bridged(table, BRIDGE))
    this = hexset.sides_of(table.grid, [(a, b)])
    sides = without(data.everywhere, joined(rivers, this))
    open_ = data.land & ~standing(table, table.enemy(side))
    near = within_line(table.grid, 1 << a | 1 << b, open_ | 1 << a | 1 << b, data.tables["bridges"]["reach"], sides)
    return bool(near & standing(table, side) & engineers)


def threatened(table: Table, side: str, h: Hex) -> list[tuple[Hex, Hex]]:
    """15.2.1-1: the bridges of that side at a hex that an enemy enters in his own phase, which it might try to blow:
    whether an engineer is near, the enemy cannot see."""
    if table.position.stage.startswith(f"{side}."):
        return []
    return [(a, b) for a, b in bridges_at(table, h) if _untried(table, side, a, b)]


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
    """15.2.1-p, 15.2.4-p3: one that was built is gone for good; any other is down."""
    spot = f"@{table.grid.hexside(a, b)}"
    said = set(str(table.position.mark(spot, BRIDGE) or "").split())
    own = bool(said & set(SPANS))
    left = " ".join(sorted(said - set(SPANS))) if own else DOWN
    yield Marked(subject=spot, mark=BRIDGE, value=left or None, because="15.2.4-p3" if own else "15.2.1-p")
    if table.position.mark(spot, SOUND) is not None:
        yield Marked(subject=spot, mark=SOUND, value=None, because="18.3.1-c2")
    yield Told(text=f"The bridge {spot[1:]} is blown.", because="15.2.1-p")


# In the Engineering Phase


def _stand(table: Table, bridge: str) -> tuple[Hex, Hex]:
    a, b = bridge.split("/")
    return table.grid.hex(a), table.grid.hex(b)


def check_blow(table: Table, side: str, order: Blow) -> None:
    """15.2.1-1: any bridge of one's own that an engineer is near. Raises Illegal."""
    bridge = order.bridge
    if not bridge:
        raise Illegal(
            "15.2.1-1", "say which bridge", instead="These can be tried", alternatives=demolitions(table, side)
        )
    a, b = _stand(table, bridge)
    d = table.grid.direction(a, b)
    if d is None or not bridged(table, BRIDGE)[d] >> a & 1:
        raise Illegal("15.2.1-1", f"no bridge stands at {bridge}", at=bridge, instead="These can be tried",
                      alternatives=demolitions(table, side))  # fmt: skip
    if control(table, a, b) != side:
        raise Illegal("15.2.1-1", f"the bridge {bridge} is not yours", at=bridge)
    if table.position.mark(f"@{bridge}", TRIED) is not None:
        raise Illegal("15.2.1-2", f"the bridge {bridge} was tried in this phase", at=bridge)
    if not in_reach(table, side, a, b):
        raise _no_engineer(table, bridge)


def _no_engineer(table: Table, bridge: str) -> Illegal:
    far = table.data.tables["bridges"]["reach"]
    return Illegal("15.2.1-e", f"no engineer of yours is within {far} hexes of {bridge}", at=bridge)


@kept
def demolitions(table: Table, side: str) -> list[str]:
    """Every bridge that a side may try to blow in its Engineering Phase."""
    stand, found = bridged(table, BRIDGE), set[str]()
    near = hexset.within(table.grid, _engineers(table, side), table.data.tables["bridges"]["reach"])
    for d in range(6):
        for h in hexset.members(stand[d] & near):
            other = table.grid.neighbour(h, d)
            if other is not None and table.data.land >> other & 1:
                found.add(table.grid.hexside(h, other))
    return [bridge for bridge in sorted(found) if _triable(table, side, *_stand(table, bridge))]


def _triable(table: Table, side: str, a: Hex, b: Hex) -> bool:
    """Whether a standing bridge is the side's, not tried yet, and near an engineer."""
    return _untried(table, side, a, b) and in_reach(table, side, a, b)


def _untried(table: Table, side: str, a: Hex, b: Hex) -> bool:
    return table.position.mark(f"@{table.grid.hexside(a, b)}", TRIED) is None and control(table, a, b) == side


@kept
def _engineers(table: Table, side: str) -> HexSet:
    units = (unit for unit in of_class(table, side, "engineer") if not upset(table, unit))
    return hexset.of({h for unit in units if (h := table.position.hex_of(unit)) is not None})


def _ask(table: Table, side: str, a: Hex, b: Hex) -> Ask:
    seen, spot = table.seen_by(side), table.grid.hexside(a, b)
    able, beyond = in_reach(seen, side, a, b), bool(units_in(seen, b, side))

    def check(order: Order) -> None:
        if isinstance(order, Blow) and order.bridge not in ("", spot):
            raise Illegal("15.2.1-1", f"the bridge in question is {spot}", at=spot)
        if isinstance(order, Blow) and not able:
            raise _no_engineer(seen, spot)

    return Ask(
        side=side,
        name="bridge",
        subject=spot,
        prompt=f"blow the bridge {spot}, or spare it" if able else f"no engineer is near the bridge {spot}: spare it",
        verbs=(Blow, Spare),
        check=check,
        offers=lambda: [*([whole(Blow(bridge=spot))] if able else []), Choice(Spare)],
        default=partial(Spare) if beyond or not able else partial(Blow, bridge=spot),
        case="15.2.1-1",
        reaction=True,
        passable=True,
    )
