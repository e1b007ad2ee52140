"""Step losses (1.2, 7.7): who may take them, and what they do."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Eliminated, Fact, StepLost
from engine.orders.choice import whole
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place, units_at
from engine.rules.losses import filled, spreads
from engine.rules.stacking import crowded
from games.korsun_vv.data import Table
from games.korsun_vv.names import GERMAN, RUSSIAN
from games.korsun_vv.orders import Lose
from games.korsun_vv.rules.ground import alive, excess, fighters, is_hq, is_mech
from games.korsun_vv.rules.markers import STUG, hq_destroyed
from games.korsun_vv.rules.odds import parts

MOST_SPREADS = 8  # ways to take a loss that are offered
Losses = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Payers:
    """A side's units in a combat, and what binds its losses."""

    side: str
    units: tuple[str, ...]
    named: str  # its quality was used, so it takes the first loss (7.4-c)
    tanks_share: bool  # armour or mechanized units on both sides (7.7-f)
    stug: bool = False  # a StuG of this combat may pay for a step (1.6.1-d)


def bearers(table: Table, payers: Payers) -> list[str]:
    """1.5-e: HQs take losses only where nobody else is left."""
    left = alive(table, payers.units)
    return fighters(table, left) or left


def steps(table: Table, payers: Payers) -> int:
    return sum(table.position.steps_left(unit) for unit in bearers(table, payers))


def check_losses(table: Table, payers: Payers, losses: Losses, number: int) -> None:
    """7.7-b, 7.7-f: enough in all, the named unit first, then armour. Raises Illegal."""
    given = dict(losses)
    stug = given.pop(STUG, 0)
    able = bearers(table, payers)
    for unit, count in given.items():
        if unit not in able:
            case = "1.5-e" if unit in payers.units else "7.7-b"
            raise Illegal(case, f"{unit} takes no losses in this combat", unit=unit, instead="These do",
                          alternatives=able)  # fmt: skip
        if count > table.position.steps_left(unit):
            problem = f"{unit} has only {table.position.steps_left(unit)} of the {count} steps"
            raise Illegal(
                "1.2-a", problem, unit=unit, instead="For instance", alternatives=_usual(table, payers, number)
            )
    paid = sum(given.values())
    if stug and not (payers.stug and stug == 1 and (paid or not number)):
        raise Illegal("1.6.1-d", "a StuG of this combat may pay for one step, and not for the first",
                      instead="For instance", alternatives=_usual(table, payers, number))  # fmt: skip
    if paid + stug != number and not (paid == steps(table, payers) and paid + stug < number):
        raise Illegal("7.7-b", f"{number} steps must be lost, not {paid + stug}", instead="For instance",
                      alternatives=_usual(table, payers, number))  # fmt: skip
    _check_order(table, payers, given, paid)


def _check_order(table: Table, payers: Payers, given: Mapping[str, int], paid: int) -> None:
    able = bearers(table, payers)
    if paid and payers.named in able and not given.get(payers.named):
        problem = f"{payers.named} lent its quality, so it takes the first loss"
        raise Illegal("7.4-c", problem, unit=payers.named, instead="For instance",
                      alternatives=_usual(table, payers, paid))  # fmt: skip
    tanks = [unit for unit in able if is_mech(table, unit)]
    if paid > 1 and payers.tanks_share and tanks and not any(given.get(unit) for unit in tanks):
        raise Illegal("7.7-f", "the second loss falls on an armoured or mechanized unit", instead="One of",
                      alternatives=tanks)  # fmt: skip


def usual_losses(table: Table, payers: Payers, number: int, named: Losses = ()) -> Losses:
    """Who is named; then what must be, then steps of whoever has the most left and is the weakest."""

    def dearness(unit: str, left: Mapping[str, int], taken: Mapping[str, int]) -> tuple[float | str, ...]:
        first = not taken and unit != payers.named
        tanks_next = payers.tanks_share and sum(taken.values()) == 1 and not any(is_mech(table, u) for u in taken)
        armour = tanks_next and not is_mech(table, unit)
        return first, armour, left[unit] == 1, -left[unit], parts(table, unit), unit

    return filled(named, {unit: table.position.steps_left(unit) for unit in bearers(table, payers)}, number, dearness)


