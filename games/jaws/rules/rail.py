"""German rail movement (9.5): reinforcements on their turn of entry, along the line to a rail terminal."""

from collections.abc import Generator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Procedure, Step
from engine.facts import Marked, Moved, Noted
from engine.hexes import Hex
from engine.hexset import HexSet, Sides
from engine.refusals import Illegal
from engine.rules.ground import crosses, is_a, numbers, path_numbers, place
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, SOVIET, Table, without
from games.jaws.orders.movement import Rail
from games.jaws.rules.allowance import CLOSED, ENTERED, HOW, MOVING, RESERVE, SPENT
from games.jaws.rules.bridges import threatened
from games.jaws.rules.collapse import as_far
from games.jaws.rules.displacement import exposed
from games.jaws.rules.flipping import visited
from games.jaws.rules.ground import BRIDGE, CUT, MINES, cut_rails, marked_sides, open_to, passed, rail_sides
from games.jaws.rules.march import arrived, rested
from games.jaws.rules.mines import crossed
from games.jaws.rules.rail_capacity import ran
from games.jaws.rules.reach import gaits, near_enemy, together
from games.jaws.rules.recovery import silenced
from games.jaws.rules.units import is_sdm, levels, upset

BY_RAIL = "rail"
RODE = "rode"  # the game's mark: how many units have gone by rail in this phase


def _line(table: Table) -> HexSet:
    """9.5, 9.5-c4: the railroad hexes that a train may pass: not cut, open, and far enough from every enemy."""
    return open_to(table, GERMAN) & ~cut_rails(table, CUT) & ~near_enemy(table, GERMAN)


def _sides(table: Table) -> Sides:
    """9.5, 15.3.2: its steps: over no bridge that is down, and over no minefield hexside, where infantry would halt."""
    return without(rail_sides(table, BRIDGE), marked_sides(table, MINES))


def terminals_from(table: Table, h: Hex) -> HexSet:
    """9.5: the terminals that an uninterrupted line leads to from a hex."""
    reached = hexset.flood(table.grid, 1 << h, _line(table), _sides(table))
    return reached & table.data.area("rail terminals") & ~(1 << h)


def railed(table: Table) -> int:
    """9.5-c1: how many units have gone by rail this turn, whatever has become of them since (4.6)."""
    return int(game_mark(table, RODE) or 0)


def ends(table: Table, units: Sequence[str]) -> HexSet:
    """9.5, 9.5-c3: the terminals, and what a unit may step into from one."""
    found = terminals_from(table, place(table, units[0]))
    return found | _beside(table, units, found) & ~(1 << place(table, units[0]))


def _beside(table: Table, units: Sequence[str], stations: HexSet) -> HexSet:
    """9.5-c3: what units may step into from terminals, as bridges stand."""
    found = 0
    for masks in together(table, table.enemy(GERMAN), gaits(table, tuple(units), "strategic")).values():
        found |= hexset.across(table.grid, stations, masks)
    return found & ~near_enemy(table, GERMAN)


def scheduled(table: Table, unit: str) -> bool:
    """9.5: whether the Reinforcement Schedule lets a unit, or the body it belongs to, come by rail."""
    groups = [group for group in table.data.tables["reinforcements"]["groups"] if group.get("rail")]
    bodies = {body for group in groups for body in group.get("formations", [])}
    named = {name for group in groups for name in group.get("units", [])}
    return unit in named or not bodies.isdisjoint(body.id for body in levels(table, table.unit(unit).formation))


def can_ride(table: Table, unit: str) -> bool:
    """9.5: a German unit due by rail that entered this turn, stands on a railroad, and has not moved."""
    position, h = table.position, table.position.hex_of(unit)
    fresh = position.mark(unit, ENTERED) is not None and position.mark(unit, SPENT) is None
    fresh = fresh and position.mark(unit, RESERVE) is None and scheduled(table, unit)
    on_rail = h is not None and bool(hexset.union(table.data.ways["rail"]) >> h & 1)
    return table.unit(unit).side == GERMAN and fresh and on_rail and not is_sdm(table, unit) and not upset(table, unit)


