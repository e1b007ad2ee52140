"""Alarm units (4.8.2-f): turned over by their owner; who has moved through their hexes."""

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
from games.jaws.rules.units import attack_capable, on_map_of, units_in

VISITED = "visited"  # 4.8.2-f, 8.6.3: an Alarm unit whose hex others have moved through in this phase: by whom
BY_ABLE, BY_SOME = 1, 2  # by one that can attack; by others alone


def visited(table: Table, side: str, units: Sequence[str], path: Sequence[Hex]) -> Iterator[Fact]:
    """4.8.2-f, 8.6.3: units have moved through the hexes of Alarm units; of one that goes itself that is past."""
    alarms = on_map_of(table, GERMAN, "alarm") if side == GERMAN else []
    others = [unit for unit in units if unit not in alarms]
    by = BY_ABLE if any(attack_capable(table, unit) for unit in others) else BY_SOME
    for alarm in alarms:
        before = table.position.mark(alarm, VISITED)
        if alarm in units and before is not None:
            yield Noted(subject=alarm, mark=VISITED, value=None, because="8.6.3")
        elif others and alarm not in units and table.position.hex_of(alarm) in path and before not in (by, BY_ABLE):
            yield Noted(subject=alarm, mark=VISITED, value=by, because="4.8.2-f" if by == BY_ABLE else "8.6.3")


def flippable(table: Table) -> list[str]:
    """4.8.2-f: the Alarm units with a unit that can attack in their hex, or that one moved through."""
    found = []
    for alarm in marked(table, ALARM_UP):
        if table.position.hex_of(alarm) is None:
            continue
        here = [unit for unit in units_in(table, place(table, alarm), GERMAN) if attack_capable(table, unit)]
        if here or table.position.mark(alarm, VISITED) == BY_ABLE:
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
