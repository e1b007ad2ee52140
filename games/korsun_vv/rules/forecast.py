"""Forecasts: what an attack would come to before the defender has said anything."""

from __future__ import annotations

from fractions import Fraction

from engine.forecast import Forecast, Working
from engine.rules.ground import place, units_at
from engine.table import Table
from games.korsun_vv.orders import Attack, Defend
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.armour import worth
from games.korsun_vv.rules.combat import check_attack, row_of
from games.korsun_vv.rules.defence import Side, declared
from games.korsun_vv.rules.odds import armour_can_fight, armour_met, combined_arms, odds, quality


def sides(table: Table, side: str, order: Attack) -> tuple[Side, Side]:
    """Both sides of an attack, the defence without support."""
    target = table.grid.hex(order.target)
    row, enemy = row_of(table, type(order)), table.enemy(side)
    tanks = armour_can_fight(table, [place(table, unit) for unit in order.units], target)
    own = declared(table, side, order.units, order, row["supports"], tanks)
    return own, declared(table, enemy, units_at(table, target, enemy), Defend(), row["supports"], tanks)


def chances(table: Table, side: str, order: Attack) -> tuple[int, dict[str, Fraction], list[Working]]:
    """The column before armour, the chance of each result over all dice, and the working."""
    target = table.grid.hex(order.target)
    own, theirs = sides(table, side, order)
    found = odds(table, order.units, target)
    working = [*found.working]
    column = found.column + markers.shift(table, own.supports)
    for hq, marker in own.supports:
        moved = f"{table.data.marker(marker)['shift']} to the right"
        working.append(Working(f"{marker} of {hq}", moved, table.data.marker(marker)["case"]))
    drm = quality(table, own.quality) - quality(table, theirs.quality)
    working.append(Working(f"quality of {own.quality} against {theirs.quality}", f"{drm:+} on the die", "7.4-b"))
    if combined_arms(table, order.units):
        working.append(Working("combined arms", f"+{combined_arms(table, order.units)} on the die", "7.4-f"))
    drm += combined_arms(table, order.units)
    shifts = [0]
    if armour_met(table, own.units, theirs.units, target):
        difference = worth(table, own) - worth(table, theirs)
        shifts = [table.data.armour(difference, die)[0] for die in range(1, 7)]
        working.append(Working("armour superiority", f"{min(shifts):+} to {max(shifts):+} columns", "7.5-a"))
    each = Fraction(1, 6 * len(shifts))
    results: dict[str, Fraction] = {}
    for shift in shifts:
        for die in range(1, 7):
            text = table.data.result(column + shift, die + drm).text
            results[text] = results.get(text, Fraction(0)) + each
    return column, results, working


def forecast(table: Table, side: str, order: Attack) -> Forecast:
    """Exact odds, without support in defence. Raises Illegal."""
    check_attack(table, side, order)
    column, results, working = chances(table, side, order)
    held = max(0, min(len(table.data.columns) - 1, column))
    title = f"{', '.join(order.units)} attack {order.target}"
    return Forecast(title, table.data.columns[held], tuple(working), tuple(results.items()))