def check_rail(table: Table, order: Rail) -> None:
    """Raises Illegal."""
    for unit in order.units:
        if table.position.mark(unit, RESERVE) is not None:
            raise Illegal("9.6", f"{unit} is in Reserve and moves in the Reserve Movement Segment", unit=unit)
        if not can_ride(table, unit):
            raise Illegal(
                "9.5", f"{unit} is no reinforcement by rail of this turn that stands on a railroad", unit=unit
            )
    most = table.data.tables["movement"]["rail"]["units"]
    if railed(table) + len(order.units) > most:
        raise Illegal("9.5-c1", f"{most} units may go by rail in a turn, and {railed(table)} have gone")
    if len({table.position.hex_of(unit) for unit in order.units}) > 1:
        raise Illegal("9.5", "one train begins in one hex", instead="Write a line for each")
    if near_enemy(table, GERMAN) >> place(table, order.units[0]) & 1:
        raise Illegal("9.5-c4", "no train runs within two hexes of an enemy unit", unit=order.units[0])
    if not ends(table, order.units) >> table.grid.hex(order.to) & 1:
        stations = numbers(table, terminals_from(table, place(table, order.units[0])))
        raise Illegal("9.5", f"no open line leads to a terminal at or beside {order.to}", at=order.to,
                      instead="Terminals on the line", alternatives=stations)  # fmt: skip


def ride(table: Table, order: Rail) -> Procedure:
    """9.5: along the line, and a step beside the terminal if it ends there."""
    start, to = place(table, order.units[0]), table.grid.hex(order.to)
    stations = terminals_from(table, start)
    last = to if stations >> to & 1 else next(h for h in table.grid.neighbours(to) if stations >> h & 1)
    layers = hexset.distance_layers(table.grid, 1 << start, _line(table), sides=_sides(table))
    path = hexset.path(table.grid, layers, {1: _sides(table)}, last)
    yield from set_game(table, RODE, str(railed(table) + len(order.units)), "9.5-c1", Noted)
    for unit in order.units:
        yield Noted(subject=unit, mark=SPENT, value=CLOSED, because="9.5")
        yield Noted(subject=unit, mark=HOW, value=BY_RAIL, because="9.5")
        if is_a(table, unit, "artillery") or is_a(table, unit, "engineer"):
            yield Marked(subject=unit, mark="regroup", because="9.5-c4")
        yield from silenced(table, unit)
    yield from set_game(table, MOVING, None, "9.0-a", Noted)
    yield from rested(table)
    there = yield from _run(table, order.units, path)
    yield from ran(table, path[: path.index(there) + 1])
    if there != to and there == last and _beside(table, order.units, 1 << last) >> to & 1:
        beside = yield from as_far(table, order.units, (last, to))
        if len(beside) > 1:
            yield from _step(table, order.units, beside)
            yield from crossed(table, order.units, *beside)


def _run(table: Table, units: Sequence[str], path: Sequence[Hex]) -> Generator[Step, Any, Hex]:
    """15.2.1-1: hex by hex where the enemy may do something; a train before which a bridge is blown goes no farther."""
    left = list(path)
    while len(left) > 1 and crosses(table, _sides(table), *left[:2]):
        stops = (n for n, h in enumerate(left) if n and (exposed(table, SOVIET, h) or threatened(table, SOVIET, h)))
        end = next(stops, len(left) - 1)
        yield from _step(table, units, left[: end + 1])
        left = left[end:]
    return left[0]


def _step(table: Table, units: Sequence[str], path: Sequence[Hex]) -> Procedure:
    for unit in units:
        yield Moved(unit=unit, path=path_numbers(table, path), how=BY_RAIL, because="9.5")
    yield from passed(table, GERMAN, path)
    yield from visited(table, GERMAN, units, path)
    yield from arrived(table, GERMAN, path[-1])


def trains(table: Table) -> list[tuple[str, list[str]]]:
    """Every unit that may go by rail now, with where it may get out."""
    if railed(table) >= table.data.tables["movement"]["rail"]["units"]:
        return []
    able = [unit for unit in table.position.on_map(GERMAN) if can_ride(table, unit)]
    away = [unit for unit in able if not near_enemy(table, GERMAN) >> place(table, unit) & 1]
    found = [(unit, numbers(table, ends(table, (unit,)))) for unit in away]
    return [(unit, spots) for unit, spots in found if spots]
