"""Replacements (16.0): who may be given a step, in which order, and what it does."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Fact, Placed, StepGained
from engine.orders.choice import Choice, Given, gather
from engine.refusals import Illegal
from engine.rules.ground import place, units_at
from games.kharkov.data import FRONTS, GERMAN, SOVIET, Table
from games.kharkov.orders import Pass, Replace
from games.kharkov.rules.ground import LOST, RESERVE, army, ascending, front, is_mech, is_supplied, on_map, steps
from games.kharkov.rules.supply import can_trace, reserve_supply, supported

Eligible = Callable[[str], bool]


def on_the_map(table: Table, unit: str) -> bool:
    """16.2, 16.21: reduced to one step, in supply, with room in its stack; Soviets in support and reserve supply."""
    side = table.unit(unit).side
    h = place(table, unit)
    reduced = table.position.steps_left(unit) == 1 and len(table.unit(unit).steps) > 1
    room = steps(table, units_at(table, h, side)) < table.data.tables["stacking"]["steps"]
    if not reduced or not room or not is_supplied(table, unit):
        return False
    if side == SOVIET:
        return bool((reserve_supply(table) & supported(table)) >> h & 1)
    return can_trace(table, unit)


def priorities(table: Table, side: str, among: Eligible) -> list[list[str]]:
    """16.1, 16.1-b: the units that may be given a step, in four classes, the first that has any comes first."""
    mapped = [unit for unit in on_map(table, side) if among(unit) and on_the_map(table, unit)]
    lost = [unit for unit in table.position.in_box(LOST[side]) if among(unit)]
    foot = [[u for u in units if not is_mech(table, u)] for units in (mapped, lost)]
    mech = [[u for u in units if is_mech(table, u)] for units in (mapped, lost)]
    return [*foot, *mech] if side == GERMAN else [*foot[::-1], *mech[::-1]]


def replaced(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """16.1: one step on the map becomes two; from the Eliminated box a unit comes to the reserve at one step."""
    side = table.unit(unit).side
    if table.position.hex_of(unit) is not None:
        yield StepGained(unit=unit, because=case)
    else:
        yield Placed(unit=unit, at=RESERVE[side], lost=len(table.unit(unit).steps) - 1, because=case)


def possible(table: Table, among: Eligible, done: Sequence[str], classes: int = 4) -> list[str]:
    """Whom a German step may go to next, when these have been named: the highest class that is not used up."""
    for rank in priorities(table, GERMAN, among)[:classes]:
        left = [unit for unit in rank if unit not in done and _has_room(table, unit, done)]
        if left:
            return left
    return []


def _has_room(table: Table, unit: str, done: Sequence[str]) -> bool:
    """16.2: with the steps that its stack is given by the same card."""
    h = table.position.hex_of(unit)
    if h is None:
        return True
    given = sum(table.position.hex_of(other) == h for other in done)
    return steps(table, units_at(table, h, GERMAN)) + given < table.data.tables["stacking"]["steps"]


def check_replace(table: Table, units: Sequence[str], most: int, among: Eligible, case: str, classes: int = 4) -> None:
    """Raises Illegal."""
    if len(units) > most:
        raise Illegal(case, f"{most} {'step' if most == 1 else 'steps'} may be replaced, not {len(units)}")
    for count, unit in enumerate(units):
        allowed = possible(table, among, units[:count], classes)
        if unit not in allowed:
            raise Illegal("16.1", f"{unit} may not be given a step now", alternatives=allowed)


def offers(table: Table, most: int, among: Eligible, check: Callable[[Replace], None], card: str) -> list[Choice]:
    """Units named one after another, as far as steps and priorities go."""

    def candidates(said: Given) -> list[str]:
        named = tuple(said.get("units", ()))
        return possible(table, among, named) if len(named) < most else []

    return [gather(Replace, "units", candidates, check, card=card)] if possible(table, among, ()) else []


def soviet_step(table: Table, among: Eligible, case: str, classes: int = 4) -> Iterator[Fact]:
    """16.1-b: always one step; the lowest selector of the first class that has any."""
    for rank in priorities(table, SOVIET, among)[:classes]:
        if rank:
            yield from replaced(table, ascending(table, rank)[0], case)
            return


def army_replacement(table: Table, of: str) -> Iterator[Fact]:
    """8.12: a step for the named army."""
    yield from soviet_step(table, lambda unit: army(table, unit) == of, "16.1-b")


def army_has_any(table: Table, of: str) -> bool:
    return any(priorities(table, SOVIET, lambda unit: army(table, unit) == of))


def in_the_mud(table: Table) -> Procedure:
    """18.34-c: two infantry steps for the player, wherever; one for each Soviet front."""
    number = table.data.tables["ground"]["mud_replacements"]
    if possible(table, _anybody, (), 2):
        order = yield _mud_ask(table, number)
        for unit in order.units if isinstance(order, Replace) else ():
            yield from replaced(table, unit, "18.34-c")
    for of in FRONTS:
        yield from soviet_step(table, partial(_of_front, table, of), "18.34-c", 2)


def _anybody(unit: str) -> bool:
    return True


def _of_front(table: Table, of: str, unit: str) -> bool:
    return front(table, unit) == of


def _mud_ask(table: Table, number: int) -> Ask:
    def check(order: Replace | Pass) -> None:
        if isinstance(order, Replace):
            if order.card:
                raise Illegal("18.34-c", "no card is played for it")
            check_replace(table, order.units, number, _anybody, "18.34-c", 2)

    def default() -> Replace:
        named: list[str] = []
        while len(named) < number and (more := possible(table, _anybody, named, 2)):
            named.append(more[0])
        return Replace(units=tuple(named))

    def candidates(said: Given) -> list[str]:
        named = tuple(said.get("units", ()))
        return possible(table, _anybody, named, 2) if len(named) < number else []

    return Ask(
        GERMAN, "mud", "mud", f"heavy mud: {number} infantry steps may be replaced", (Replace, Pass), default=default,
        offers=lambda: [gather(Replace, "units", candidates, check), Choice(Pass)],
        check=check, case="18.34-c", reaction=True, entry=True,
    )  # fmt: skip
