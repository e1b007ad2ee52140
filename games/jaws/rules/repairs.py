"""Bridges repaired and built (15.2.2 to 15.2.4)."""

from collections.abc import Iterator

from engine.asks import Procedure, Roll
from engine.facts import Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.refusals import Illegal, passes
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.marks import marked
from games.jaws.data import SOVIET, WATERS, Table
from games.jaws.orders.engineering import Build, Repair, TakeUp
from games.jaws.rules.bridges import TRIED
from games.jaws.rules.ground import (
    BRIDGE,
    BUILDING,
    BUILT,
    CONTROL,
    DOWN,
    RAILS,
    REPAIR,
    J,
    K,
    bridged,
    owner,
)
from games.jaws.rules.minelaying import check_own
from games.jaws.rules.spending import check_pays, payer, spend
from games.jaws.rules.units import OOS, on_map_of, standing, units_in, upset
from games.jaws.rules.zones import controlled

WORKS = "works"  # 15.2.2-3b: a hexside's mark: whose repair or building it is
SPAN = "span"  # 15.2.4-p1: a bridge column's mark: where its bridge lies, or lay when it was destroyed
FROM = "from"  # 15.2.4-p1: a hexside's mark: the hex in which the marker of a J or K bridge lies


def ends(table: Table, side: str) -> tuple[Hex, Hex]:
    """The two hexes of a hexside."""
    a, b = side.split("/")
    return table.grid.hex(a), table.grid.hex(b)


def words(table: Table, bridge: str) -> set[str]:
    """What the mark on a hexside says."""
    return set(str(table.position.mark(f"@{bridge}", BRIDGE) or "").split())


def water(table: Table, a: Hex, b: Hex) -> str:
    """River or stream; empty if neither lies between."""
    return next((name for name in WATERS if crosses(table, table.data.sides(name), a, b)), "")


def _check_banks(table: Table, side: str, bridge: str) -> None:
    """15.2.2: both hexes are the side's own, and occupied if an enemy zone is there. Raises Illegal."""
    enemy = table.enemy(side)
    for h in ends(table, bridge):
        spot = number(table, h)
        if owner(table, h) != side:
            raise Illegal("15.2.2", f"you do not control {spot}", at=spot)
        if controlled(table, enemy) >> h & 1 and not standing(table, side) >> h & 1:
            raise Illegal("15.2.2", f"{spot} is in an enemy zone, and none of your units is there", at=spot)


def _beside(table: Table, side: str, bridge: str) -> list[str]:
    """The engineers next to a hexside."""
    return [u for h in ends(table, bridge) for u in units_in(table, h, side) if is_a(table, u, "engineer")]


def _near(table: Table, side: str, bridge: str) -> bool:
    """15.2.2-2: an engineer within three hexes; for the Soviets also a division beside it."""
    reach, banks = table.data.tables["bridges"]["reach"], ends(table, bridge)
    far = table.grid.distance
    engineers = [unit for unit in on_map_of(table, side, "engineer") if not upset(table, unit)]
    if any(min(far(place(table, unit), h) for h in banks) <= reach for unit in engineers):
        return True
    units = [unit for h in banks for unit in units_in(table, h, side)]
    return side == SOVIET and any(is_a(table, unit, "division") for unit in units)


# Repair (15.2.2)


def fallen(table: Table) -> list[str]:
    """The bridges that are down, under repair or not: what the enemy has begun another may begin anew."""
    return [spot[1:] for spot in marked(table, BRIDGE) if words(table, spot[1:]) & {DOWN, REPAIR}]


