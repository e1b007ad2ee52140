"""Alarm units made into replacement points (8.6.3), in the German Movement Phase."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from engine.table import kept_while_still
from games.jaws.data import GERMAN, Table
from games.jaws.orders.events import Disband
from games.jaws.rules.depots import command_of, fed, sdms
from games.jaws.rules.flipping import VISITED
from games.jaws.rules.parts import taken_off
from games.jaws.rules.replacements.points import accounts, added
from games.jaws.rules.replacements.special import ABANDONED
from games.jaws.rules.strength import DRAWN
from games.jaws.rules.units import on_map_of, units_in

ANY_LENGTH = 1000  # hexes: more than any path has


@kept_while_still()
def alarms(table: Table) -> list[str]:
    """The Alarm units on the map."""
    return on_map_of(table, GERMAN, "alarm")


def _met(table: Table, unit: str) -> bool:
    """Whether another German unit stands with an Alarm unit, or has moved through its hex."""
    others = (u for u in units_in(table, place(table, unit), GERMAN) if not is_a(table, u, "alarm"))
    return any(others) or table.position.mark(unit, VISITED) is not None


def takers(table: Table, unit: str) -> list[str]:
    """8.6.3: the korps to whose SDM a supply path of any length leads from an Alarm unit."""
    here, found = place(table, unit), []
    for sdm in sdms(table, GERMAN):
        at, korps = table.position.hex_of(sdm), command_of(table, sdm)
        if at is None or korps in found or korps not in accounts(table, GERMAN):
            continue
        if fed(table, GERMAN, 1 << at, ANY_LENGTH) >> here & 1:
            found.append(korps)
    return found


def check_disband(table: Table, order: Disband) -> None:
    """Raises Illegal."""
    if order.unit not in alarms(table):
        raise Illegal("8.6.3", f"{order.unit} is no Alarm unit on the map", unit=order.unit)
    if not _met(table, order.unit):
        raise Illegal("8.6.3", f"no other German unit has come to {order.unit}", unit=order.unit)
    able = takers(table, order.unit)
    if order.korps not in able:
        raise Illegal("8.6.3", f"no supply path leads from {order.unit} to an SDM of {order.korps}", unit=order.unit,
                      instead="It can go to", alternatives=able)  # fmt: skip


def disbandable(table: Table) -> list[Disband]:
    """Everything that may be done with the Alarm units now."""
    able = [unit for unit in alarms(table) if _met(table, unit)]
    orders = [Disband(unit=unit, korps=korps) for unit in able for korps in accounts(table, GERMAN)]
    return [order for order in orders if passes(check_disband, table, order)]


def disband(table: Table, order: Disband) -> Iterator[Fact]:
    """8.6.3: the Alarm unit is out of the game for good, with its strength (8.6.4-p2), and the korps has an infantry
    point more."""
    strength = table.position.mark(order.unit, DRAWN)
    yield from taken_off(table, order.unit, ABANDONED, "8.6.3")
    yield Noted(subject=order.unit, mark=DRAWN, value=strength, because="8.6.3", only=(GERMAN,))
    yield from added(table, order.korps, "infantry", 1, "8.6.3")
