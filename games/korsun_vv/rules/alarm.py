"""Alarm battalions (16): placed at any moment, also between two actions of a Russian activation."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Fact, Placed
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers
from engine.table import kept_while_still
from games.korsun_vv.data import Table
from games.korsun_vv.names import ALARM, GERMAN, RUSSIAN
from games.korsun_vv.orders import Alarm, Pass
from games.korsun_vv.rules.ground import any_range, full_hexes, units_of
from games.korsun_vv.rules.movement import took

MOST_OFFERED = 12  # hexes that are offered for a battalion


def waiting(table: Table) -> list[str]:
    return [u for u in units_of(table.roster, GERMAN, "alarm") if table.position.where.get(u) == ALARM]


def room(table: Table, unit: str) -> HexSet:
    """16-c: in command range of any German HQ, no enemy there, and room for it."""
    return any_range(table, GERMAN) & ~held(table, RUSSIAN) & ~full_hexes(table, GERMAN, [unit])


def check_alarm(table: Table, order: Order) -> None:
    """Of no other order is anything asked. Raises Illegal."""
    if not isinstance(order, Alarm):
        return
    if order.unit not in waiting(table):
        raise Illegal("16-c", f"{order.unit} is no Alarm battalion in hand", unit=order.unit, instead="In hand",
                      alternatives=waiting(table))  # fmt: skip
    if not room(table, order.unit) >> table.grid.hex(order.at) & 1:
        problem = f"{order.unit} is placed in command range of an HQ, where there is room"
        spots = numbers(table, room(table, order.unit))
        raise Illegal("16-c", problem, unit=order.unit, at=order.at, instead="Hexes for it", alternatives=spots)


def place_alarm(table: Table, order: Alarm) -> Iterator[Fact]:
    yield Placed(unit=order.unit, at=order.at, because="16-c")
    yield from took(table, GERMAN, [table.grid.hex(order.at)])


@kept_while_still()
def useful(table: Table, unit: str) -> list[str]:
    """Roads and towns before the enemy's spearheads, those nearest to him first."""
    spots = room(table, unit) & ~held(table, GERMAN)
    near = hexset.within(table.grid, held(table, RUSSIAN), 3)
    towns = hexset.union(table.board.towns.values())
    found = spots & near & (table.data.road_hexes | towns)
    ranked = sorted(hexset.members(found), key=lambda h: (not towns >> h & 1, h))
    return [number(table, h) for h in ranked[:MOST_OFFERED]]


def alarm_choices(table: Table) -> list[Choice]:
    """The first of them, where it would be of use."""
    able = [unit for unit in waiting(table)[:1] if useful(table, unit)]
    return [pick(Alarm, "at", partial(useful, table, unit), unit=unit) for unit in able]


def window(table: Table) -> Generator[Step, Any, None]:
    """16-c: between two actions of the Russian; standing orders answer, or nobody does."""
    while waiting(table) and any_range(table, GERMAN):
        order = yield _ask(table)
        if not isinstance(order, Alarm):
            return
        yield from place_alarm(table, order)


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)

    return Ask(
        side=GERMAN,
        name="alarm",
        subject=GERMAN,
        prompt=f"place an Alarm battalion ({', '.join(waiting(table))}) now, or `pass`",
        verbs=(Alarm, Pass),
        check=partial(check_alarm, seen),
        offers=lambda: [Choice(Pass), *(order for begun in alarm_choices(seen) for order in begun.following())],
        default=Pass,
        case="16-c",
        reaction=True,
        units=tuple(waiting(table)),
    )