def check_repair(table: Table, side: str, order: Repair) -> None:
    """Raises Illegal."""
    bridge, said = order.bridge, words(table, order.bridge)
    if REPAIR in said and table.position.mark(f"@{bridge}", WORKS) == side:
        raise Illegal("15.2.2-3c", f"the bridge {bridge} is under repair", at=bridge)
    if _under_way(table, side, bridge):
        raise Illegal("15.2.3", f"a bridge is built at {bridge} in place of the destroyed one", at=bridge)
    if not said & {DOWN, REPAIR}:
        raise Illegal("15.2.2", f"no destroyed bridge is at {bridge}", at=bridge, instead="There are at",
                      alternatives=fallen(table))  # fmt: skip
    a, b = ends(table, bridge)
    if not crosses(table, table.data.roads, a, b):
        raise Illegal("15.2.2-1", f"{bridge} is a railroad bridge, and is not repaired", at=bridge)
    _check_banks(table, side, bridge)
    if water(table, a, b) == "stream":
        if not _near(table, side, bridge):
            who = "no division is beside it, and no engineer" if side == SOVIET else "no engineer"
            raise Illegal("15.2.2-2", f"{who} is within three hexes of {bridge}", at=bridge)
        return
    able = _beside(table, side, bridge)
    if order.unit and order.unit not in able:
        raise Illegal("15.2.2-3", f"{order.unit} is no engineer beside {bridge}", unit=order.unit, at=bridge,
                      alternatives=able)  # fmt: skip
    if not able:
        raise Illegal("15.2.2-3", f"no engineer of yours is beside {bridge}", at=bridge)
    if not order.unit and any(passes(_check_worker, table, unit) for unit in able):
        return
    _check_worker(table, order.unit or able[0])


def _check_worker(table: Table, unit: str) -> None:
    check_pays(table, unit, table.data.tables["bridges"]["price"], "15.2.2-3a")


def repair(table: Table, side: str, order: Repair) -> Iterator[Fact]:
    """15.2.2-2: over a stream at once; 15.2.2-3: over a river begun, for an SP."""
    bridge = order.bridge
    a, b = ends(table, bridge)
    if water(table, a, b) == "stream":
        yield from _restored(table, side, bridge, "15.2.2-2")
        return
    able = [unit for unit in _beside(table, side, bridge) if passes(_check_worker, table, unit)]
    yield from _begun(table, side, bridge, order.unit or able[0], "15.2.2-3b")
    said = " ".join(sorted(_undone(table, bridge) - {DOWN} | {REPAIR}))
    yield Marked(subject=f"@{bridge}", mark=BRIDGE, value=said, because="15.2.2-3b")


def _undone(table: Table, bridge: str) -> set[str]:
    """What the mark on a hexside says, without a bridge that the enemy had begun there (15.2.3)."""
    said = words(table, bridge)
    return said - {BUILDING, BUILT} if BUILDING in said else said


def _begun(table: Table, side: str, bridge: str, unit: str, case: str) -> Iterator[Fact]:
    yield from spend(table, payer(table, unit), table.data.tables["bridges"]["price"], "15.2.2-3a")
    yield Noted(subject=f"@{bridge}", mark=WORKS, value=side, because=case)
    yield Noted(subject=f"@{bridge}", mark=TRIED, because="15.2.2-3d")


def _restored(table: Table, side: str, bridge: str, case: str) -> Iterator[Fact]:
    """The map's bridge stands again; 15.2.2-1: rails on it stay broken."""
    a, b = ends(table, bridge)
    rails = {RAILS} if crosses(table, table.data.ways["rail"], a, b) else set()
    left = " ".join(sorted(_undone(table, bridge) - {DOWN, REPAIR} | rails))
    yield Marked(subject=f"@{bridge}", mark=BRIDGE, value=left or None, because=case)
    yield from _opened(side, bridge, case)
    yield Told(text=f"The bridge {bridge} is repaired.", because=case)


def _opened(side: str, bridge: str, case: str) -> Iterator[Fact]:
    """Whose work it was controls it until somebody else crosses."""
    yield Noted(subject=f"@{bridge}", mark=CONTROL, value=side, because=case)
    yield Noted(subject=f"@{bridge}", mark=WORKS, value=None, because=case)


# New bridges (15.2.3) and J, K bridges (15.2.4)


