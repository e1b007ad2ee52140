"""Soviet partisans (18.1, an option): where they go, whom they fight, and how they come back."""

from collections.abc import Iterator, Sequence

from engine.facts import Eliminated, Fact, Noted, Placed, StepGained
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from engine.table import kept_for_good
from games.jaws.data import GERMAN, SOVIET, Data, Table
from games.jaws.orders.optional import Home
from games.jaws.rules.allowance import CLOSED, SPENT, check_ever_moves
from games.jaws.rules.ground import occupied
from games.jaws.rules.units import standing, units_in

AWAY = "partisans back on turn "  # 18.1.4-3: the box of a group that was scattered


def is_partisan(table: Table, unit: str) -> bool:
    return is_a(table, unit, "partisan")


def homes(data: Data) -> dict[str, str]:
    """18.1.1: the base of each group whose forests are in play; none without the option."""
    rows = data.tables["options"]["partisans"]["homes"] if data.switch["partisans"] else {}
    return {unit: spot for unit, spot in rows.items() if data.land >> data.board.grid.hex(spot) & 1}


# 18.1.2


@kept_for_good
def wild(table: Table) -> HexSet:
    """The hexes that partisans may enter: woods and forest."""
    return (table.board.terrain.get("woods", 0) | table.board.terrain.get("forest", 0)) & table.data.land


def lair(table: Table, units: Sequence[str]) -> HexSet:
    """Where units may be, as far as they are partisans."""
    roam = table.data.switch["partisans"] and any(is_partisan(table, unit) for unit in units)
    return wild(table) if roam else table.data.land


def lone(table: Table, units: Sequence[str]) -> str:
    """A partisan group among units of a hex, which stacks with nobody; empty if there is none."""
    return next((unit for unit in units if is_partisan(table, unit)), "") if table.data.switch["partisans"] else ""


# 18.1.3


def strikes(table: Table, unit: str) -> bool:
    """18.1.3-1: whether a unit is no partisan group on its back side."""
    return not is_partisan(table, unit) or not table.position.lost.get(unit, 0)


def exposed(table: Table, h: Hex) -> bool:
    """18.1.3-3: whether partisans defend a hex, whom terrain does not help."""
    return table.data.switch["partisans"] and bool(lone(table, units_in(table, h, SOVIET)))


def check_alone(table: Table, units: Sequence[str]) -> None:
    """18.1.3-2: partisans attack alone. Raises Illegal."""
    group = lone(table, units)
    if group and len(units) > 1:
        raise Illegal("18.1.3-2", f"{group} does not attack whom others attack", unit=group,
                      at=number(table, place(table, group)))  # fmt: skip


def apart(table: Table, named: Sequence[str], left: Sequence[str]) -> list[str]:
    """18.1.3-2: the hexes that may still be added to an attack from those named."""
    if not table.data.switch["partisans"] or not named:
        return list(left)

    def held(spot: str) -> bool:
        return exposed(table, table.grid.hex(spot))

    return [] if any(map(held, named)) else [spot for spot in left if not held(spot)]


# 18.1.4


def scattered(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """18.1.4-3: a group that is eliminated waits on the track."""
    back = table.position.turn + table.data.tables["options"]["partisans"]["away"]
    yield Eliminated(unit=unit, at=number(table, place(table, unit)), because=case)
    yield Placed(unit=unit, at=f"{AWAY}{back}", lost=0, because="18.1.4-3")


# 18.1.5


def check_home(table: Table, order: Home) -> None:
    """Raises Illegal."""
    unit = order.unit
    if unit not in homes(table.data):
        raise Illegal("18.1.5-1", f"{unit} is no partisan group", unit=unit, alternatives=list(homes(table.data)))
    check_ever_moves(table, SOVIET, unit)
    spot = homes(table.data)[unit]
    if table.position.where[unit] == spot:
        raise Illegal("18.1.5-1", f"{unit} is in its base", unit=unit, at=spot)
    if table.position.mark(unit, SPENT) is not None:
        raise Illegal("9.0-a", f"{unit} has moved in this phase", unit=unit)
    if taken(table, spot):
        raise Illegal("18.1.2", f"somebody stands in the base of {unit}, and it stacks with nobody", unit=unit, at=spot)


def taken(table: Table, spot: str) -> bool:
    """Whether a combat unit of either side stands in a base."""
    return bool((standing(table, SOVIET) | standing(table, GERMAN)) >> table.grid.hex(spot) & 1)


def go_home(table: Table, order: Home) -> Iterator[Fact]:
    """18.1.5-1: from wherever it is, and it moves no more."""
    yield from _in_base(table, order.unit, "18.1.5-1")
    yield Noted(subject=order.unit, mark=SPENT, value=CLOSED, because="18.1.5-1")


def _in_base(table: Table, unit: str, case: str) -> Iterator[Fact]:
    spot = homes(table.data)[unit]
    yield Placed(unit=unit, at=spot, because=case)
    yield from occupied(table, SOVIET, table.grid.hex(spot))


def homecomings(table: Table) -> Iterator[Home]:
    orders = (Home(unit=unit) for unit in homes(table.data))
    return (order for order in orders if passes(check_home, table, order))


def gathered(table: Table, side: str) -> Iterator[Fact]:
    """18.1.5-2, -3: in the Soviet Reinforcement Phase who is due comes to his base; all who are there are whole."""
    for unit, spot in homes(table.data).items() if side == SOVIET else ():
        box = table.position.where.get(unit, "")
        due = box.startswith(AWAY) and int(box.removeprefix(AWAY)) <= table.position.turn
        if due and not taken(table, spot):
            yield from _in_base(table, unit, "18.1.5-2")
        elif box == spot and table.position.lost.get(unit, 0):
            yield StepGained(unit=unit, steps=table.position.lost[unit], because="18.1.5-3")
