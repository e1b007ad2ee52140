"""Reinforcements (15.0, 26.0)."""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Procedure
from engine.facts import Fact, Moved, Noted, Placed
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import held, numbers, units_at
from engine.rules.reinforcement import due, waiting_box
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Enter
from games.korsun_spi.rules.ground import enemy_zoc, is_hq, overstacked
from games.korsun_spi.rules.reach import combat_units
from games.korsun_spi.rules.supply import commanders
from games.korsun_spi.shapes import Arrival


def schedule(table: Table) -> Iterator[Fact]:
    """26.1, 26.2: after the set-up, every unit that is left waits for its turn and area."""
    for row in table.data.tables["reinforcements"]:
        box = waiting_box(row["turn"], row["area"])
        for unit in _wanted(table, row):
            yield Placed(unit=unit, at=box, because=row["case"])


def _wanted(table: Table, row: Arrival) -> list[str]:
    left = [u for u in table.roster.by_side(row["side"]) if table.position.where.get(u.id) == "setup"]
    if "code" in row:
        return [unit.id for unit in left if unit.setup == row["code"]]
    return [u.id for kind, count in row["units"].items() for u in [x for x in left if x.kind == kind][:count]]


def entry_hexes(table: Table, side: str, unit: str, area: str) -> HexSet:
    """26.0: any hex that no enemy holds; in his zone an HQ not alone (11.23), and nobody without room (7.0)."""
    found = table.board.areas[area] & table.data.passable & ~held(table, table.enemy(side))
    zones = enemy_zoc(table, side)
    if is_hq(table, unit):
        found &= ~zones | combat_units(table, side)
    stacks = ((h, units_at(table, h, side)) for h in hexset.members(found & zones & held(table, side)))
    return found & ~hexset.of(h for h, stack in stacks if overstacked(table, [*stack, unit]))


def can_enter(table: Table, side: str) -> dict[str, HexSet]:
    """The units that are due and have a hex to enter by."""
    waiting = due(table.position, side)
    open_ = {unit: entry_hexes(table, side, unit, area) for unit, area in waiting.items()}
    return {unit: hexes for unit, hexes in open_.items() if hexes}


def check_enter(table: Table, side: str, order: Enter) -> None:
    """26.0: in an open hex of the area, when it is due. Raises Illegal."""
    waiting = due(table.position, side)
    h = table.grid.hex(order.at)
    for unit in order.units:
        if unit not in waiting:
            raise Illegal("26.0", f"{unit} is not due", unit=unit, instead="Due now", alternatives=list(waiting))
        hexes = entry_hexes(table, side, unit, waiting[unit])
        if not hexes >> h & 1:
            raise Illegal("26.0", f"{unit} may not enter in {order.at}", unit=unit, at=order.at,
                          instead=f"Open in area {waiting[unit]}", alternatives=numbers(table, hexes))  # fmt: skip


def enter(table: Table, side: str, order: Enter) -> Procedure:
    """26.0: placed for one Movement Point, whatever the terrain; in supply for the player-turn (15.0-c)."""
    check_enter(table, side, order)
    price = table.data.cost("reinforcement")
    for unit in order.units:
        yield Moved(unit=unit, path=(order.at,), how="enter", spent=price, because="26.0")
        yield Noted(subject=unit, mark="spent", value=price, because="15.0-b")
        yield Noted(subject=unit, mark="placed", value=price, because="4.2-a")
        yield Noted(subject=unit, mark="entered", because="15.0-c")
        hqs = commanders(table, unit) if side == "soviet" and not is_hq(table, unit) else []
        if hqs:
            yield Noted(subject=unit, mark="command", value=" ".join(hqs), because="23.14")
