"""Forecasts: what an attack would come to before the defender has said anything."""

from typing import NamedTuple

from engine.forecast import Forecast, Working, even_chances, outlook
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import place, units_at
from games.korsun_vv.data import Result, Table
from games.korsun_vv.orders import Attack, Defend
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.combat import check_attack, on_the_die, row_of
from games.korsun_vv.rules.defence import Side, declared, stars_of
from games.korsun_vv.rules.ground import fighters
from games.korsun_vv.rules.odds import Odds, armour_can_fight, armour_met, combined_arms, odds, quality
from games.korsun_vv.rules.sight import lies_open


class Prospect(NamedTuple):
    """An attack before the defender has said anything: both sides, the column, the die, how armour may shift it."""

    own: Side
    theirs: Side
    odds: Odds
    column: int
    quality: int
    arms: int
    duels: list[tuple[int, str]]


def prospect(table: Table, side: str, order: Attack) -> Prospect:
    """The attack as declared against a defence without support. Raises Illegal."""
    target, enemy = table.grid.hex(order.target), table.enemy(side)
    most = row_of(table, type(order))["supports"]
    tanks = armour_can_fight(table, [place(table, unit) for unit in order.units], target)
    own = declared(table, side, order.units, order, most, tanks)
    theirs = declared(table, enemy, units_at(table, target, enemy), Defend(), most, tanks)
    found = odds(table, order.units, target)
    difference = quality(table, own.quality) - quality(table, theirs.quality)
    duels = [(0, "")]
    if armour_met(table, own.units, theirs.units):
        gap = stars_of(table, own) - stars_of(table, theirs)
        duels = [table.data.armour(gap, die) for die in range(1, 7)]
    column = found.column + markers.shift(table, own.supports)
    return Prospect(own, theirs, found, column, difference, combined_arms(table, order.units), duels)


def _gone(table: Table, found: Prospect, loser: str) -> str:
    """7.5-b: a side whose last step goes in the duel of armour does not see the combat die."""
    for letter, lost, role in (("A", found.own, "attacker"), ("D", found.theirs, "defender")):
        last = (fighters(table, lost.units) or [lost.armour]) == [lost.armour]
        if loser == letter and last and table.position.steps_left(lost.armour) == 1:
            return f"{role} gone"
    return ""


def _working(table: Table, found: Prospect) -> list[Working]:
    working = [*found.odds.working]
    for hq, marker in found.own.supports:
        row = table.data.marker(marker)
        working.append(Working(f"{marker} of {hq}", f"{row['shift']} to the right", row["case"]))
    working += on_the_die(found.own, found.theirs, found.quality, found.arms)
    if len(found.duels) > 1:
        stars = [f"{side.armour} {stars_of(table, side)}" for side in (found.own, found.theirs)]
        shifts = [shift for shift, _ in found.duels]
        spread = f"{min(shifts):+} to {max(shifts):+} columns"
        working.append(Working(f"armour superiority, {' against '.join(stars)}", spread, "7.5-a"))
    return working


def _left_out(table: Table, side: str, order: Attack, hidden: bool) -> list[Working]:
    """What the odds do not count: what the defender could still add (7.6-e), or hides (11.1)."""
    target, enemy = table.grid.hex(order.target), table.enemy(side)
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


def _means(result: Result, steps: int, loser: str) -> tuple[bool, bool, bool]:
    """7.7: clears the hex if the defender has so few steps, or if he may go and does; costs the attacker."""
    dead = 0 < steps <= result.defender
    return dead, dead or result.defender > result.defender_star, result.attacker > 0 or loser == "A"


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """What an attack would come to: exact odds, without support in defence. Raises Illegal."""
    if not isinstance(order, Attack):
        raise Illegal("7.1-a", "only attacks have odds", instead="Write `attack HEX with UNITS`")
    check_attack(table, side, order)
    found = prospect(table, side, order)
    hidden = bool(table.data.switch["fog"]) and not lies_open(table, side, table.grid.hex(order.target))
    strong = fighters(table, found.theirs.units) or found.theirs.units
    steps = 0 if hidden else sum(table.position.steps_left(unit) for unit in strong)
    fates: list[tuple[str, str]] = []
    meanings = {"A attacker gone": (False, False, True), "D defender gone": (True, True, False)}
    for shift, loser in found.duels:
        for die in range(1, 7):
            result = table.data.result(found.column + shift, die + found.quality + found.arms)
            text = _gone(table, found, loser) or result.text
            fates.append((f"{loser} {text}", text))
            meanings.setdefault(fates[-1][0], _means(result, steps - (loser == "D"), loser))
    return Forecast(
        f"{', '.join(order.units)} attack {order.target}",
        table.data.columns[table.data.held(found.column)],
        (*_working(table, found), *_left_out(table, side, order, hidden)),
        even_chances([text for _, text in fates]),
        outlook(even_chances([fate for fate, _ in fates]), meanings.__getitem__),
    )
