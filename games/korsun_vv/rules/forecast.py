"""Forecasts: what an attack would come to before the defender has said anything."""

from __future__ import annotations

from fractions import Fraction

from engine.forecast import Forecast, Working
from engine.rules.ground import place, units_at
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Attack, Defend
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.armour import worth
from games.korsun_vv.rules.combat import check_attack, row_of
from games.korsun_vv.rules.defence import Side, declared
from games.korsun_vv.rules.ground import fighters
from games.korsun_vv.rules.odds import armour_can_fight, armour_met, combined_arms, odds, quality
from games.korsun_vv.rules.sight import lies_open


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
        row = table.data.marker(marker)
        working.append(Working(f"{marker} of {hq}", f"{row['shift']} to the right", row["case"]))
    drm = quality(table, own.quality) - quality(table, theirs.quality)
    working.append(Working(f"quality of {own.quality} against {theirs.quality}", f"{drm:+} on the die", "7.4-b"))
    if combined_arms(table, order.units):
        working.append(Working("combined arms", f"+{combined_arms(table, order.units)} on the die", "7.4-f"))
    drm += combined_arms(table, order.units)
    duels = [(0, "")]
    if armour_met(table, own.units, theirs.units, target):
        difference = worth(table, own) - worth(table, theirs)
        duels = [table.data.armour(difference, die) for die in range(1, 7)]
        shifts = [shift for shift, _ in duels]
        named = f"armour superiority, {own.armour} {worth(table, own)} against {theirs.armour} {worth(table, theirs)}"
        working.append(Working(named, f"{min(shifts):+} to {max(shifts):+} columns", "7.5-a"))
    results: dict[str, Fraction] = {}
    for shift, loser in duels:
        gone = _gone(table, own, theirs, loser)
        texts = [gone or table.data.result(column + shift, die + drm).text for die in range(1, 7)]
        for text in texts:
            results[text] = results.get(text, Fraction(0)) + Fraction(1, len(texts) * len(duels))
    return column, results, working


def _gone(table: Table, own: Side, theirs: Side, loser: str) -> str:
    """7.5-b: a side whose last step goes in the duel of armour does not see the combat die."""
    for letter, lost, role in (("A", own, "attacker"), ("D", theirs, "defender")):
        last = (fighters(table, lost.units) or [lost.armour]) == [lost.armour]
        if loser == letter and last and table.position.steps_left(lost.armour) == 1:
            return f"{role} gone"
    return ""


def _left_out(table: Table, side: str, order: Attack) -> list[Working]:
    """What the odds do not count: what the defender could still add (7.6-e), or hides (11.1)."""
    target, enemy = table.grid.hex(order.target), table.enemy(side)
    hidden = table.data.switch["fog"] and not lies_open(table, side, target)
    found = [Working("left out, units under the top of the stack", "not seen", "11.1")] if hidden else []
    tanks = armour_can_fight(table, [place(table, unit) for unit in order.units], target)
    able = markers.usable(table, enemy, units_at(table, target, enemy), tanks)
    if not able:
        return found
    most = row_of(table, type(order))["supports"]
    shifts = sorted((table.data.marker(marker)["shift"] for _, marker in able), reverse=True)
    said = ", ".join(f"{marker} of {hq}" for hq, marker in able)
    most_left = f"up to {sum(shifts[:most])} to the left"
    return [*found, Working(f"left out, support in defence: {said}", most_left, "7.6-e")]


def forecast(table: Table, side: str, order: Attack) -> Forecast:
    """Exact odds, without support in defence. Raises Illegal."""
    check_attack(table, side, order)
    column, results, working = chances(table, side, order)
    held = max(0, min(len(table.data.columns) - 1, column))
    title = f"{', '.join(order.units)} attack {order.target}"
    working += _left_out(table, side, order)
    return Forecast(title, table.data.columns[held], tuple(working), tuple(results.items()))
