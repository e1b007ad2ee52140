"""Reinforcements (18.1.1, 18.2.1): where they wait, and how they come on to the map in an activation."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Marked, Moved, Placed
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules import reinforcement
from engine.rules.ground import held, number, units_at
from engine.rules.marks import game_mark
from engine.table import kept, kept_while_side_still
from games.korsun_vv.data import Data, Table
from games.korsun_vv.names import AFTER_POCKET, BY_AIR, DNEPR, GERMAN, GONE, POCKET, SUPPLY
from games.korsun_vv.orders import Enter
from games.korsun_vv.rules.duty import may_enter_zone, owe
from games.korsun_vv.rules.formations import adopt, chief, join_nearest, orphaned
from games.korsun_vv.rules.ground import (
    barred_to,
    crowd,
    enemy_zoc,
    has_room,
    kind_of,
    set_mark,
    takes_road,
    weather,
)
from games.korsun_vv.rules.points import bill, check_acting, left, spend
from games.korsun_vv.shapes import Arrival


def boxes(data: Data) -> dict[str, str]:
    """The box in which every reinforcement waits at the start."""
    tables, found = data.tables["reinforcements"], dict[str, str]()
    for row in (*tables["german"], *tables["russian"]):
        shut = "option" in row and not data.switch[row["option"]]
        where = GONE if shut else reinforcement.waiting_box(row["turn"], _entry(row, data.switch))
        found |= dict.fromkeys(row["units"], where)
    found |= dict.fromkeys(tables["pocket"]["german"]["units"], DNEPR)
    return found | dict.fromkeys(tables["pocket"]["russian"]["units"], AFTER_POCKET)


def _entry(row: Arrival, switch: Mapping[str, bool | str]) -> str:
    """The entry of a row as its box names it; a switch at its second value means the other one."""
    usual = "switch" not in row or switch[row["switch"]] in ("as printed", "west")
    entry = row["entry"] if usual else row["otherwise"]
    return entry["area"] if "area" in entry else f"edge {entry['edge']}"


@kept_while_side_still()
def _due(table: Table, side: str, turn: int) -> dict[str, str]:
    return reinforcement.due(table.position, side)


def due(table: Table, side: str) -> dict[str, str]:
    """The units that may enter now, with their entries."""
    return _due(table, side, table.position.turn)


def entry_hexes(table: Table, unit: str) -> HexSet:
    """Where a unit may come on to the map, the enemy and his zones aside."""
    entry = due(table, table.unit(unit).side).get(unit, "")
    if entry.startswith("edge "):
        return table.board.edges[entry.removeprefix("edge ")]
    return table.board.areas.get(entry, 0)


def pocket_closed(table: Table) -> Iterator[Fact]:
    """18.2.1-e: the units of 27 A come by the north edge on the turn after the pocket has formed."""
    row = table.data.tables["reinforcements"]["pocket"]["russian"]
    turn = int(game_mark(table, POCKET)) + row.get("turns_after", 0)
    for unit in row["units"]:
        yield Placed(unit=unit, at=reinforcement.waiting_box(turn, row["entry"]["area"]), because=row["case"])


def open_bank(table: Table) -> Iterator[Fact]:
    """13.3: the units on the Dnepr may come with the first activation of Gruppe Stemmermann, and are fed as it is."""
    row = table.data.tables["reinforcements"]["pocket"]["german"]
    for unit in table.position.in_box(DNEPR):
        box = reinforcement.waiting_box(table.position.turn, row["entry"]["area"])
        yield Placed(unit=unit, at=box, because="13.3")
        if table.position.mark(chief(table), SUPPLY) == BY_AIR:
            yield Marked(subject=unit, mark=SUPPLY, value=BY_AIR, because="13.4-b")


def close_bank(table: Table) -> Iterator[Fact]:
    """13.3: whoever was not brought in then is lost for the game."""
    row = table.data.tables["reinforcements"]["pocket"]["german"]
    for unit, entry in due(table, GERMAN).items():
        if entry == row["entry"]["area"]:
            yield Placed(unit=unit, at=GONE, because="13.3")
            yield from set_mark(table, unit, SUPPLY, None, "13.3")


# Entering


def price(table: Table, unit: str, h: Hex) -> int | None:
    """Half movement points for an entry hex; None if it is closed to the unit."""
    side = table.unit(unit).side
    if held(table, table.enemy(side)) >> h & 1 or barred_to(table, unit) >> h & 1:
        return None
    alone = not any(takes_road(table, other) for other in table.position.at(h))
    return table.data.entry_cost(kind_of(table, unit), weather(table), h, alone=alone)


@kept
def open_entries(table: Table, unit: str) -> list[Hex]:
    """The entry hexes by which an activated unit can come in now."""
    found = []
    for h in hexset.members(entry_hexes(table, unit)):
        cost = price(table, unit, h)
        if cost is None or not has_room(table, table.unit(unit).side, h, [unit]):
            continue
        actions, _ = bill(table, unit, cost)
        if actions <= left(table, unit) and may_enter_zone(table, unit, h, left(table, unit) - actions):
            found.append(h)
    return found


def spots(table: Table, unit: str) -> list[str]:
    return [number(table, h) for h in open_entries(table, unit)]


def check_enter(table: Table, side: str, order: Enter) -> None:
    """Raises Illegal."""
    h = table.grid.hex(order.at)
    for unit in order.units:
        check_acting(table, side, unit, 1, "3.4.1-b")
        if unit not in due(table, side):
            raise Illegal("18.1.1-a", f"{unit} is not waiting to enter", unit=unit, instead="Waiting",
                          alternatives=list(due(table, side)) or ["nobody"])  # fmt: skip
    if not has_room(table, side, h, order.units):
        raise Illegal("5-d", crowd(table, h, [*units_at(table, h, side), *order.units]), at=order.at)
    for unit in order.units:
        if h not in open_entries(table, unit):
            raise Illegal("18.1.1-a", f"{unit} cannot enter at {order.at}", unit=unit, at=order.at,
                          instead="It may enter at", alternatives=spots(table, unit) or ["no hex now"])  # fmt: skip
        if len(order.units) > 1:  # whoever comes after finds the road taken
            table = table.suppose([Moved(unit=unit, path=(order.at,), how="enter")])


def enter(table: Table, order: Enter) -> Generator[Step, Any, None]:
    """Each pays for the hex as for a move, and may move on from it (6.1-c)."""
    h = table.grid.hex(order.at)
    for unit in order.units:
        yield from come_in(table, unit, h)


def come_in(table: Table, unit: str, h: Hex) -> Generator[Step, Any, None]:
    cost = price(table, unit, h)
    assert cost is not None
    actions, stride = bill(table, unit, cost)
    stopped = enemy_zoc(table, table.unit(unit).side) >> h & 1
    yield Moved(unit=unit, path=(number(table, h),), how="enter", spent=cost, because="18.1.1-a")
    yield from adopt(table, unit)
    yield from spend(table, unit, actions, "3.4.1-b", stride=0 if stopped else stride)
    yield from owe(table, unit)
    if orphaned(table, unit):
        yield from join_nearest(table, unit)
