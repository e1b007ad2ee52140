"""Step losses (10.5): who takes them, and what that does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Eliminated, Fact, StepLost
from engine.orders.choice import Choice
from engine.orders.usual import Losses
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.losses import filled, spreads
from games.manstein.data import Table
from games.manstein.orders import Lose
from games.manstein.rules.crossings import settle
from games.manstein.rules.ground import AXIS, is_hq
from games.manstein.rules.headquarters import must_relocate
from games.manstein.rules.victory import add, worth


@dataclass(frozen=True)
class Toll:
    """A side that must lose steps among some units."""

    side: str
    units: tuple[str, ...]
    number: int
    role: str  # "attacker" or "defender"


def eliminate(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """The unit is removed, and the Soviets score for an Axis one."""
    yield Eliminated(unit=unit, at=table.position.where[unit], because=case)
    if table.unit(unit).side == AXIS:
        gained, why = worth(table, unit)
        yield from add(table, "vp_destroyed", gained, why)
        yield from settle(table)


def lose_step(table: Table, unit: str, steps: int, case: str) -> Procedure:
    """2.2.3, 14.1(2): down so many steps; an HQ is relocated instead."""
    if is_hq(table, unit):
        yield from must_relocate(table, unit, "14.1(2)")
    elif steps >= table.position.steps_left(unit):
        yield from eliminate(table, unit, case)
    else:
        yield StepLost(unit=unit, steps=steps, because=case)


def take_losses(table: Table, toll: Toll) -> Procedure:
    """10.5: the owner spreads the losses as he likes; what goes beyond the steps present is ignored."""
    have = sum(table.position.steps_left(unit) for unit in toll.units)
    toll = replace(toll, number=min(toll.number, have))
    order = _default(table, toll)
    if len(toll.units) > 1 and 0 < toll.number < have:
        order = yield _ask(table, toll)
    for unit, steps in order.losses:
        yield from lose_step(table, unit, steps, "10.5")


def _ask(table: Table, toll: Toll) -> Ask:
    seen = table.seen_by(toll.side)
    spots = " ".join(dict.fromkeys(number(table, place(table, unit)) for unit in toll.units))
    steps = "a step" if toll.number == 1 else f"{toll.number} steps"
    return Ask(
        side=toll.side,
        name="loss",
        subject=spots,
        prompt=f"the {toll.role} in {spots} ({', '.join(toll.units)}) loses {steps}: who",
        verbs=(Lose,),
        check=partial(_check, seen, toll),
        offers=partial(_choices, seen, toll),
        default=lambda: _default(seen, toll),
        case="10.5",
        passable=True,
        units=toll.units,
        amounts=(("losses", toll.number),),
        fit=lambda order: _default(seen, toll, order.losses) if isinstance(order, Lose) else order,
    )


def _check(table: Table, toll: Toll, order: Lose) -> None:
    for unit, steps in order.losses:
        if unit not in toll.units:
            raise Illegal("10.5", f"{unit} takes no part in this result", unit=unit, instead="It falls on",
                          alternatives=toll.units)  # fmt: skip
        have = table.position.steps_left(unit)
        if steps > have:
            raise Illegal("10.5", f"{unit} has only {have} of the {steps} steps", unit=unit,
                          instead="Write", alternatives=_said(table, toll))  # fmt: skip
    given = sum(steps for _, steps in order.losses)
    if given != toll.number:
        who = ", ".join(toll.units)
        raise Illegal("10.5", f"{toll.number} steps must be lost in all by {who}, not {given}",
                      instead="Write", alternatives=_said(table, toll))  # fmt: skip


def _said(table: Table, toll: Toll) -> list[str]:
    return [choice.line() for choice in _choices(table, toll)]


def _choices(table: Table, toll: Toll) -> list[Choice]:
    steps = {unit: table.position.steps_left(unit) for unit in toll.units}
    return [Choice(Lose, {"losses": tuple(spread.items())}) for spread in spreads(steps, toll.number, most=40)]


def _default(table: Table, toll: Toll, named: Losses = ()) -> Lose:
    """Who is named; then flipped before removed, the cheapest in victory points and strength first, HQs last."""

    def dearness(unit: str, left: Mapping[str, int], taken: Mapping[str, int]) -> tuple[bool, bool, int, int]:
        price = worth(table, unit)[0] if toll.side == AXIS else 0
        return is_hq(table, unit), left[unit] == 1, price, table.position.value(unit, "attack")

    steps = {unit: table.position.steps_left(unit) for unit in toll.units}
    return Lose(losses=filled(named, steps, toll.number, dearness))
