"""Combat results (7.7): each owner splits his number into steps and hexes, the defender first."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import path_numbers
from engine.rules.retreat import Way
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Hold, Lose, Retreat
from games.korsun_vv.rules.ground import alive
from games.korsun_vv.rules.losses import Losses, Payers, bearers, check_losses, loss_ways, steps, suffer, usual_losses
from games.korsun_vv.rules.markers import STUG
from games.korsun_vv.rules.retreat import Flight, flight, go, hurt, stranded, ways


@dataclass(frozen=True)
class Verdict:
    """A number that falls on a side's units."""

    payers: Payers
    number: int
    least: int  # steps that must be lost (7.7-c, 7.7-d)
    stays: bool  # no retreat at all (7.7-e)
    role: str
    spot: str  # the hex the combat is about
    active: bool


@dataclass(frozen=True)
class Outcome:
    """What a side did about its number."""

    lost: int = 0
    went: bool = False
    ways: tuple[Way, ...] = ()
    stug: bool = False


def suffer_result(table: Table, verdict: Verdict) -> Generator[Step, Any, Outcome]:
    """7.7-b: losses first, then the retreat."""
    payers = verdict.payers
    if verdict.number == 0:
        return Outcome()
    order: Order = (yield _ask(table, verdict)) if _has_choice(table, verdict) else _default(table, verdict)
    losses = _losses(table, verdict, order)
    paid = sum(number for unit, number in losses if unit != STUG)
    chosen = _flight(table.seen_by(payers.side), verdict, order, losses) if isinstance(order, Retreat) else {}
    yield from suffer(table, losses, "7.7-b")
    yield from go(table, payers.side, chosen)
    found = tuple(dict.fromkeys(way for way in chosen.values() if way is not None))
    return Outcome(paid, bool(chosen), found, (STUG, 1) in losses)


def _has_choice(table: Table, verdict: Verdict) -> bool:
    """Whether anything is left to say: to stay or to go, whose steps, or a StuG's."""
    payers = verdict.payers
    if not verdict.stays and verdict.least < verdict.number:
        return True
    whose = len(bearers(table, payers)) > 1 and verdict.number < steps(table, payers)
    return whose or (payers.stug and verdict.number > 1)


def _losses(table: Table, verdict: Verdict, order: Order) -> Losses:
    """What the order gives in steps: what it names, or the usual, or what must be."""
    assert isinstance(order, Hold | Retreat)
    guns: Losses = ((STUG, 1),) if order.stug else ()
    if order.losses:
        return (*order.losses, *guns)
    number = verdict.number if isinstance(order, Hold) else verdict.least
    return (*usual_losses(table, verdict.payers, number - len(guns)), *guns)


def _order(kind: type[Hold] | type[Retreat], losses: Losses) -> Order:
    """The order that gives these steps."""
    named = tuple(loss for loss in losses if loss[0] != STUG)
    return kind(losses=named, stug=len(named) < len(losses))


def _flight(table: Table, verdict: Verdict, order: Retreat, losses: Losses) -> Flight:
    """Where the survivors go. Raises Illegal."""
    hexes = verdict.number - sum(number for _, number in losses)
    given = dict(losses)
    left = tuple(u for u in alive(table, verdict.payers.units) if given.get(u, 0) < table.position.steps_left(u))
    if hexes < 1 or not set(left) & set(bearers(table, verdict.payers)):
        raise Illegal("7.7-b", "nobody would be left to retreat", at=verdict.spot, instead="Write `hold`")
    return flight(table, left, hexes, table.grid.hex(verdict.spot), order.paths)


def check_result(table: Table, verdict: Verdict, order: Order) -> None:
    """Raises Illegal."""
    losses = _losses(table, verdict, order)
    if isinstance(order, Hold):
        check_losses(table, verdict.payers, losses, verdict.number)
        return
    assert isinstance(order, Retreat)
    if verdict.stays:
        problem = "the defender stands, so the attacker takes his whole number in steps"
        raise Illegal("7.7-e", problem, at=verdict.spot, instead="Write `hold`")
    check_losses(table, verdict.payers, losses, sum(number for _, number in losses))
    for unit, _ in order.paths:
        if unit not in verdict.payers.units:
            raise Illegal("7.7.1-a", f"{unit} is not in this combat", unit=unit, instead="These are",
                          alternatives=alive(table, verdict.payers.units))  # fmt: skip
    _flight(table, verdict, order, losses)