def check_build(table: Table, side: str, order: Build) -> None:
    """Raises Illegal."""
    unit, bridge = order.unit, order.bridge
    check_own(table, side, unit, "15.2.3")
    a, b = ends(table, bridge)
    if not is_a(table, unit, "engineer"):
        raise Illegal("15.2.3", f"{unit} is no engineer", unit=unit)
    if not table.data.land >> a & table.data.land >> b & 1 or not water(table, a, b):
        raise Illegal("15.2.3", f"no river or stream flows at {bridge}", at=bridge)
    if crosses(table, bridged(table, BRIDGE), a, b) or _under_way(table, side, bridge):
        raise Illegal("15.2.3", f"a bridge stands or is built at {bridge}", at=bridge)
    if place(table, unit) not in (a, b):
        raise Illegal("15.2.3", f"{unit} is not beside {bridge}", unit=unit, at=bridge)
    if is_a(table, unit, "bridge") and not order.plain:
        _check_column(table, side, order)
        return
    if not _builds(table, unit):
        level = "army" if side == SOVIET else "korps"
        raise Illegal("15.2.3", f"{unit} is no engineer of the {level} level", unit=unit)
    _check_banks(table, side, bridge)
    check_pays(table, unit, table.data.tables["bridges"]["price"], "15.2.2-3a")


def _under_way(table: Table, side: str, bridge: str) -> bool:
    """15.2.3: whether a bridge is in the making that the enemy did not begin; 15.2.4-p2: or is done of itself."""
    said = words(table, bridge)
    return BUILDING in said and (bool(said & {J, K}) or table.position.mark(f"@{bridge}", WORKS) == side)


def _builds(table: Table, unit: str) -> bool:
    """15.2.3: Soviet engineers of the army level, German ones of the korps level."""
    return is_a(table, unit, "army") or is_a(table, unit, "korps")


def _check_column(table: Table, side: str, order: Build) -> None:
    """15.2.4-b. Raises Illegal."""
    unit, enemy = order.unit, table.enemy(side)
    if upset(table, unit):
        raise Illegal("12.17.2-7", f"{unit} is Disorganized or in Regroup", unit=unit)
    if (laid := table.position.mark(unit, SPAN)) is not None:
        raise Illegal("15.2.4-p3", f"the bridge of {unit} was laid at {laid}", unit=unit,
                      instead="Take it up first, or say `plain`")  # fmt: skip
    far = next(h for h in ends(table, order.bridge) if h != place(table, unit))
    shut = controlled(table, enemy) | standing(table, enemy)
    if shut >> far & 1 and not standing(table, side) >> far & 1:
        spot = number(table, far)
        raise Illegal("15.2.4-b", f"{spot} is in an enemy zone, and none of your units is there", at=spot)


def build(table: Table, side: str, order: Build) -> Procedure:
    """15.2.3: begun for an SP; 15.2.4-p: a column's bridge lies at once, but on a six."""
    bridge, unit = order.bridge, order.unit
    said = words(table, bridge)
    kept = said & {DOWN, RAILS} | ({DOWN} if REPAIR in said else set())  # 15.2.2-3: under repair it is down
    if not is_a(table, unit, "bridge") or order.plain:
        yield from _begun(table, side, bridge, unit, "15.2.3")
        yield _span(bridge, kept | {BUILDING, BUILT}, "15.2.3")
        return
    kind = J if is_a(table, unit, J) else K
    yield Noted(subject=unit, mark=SPAN, value=bridge, because="15.2.4-p1")
    yield Noted(subject=f"@{bridge}", mark=FROM, value=number(table, place(table, unit)), because="15.2.4-p1")
    yield Noted(subject=f"@{bridge}", mark=TRIED, because="15.2.4-p2")
    if table.position.mark(f"@{bridge}", WORKS) is not None:
        yield Noted(subject=f"@{bridge}", mark=WORKS, value=None, because="15.2.4-p2")
    die: int = yield Roll(f"{kind} bridge {bridge}")
    if die <= table.data.tables["bridges"]["repaired"]:
        yield _span(bridge, kept | {kind}, "15.2.4-p2")
        yield from _opened(side, bridge, "15.2.4-p2")
    else:
        yield _span(bridge, kept | {BUILDING, kind}, "15.2.4-p2")


