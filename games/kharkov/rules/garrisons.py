"""Soviet garrisons (15.0): where they are placed, when they go."""

from collections.abc import Iterator
from dataclasses import replace

from engine import hexset
from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import number
from games.kharkov.data import FRONTS, GERMAN, SOVIET, Table
from games.kharkov.rules.fields import Field, field, zone
from games.kharkov.rules.ground import GARRISON, front
from games.kharkov.rules.reach import reach
from games.kharkov.rules.soviet.terms import around, movers
from games.kharkov.rules.supply import limit, supplied, supported
from games.kharkov.rules.towns import off


def garrisoned(table: Table) -> HexSet:
    return field(table).garrisons


def place_garrisons(table: Table, of: str = "") -> Iterator[Fact]:
    """15.1, 15.11: VP hexes first, then villages from the highest number; of one front only, if one is named."""
    case = "15.11" if of else "15.1"
    for h in _descending(table, field(table).soviet_towns):
        if _open_to(table, h, of) and _empty(table, h) and supplied(table.data, field(table), SOVIET) >> h & 1:
            yield _put(table, h, case)
    for h in _descending(table, table.data.villages):
        if _open_to(table, h, of) and _empty(table, h) and _wanted(table, h, of):
            others = [there for there in _in_villages(table) if _needed(table, there)]
            yield _put(table, h, "15.11" if of else "15.1-b")
            for there in others:  # 15.1-b: a new garrison may shut the Germans off from another, which goes
                if not _needed(table, there):
                    yield off(table, there, GARRISON, "15.1-b")


def any_to_place(table: Table, of: str) -> bool:
    """EVT.garrison: whether the event would place a marker."""
    return any(isinstance(fact, Marked) and fact.value is not None for fact in place_garrisons(table, of))


def _put(table: Table, h: Hex, case: str) -> Fact:
    return Marked(subject=f"@{number(table, h)}", mark=GARRISON, because=case)


def _descending(table: Table, hexes: HexSet) -> list[Hex]:
    return sorted(hexset.members(hexes), key=lambda h: number(table, h), reverse=True)


def _in_villages(table: Table) -> list[Hex]:
    return _descending(table, garrisoned(table) & table.data.villages)


def _open_to(table: Table, h: Hex, of: str) -> bool:
    """15.11: the event places markers only in targets of its front, and within the limit of that front."""
    return not of or bool(table.data.targets[of] & limit(table, of) & 1 << h)


def _empty(table: Table, h: Hex) -> bool:
    now = field(table)
    return not (now.german | now.soviet | now.garrisons) >> h & 1


def _wanted(table: Table, h: Hex, of: str) -> bool:
    """15.1-b: all that a village must meet."""
    data, now = table.data, field(table)
    if not supplied(data, now, SOVIET) >> h & 1 or around(data, h) & now.german:
        return False
    if not _within_limit(table, h):
        return False
    near = _soviet_near(table, h, of)
    helped = data.on("support_lines", table.position.turn) and bool(supported(table) >> h & 1)
    return (near or helped) and _needed(table, h)


def _within_limit(table: Table, h: Hex) -> bool:
    """Within the limit of the front whose target it is; a village of no front is within everybody's."""
    fronts = [name for name in FRONTS if table.data.targets[name] >> h & 1]
    return not fronts or any(limit(table, name) >> h & 1 for name in fronts)


def _soviet_near(table: Table, h: Hex, of: str) -> bool:
    now = field(table)
    for unit, how, here in movers(table, SOVIET):
        if (not of or front(table, unit) == of) and reach(table.data, now, how, here) >> h & 1:
            return True
    return False


def _needed(table: Table, h: Hex) -> bool:
    """15.1-b: whether a German could come to it, or German supply reaches it; garrisons by Germans do not exist."""
    now = field(table)
    now = standing_field(table, replace(now, garrisons=now.garrisons & ~zone(table.grid, now.german)), h)
    if supplied(table.data, now, GERMAN) >> h & 1:
        return True
    near = around(table.data, h) | 1 << h
    return any(reach(table.data, now, how, here) & near for _, how, here in movers(table, GERMAN))


def standing_field(table: Table, now: Field, h: Hex) -> Field:
    """15.21: garrisons that touch no German have a zone of control for the moment; the one in question is left out."""
    others = now.garrisons & ~(1 << h)
    control = zone(table.grid, others & ~zone(table.grid, now.german)) & table.board.land
    return replace(now, garrisons=others, soviet_zoc=now.soviet_zoc | control)


def remove_garrisons(table: Table) -> Iterator[Fact]:
    """15.3: at the end of a turn, village garrisons that either side's supply does not reach."""
    for h in _in_villages(table):
        now = standing_field(table, field(table), h)
        if not (supplied(table.data, now, GERMAN) & supplied(table.data, now, SOVIET)) >> h & 1:
            yield off(table, h, GARRISON, "15.3")


def cleared(table: Table, units: list[str]) -> Iterator[Fact]:
    """6.0, 15.3-b: garrisons next to active, supplied, undispersed Germans are removed."""
    near = hexset.union(zone(table.grid, 1 << h) for unit in units if (h := table.position.hex_of(unit)) is not None)
    for h in _descending(table, garrisoned(table) & near):
        yield off(table, h, GARRISON, "6.0")