# The ask


def _ask(table: Table, verdict: Verdict) -> Ask:
    payers = verdict.payers
    seen = table.seen_by(payers.side)
    kind = "result" if verdict.active else "attacked"
    must = f", at least {verdict.least} in steps" if verdict.least and not verdict.stays else ""
    either = "step or hex of retreat" if verdict.number == 1 else "steps or hexes of retreat"
    ways_ = "in steps: who" if verdict.stays else either
    units, warning = ", ".join(alive(table, payers.units)), _warning(seen, verdict)
    return Ask(
        side=payers.side,
        name=kind,
        subject=verdict.spot,
        prompt=f"the {verdict.role} ({units}) must take {verdict.number} {ways_}{must}{warning}",
        verbs=(Hold, Retreat),
        check=lambda order: check_result(seen, verdict, order),
        offers=lambda: _choices(seen, verdict),
        default=lambda: _default(seen, verdict),
        case="7.7-b",
        passable=True,
        units=payers.units,
        amounts=(("losses", verdict.number), ("steps", steps(table, payers))),
        fit=lambda order: _fitted(seen, verdict, order),
    )


def _fitted(table: Table, verdict: Verdict, order: Order) -> Order:
    """What was said before the number was known: to lose steps is to hold, and those named are filled up."""
    if not isinstance(order, Lose | Hold) or (order.bare and isinstance(order, Hold)):
        return order
    guns = isinstance(order, Hold) and order.stug
    return Hold(losses=usual_losses(table, verdict.payers, verdict.number - guns, order.losses), stug=guns)


def _warning(table: Table, verdict: Verdict) -> str:
    """7.7.1-h: who would be left behind by the longest retreat, said before it is chosen."""
    length = verdict.number - verdict.least
    if verdict.stays or not length:
        return ""
    left = alive(table, verdict.payers.units)
    lost = stranded(table, left, length, table.grid.hex(verdict.spot))
    if not lost:
        return ""
    hexes = f"{length} hex" if length == 1 else f"{length} hexes"
    fate = "nobody can go" if len(lost) == len(left) else f"{', '.join(lost)} would be lost in a retreat of"
    return f"; {fate} {hexes}"


def _default(table: Table, verdict: Verdict) -> Order:
    """The attacker holds; the defender goes if he can do so unhurt, and holds otherwise."""
    if not verdict.active and not verdict.stays and verdict.least < verdict.number:
        order = Retreat()
        if passes(check_result, table, verdict, order):
            chosen = _flight(table, verdict, order, _losses(table, verdict, order))
            unhurt = all(way and not hurt(table, verdict.payers.side, way) for way in chosen.values())
            if unhurt:
                return order
    return Hold()


def _choices(table: Table, verdict: Verdict) -> list[Choice]:
    payers = verdict.payers
    found: list[Order] = [_order(Hold, losses) for losses in loss_ways(table, payers, verdict.number)]
    if not verdict.stays:
        for given in range(verdict.least, verdict.number):
            spreads = loss_ways(table, payers, given)[:3] if given else [()]
            for losses in spreads:
                order = _order(Retreat, losses)
                if passes(check_result, table, verdict, order):
                    found.append(order)
        found += _other_ways(table, verdict)
    return [whole(order) for order in found]


def _other_ways(table: Table, verdict: Verdict) -> list[Order]:
    """A unit alone may be offered each of its ways; a stack goes by the safest unless it says otherwise."""
    left = alive(table, verdict.payers.units)
    if len(left) != 1 or verdict.least:
        return []
    able = ways(table, left[0], verdict.number, table.grid.hex(verdict.spot), {}, left)
    return [Retreat(paths=((left[0], path_numbers(table, way[1:])),)) for way in able[1:4]]
