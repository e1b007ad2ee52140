"""The Breakthrough Segment (12.1.4): who broke through moves a hex, or attacks once more."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Halted, Marked, Moved, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, number, numbers, path_numbers, place
from engine.rules.marks import marked, wipe
from games.jaws.data import Table
from games.jaws.orders.combat import Attack, Exploit
from games.jaws.orders.turn import End
from games.jaws.rules.barrage.markers import barred
from games.jaws.rules.boundary import allowed, check_end
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.attack import SEGMENT_MARKS
from games.jaws.rules.combat.battle import (
    BREAKTHROUGH,
    BROKE_OUT,
    HIT,
    PAID,
    SEGMENT,
    Battle,
    could_step,
    defended,
    defenders_in,
)
from games.jaws.rules.combat.defenders import chosen
from games.jaws.rules.combat.fight import fought, met
from games.jaws.rules.combat.holding import declared_holding
from games.jaws.rules.combat.odds import defenders_of
from games.jaws.rules.escorts import check_escorts, torn
from games.jaws.rules.ground import passed
from games.jaws.rules.march import arrived
from games.jaws.rules.mines import GUN, crossed, meets, mined
from games.jaws.rules.stacking import breach
from games.jaws.rules.units import standing, units_in


def breakthrough_segment(table: Table, side: str) -> Procedure:
    """12.1.4: in any order, until nobody with a marker is left or wants to."""
    while through(table, side):
        order = yield _ask(table, side)
        if isinstance(order, End):
            break
        if isinstance(order, Exploit):
            yield from _exploit(table, side, order)
        else:
            yield from _attack(table, side, order.alone())
    yield from wipe(table, (BREAKTHROUGH, *SEGMENT_MARKS), "12.1.4")


def through(table: Table, side: str) -> list[str]:
    """Those with a Breakthrough marker."""
    here = table.position.hex_of
    return [u for u in marked(table, BREAKTHROUGH) if table.unit(u).side == side and here(u) is not None]


# 12.1.4-A


def open_to(table: Table, side: str, units: Sequence[str]) -> list[str]:
    """12.1.4-A: the hexes that units of one hex may go to: terrain, no river at all, no over-stacking; 15.3.2-M4: guns
    across no minefield hexside."""
    start = place(table, units[0])
    enemy, rivers = standing(table, table.enemy(side)), table.data.sides("river")
    near = allowed(table, side, units, start)
    found = [
        h
        for h in table.grid.neighbours(start)
        if near >> h & ~enemy >> h & 1
        and not crosses(table, rivers, start, h)
        and all(could_step(table, unit, start, h) for unit in units)
        and not (mined(table, start, h) and any(meets(table, unit) == GUN for unit in units))
        and breach(table, side, [*units_in(table, h, side), *units], h) is None
    ]
    return numbers(table, hexset.of(found))


def _exploit(table: Table, side: str, order: Exploit) -> Generator[Step, Any, None]:
    there = table.grid.hex(order.to)
    for unit in order.units:
        path = yield from as_far(table, (unit,), (place(table, unit), there))
        if len(path) < 2:
            continue
        yield Moved(unit=unit, path=path_numbers(table, path), how="breakthrough", because="12.1.4-A")
        yield Marked(subject=unit, mark=BREAKTHROUGH, value=None, because="12.1.4-A")
        yield Noted(subject=unit, mark=BROKE_OUT, because="9.8")
        yield from passed(table, side, path)
        yield from crossed(table, (unit,), *path)
    if any(table.position.hex_of(unit) == there for unit in order.units):
        yield from arrived(table, side, there)


def _check_exploit(table: Table, side: str, order: Exploit) -> None:
    """Raises Illegal."""
    able = through(table, side)
    for unit in order.units:
        if unit not in able:
            raise Illegal("12.1.4", f"{unit} has no Breakthrough marker", unit=unit, alternatives=able)
    check_escorts(table, dict.fromkeys(order.units, order.to))
    if len({place(table, unit) for unit in order.units}) > 1:
        raise Illegal("12.1.4-A", "units of several hexes move one hex after another", unit=order.units[0])
    check_end(table, side, order.units, place(table, order.units[0]), table.grid.hex(order.to))
    spots = open_to(table, side, order.units)
    if order.to not in spots:
        raise Illegal("12.1.4-A", f"{', '.join(order.units)} may not go to {order.to}", at=order.to,
                      instead="They may go to", alternatives=spots)  # fmt: skip


# 12.1.4-B


def _targets(table: Table, side: str, h: Hex) -> list[Hex]:
    """12.3.3: the enemy hexes next to a hex that were not attacked in this segment."""
    enemy, shut = table.enemy(side), table.data.shut
    near = [t for t in table.grid.neighbours(h) if not shut[table.grid.direction(h, t) or 0] >> h & 1]
    fresh = [t for t in near if defended(table, enemy, t) and _fresh(table, defenders_in(table, enemy, t))]
    here = [unit for unit in through(table, side) if place(table, unit) == h]
    return [t for t in fresh if not here or any(not barred(table, unit, t) for unit in here)]  # 17.1.2-b


def _fresh(table: Table, units: Sequence[str]) -> bool:
    return all(table.position.mark(unit, HIT) != SEGMENT for unit in units)


def battle_of(table: Table, side: str, order: Attack) -> Battle:
    """12.1.4-B: those with a marker in the hexes named, together or without some. Raises Illegal."""
    if order.guns or order.engineer or order.air:
        raise Illegal("12.1.4-B4", "neither artillery nor air nor engineers support a breakthrough combat")
    if order.by or order.unpaid or order.unsupported:
        raise Illegal("12.1.4-B3", "it is supported as the first attack was, at no price", instead="Say nothing of it")
    targets = tuple(table.grid.hex(spot) for spot in dict.fromkeys(order.targets))
    if len(targets) > 1:
        raise Illegal("12.1.4-B1", "a breakthrough combat is against one hex", at=order.targets[1],
                      instead="Attack them one after another, each with other units")  # fmt: skip
    able, units = through(table, side), list[str]()
    for spot in dict.fromkeys(order.origins):
        h = table.grid.hex(spot)
        there = [unit for unit in able if place(table, unit) == h and unit not in order.without]
        units += [unit for unit in there if not any(barred(table, unit, target) for target in targets)]
        for target in targets:
            if target not in _targets(table, side, h):
                near = [number(table, other) for other in _targets(table, side, h)]
                case = "17.1.2-b" if any(barred(table, unit, target) for unit in there) else "12.3.3"
                raise Illegal(case, f"{number(table, target)} cannot be attacked from {spot} now", at=spot,
                              instead="From there", alternatives=near)  # fmt: skip
    if not units:
        raise Illegal("12.1.4-B1", "nobody there has a Breakthrough marker", at=order.origins[0], alternatives=able)
    paid = frozenset(unit for unit in units if table.position.mark(unit, BREAKTHROUGH) == PAID)
    return Battle(side, tuple(units), targets, defenders_of(table, side, targets), paid, segment=SEGMENT)


def _attack(table: Table, side: str, order: Attack) -> Generator[Step, Any, None]:
    try:
        battle = battle_of(table, side, order)
    except Illegal as refusal:  # what only the truth forbids
        units = battle_of(table.seen_by(side), side, order).units
        yield from _unmarked(units)
        yield Halted(unit=units[0], at=order.origins[0], why=refusal.problem, because=refusal.case)
        return
    yield from _unmarked(battle.units)
    battle = yield from chosen(table, battle)
    yield from met(table, battle)
    battle = yield from declared_holding(table, battle)
    yield from fought(table, battle)


def _unmarked(units: Sequence[str]) -> Iterator[Fact]:
    for unit in units:
        yield Marked(subject=unit, mark=BREAKTHROUGH, value=None, because="12.1.4-B6")
        yield Noted(subject=unit, mark=BROKE_OUT, because="9.8")


# The ask


def _check(table: Table, side: str, order: Order) -> None:
    if isinstance(order, Exploit):
        _check_exploit(table, side, order)
    elif isinstance(order, Attack):
        battle_of(table, side, order.alone())


def _choices(table: Table, side: str) -> list[Choice]:
    found = [Choice(End)]
    stacks: dict[Hex, list[str]] = {}
    for unit in through(table, side):
        stacks.setdefault(place(table, unit), []).append(unit)
    for h, units in stacks.items():
        groups = dict.fromkeys([(unit,) for unit in units] + [tuple(units)])
        found += [
            pick(Exploit, "to", partial(open_to, table, side, group), units=group)
            for group in groups
            if open_to(table, side, group) and torn(table, dict.fromkeys(group, "")) is None
        ]
        origin = (number(table, h),)
        found += [Choice(Attack, {"targets": (number(table, t),), "origins": origin}) for t in _targets(table, side, h)]
    return found


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    return Ask(
        side=side,
        name="breakthrough",
        subject=side,
        prompt=f"{', '.join(through(table, side))} broke through: a hex or an attack each; `end` closes the segment",
        verbs=(Exploit, Attack, End),
        check=partial(_check, seen, side),
        offers=partial(_choices, seen, side),
        default=End,
        case="12.1.4",
        top=True,
    )
