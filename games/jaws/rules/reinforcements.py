"""Reinforcements (7.0): units that wait for their turn and come over the map edge."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Noted, Placed
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers, place
from engine.rules.reinforcement import due, waiting_box
from games.jaws.data import Data, Table
from games.jaws.orders.movement import Enter
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import ENTERED
from games.jaws.rules.combat.map_edge import torn_off
from games.jaws.rules.depots import BOX, command_of
from games.jaws.rules.ground import occupied
from games.jaws.rules.panzer_24 import sent
from games.jaws.rules.partisans import gathered
from games.jaws.rules.rail import terminals_from
from games.jaws.rules.units import attack_capable, is_sdm, needs_guard, standing
from games.jaws.rules.zones import zoc
from games.jaws.shapes import Group


def members(data: Data, roster_of: dict[str, list[str]], group: Group) -> list[str]:
    """The units of a row of the schedule: formations whole with their SDMs, then those named."""
    bodies = [u for body in group.get("formations", []) for u in (*roster_of.get(body, []), f"SDM-{body}")]
    return [*bodies, *group.get("units", [])]


def waiting(data: Data, bodies: dict[str, list[str]], known: set[str]) -> dict[str, str]:
    """7.2: the box of every unit that is due in the scenario, on the sheets in play, and does not stand there yet."""
    grid, found = data.board.grid, {}
    for group in data.tables["reinforcements"]["groups"]:
        in_play = data.land >> grid.hex(group["hex"]) & 1 and data.first <= group["turn"] <= data.turns
        for unit in members(data, bodies, group) if in_play else ():
            if unit in known and unit not in data.placed:
                found[unit] = waiting_box(group["turn"], group["hex"])
    return found


def entry_hexes(table: Table, side: str, scheduled: str) -> HexSet:
    """7.1: map-edge hexes within two of the one scheduled, or of the one that a unit that left comes back by (12.16.1);
    7.1-c4: if the enemy is in all of them, or his ZOC, the nearest road hex without, too."""
    far, grid = table.data.tables["movement"]["entry"]["hexes"], table.grid
    rim = (hexset.union(table.board.edges.values()) | torn_off(table)) & table.data.land
    closed = standing(table, table.enemy(side)) | zoc(table, table.enemy(side))
    found = hexset.within(grid, 1 << grid.hex(scheduled), far) & rim & ~standing(table, table.enemy(side))
    if found & ~closed:
        return found
    near = list(hexset.members(rim & table.data.road_hexes & ~closed))
    nearest = min((grid.distance(grid.hex(scheduled), h) for h in near), default=0)
    return found | hexset.of(h for h in near if grid.distance(grid.hex(scheduled), h) == nearest)


def by_rail(table: Table, unit: str) -> bool:
    """7.2: whether the schedule lets a unit come by rail."""
    groups = [group for group in table.data.tables["reinforcements"]["groups"] if group.get("rail")]
    bodies = [body for group in groups for body in group.get("formations", [])]
    named = [name for group in groups for name in group.get("units", [])]
    return unit in named or (is_sdm(table, unit) and command_of(table, unit) in bodies)


def spots_for(table: Table, side: str, unit: str, scheduled: str) -> HexSet:
    """7.1: where what is due may enter; 7.1-c6: an SDM that comes by rail, at a terminal on the line."""
    if is_sdm(table, unit):
        return terminals_from(table, table.grid.hex(scheduled)) if by_rail(table, unit) else 0
    found = entry_hexes(table, side, scheduled)
    return found & ~_unguarded(table, side) if needs_guard(table, unit) else found


def _unguarded(table: Table, side: str) -> HexSet:
    """9.10.2: the hexes next to an enemy where guns would stand alone: they enter as they may move."""
    able = (unit for unit in table.position.on_map(side) if attack_capable(table, unit))
    guarded = hexset.of(place(table, unit) for unit in able)
    return hexset.within(table.grid, standing(table, table.enemy(side)), 1) & ~guarded


def arrivals(table: Table, side: str) -> Procedure:
    """7.2: the SDMs of what is due join those that are placed, but those that may come by rail (7.1-c6); then what the
    options bring."""
    for unit in due(table.position, side):
        if is_sdm(table, unit) and not by_rail(table, unit):
            yield Placed(unit=unit, at=BOX, because="7.2")
    yield from gathered(table, side)
    yield from sent(table, side)


def _by_road(table: Table, side: str) -> Iterator[Fact]:
    """SDMs that did not come by rail are placed with the others in the next Supply Marker Phase."""
    for unit in due(table.position, side):
        if is_sdm(table, unit):
            yield Placed(unit=unit, at=BOX, because="7.2")


def reinforcement_segment(table: Table, side: str, onward: tuple[type[Order], ...]) -> Procedure:
    """3.2-E2B, F2B: what is due may enter, or wait (7.1-c7)."""
    while due(table.position, side):
        order = yield _ask(table, side, onward)
        if isinstance(order, End):
            break
        yield from _enter(table, order)
    yield from _by_road(table, side)


def _enter(table: Table, order: Enter) -> Iterator[Fact]:
    for unit in order.units:
        yield Placed(unit=unit, at=order.at, because="7.1-c6" if is_sdm(table, unit) else "7.1")
        if not is_sdm(table, unit):
            yield Noted(subject=unit, mark=ENTERED, because="7.1-c2")
            yield from occupied(table, table.unit(unit).side, table.grid.hex(order.at))


def _check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Enter):
        return
    known = due(table.position, side)
    for unit in order.units:
        if unit not in known:
            raise Illegal("7.0", f"{unit} is not due", unit=unit, instead="Due are", alternatives=list(known))
        open_ = numbers(table, spots_for(table, side, unit, known[unit]))
        if order.at not in open_ and is_sdm(table, unit):
            raise Illegal("7.1-c6", f"{unit} comes by rail to a terminal on the line, not to {order.at}", unit=unit,
                          at=order.at, instead="It may come to", alternatives=open_)  # fmt: skip
        company = any(attack_capable(table, each) for each in order.units)
        if company and needs_guard(table, unit):  # 9.10.2: who comes with guns guards them
            open_ = numbers(table, entry_hexes(table, side, known[unit]))
        if order.at not in open_:
            raise Illegal("7.1", f"{unit} comes by {known[unit]}, and may not enter at {order.at}", unit=unit,
                          at=order.at, instead="It may at", alternatives=open_)  # fmt: skip


def _ask(table: Table, side: str, onward: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(side)

    def offers() -> list[Choice]:
        known = due(seen.position, side)
        spots = {unit: numbers(seen, spots_for(seen, side, unit, at)) for unit, at in known.items()}
        found = [pick(Enter, "at", partial(list, open_), units=(unit,)) for unit, open_ in spots.items() if open_]
        return [Choice(End), *found]

    return Ask(
        side=side,
        name="reinforcements",
        subject=side,
        prompt=f"due are {', '.join(due(seen.position, side))}; `end` lets them wait",
        verbs=(Enter, End),
        check=partial(_check, seen, side),
        offers=offers,
        default=partial(_default, seen, side),
        case="7.1",
        top=True,
        onward=onward,
        course="events",
    )


def _default(table: Table, side: str) -> Order:
    """What is due comes, one after another, by the scheduled hex or the nearest open one, out of the enemy's ZOC."""
    shut = zoc(table, table.enemy(side))
    for unit, at in due(table.position, side).items():
        spots = [] if is_sdm(table, unit) else list(hexset.members(spots_for(table, side, unit, at)))
        if spots:
            best = min(spots, key=lambda h: (shut >> h & 1, table.grid.distance(table.grid.hex(at), h), h))
            return Enter(units=(unit,), at=table.grid.number_of(best))
    return End()
