"""Alarm units (4.8.2-f): turned over by their owner."""

from collections.abc import Iterator, Sequence

from engine.facts import Fact, Marked, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal
from engine.rules.ground import place
from engine.rules.marks import marked
from games.jaws.data import GERMAN, Table
from games.jaws.orders.sight import Flip
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.units import attack_capable, units_in

VISITED = "visited"  # 4.8.2-f: an Alarm unit whose hex a German unit that can attack moved through in this phase


def visited(table: Table, side: str, units: Sequence[str], path: Sequence[Hex]) -> Iterator[Fact]:
    """4.8.2-f: units that can attack have moved through the hexes of Alarm units."""
    if side != GERMAN or not any(attack_capable(table, unit) for unit in units):
        return
    for alarm in marked(table, ALARM_UP):
        if table.position.hex_of(alarm) in path and table.position.mark(alarm, VISITED) is None:
            yield Noted(subject=alarm, mark=VISITED, because="4.8.2-f")


def flippable(table: Table) -> list[str]:
    """4.8.2-f: the Alarm units with a unit that can attack in their hex, or that one moved through."""
    found = []
    for alarm in marked(table, ALARM_UP):
        if table.position.hex_of(alarm) is None:
            continue
        here = [unit for unit in units_in(table, place(table, alarm), GERMAN) if attack_capable(table, unit)]
        if here or table.position.mark(alarm, VISITED) is not None:
            found.append(alarm)
    return found


def check_flip(table: Table, order: Flip) -> None:
    """Raises Illegal."""
    if order.unit not in marked(table, ALARM_UP):
        raise Illegal("4.8.2-f", f"{order.unit} is no Alarm unit on its Alarm side", unit=order.unit,
                      instead="These are", alternatives=marked(table, ALARM_UP))  # fmt: skip
    if order.unit not in flippable(table):
        raise Illegal("4.8.2-f", f"no unit that can attack is in the hex of {order.unit} or moved through it",
                      unit=order.unit, instead="These can be turned over", alternatives=flippable(table))  # fmt: skip


def flip(order: Flip) -> Iterator[Fact]:
    yield Marked(subject=order.unit, mark=ALARM_UP, value=None, because="4.8.2-f")


def flips(table: Table) -> list[Choice]:
    return [whole(Flip(unit=unit)) for unit in flippable(table)]
