"""The combat ratio (10.3): strengths, rivers, supply, columns and shifts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import crosses, number, place, units_at
from engine.table import kept
from games.manstein.data import Table
from games.manstein.shapes import Strength

TOO_WEAK = -1  # below the first column (10.3.4)


@dataclass(frozen=True)
class Odds:
    """A ratio worked out, and the column after terrain, before air power."""

    attack: int
    defence: int
    column: int


def strength(table: Table, unit: str, key: Strength) -> int:
    """10.3.1-c, -d: a unit's attack or defence strength, less what supply takes."""
    printed = table.position.value(unit, key)
    state = table.position.mark(unit, "supply")
    return printed if state is None else max(0, printed + table.data.tables["supply"][str(state)][key])


def total(table: Table, units: Sequence[str], key: Strength) -> int:
    return sum(strength(table, unit, key) for unit in units)


def over_river(table: Table, here: Hex, target: Hex) -> bool:
    """10.3.1-b: over any river hexside, bridged or not."""
    return crosses(table, table.data.river_sides, here, target)


def _parts(table: Table, units: Sequence[str], target: Hex) -> dict[Hex, tuple[list[str], int]]:
    """10.3.1: the units of each hex added up, then halved if they attack over a river (1.3-b)."""
    by_hex: dict[Hex, list[str]] = {}
    for unit in units:
        by_hex.setdefault(place(table, unit), []).append(unit)
    halved = table.data.tables["combat"]["river_divisor"]["by"]
    return {
        h: (there, total(table, there, "attack") // (halved if over_river(table, h, target) else 1))
        for h, there in by_hex.items()
    }


@lru_cache(maxsize=4096)
def ratio_column(attack: int, defence: int, columns: tuple[str, ...]) -> int:
    """10.3.2: the column of a ratio, rounded down; TOO_WEAK below the first."""
    best = TOO_WEAK
    for index, name in enumerate(columns):
        halves = int(float(name.split("-")[0].rstrip("+")) * 2)
        if attack * 2 >= defence * halves:
            best = index
    return best


def defenders(table: Table, units: Sequence[str], target: Hex) -> list[str]:
    return units_at(table, target, table.enemy(table.unit(units[0]).side))


@kept
def odds(table: Table, units: tuple[str, ...], target: Hex) -> Odds:
    """10.3: the column of an attack after terrain, before air power."""
    attack = sum(part for _, part in _parts(table, units, target).values())
    defence = total(table, defenders(table, units, target), "defence")
    columns = table.data.columns
    if defence == 0:
        return Odds(attack, defence, columns.index(table.data.tables["combat"]["zero_defence"]["column"]))
    column = ratio_column(attack, defence, columns)
    return Odds(attack, defence, max(TOO_WEAK, column - table.data.shifts[target]))


def working(table: Table, units: tuple[str, ...], target: Hex) -> list[Working]:
    """How the column of an attack is found, line by line."""
    found, there = odds(table, units, target), defenders(table, units, target)
    lines = _cut(table, units, "attack")
    for h, (from_here, part) in _parts(table, units, target).items():
        named = f"{', '.join(from_here)} in {number(table, h)}"
        over = over_river(table, h, target)
        lines.append(Working(f"{named}, over a river" if over else named, str(part), f"10.3.1-{'b' if over else 'a'}"))
    lines += _cut(table, there, "defence")
    lines.append(Working(f"defenders in {number(table, target)}", str(found.defence), "10.1.5"))
    if found.defence == 0:
        row = table.data.tables["combat"]["zero_defence"]
        return [*lines, Working("no defence strength", row["column"], row["case"])]
    column, shift = ratio_column(found.attack, found.defence, table.data.columns), table.data.shifts[target]
    said = table.data.columns[column] if column >= 0 else "less than 1-1"
    lines.append(Working(f"{found.attack} to {found.defence}", said, "10.3.2"))
    return [*lines, Working(_ground(table, target), f"{shift} to the left", "10.3.3(1)")] if shift else lines


def _cut(table: Table, units: Sequence[str], key: Strength) -> list[Working]:
    """A line for every unit that supply weakens."""
    found = []
    for unit in units:
        state = table.position.mark(unit, "supply")
        row = table.data.tables["supply"][str(state)] if state is not None else None
        if row is not None and row[key]:
            printed = table.position.value(unit, key)
            said = f"{row[key]}, from {printed} to {strength(table, unit, key)}"
            found.append(Working(f"{unit}, {state}", said, row["combat_case"]))
    return found


def _ground(table: Table, h: Hex) -> str:
    """The terrain and the place in a hex, as the chart names them."""
    place_there = table.board.places.get(h)
    kinds = [table.board.terrain_of(h), place_there.size if place_there is not None else ""]
    charts = table.data.tables["terrain"]
    return ", ".join(kind for kind, chart in zip(kinds, (charts["hex"], charts["place"]), strict=True)
                     if chart.get(kind, {}).get("shift"))  # fmt: skip


def with_air(table: Table, column: int, kind: str) -> int:
    """15.2(2)-a: a Stuka moves the column to the right, as far as the table goes."""
    more = table.data.tables["air"]["stuka"]["columns"] if kind == "stuka" else 0
    return min(len(table.data.columns) - 1, column + more)


def with_ace(table: Table, die: int, kind: str) -> int:
    """15.2(2)-b: an ace takes two off the die, to one at the lowest."""
    row = table.data.tables["air"]["ace"]
    return max(row["least"], die + row["die"]) if kind == "ace" else die
