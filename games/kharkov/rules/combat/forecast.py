"""What a German attack would come to: exact over the chits that are left, if all that may be drawn are drawn."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from engine.facts import Fact, Moved
from engine.forecast import Forecast, Outlook, Working
from engine.rules.ground import number, path_numbers, place
from engine.rules.pools import in_pool
from games.kharkov.data import Table
from games.kharkov.orders import Attack
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.battle_report import column, working
from games.kharkov.rules.combat.cup_odds import Hits, Odds, draw_odds, summed
from games.kharkov.rules.combat.declaration import check_attack, combat_of, help_of, tactics_played
from games.kharkov.rules.combat.retreat import Flight, most_hexes, soviet_plan
from games.kharkov.rules.combat.situation import Combat, defenders, drawn, in_support, is_weak, required
from games.kharkov.rules.combat.soviet_defence import DIE, hold_chance
from games.kharkov.rules.ground import IP, bears, is_ready, steps
from games.kharkov.rules.towns import off


def forecast_attack(table: Table, order: Attack) -> Forecast:
    """The chances of hits with all chits drawn, before the Soviets draw a card. Raises Illegal."""
    check_attack(table, order)
    then, combat = _declared(table, order)
    least, most = required(then, combat), drawn(then, combat)
    odds = hit_odds(then, combat, most)
    lines = [*working(then, combat), *hits.changes(then, combat), *_means(then, combat), *_left_out(then, combat)]
    before = ((f"with the {_chits(least)} required", _chances(hit_odds(then, combat, least))),) if least < most else ()
    return Forecast(
        f"attack on {order.target}", column(then, combat), tuple(lines), _chances(odds), _outlook(then, combat, odds),
        f"with {'all ' if before else ''}{_chits(most)}", before,
    )  # fmt: skip


def forecast_draw(table: Table, combat: Combat, here: Sequence[str], more: int) -> Forecast:
    """12.4-b: what so many more chits come to, with those that are drawn already."""
    odds = hit_odds(table, combat, more, here)
    now = hits.reduced(table, combat, *hits.raw(table, combat, here, len(here)))
    lines = (
        Working(f"{_chits(len(here))} drawn already, hits", f"A{now[0]} D{now[1]}", "12.4"),
        Working("chits left in the cup", str(len(in_pool(table, chits.CUP))), "12.4"),
    )
    title = f"{_chits(more)} more on {number(table, combat.target)}"
    counted = f"with {_chits(more)} more"
    return Forecast(title, column(table, combat), lines, _chances(odds), _outlook(table, combat, odds), counted)


def _chits(number_: int) -> str:
    return f"{number_} chit{'' if number_ == 1 else 's'}"


def _chances(odds: Odds) -> tuple[tuple[str, Fraction], ...]:
    return tuple((f"A{a} D{d}", chance) for (a, d), chance in sorted(odds.items()))


def _declared(table: Table, order: Attack) -> tuple[Table, Combat]:
    """The combat after step 2: tactics applied, and who joins by them come."""
    combat = combat_of(table, order)
    tactics, joining = tactics_played(table, combat, order), help_of(table, combat, order)
    happened: list[Fact] = []
    for unit in joining.far:
        path = path_numbers(table, (place(table, unit), joining.into))
        happened.append(Moved(unit=unit, path=path, because="TAC.reinforce"))
    if "combat engineers" in tactics and bears(table, combat.target, IP):
        happened.append(off(table, combat.target, IP, "14.24"))
    combat.attack_tactics += tactics
    combat.extra = len(tactics)
    combat.attackers += [*joining.near, *joining.far]
    combat.joined.update(joining.near, joining.far)
    return (table.suppose(happened) if happened else table), combat


def hit_odds(table: Table, combat: Combat, number_: int, here: Sequence[str] = ()) -> Odds:
    """12.4, 12.5, 12.51: the chance of each pair of hit totals with so many chits, and those that lie here already."""
    every = number_ + len(here)
    now = chits.circumstances(table, combat, every)
    rows = table.data.tables["chits"]

    def worth(name: str) -> Hits:
        return chits.hits_of(chits.kept_side(rows[name], now), combat.side)

    cup = in_pool(table, chits.CUP)
    bright = [worth(name) for name in cup if not rows[name]["dark"]]
    dark = [worth(name) for name in cup if rows[name]["dark"]]
    out = [worth(name) for name in in_pool(table, chits.DRAWN)]
    base_a, base_d = hits.raw(table, combat, here, every)
    odds = draw_odds(bright, dark, out, number_)
    return summed((hits.reduced(table, combat, a + base_a, d + base_d)[:2], chance) for (a, d), chance in odds.items())


def _means(table: Table, combat: Combat) -> list[Working]:
    """What to expect of the required chits alone, and of all."""
    least, most = required(table, combat), drawn(table, combat)
    found = []
    for number_ in dict.fromkeys((least, most)):
        odds = hit_odds(table, combat, number_)
        a, d = (float(sum(chance * pair[of] for pair, chance in odds.items())) for of in (0, 1))
        found.append(Working(f"with {_chits(number_)}, hits expected", f"A {a:.1f} D {d:.1f}", "12.4-b"))
    return found


def _left_out(table: Table, combat: Combat) -> list[Working]:
    ready = any(is_ready(table, unit) for unit in defenders(table, combat))
    if is_weak(table, combat) or not ready or not in_support(table, combat):
        return [Working("no Soviet card is drawn", "weak, or nobody to use it", "12.3-c")]
    return [Working("left out, the card that the Soviets draw", "unknown", "12.3-c")]


def _outlook(table: Table, combat: Combat, odds: Odds) -> Outlook:
    """12.53: how likely the hex is cleared, Hold Checks counted; the defender has no choice."""
    cleared = sum((chance * _clears(table, combat, d) for (_, d), chance in odds.items()), Fraction(0))
    cost = sum((chance for (a, _), chance in odds.items() if a), Fraction(0))
    return Outlook(cleared, cleared, cost)


def _clears(table: Table, combat: Combat, d: int) -> Fraction:
    """The chance that so many hits clear the hex: by elimination, or a retreat at one of the hits."""
    units = defenders(table, combat)
    size = steps(table, units)
    limit = most_hexes(table, units, combat.defence_tactics)
    plan = partial(soviet_plan, table, [(units, combat.target)], combat.target, second=False)
    staying = Fraction(1)
    for lost in range(min(d, size)):
        left = d - lost
        way = plan(through=limit > 1 and left > 1) if limit else []
        if left >= size - lost:
            return Fraction(1)
        if not way:
            continue
        costs = any(chosen.best.costs for _, chosen in way)
        hold = sum(hold_chance(table, combat, units, Flight(), costs=costs).values()) - lost
        staying *= Fraction(min(DIE, max(0, hold)), DIE)
    return 1 - staying
