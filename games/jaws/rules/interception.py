"""Armor interception (9.11): armor that moves past enemy armor is fired at, and may halt and fire back."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.asks import Ask, Roll, Step
from engine.facts import Fact, Fought, Marked, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, is_a, number, place
from games.jaws.data import Table
from games.jaws.orders.interception import GoOn, HoldFire, Intercept, ReturnFire
from games.jaws.rules.combat.battle import dots
from games.jaws.rules.flak import flak_dots
from games.jaws.rules.losses import lose
from games.jaws.rules.sight import identified
from games.jaws.rules.units import OOS, standing, units_in, upset

INTERCEPTED = "intercepted"  # 9.11-c3: the hexes that have fired at a unit, or at its stack, in this move


@dataclass(frozen=True)
class Passage:
    """Armor that has gone from hex to hex, both next to a hex with enemy armor."""

    side: str  # whose armor passes
    tanks: tuple[str, ...]
    there: Hex
    by: Hex
    also: tuple[Hex, ...] = ()  # 9.11-c3: other hexes passed by this step, which may fire first


def white(table: Table, unit: str) -> int:
    """9.11-p3, 9.11-c1: white dots alone, one less at OOS2 (13.5.2-d)."""
    return dots(table, unit)[0]


def fires(table: Table, unit: str) -> int:
    """9.11-p3: the dots by which a unit intercepts: an 88 has some too, by an option (18.11)."""
    return white(table, unit) if is_a(table, unit, "armor") else flak_dots(table, unit)


def tanks_of(table: Table, units: Sequence[str]) -> tuple[str, ...]:
    return tuple(unit for unit in units if is_a(table, unit, "armor"))


def able(table: Table, side: str, h: Hex) -> list[str]:
    """9.11-c1, 12.17.2-9: the armor in a hex that may fire, the best first."""
    guns = [unit for unit in units_in(table, h, side) if fires(table, unit)]
    fit = [unit for unit in guns if not upset(table, unit)]
    return sorted(fit, key=lambda unit: (-fires(table, unit), -table.position.steps_left(unit), unit))


def _guns(table: Table, side: str, passage: Passage) -> list[str]:
    """9.11-c3: all that may fire at a step, those of the hex that is asked about first."""
    return [unit for h in (passage.by, *passage.also) for unit in able(table, side, h)]


def fired(table: Table, unit: str) -> list[str]:
    """The hexes that have fired at a unit in this move."""
    return str(table.position.mark(unit, INTERCEPTED) or "").split()


def passed_by(table: Table, side: str, units: Sequence[str], here: Hex, there: Hex) -> list[Hex]:
    """9.11, 9.11-c2, 9.11-c3: the enemy hexes that may fire at a side's armor as it takes a step, by their number; for
    all that the mover can see, any hex may hold armor, and so whether one does is not looked at."""
    enemy, open_, rivers = table.enemy(side), table.data.fields_of_fire, table.data.sides("river")
    tanks = tanks_of(table, units)
    if not tanks or not open_ >> here & open_ >> there & 1:
        return []
    near = set(table.grid.neighbours(here)) & set(table.grid.neighbours(there))
    held = [h for h in near if standing(table, enemy) >> h & 1]
    dry = [h for h in held if not crosses(table, rivers, h, here) and not crosses(table, rivers, h, there)]
    fresh = [h for h in dry if not any(number(table, h) in fired(table, unit) for unit in tanks)]
    return sorted(fresh, key=lambda h: number(table, h))


def intercepted(
    table: Table, side: str, units: Sequence[str], here: Hex, there: Hex
) -> Generator[Step, Any, list[str]]:
    """9.11-p1 to p5: every hex that may fire is asked, and each fire answered; gives those who halted."""
    halted: list[str] = []
    enemy = table.enemy(side)
    left = passed_by(table, side, units, here, there)
    while left:
        tanks = tuple(unit for unit in tanks_of(table, units) if table.position.hex_of(unit) == there)
        if not tanks:
            break
        passage = Passage(side, tanks, there, left[0], tuple(left[1:]) if able(table, enemy, left[0]) else ())
        if _guns(table, enemy, passage):
            yield from identified(table, tanks, enemy)
        order = yield _ask(table, passage)
        if not isinstance(order, Intercept):
            left.remove(passage.by)
            continue
        order = _usual(table, passage, order)
        h = place(table, order.unit)
        left.remove(h)
        yield from identified(table, (order.unit,), side)
        yield from _noted(table, units, h)
        if (yield from _exchange(table, replace(passage, by=h), order.unit, order.target)):
            halted.append(order.target)
        yield from _starved(table, (order.unit, order.target))
    return halted


def _noted(table: Table, units: Sequence[str], h: Hex) -> Iterator[Fact]:
    """9.11-c3"""
    for unit in units:
        if table.position.hex_of(unit) is not None:
            hexes = " ".join([*fired(table, unit), number(table, h)])
            yield Noted(subject=unit, mark=INTERCEPTED, value=hexes, because="9.11-c3")


def _starved(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """9.9.5, 13.4.1-d: this is combat too, and whoever fought in it at OOS1 is at OOS2 after it."""
    for unit in units:
        if table.position.hex_of(unit) is not None and table.position.mark(unit, OOS) == 1:
            yield Marked(subject=unit, mark=OOS, value=2, because="13.4.1-d")


def _exchange(table: Table, passage: Passage, unit: str, target: str) -> Generator[Step, Any, bool]:
    """9.11-p3 to p5; gives whether the mover halted to fire back."""
    yield from _shot(table, "interception", unit, target, passage.there, "9.11-p3")
    if table.position.hex_of(target) is None or not white(table, target):
        return False
    order = yield _return_ask(table, passage, unit, target)
    if not isinstance(order, ReturnFire):
        return False
    yield from _shot(table, "return fire", target, unit, passage.by, "9.11-p5")
    return True


def _shot(table: Table, kind: str, unit: str, target: str, at: Hex, case: str) -> Generator[Step, Any, None]:
    """9.11-p3: a die of no more than its white dots costs the target a step."""
    spot, count = number(table, at), fires(table, unit)
    colour = "white" if is_a(table, unit, "armor") else "black"
    die: int = yield Roll(f"{kind} of {unit} at {target}")
    hit = die <= count
    yield Fought(
        kind=kind, attackers=(unit,), defenders=(target,), targets=(spot,),
        column=f"{count} {colour} {'dot' if count == 1 else 'dots'}", decided=(("die", str(die)),),
        result="a step lost" if hit else "missed", because=case,
    )  # fmt: skip
    if hit:
        yield from lose(table, target, 1, case)


# The other side is asked


def _usual(table: Table, passage: Passage, order: Intercept) -> Intercept:
    """What is not named: the best of the interceptors, if there is one, at the best of the armor."""
    unit = order.unit or next(iter(able(table, table.enemy(passage.side), passage.by)), "")
    target = order.target or max(passage.tanks, key=lambda tank: (white(table, tank), tank))
    return Intercept(target=target, unit=unit)


def _default(table: Table, passage: Passage) -> Order:
    """A careful player fires, but not with a last step at armor that may well take it."""
    order = _usual(table, passage, Intercept())
    if not order.unit:
        return HoldFire()
    caution = table.data.tables["interception"]["caution"]
    risky = table.position.steps_left(order.unit) == 1 and white(table, order.target) >= caution
    return HoldFire() if risky else order


def _check(table: Table, passage: Passage, order: Order) -> None:
    """9.11-p2: one unit of the hex, or of another that may fire, at one of the armor that moves. Raises Illegal."""
    if not isinstance(order, Intercept):
        return
    enemy, spot = table.enemy(passage.side), number(table, passage.by)
    meant = _usual(table, passage, order)
    if not meant.unit:
        raise Illegal("9.11-p2", f"nobody in {spot} can intercept", at=spot, instead="Write `hold fire`")
    if meant.unit not in _guns(table, enemy, passage):
        case = "9.11-p2"
        if meant.unit in units_in(table, passage.by, enemy):
            case = "12.17.2-9" if upset(table, meant.unit) else "9.11-c1"
        raise Illegal(case, f"{meant.unit} cannot intercept from {spot}", unit=meant.unit, at=spot, instead="These can",
                      alternatives=_guns(table, enemy, passage))  # fmt: skip
    if meant.target not in passage.tanks:
        raise Illegal("9.11-p2", f"{meant.target} is no armor that passes {spot}", unit=meant.target, at=spot,
                      instead="These pass", alternatives=passage.tanks)  # fmt: skip


def _question(table: Table, passage: Passage, units: Sequence[str]) -> str:
    """In words; who has nobody that can fire is not told who passes."""
    by, there = number(table, passage.by), number(table, passage.there)
    if not units:
        return f"armor passes {by} into {there}, where nobody of yours can fire; the enemy does not know that"
    verb = "passes" if len(passage.tanks) == 1 else "pass"
    return f"{', '.join(passage.tanks)} {verb} {by} into {there}: may {', '.join(units)} fire"


def _others(table: Table, side: str, passage: Passage) -> str:
    said = [f"{', '.join(units)} in {number(table, h)}" for h in passage.also if (units := able(table, side, h))]
    return f"; or first {' or '.join(said)}" if said else ""


def _ask(table: Table, passage: Passage) -> Ask:
    """Asked whoever stands there, so that a pause, or where a trial ends, tells the mover nothing."""
    enemy = table.enemy(passage.side)
    seen, spot = table.seen_by(enemy), number(table, passage.by)
    units = able(seen, enemy, passage.by)
    pairs = [Intercept(target=tank, unit=unit) for unit in _guns(seen, enemy, passage) for tank in passage.tanks]
    best = _usual(seen, passage, Intercept())
    dots_of = (fires(seen, best.unit), white(seen, best.target)) if units else (0, 0)
    return Ask(
        side=enemy,
        name="intercept",
        subject=spot,
        prompt=_question(table, passage, units) + _others(seen, enemy, passage),
        verbs=(Intercept, HoldFire),
        check=partial(_check, seen, passage),
        offers=lambda: [*map(whole, pairs), Choice(HoldFire)],
        default=lambda: _default(seen, passage),
        case="9.11",
        reaction=True,
        units=tuple(units),
        amounts=tuple(zip(("dots", "target"), dots_of, strict=True)),
        supposed=HoldFire,
        fit=lambda order: _usual(seen, passage, order) if isinstance(order, Intercept) else order,
    )


def _return_ask(table: Table, passage: Passage, unit: str, target: str) -> Ask:
    seen = table.seen_by(passage.side)
    return Ask(
        side=passage.side,
        name="return fire",
        subject=number(table, passage.by),
        prompt=f"{unit} in {number(table, passage.by)} has fired at {target}: halt it and fire back",
        verbs=(ReturnFire, GoOn),
        offers=lambda: [Choice(GoOn), Choice(ReturnFire)],
        default=GoOn,
        case="9.11-p4",
        passable=True,
        units=(target,),
        amounts=(("dots", white(seen, target)), ("target", fires(seen, unit))),
    )
