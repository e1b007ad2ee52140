"""Sight: what a side comes to know of a unit, what grows old of it, and forecasts over what is left possible."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.facts import Doubted, Placed, Sighted
from engine.forecast import Forecast, over
from engine.position import UNKNOWN, UNSEEN
from engine.table import Table
from engine.view import view


def sighted(table: Table, unit: str, by: str, case: str, *, strength: bool = True) -> Sighted:
    """All that can be seen of a unit, as it truly is: its strength only if that can be seen, no notes of the rules."""
    position = table.position
    lost = position.lost.get(unit, 0) if strength else None
    marks = tuple(sorted(m for m in position.marks.get(unit, {}).items() if m[0] not in position.noted))
    return Sighted(unit=unit, by=by, at=position.where[unit], lost=lost, marks=marks, because=case, only=(by,))


def glimpsed(table: Table, unit: str, by: str, case: str) -> Iterator[Sighted | Doubted]:
    """A unit whose strength cannot be seen: it has the one that the side last saw, as far as it ever saw one."""
    known = view(table.position, by)
    never = known.unsure.get(unit) == UNKNOWN or (known.where.get(unit, UNSEEN) == UNSEEN and unit not in known.unsure)
    found = sighted(table, unit, by, case, strength=False)
    if never:
        yield found
        return
    yield found.model_copy(update={"lost": known.lost.get(unit, 0)})
    yield Doubted(unit=unit, by=by, because=case, only=(by,))


def doubt(table: Table, units: Iterable[str], by: str, case: str) -> Iterator[Doubted]:
    """From now on the strengths that a side knew of are only what it last saw."""
    unsure = view(table.position, by).unsure
    yield from (Doubted(unit=unit, by=by, because=case, only=(by,)) for unit in units if unit not in unsure)


def supposing(table: Table, steps: Mapping[str, int]) -> Table:
    """The table if the units had so many steps left."""
    where, whole = table.position.where, {unit: len(table.unit(unit).steps) for unit in steps}
    return table.suppose([Placed(unit=unit, at=where[unit], lost=whole[unit] - left) for unit, left in steps.items()])


def forecast(table: Table, units: Iterable[str], work_out: Callable[[Table], Forecast], case: str) -> Forecast:
    """The forecast of an attack on units whose strengths the reader may not know."""
    possible = {unit: table.position.possible_steps(unit) for unit in units}
    if all(len(steps) == 1 for steps in possible.values()):
        return work_out(table)
    return over(possible, lambda steps: work_out(supposing(table, steps)), case)
