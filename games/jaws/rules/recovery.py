"""The Disorganization/Regroup Phase (12.17.4), and artillery that may fire again (9.10.3)."""

from collections.abc import Iterator

from engine.facts import Fact, Marked, Noted
from engine.rules.marks import marked, wipe
from games.jaws.data import SOVIET, Table
from games.jaws.rules.units import DISORGANIZED, REGROUP

SILENT = "no fire"  # 9.10.3: its level
SPOKE = "spoke"  # 9.10.3: a gun of those that has fired in this phase


def silenced(table: Table, unit: str) -> Iterator[Fact]:
    """9.10.3: guns with a small number beside their allowance may not fire in the turn they move."""
    level = _level(table, unit)
    if level and table.position.mark(unit, SILENT) != level:
        yield Marked(subject=unit, mark=SILENT, value=level, because="9.10.3")


def spoke(table: Table, gun: str) -> Iterator[Fact]:
    """9.10.3: a gun that may not fire in the turn it moves has fired, and does not move any more."""
    if _level(table, gun):
        yield Noted(subject=gun, mark=SPOKE, because="9.10.3")


def _level(table: Table, unit: str) -> int:
    return table.unit(unit).value("nofire") if table.unit(unit).has("nofire") else 0


def recover(table: Table, side: str) -> Iterator[Fact]:
    """12.17.4: the phasing side leaves Regroup, the other's Disorganized units come into it."""
    yield from wipe(table, (REGROUP,), "12.17.4", side)
    for unit in marked(table, DISORGANIZED):
        if table.unit(unit).side != side:
            yield Marked(subject=unit, mark=DISORGANIZED, value=None, because="12.17.4")
            yield Marked(subject=unit, mark=REGROUP, because="12.17.4")
    if side == SOVIET:
        yield from _speak_again(table)


def _speak_again(table: Table) -> Iterator[Fact]:
    """9.10.3: first every No Fire 1 comes off, of both sides; then every No Fire 2 becomes a No Fire 1."""
    for unit in marked(table, SILENT):
        level = int(table.position.mark(unit, SILENT) or 0)
        yield Marked(subject=unit, mark=SILENT, value=level - 1 or None, because="9.10.3")
