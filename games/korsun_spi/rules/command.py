"""Soviet command in Korsun (23.0): which HQ runs an attack or an overrun, and how often."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from engine.facts import Fact, Noted
from engine.refusals import Illegal
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import SOVIET, disrupted, is_hq
from games.korsun_spi.rules.supply import active, headquarters


def operations_left(table: Table, hq: str) -> int | None:
    """23.2: operations an HQ may still run this turn; None while there is no limit."""
    limit = table.data.operations(table.position.turn, table.position.value(hq, "rating"))
    return None if limit is None else limit - int(table.position.mark(hq, "operations") or 0)


def coordinators(
    table: Table,
    units: Sequence[str],
    named: Sequence[str],
    reach: Callable[[str], Sequence[str]],
) -> list[str]:
    """23.21: the HQs that run an operation: those named, or the fewest that reach every unit. Raises Illegal."""
    if table.unit(units[0]).side != SOVIET:
        if named:
            raise Illegal("11.0", "German attacks need no HQ")
        return []
    fighters = [unit for unit in units if not is_hq(table, unit)]
    lines = {unit: set(reach(unit)) for unit in fighters}
    for unit in fighters:
        if not lines[unit]:
            problem, hqs = f"{unit} has no line to an active HQ", _states(table)
            case = "23.14" if table.data.switch["headquarters"] == "scheduled" else "11.33"
            raise Illegal(case, problem, unit=unit, instead="HQs in the game", alternatives=hqs)
    if named:
        return _check_named(table, fighters, list(dict.fromkeys(named)), lines)
    able = [hq for hq in headquarters(table) if operations_left(table, hq) != 0]
    for size in range(1, len(able) + 1):
        for group in combinations(sorted(able, key=lambda hq: -(operations_left(table, hq) or 99)), size):
            if all(lines[unit] & set(group) for unit in fighters):
                return list(group)
    problem = f"no HQ with operations left reaches {', '.join(fighters)}"
    raise Illegal("23.2", problem, instead="HQs in the game", alternatives=_states(table))


def _check_named(table: Table, fighters: Sequence[str], named: list[str], lines: dict[str, set[str]]) -> list[str]:
    for hq in named:
        if not is_hq(table, hq) or table.unit(hq).side != SOVIET:
            raise Illegal("23.21", f"{hq} is no Soviet HQ", unit=hq)
        if not active(table, hq):
            raise Illegal("23.13", f"{hq} is inactive", unit=hq)
        if disrupted(table, hq):
            raise Illegal("6.32", f"{hq} is disrupted", unit=hq)
        if operations_left(table, hq) == 0:
            raise Illegal("23.2", f"{hq} has run all its operations of this turn", unit=hq)
    for unit in fighters:
        if not lines[unit] & set(named):
            raise Illegal("23.21", f"{unit} has no line to {' or '.join(named)}", unit=unit,
                          instead="It has one to", alternatives=sorted(lines[unit]))  # fmt: skip
    return named


def _states(table: Table) -> list[str]:
    return [_state(table, hq) for hq in headquarters(table)]


def _state(table: Table, hq: str) -> str:
    if not active(table, hq):
        return f"{hq} inactive"
    left = operations_left(table, hq)
    return f"{hq} active" if left is None else f"{hq} active, {left} operations left"


def charge(table: Table, hqs: Sequence[str]) -> Iterator[Fact]:
    """23.21: each HQ that runs an operation is charged one."""
    for hq in hqs:
        if operations_left(table, hq) is not None:
            used = int(table.position.mark(hq, "operations") or 0)
            yield Noted(subject=hq, mark="operations", value=used + 1, because="23.21")
