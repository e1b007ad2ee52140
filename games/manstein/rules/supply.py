"""The supply check (11.0): both sides at once, whenever the Supply chit is carried out."""

from collections.abc import Iterator

from engine.asks import Procedure
from engine.facts import Fact, Marked, Told
from games.manstein.data import Table
from games.manstein.rules.ground import is_hq
from games.manstein.rules.headquarters import must_relocate
from games.manstein.rules.lines import has_line

OUT, ISOLATED = "out of supply", "isolated"


def supply_check(table: Table) -> Procedure:
    """11.1: every unit's state by the lines as they are now; then HQs without one relocate (11.1.4)."""
    without = [unit for unit in table.position.on_map() if not has_line(table, unit)]
    states, staffs = list(_states(table, set(without))), [unit for unit in without if is_hq(table, unit)]
    yield from states
    if not states and not staffs:
        found = "changed nothing" if without else "found a line for every unit"
        yield Told(text=f"The supply check {found}.", because="11.1.3")
    for hq in staffs:
        yield from must_relocate(table, hq, "14.1(3)")


def _states(table: Table, without: set[str]) -> Iterator[Fact]:
    """11.1.3: in supply, out of supply, isolated."""
    for unit in table.position.on_map():
        state = table.position.mark(unit, "supply")
        if unit not in without:
            if state is not None:
                yield Marked(subject=unit, mark="supply", value=None, because="11.1.3")
        elif not is_hq(table, unit):
            after = OUT if state is None else ISOLATED
            if state != after:
                yield Marked(subject=unit, mark="supply", value=after, because="11.1.3")
