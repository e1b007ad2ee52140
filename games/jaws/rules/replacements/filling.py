"""Points spent on units (8.4, 8.5.1): a step each, and the marker that whoever takes one bears."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Marked, Noted, Placed, StepGained
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, numbers, place
from games.jaws.data import SOVIET, Table
from games.jaws.orders.events import Replace
from games.jaws.rules.allowance import REPLACED
from games.jaws.rules.extension import halves
from games.jaws.rules.ground import occupied
from games.jaws.rules.korsun import joins_pocket, of_the_pocket
from games.jaws.rules.losses import disorganize
from games.jaws.rules.replacements.eligible import (
    check_kind,
    check_order,
    check_room,
    check_soviet,
    check_supply,
    given,
    homecoming,
    is_eligible,
    is_gone,
    most,
    steps,
    usual_home,
)
from games.jaws.rules.replacements.points import Kind, account_of, kind_of, points, spent
from games.jaws.rules.supply import korsuns, supplier
from games.jaws.rules.units import REGROUP


def price(table: Table, unit: str, number: int) -> dict[Kind, int]:
    """8.4: a point a step; 8.5.1-2: a tank brigade's first step after its end costs an infantry point too."""
    kind = kind_of(table, unit)
    back = is_gone(table, unit) and kind == "armor" and table.unit(unit).side == SOVIET
    return {"infantry": 1, "armor": number} if back else {kind: number}


def check_replace(table: Table, side: str, order: Replace) -> None:
    """8.4: every condition, in the order in which a player can do something about it. Raises Illegal."""
    unit = order.unit
    check_kind(table, side, unit)
    if side != SOVIET and is_a(table, unit, "armor"):
        korps = account_of(table, unit)
        raise Illegal("8.5.2", f"the dice say what kind of tank {korps} gets", unit=unit,
                      instead=f"Write `refit {korps}`")  # fmt: skip
    if order.steps < 1:
        raise Illegal("8.4", f"{unit} takes a step for each point", unit=unit, instead="Write `by 1`, or nothing")
    if not (side == SOVIET and given(table, unit)):  # the marker of the first step does not bar the second
        check_order(table, unit)
    check_room(table, unit, order.steps)
    _check_place(table, side, order)
    _check_account(table, order)


def _check_place(table: Table, side: str, order: Replace) -> None:
    """8.2.4, 8.4-c1, 8.4-c4. Raises Illegal."""
    unit = order.unit
    if is_gone(table, unit):
        check_home(table, unit, order.at)
    else:
        if order.at:
            raise Illegal("8.2.4", f"{unit} is on the map", unit=unit, instead="Only units that come back are placed")
        check_supply(table, unit)
    if side == SOVIET:
        here = () if is_gone(table, unit) else halves(table, (unit,))
        check_soviet(table, unit, hexset.of(place(table, half) for half in here), order.steps)
    elif given(table, unit) + order.steps > table.data.tables["replacements"]["german"]["steps"]:
        raise Illegal("8.4-c4b", f"{unit} takes one step in a turn", unit=unit)


def check_home(table: Table, unit: str, at: str) -> None:
    """8.2.4. Raises Illegal."""
    spots = numbers(table, homecoming(table, unit))
    if not spots:
        raise Illegal("8.2.4", f"{unit} can come back nowhere: no SDM of its own on the map is far enough away and fed",
                      unit=unit)  # fmt: skip
    if at and at not in spots:
        case = "8.5.1-2" if is_a(table, unit, "brigade") else "8.2.4"
        raise Illegal(case, f"{unit} may not come back at {at}", unit=unit, at=at, instead="It may at",
                      alternatives=spots)  # fmt: skip


def _check_account(table: Table, order: Replace) -> None:
    """8.1.2-c2. Raises Illegal."""
    account = account_of(table, order.unit)
    for kind, number in price(table, order.unit, order.steps).items():
        have = points(table, account, kind)
        if have < number:
            case = "8.5.1-2" if len(price(table, order.unit, order.steps)) > 1 else "8.1.2-c2"
            raise Illegal(case, f"{account} has {have} {kind} points, and {order.unit} needs {number}", unit=order.unit)


def replaced(table: Table, order: Replace) -> Iterator[Fact]:
    """8.4: the points go, the steps come."""
    account, case = account_of(table, order.unit), "8.5.1" if kind_of(table, order.unit) == "armor" else "8.4"
    for kind, number in price(table, order.unit, order.steps).items():
        yield from spent(table, account, kind, number, case)
    yield from gain(table, order.unit, order.steps, order.at, case)


def gain(table: Table, unit: str, number: int, at: str, case: str) -> Iterator[Fact]:
    """Steps come to a unit, on the map or back onto it; 8.4-c4: with the marker of its side."""
    total = given(table, unit) + number
    if is_gone(table, unit):
        spot = at or table.grid.number_of(usual_home(table, unit))
        yield Placed(unit=unit, at=spot, lost=len(table.unit(unit).steps) - number, because=case)
        yield from occupied(table, table.unit(unit).side, table.grid.hex(spot))
        if of_the_pocket(table, unit) and korsuns(table, unit, supplier(table, unit) or None):
            yield from joins_pocket(table, unit, "14.5.1-a")
    else:
        yield StepGained(unit=unit, steps=number, because=case)
    yield Noted(subject=unit, mark=REPLACED, value=total, because="8.4-c4a")
    if table.unit(unit).side == SOVIET:
        for half in halves(table, (unit,)):
            yield from disorganize(table, half, "8.4-c4a")
    elif table.position.mark(unit, REGROUP) is None:
        yield Marked(subject=unit, mark=REGROUP, because="8.4-c4b")


def replacements(table: Table, side: str) -> Iterator[tuple[Replace, list[str]]]:
    """Every unit that points may be spent on, by how many steps, and where it may come back."""
    for unit in table.roster.by_side(side):
        if not is_eligible(table, unit.id) or (side != SOVIET and is_a(table, unit.id, "armor")):
            continue
        if not any(points(table, account_of(table, unit.id), kind) for kind in ("infantry", "armor")):
            continue
        for number in range(1, min(2, most(table, unit.id) - steps(table, unit.id)) + 1):
            order = Replace(unit=unit.id) if number == 1 else Replace(unit=unit.id, steps=number)
            if passes(check_replace, table, side, order):
                spots = numbers(table, homecoming(table, unit.id)) if is_gone(table, unit.id) else []
                yield order, spots
