"""Bridges that break under Panthers and Tigers, and bridges strengthened for them (18.3, an option)."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from engine.asks import Procedure, Roll, Step
from engine.facts import Fact, Marked, Told
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal, passes
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.retreat import Way
from games.jaws.data import GERMAN, RAIL, Table, joined
from games.jaws.orders.engineering import Improve
from games.jaws.rules.bridges import TRIED
from games.jaws.rules.combat.battle import could_step
from games.jaws.rules.ground import BRIDGE, BUILT, DOWN, SOUND, K, bridged, built, down, owner
from games.jaws.rules.minelaying import check_own
from games.jaws.rules.repairs import ends, words
from games.jaws.rules.spending import check_pays, payer, spend

FIRM = ("primary", RAIL)  # 18.3: ways whose bridges carry everybody


def is_heavy(table: Table, unit: str) -> bool:
    return is_a(table, unit, "pz5") or is_a(table, unit, "pz6")


def doubtful(table: Table, here: Hex, there: Hex) -> bool:
    """18.3: whether a bridge of the map stands there that nobody knows to carry heavy tanks."""
    data = table.data
    if not data.switch["bridge_collapse"] or not crosses(table, data.bridges, here, there):
        return False
    sure = joined(*(data.ways[kind] for kind in FIRM), down(table, heavy=True), built(table, heavy=True))
    return not crosses(table, sure, here, there) and table.position.mark(_spot(table, here, there), SOUND) is None


def _spot(table: Table, here: Hex, there: Hex) -> str:
    return f"@{table.grid.hexside(here, there)}"


def tries(table: Table, units: Sequence[str], here: Hex, there: Hex) -> bool:
    """18.3: whether units that take this step try a bridge."""
    return doubtful(table, here, there) and any(is_heavy(table, unit) for unit in units)


def tried(table: Table, units: Sequence[str], here: Hex, there: Hex) -> Procedure:
    """18.3-p1 to -p3: one die for the bridge: it holds for good, or is gone before anybody is on it."""
    if not tries(table, units, here, there):
        return
    spot = _spot(table, here, there)
    die: int = yield Roll(f"bridge {spot[1:]} under heavy tanks")
    if die <= table.data.tables["options"]["collapse"]["holds"]:
        yield Marked(subject=spot, mark=SOUND, because="18.3-p3")
        yield Told(text=f"The bridge {spot[1:]} carries heavy tanks.", because="18.3-p3")
    else:
        yield Marked(subject=spot, mark=BRIDGE, value=DOWN, because="18.3-p2")
        yield Told(text=f"The bridge {spot[1:]} collapses under heavy tanks.", because="18.3-p2")


def as_far(table: Table, units: Sequence[str], path: Sequence[Hex]) -> Generator[Step, Any, tuple[Hex, ...]]:
    """18.3-p2: the way of units, up to where a bridge has broken that they cannot do without."""
    if not table.data.switch["bridge_collapse"]:
        return tuple(path)
    gone = [path[0]]
    for here, there in pairwise(path):
        yield from tried(table, units, here, there)
        if not all(could_step(table, unit, here, there) for unit in units):
            break
        gone.append(there)
    return tuple(gone)


def untried(table: Table, units: Sequence[str], targets: Sequence[Hex]) -> list[tuple[str, Hex, Hex]]:
    """12.7-c5, 12.8.1: the heavy tanks that attack over a river by a bridge that is to be tried first."""
    rivers, steps = table.data.sides("river"), [(u, place(table, u), there) for u, there in product(units, targets)]
    return [step for step in steps if crosses(table, rivers, *step[1:]) and tries(table, step[:1], *step[1:])]


def attacked_over(table: Table, units: Sequence[str], targets: Sequence[Hex]) -> Procedure:
    """They try it before anybody asks what it lets through."""
    for unit, here, there in untried(table, units, targets):
        yield from tried(table, (unit,), here, there)


def fell(table: Table, ways: Mapping[str, Way]) -> Generator[Step, Any, bool]:
    """18.3: the bridges on these ways are tried before anybody goes; whether one broke, so that they choose anew."""
    for unit, way in ways.items():
        for here, there in pairwise(way):
            if tries(table, (unit,), here, there):
                yield from tried(table, (unit,), here, there)
                if crosses(table, down(table), here, there):
                    return True
    return False


# 18.3.1


def check_improve(table: Table, order: Improve) -> None:
    """Raises Illegal."""
    unit, bridge = order.unit, order.bridge
    check_own(table, GERMAN, unit, "18.3.1")
    a, b = ends(table, bridge)
    if not is_a(table, unit, "engineer") or not is_a(table, unit, "korps"):
        raise Illegal("18.3.1", f"{unit} is no construction engineer and no engineer of the korps level", unit=unit)
    if table.grid.direction(a, b) is None or not crosses(table, bridged(table, BRIDGE), a, b):
        raise Illegal("18.3.1", f"no bridge stands at {bridge}", at=bridge)
    if place(table, unit) not in (a, b):
        raise Illegal("18.3.1", f"{unit} is not beside {bridge}", unit=unit, at=bridge)
    said = words(table, bridge)
    if BUILT in said and table.position.mark(f"@{bridge}", TRIED) is not None:
        raise Illegal("18.3.1-c3", f"the bridge {bridge} was built this turn", at=bridge)
    if K in said:
        raise Illegal("15.2.4-a", f"the K bridge at {bridge} never carries Panthers and Tigers", at=bridge)
    if not doubtful(table, a, b):
        raise Illegal("18.3", f"the bridge {bridge} carries Panthers and Tigers as it is", at=bridge)
    for h in (a, b):
        if owner(table, h) != GERMAN:
            spot = number(table, h)
            raise Illegal("18.3.1-c1", f"you do not control {spot}", at=spot)
    check_pays(table, unit, table.data.tables["options"]["collapse"]["price"], "18.3.1")


def improve(table: Table, order: Improve) -> Iterator[Fact]:
    """18.3.1: for an SP the bridge carries heavy tanks, until it is destroyed (18.3.1-c2)."""
    yield from spend(table, payer(table, order.unit), table.data.tables["options"]["collapse"]["price"], "18.3.1")
    yield Marked(subject=f"@{order.bridge}", mark=SOUND, because="18.3.1")


def improvements(table: Table) -> list[Choice]:
    """Every bridge that an engineer may strengthen now."""
    if not table.data.switch["bridge_collapse"]:
        return []
    found = []
    for unit in table.position.on_map(GERMAN):
        if is_a(table, unit, "engineer") and is_a(table, unit, "korps"):
            h = place(table, unit)
            sides = [Improve(bridge=table.grid.hexside(h, other), unit=unit) for other in table.grid.neighbours(h)]
            found += [whole(order) for order in sides if passes(check_improve, table, order)]
    return found
