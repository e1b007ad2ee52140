"""From strengths to a column of the Combat Results Table (9.4, 9.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.forecast import Forecast, Working, even_chances
from engine.hexes import Hex
from engine.rules.odds import ratio_column, shifted
from engine.table import Table
from games.korsun_spi.rules.ground import number
from games.korsun_spi.rules.strength import Total, defence_total, infantry_defence


@dataclass(frozen=True)
class Odds:
    """The column an attack is resolved on, and the arithmetic that led there."""

    column: int
    name: str
    working: tuple[Working, ...]


def odds(table: Table, attack: Total, targets: Sequence[Hex], attackers: Sequence[str], air: int = 0) -> Odds:
    """9.4, then the shifts of 14.14 and 19.56; `air` counts columns toward the attacker."""
    defence = defence_total(table, targets, attackers)
    columns = table.data.columns
    base = ratio_column(attack.points, defence.points, columns)
    working = [*attack.working, *defence.working]
    working.append(Working(f"{attack.points} to {defence.points}", columns[base], "9.4"))
    shift = air
    if air:
        working.append(Working("air", f"{air:+d} column", "14.14"))
    if any(infantry_defence(table, target) for target in targets):
        left = table.data.tables["integrity"]["infantry_shift"]
        shift -= left
        working.append(Working("whole infantry division defends", f"-{left} column", "19.56"))
    column = shifted(base, shift, columns)
    return Odds(column, columns[column], tuple(working))


def written(odds: Odds) -> tuple[tuple[str, str], ...]:
    """The arithmetic as a fact keeps it."""
    return tuple((f"{line.what}: {line.amount}", line.case) for line in odds.working)


def forecast(table: Table, title: str, found: Odds, targets: Sequence[Hex]) -> Forecast:
    """The chance of every result."""
    spots = ", ".join(number(table, h) for h in targets)
    results = [table.data.result(found.column, die) for die in range(1, 7)]
    return Forecast(f"{title} {spots}", found.name, found.working, even_chances(results))