def _usual(table: Table, payers: Payers, number: int) -> list[str]:
    """The usual losses as a player writes them."""
    said = [f"{unit} {count}" if count > 1 else unit for unit, count in usual_losses(table, payers, number)]
    return [f"losing {', '.join(said)}"]


def loss_ways(table: Table, payers: Payers, number: int) -> list[Losses]:
    """Some ways to take so many steps, the usual one first."""
    usual = usual_losses(table, payers, number)
    found = [usual]
    left = {unit: table.position.steps_left(unit) for unit in bearers(table, payers)}
    for spread in spreads(left, min(number, sum(left.values())), most=4 * MOST_SPREADS):
        losses = tuple(spread.items())
        if dict(losses) != dict(usual) and passes(check_losses, table, payers, losses, number):
            found.append(losses)
    if payers.stug and number > 1:
        spared = (*usual_losses(table, payers, number - 1), (STUG, 1))
        if passes(check_losses, table, payers, spared, number):
            found.append(spared)
    return found[:MOST_SPREADS]


# What they do


def eliminate(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """1.2; 1.5-e: with the last unit of a stack go its HQs; 1.5-g: their markers go back to the pool."""
    spot = place(table, unit)
    yield Eliminated(unit=unit, at=table.position.where[unit], because=case)
    if is_hq(table, unit):
        yield from hq_destroyed(table, unit)
    else:
        left = units_at(table, spot, table.unit(unit).side)
        for hq in () if fighters(table, left) else left:
            yield from eliminate(table, hq, "1.5-e")


def lose(table: Table, unit: str, number: int, case: str) -> Iterator[Fact]:
    """1.2: down so many steps; a unit without steps is gone."""
    if number >= table.position.steps_left(unit):
        yield from eliminate(table, unit, case)
    else:
        yield StepLost(unit=unit, steps=number, because=case)


def suffer(table: Table, losses: Losses, case: str) -> Iterator[Fact]:
    """All but what a StuG pays."""
    for unit, count in losses:
        if unit != STUG:
            yield from lose(table, unit, count, case)


def loss_ask(
    side: str, name: str, spot: str, prompt: str, able: Sequence[str], usual: str, case: str, *, reaction: bool
) -> Ask:
    """Which one of these units pays."""

    def check(order: Lose) -> None:
        if len(order.losses) != 1 or order.losses[0] not in [(unit, 1) for unit in able]:
            raise Illegal(case, "it falls on one unit of the stack", at=spot, instead="One of", alternatives=able)

    def fit(order: Lose) -> Lose:
        named = [unit for unit, _ in order.losses if unit in able] if order.losses else [usual]
        return Lose(losses=((named[0], 1),)) if named else order

    return Ask(
        side=side,
        name=name,
        subject=spot,
        prompt=prompt,
        verbs=(Lose,),
        fit=lambda order: fit(order) if isinstance(order, Lose) else order,
        check=check,
        offers=lambda: [whole(Lose(losses=((unit, 1),))) for unit in able],
        default=lambda: Lose(losses=((usual, 1),)),
        case=case,
        reaction=reaction,
        passable=True,
        units=tuple(able),
    )


def thin_out(table: Table) -> Generator[Step, Any, None]:
    """2.1-e, 5-d: the owner says who goes; no move leads here, so only a correction or a set-up can."""
    for side in (RUSSIAN, GERMAN):
        for h in crowded(table, side, excess):
            while excess(table, there := units_at(table, h, side)) > 0:
                strong, spot = fighters(table, there), number(table, h)
                prompt = f"too many units stand in {spot}: which is eliminated"
                weakest = min(strong, key=lambda unit: (parts(table, unit), unit))
                order = yield loss_ask(side, "excess", spot, prompt, strong, weakest, "5-d", reaction=True)
                yield from eliminate(table, order.losses[0][0], "5-d")
