"""The combat ratio (10.3): strengths, rivers, supply, columns and shifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import number, place, units_at
from engine.table import Table

TOO_WEAK = -1  # below the first column (10.3.4)


@dataclass(frozen=True)
class Odds:
    """A ratio worked out: the column after terrain, and how it was found."""

    attack: int
    defence: int
    column: int
    working: tuple[Working, ...]


def strength(table: Table, unit: str, key: str) -> int:
    """10.3.1-c, -d: a unit's attack or defence strength, less what supply takes."""
    printed = table.position.value(unit, key)
    return max(0, printed + _supply(table, unit, key))


def _supply(table: Table, unit: str, key: str) -> int:
    """What being out of supply or isolated adds to a strength: nothing, or less than nothing."""
    state = table.position.mark(unit, "supply")
    if state is None:
        return 0
    more: int = table.data.tables["supply"][str(state)][key]
    return more


def _cut(table: Table, units: Sequence[str], key: str) -> list[Working]:
    """A line for every unit that supply weakens."""
    cases = table.data.tables["supply"]
    found = []
    for unit in units:
        less = _supply(table, unit, key)
        if less:
            state = str(table.position.mark(unit, "supply"))
            printed = table.position.value(unit, key)
            said = f"{less}, from {printed} to {strength(table, unit, key)}"
            found.append(Working(f"{unit}, {state}", said, cases[state]["combat_case"]))
    return found


def over_river(table: Table, here: Hex, target: Hex) -> bool:
    """10.3.1-b: over any river hexside, bridged or not."""
    rows = table.data.tables["terrain"]["hexside"]
    return any(rows[name].get("halves_attack") for name in table.board.feature(here, target))


def attack_strength(table: Table, units: Sequence[str], target: Hex) -> tuple[int, list[Working]]:
    """10.3.1: the units of each hex added up, then halved if they attack over a river (1.3-b)."""
    by_hex: dict[Hex, list[str]] = {}
    for unit in units:
        by_hex.setdefault(place(table, unit), []).append(unit)
    total = 0
    working = _cut(table, units, "attack")
    for h, there in by_hex.items():
        part = sum(strength(table, unit, "attack") for unit in there)
        named = f"{', '.join(there)} in {number(table, h)}"
        if over_river(table, h, target):
            part //= table.data.tables["combat"]["river_divisor"]["by"]
            working.append(Working(f"{named}, over a river", str(part), "10.3.1-b"))
        else:
            working.append(Working(named, str(part), "10.3.1-a"))
        total += part
    return total, working


def ratio_column(attack: int, defence: int, columns: Sequence[str]) -> int:
    """10.3.2: the column of a ratio, rounded down; TOO_WEAK below the first."""
    best = TOO_WEAK
    for index, name in enumerate(columns):
        halves = int(float(name.split("-")[0].rstrip("+")) * 2)
        if attack * 2 >= defence * halves:
            best = index
    return best


def odds(table: Table, units: Sequence[str], target: Hex) -> Odds:
    """10.3: the column of an attack after terrain, before air power."""
    defenders = units_at(table, target, table.enemy(table.unit(units[0]).side))
    attack, working = attack_strength(table, units, target)
    defence = sum(strength(table, unit, "defence") for unit in defenders)
    working += _cut(table, defenders, "defence")
    working.append(Working(f"defenders in {number(table, target)}", str(defence), "10.1.5"))
    columns = table.data.columns
    if defence == 0:
        row = table.data.tables["combat"]["zero_defence"]
        working.append(Working("no defence strength", row["column"], row["case"]))
        return Odds(attack, defence, columns.index(row["column"]), tuple(working))
    column = ratio_column(attack, defence, columns)
    said = columns[column] if column >= 0 else "less than 1-1"
    working.append(Working(f"{attack} to {defence}", said, "10.3.2"))
    shift = table.data.shift(target)
    if shift:
        working.append(Working(_ground(table, target), f"{shift} to the left", "10.3.3(1)"))
    return Odds(attack, defence, max(TOO_WEAK, column - shift) if column >= 0 else column, tuple(working))


def _ground(table: Table, h: Hex) -> str:
    """The terrain and the place in a hex, as the chart names them."""
    place_there = table.board.places.get(h)
    kinds = [table.board.terrain_of(h), place_there.size if place_there is not None else ""]
    charts = table.data.tables["terrain"]
    return ", ".join(kind for kind, chart in zip(kinds, (charts["hex"], charts["place"]), strict=True)
                     if chart.get(kind, {}).get("shift"))  # fmt: skip


def with_air(table: Table, column: int, kind: str) -> int:
    """15.2(2)-a: a Stuka moves the column to the right, as far as the table goes."""
    if kind != "stuka":
        return column
    shift: int = table.data.tables["air"]["stuka"]["columns"]
    return min(len(table.data.columns) - 1, column + shift)


def with_ace(table: Table, die: int, kind: str) -> int:
    """15.2(2)-b: an ace takes two off the die, to one at the lowest."""
    if kind != "ace":
        return die
    row = table.data.tables["air"]["ace"]
    return int(max(row["least"], die + row["die"]))
