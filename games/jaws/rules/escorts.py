"""The Shermans of cavalry divisions and of 5th Mechanized Corps (4.5.4, 4.5.5): with whom they stay."""

from collections.abc import Hashable, Mapping

from engine.refusals import Illegal
from engine.rules.ground import is_a
from engine.table import kept_for_good, kept_while_still
from games.jaws.data import Table
from games.jaws.rules.parts import on_map_as, parts_of


def guards(table: Table, tanks: str) -> list[str]:
    """Whom a Sherman unit stays with: its division or brigade, or any of the parts into which it has broken down."""
    return on_map_as(table, table.data.tables["integral"]["pairs"][tanks])


def beside(table: Table, tanks: str) -> list[str]:
    """Those of them in its hex."""
    here = table.position.hex_of
    return [unit for unit in guards(table, tanks) if here(unit) == here(tanks)]


def is_escort(table: Table, unit: str) -> bool:
    return unit in table.data.tables["integral"]["pairs"]


def escort(table: Table, unit: str) -> str:
    """The one in the same hex that a Sherman unit stays with, or the Shermans that stay with it; empty if none."""
    return _pairs(table).get(unit, "")


def torn(table: Table, going: Mapping[str, Hashable]) -> tuple[str, list[str]] | None:
    """The Shermans that ways like these would part from theirs, with those beside them; None if they part nobody."""
    if _ever_together(table).isdisjoint(going) or _together(table).isdisjoint(going):
        return None  # as most ways are
    for tanks, near in _escorts(table).items():
        if not any(going.get(unit) == going.get(tanks) for unit in near):
            return tanks, near
    return None


@kept_while_still()
def _escorts(table: Table) -> dict[str, list[str]]:
    """By the Shermans on the map, those beside them."""
    there = [tanks for tanks in table.data.tables["integral"]["pairs"] if table.position.hex_of(tanks) is not None]
    return {tanks: near for tanks in there if (near := beside(table, tanks))}


@kept_while_still()
def _pairs(table: Table) -> dict[str, str]:
    """The Shermans with the first of those beside them, and each of these with the first Shermans that are his."""
    found = {tanks: near[0] for tanks, near in _escorts(table).items()}
    for tanks, first in list(found.items()):
        found.setdefault(first, tanks)
    return found


@kept_while_still()
def _together(table: Table) -> frozenset[str]:
    """All whom a way can part."""
    return frozenset(unit for tanks, near in _escorts(table).items() for unit in (tanks, *near))


@kept_for_good
def _ever_together(table: Table) -> frozenset[str]:
    """All whom a way can ever part, wherever they are."""
    pairs = table.data.tables["integral"]["pairs"].items()
    return frozenset(unit for tanks, with_ in pairs for unit in (tanks, with_, *parts_of(table, with_)))


def check_escorts(table: Table, going: Mapping[str, Hashable]) -> None:
    """4.5.4, 4.5.5: Shermans and theirs go as one. Raises Illegal."""
    found = torn(table, going)
    if found is None:
        return
    tanks, near = found
    case = "4.5.4" if is_a(table, near[0], "cavalry") else "4.5.5"
    unit = tanks if tanks in going else next(unit for unit in near if unit in going)
    raise Illegal(case, f"{tanks} goes with {' or '.join(near)}, as one stack", unit=unit,
                  instead=f"Send both by one way: `{tanks}, {near[0]}`")  # fmt: skip