def _span(bridge: str, said: set[str], case: str) -> Fact:
    order = (DOWN, RAILS, BUILDING, BUILT, J, K)
    return Marked(subject=f"@{bridge}", mark=BRIDGE, value=" ".join(w for w in order if w in said), because=case)


def check_take_up(table: Table, side: str, order: TakeUp) -> None:
    """15.2.4-a. Raises Illegal."""
    unit, bridge = order.unit, order.bridge
    check_own(table, side, unit, "15.2.4-a")
    kinds = words(table, bridge) & {J, K}
    if not kinds:
        raise Illegal("15.2.4-a", f"no J or K bridge is at {bridge}", at=bridge)
    if BUILDING in words(table, bridge) and table.position.mark(f"@{bridge}", TRIED) is not None:
        raise Illegal("15.2.4-p2", f"the bridge at {bridge} was laid in this phase, and is not done before the next",
                      unit=unit, at=bridge)  # fmt: skip
    if not any(is_a(table, unit, kind) for kind in kinds) or not is_a(table, unit, "bridge"):
        raise Illegal("15.2.4-a", f"{unit} is no bridge column of that kind", unit=unit)
    spot = str(table.position.mark(f"@{bridge}", FROM))
    if table.position.where.get(unit) != spot:
        raise Illegal("15.2.4-a", f"{unit} is not where the bridge was laid from: {spot}", unit=unit, at=spot)
    if upset(table, unit):
        raise Illegal("12.17.2-7", f"{unit} is Disorganized or in Regroup", unit=unit)


def take_up(table: Table, order: TakeUp) -> Iterator[Fact]:
    bridge = order.bridge
    left = " ".join(sorted(words(table, bridge) - {J, K, BUILDING}))
    yield Marked(subject=f"@{bridge}", mark=BRIDGE, value=left or None, because="15.2.4-a")
    for unit in marked(table, SPAN):
        if table.position.mark(unit, SPAN) == bridge:
            yield Noted(subject=unit, mark=SPAN, value=None, because="15.2.4-a")


# What was begun before (15.2.2-3c, 15.2.4-p2)


def progress(table: Table, side: str) -> Procedure:
    """At the beginning of the phase: a die for each bridge under repair or building; J and K bridges are completed."""
    for spot in marked(table, BRIDGE):
        bridge, said = spot[1:], words(table, spot[1:])
        if table.position.mark(spot, TRIED) is not None:
            continue
        if side != SOVIET and BUILDING in said and said & {J, K}:
            yield _span(bridge, said - {BUILDING}, "15.2.4-p2")
            yield from _opened(side, bridge, "15.2.4-p2")
        elif said & {REPAIR, BUILDING} and table.position.mark(spot, WORKS) == side and _goes_on(table, side, bridge):
            yield Noted(subject=spot, mark=TRIED, because="15.2.2-3d")
            die: int = yield Roll(f"work on the bridge {bridge}")
            if die > table.data.tables["bridges"]["repaired"]:
                yield Told(text=f"The work on the bridge {bridge} is not done.", because="15.2.2-3c")
            elif REPAIR in said:
                yield from _restored(table, side, bridge, "15.2.2-3c")
            else:
                yield _span(bridge, said - {BUILDING}, "15.2.3")
                yield from _opened(side, bridge, "15.2.3")


def _goes_on(table: Table, side: str, bridge: str) -> bool:
    """15.2.2-3c: an engineer in supply is still beside it, and both banks are the side's; 15.2.3: of those who build,
    if it is a new one."""
    fit = [u for u in _beside(table, side, bridge) if not upset(table, u) and table.position.mark(u, OOS) is None]
    able = [u for u in fit if BUILDING not in words(table, bridge) or _builds(table, u)]
    return bool(able) and passes(_check_banks, table, side, bridge)
