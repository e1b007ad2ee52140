"""Who is where: types of units, their state, stacking (10.4), formations and selectors (2.21)."""

from collections.abc import Iterable, Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import adjacent, held, is_a, number, place, units_at
from engine.rules.marks import marked
from engine.table import kept_while_marked, kept_while_side_still
from games.kharkov.data import GERMAN, SOVIET, Table

RESERVE = {GERMAN: "german reserve", SOVIET: "soviet reserve"}  # the boxes (2.1-m)
CALENDAR = "calendar"
LOST = {GERMAN: "german eliminated", SOVIET: "soviet eliminated"}  # 12.62: they may come back
OUT, ISOLATED = "out of supply", "isolated"  # values of the mark `supply` (13.2)
DISPERSED, ACTIVE, MOVED, ATTACKED = "dispersed", "active", "moved", "attacked"
IP, GARRISON, FORWARD = "improved position", "garrison", "forward support"


def is_mech(table: Table, unit: str) -> bool:
    """2.21-b: armor and mechanized infantry."""
    return is_a(table, unit, "mechanized")


def has_armor(table: Table, unit: str) -> bool:
    """2.21-f: on the step that is up; isolated armor counts as unarmored (13.22-c)."""
    return bool(table.position.value(unit, "armor")) and not is_isolated(table, unit)


def supply_state(table: Table, unit: str) -> str:
    """13.2: empty if it is supplied."""
    return str(table.position.mark(unit, "supply") or "")


def is_supplied(table: Table, unit: str) -> bool:
    return not supply_state(table, unit)


def is_isolated(table: Table, unit: str) -> bool:
    return supply_state(table, unit) == ISOLATED


@kept_while_marked
def isolated(table: Table, mark: str) -> list[str]:
    """The isolated units; the mark is that of supply."""
    return [unit for unit in marked(table, mark) if is_isolated(table, unit)]


def is_dispersed(table: Table, unit: str) -> bool:
    return bool(table.position.mark(unit, DISPERSED))


def is_ready(table: Table, unit: str) -> bool:
    """Supplied and undispersed."""
    return is_supplied(table, unit) and not is_dispersed(table, unit)


def is_active(table: Table, unit: str) -> bool:
    return bool(table.position.mark(unit, ACTIVE))


def army(table: Table, unit: str) -> str:
    """Its army, or its corps."""
    return table.unit(unit).formation


def front(table: Table, unit: str) -> str:
    """The front of a Soviet unit, the army of a German one (for command)."""
    return table.data.parents[army(table, unit)]


def strength(table: Table, units: Iterable[str]) -> int:
    return sum(table.position.value(unit, "strength") for unit in units)


def steps(table: Table, units: Iterable[str]) -> int:
    return sum(table.position.steps_left(unit) for unit in units)


def selector(table: Table, unit: str) -> tuple[int, int]:
    """2.21-h: by its selector, then by its formation's number."""
    return table.position.value(unit, "selector"), table.data.ranks[army(table, unit)]


def ascending(table: Table, units: Iterable[str]) -> list[str]:
    """2.0-b: from the lowest selector, as the units stand now."""
    return sorted(units, key=lambda unit: selector(table, unit))


def descending(table: Table, units: Iterable[str]) -> list[str]:
    """2.0-b: from the highest selector; between armies the lower-numbered still comes first."""
    return sorted(units, key=lambda unit: (-selector(table, unit)[0], selector(table, unit)[1]))


@kept_while_side_still()
def on_map(table: Table, side: str) -> tuple[str, ...]:
    return tuple(table.position.on_map(side))


def in_reserve(table: Table, side: str) -> list[str]:
    return table.position.in_box(RESERVE[side])


def germans(table: Table, h: Hex) -> list[str]:
    return units_at(table, h, GERMAN)


def soviets(table: Table, h: Hex) -> list[str]:
    return units_at(table, h, SOVIET)


def fits(table: Table, side: str, h: Hex, coming: Sequence[str], leaving: Iterable[str] = ()) -> bool:
    """10.4: three units and six steps, whichever is reached first."""
    gone = {*coming, *leaving}
    stack = [*(unit for unit in units_at(table, h, side) if unit not in gone), *coming]
    limits = table.data.tables["stacking"]
    return len(stack) <= limits["units"] and steps(table, stack) <= limits["steps"]


def crowded(table: Table, side: str) -> list[Hex]:
    """10.4: the hexes in which a side has too many units or steps."""
    return [h for h in hexset.members(held(table, side) & table.board.land) if not fits(table, side, h, [])]


@kept_while_side_still()
def full(table: Table, side: str, size: int) -> HexSet:
    """The hexes in which a side has no room for one more unit of so many steps."""
    limits = table.data.tables["stacking"]
    return hexset.of(
        h for h, (units, steps_) in _stacked(table, side).items()
        if units >= limits["units"] or steps_ + size > limits["steps"]
    )  # fmt: skip


@kept_while_side_still()
def _stacked(table: Table, side: str) -> dict[Hex, tuple[int, int]]:
    """The units and steps of a side in each hex."""
    found: dict[Hex, tuple[int, int]] = {}
    for unit in on_map(table, side):
        h = place(table, unit)
        units, steps_ = found.get(h, (0, 0))
        found[h] = units + 1, steps_ + table.position.steps_left(unit)
    return found


def touches(table: Table, here: Hex, there: Hex) -> bool:
    """9.3-adjacent, 9.25-b: next to each other, and not over a blocked hexside."""
    return adjacent(table, table.data.blocked, here, there)


def beside(table: Table, h: Hex) -> HexSet:
    """The hexes adjacent to one (9.3-adjacent)."""
    return hexset.across(table.grid, 1 << h, table.data.open_sides) & table.board.land


@kept_while_marked
def bearing(table: Table, mark: str) -> HexSet:
    """The hexes that bear a mark."""
    return hexset.of(table.grid.hex(subject[1:]) for subject in marked(table, mark) if subject.startswith("@"))


def spot(table: Table, unit: str) -> str:
    """The number of the hex that a unit stands in."""
    return number(table, place(table, unit))


def bears(table: Table, h: Hex, mark: str) -> bool:
    return bool(table.position.mark(f"@{number(table, h)}", mark))
