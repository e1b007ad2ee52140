"""Step losses in combat (12.12.1, 12.12.3, 12.12.4): whose they must be, and whose the owner makes them."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import whole
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from engine.rules.losses import filled, spreads
from games.jaws.data import Table
from games.jaws.orders.combat import Lose
from games.jaws.rules.barrage.damage import chosen_parts
from games.jaws.rules.combat.battle import alive, infantry_type
from games.jaws.rules.combat.cadres import cadre_ask, stands_where
from games.jaws.rules.combat.result import guns_and_tanks
from games.jaws.rules.extension import body
from games.jaws.rules.losses import lose
from games.jaws.rules.strength import strength
from games.jaws.rules.units import attack_capable, is_cadre

Losses = tuple[tuple[str, int], ...]
MOST_SPREADS = 8
MOST_TRIED = 200


@dataclass(frozen=True)
class Payment:
    """Steps that a side's units lose: one of `first` pays the first; `last` pay when their hex has nobody else left."""

    side: str
    units: tuple[str, ...]
    number: int
    first: tuple[str, ...]
    last: tuple[str, ...]
    spot: str
    case: str
    active: bool  # the phasing side: asked; the other is only if it wants to be


def attackers_first(table: Table, units: Sequence[str], engineer: str, against: Sequence[str] = ()) -> tuple[str, ...]:
    """12.12.3: the assault engineer that was declared; else the strongest infantry, brigades with it if not all that
    they fight is armor (4.5.3-c1); else anybody."""
    if engineer in units:
        return (engineer,)
    armor_alone = against and all(guns_and_tanks(table, unit) for unit in against)
    foot = [u for u in units if (is_a(table, u, "infantry") if armor_alone else infantry_type(table, u))]
    return strongest(table, foot) or tuple(units)


def defenders_last(table: Table, units: Sequence[str], late: Sequence[str] = ()) -> tuple[str, ...]:
    """12.3.1-3, 12.12.4: brackets, and guns that gave support, beside others who defend; who retreated into the hex,
    beside anybody who defends it."""
    defend = [unit for unit in units if unit not in late]
    held = {place(table, unit) for unit in defend}
    strong = {place(table, unit) for unit in defend if attack_capable(table, unit)}
    weak = [unit for unit in defend if not attack_capable(table, unit) and place(table, unit) in strong]
    return tuple(unit for unit in units if unit in weak or (unit in late and place(table, unit) in held))


def strongest(table: Table, units: Sequence[str]) -> tuple[str, ...]:
    best = max((strength(table, unit) for unit in units), default=0)
    return tuple(unit for unit in units if strength(table, unit) == best)


def defenders_first(table: Table, units: Sequence[str], last: Sequence[str]) -> tuple[str, ...]:
    """12.12.4: the strongest of those who pay at all."""
    return strongest(table, [unit for unit in units if unit not in last] or list(units))


# 4.7.2-1: both halves of an extended division have one chit


def left_of(table: Table, unit: str) -> int:
    """The steps that a unit may lose: all of its chit."""
    return table.position.steps_left(body(table, unit))


def payers_of(table: Table, units: Sequence[str]) -> tuple[str, ...]:
    """Who pays of these: of two halves the parent alone."""
    return tuple(dict.fromkeys(payer(table, units, unit) for unit in units))


def payer(table: Table, units: Sequence[str], unit: str) -> str:
    return body(table, unit) if body(table, unit) in units else unit


def by_chits(table: Table, payment: Payment) -> Payment:
    units = payment.units
    first, last = ([payer(table, units, unit) for unit in group] for group in (payment.first, payment.last))
    return replace(
        payment, units=payers_of(table, units), first=tuple(dict.fromkeys(first)), last=tuple(dict.fromkeys(last))
    )


def suffer(table: Table, payment: Payment) -> Generator[Step, Any, None]:
    """The steps are lost, by the owner's choice as far as he has one."""
    fought, payment = payment.units, by_chits(table, payment)
    left = tuple(alive(table, payment.units))
    if not payment.number or not left:
        return
    losses = usual(table, payment)
    if _has_choice(table, payment):
        order = yield _ask(table, payment)
        losses = _named(table, payment, order) or losses
    for unit, steps in losses:
        at = None
        if stands_where(table, fought, unit, steps):
            cadre = yield cadre_ask(table, unit, active=payment.active)
            at = table.grid.hex(cadre.at)
        parts = (yield from chosen_parts(table, unit, steps)) if is_a(table, unit, "barrage") else ()
        yield from lose(table, unit, steps, payment.case, at, parts)


def _named(table: Table, payment: Payment, order: Lose) -> Losses:
    """The losses of an order, a marker's as its division's."""
    return tuple((payer(table, payment.units, unit), steps) for unit, steps in order.losses)


def _has_choice(table: Table, payment: Payment) -> bool:
    """Whether the steps may be anybody's but whose they are unasked."""
    given = dict(usual(table, payment))
    return any(dict(order.losses) != given for order in _legal(table, payment, MOST_TRIED))


def usual(table: Table, payment: Payment, named: Losses = ()) -> Losses:
    """Those named; then the first as it must be, then the strongest, sparing armor and cadres."""

    def dearness(unit: str, left: Mapping[str, int], taken: Mapping[str, int]) -> tuple[float | str, ...]:
        first = not taken and unit not in payment.first
        armor = is_a(table, unit, "armor")
        return (
            first,
            unit in payment.last,
            is_cadre(table, unit) or left[unit] == 1,
            armor,
            -strength(table, unit),
            unit,
        )

    steps = {unit: left_of(table, unit) for unit in alive(table, payment.units)}
    return filled(named, steps, payment.number, dearness)


def check(table: Table, payment: Payment, order: Lose) -> None:
    """Raises Illegal."""
    losses, left = _named(table, payment, order) or usual(table, payment), alive(table, payment.units)
    for unit, steps in losses:
        if unit not in left:
            raise Illegal(payment.case, f"{unit} takes no losses in this combat", unit=unit, instead="These do",
                          alternatives=left)  # fmt: skip
        if steps > left_of(table, unit):
            raise Illegal(payment.case, f"{unit} has only {left_of(table, unit)} steps", unit=unit)
    paid = sum(steps for _, steps in losses)
    wanted = min(payment.number, sum(left_of(table, unit) for unit in left))
    if paid != wanted:
        raise Illegal(payment.case, f"{wanted} steps must be lost, not {paid}", instead="For instance",
                      alternatives=[Lose(losses=usual(table, payment)).line()])  # fmt: skip
    if not any(unit in payment.first for unit, _ in losses):
        raise Illegal(payment.case, "the first step must be another's", instead="One of", alternatives=payment.first)
    given = dict(losses)
    for early in (unit for unit, _ in losses if unit in payment.last):
        mates = [u for u in left if u not in payment.last and place(table, u) == place(table, early)]
        if spared := [unit for unit in mates if given.get(unit, 0) < left_of(table, unit)]:
            raise Illegal("12.3.1-3", f"{early} loses steps only when all others of its hex are gone", unit=early,
                          instead="These are not", alternatives=spared)  # fmt: skip


def _legal(table: Table, payment: Payment, most: int) -> Iterator[Lose]:
    """The ways to lose the steps, of so many that are tried."""
    steps = {unit: left_of(table, unit) for unit in alive(table, payment.units)}
    for spread in spreads(steps, min(payment.number, sum(steps.values())), most=most):
        order = Lose(losses=tuple(spread.items()))
        if passes(check, table, payment, order):
            yield order


def _choices(table: Table, payment: Payment) -> list[Lose]:
    first = Lose(losses=usual(table, payment))
    found = _legal(table, payment, 4 * MOST_SPREADS)
    return [first, *(order for order in found if dict(order.losses) != dict(first.losses))][:MOST_SPREADS]


def _ask(table: Table, payment: Payment) -> Ask:
    seen = table.seen_by(payment.side)
    steps = "step" if payment.number == 1 else "steps"
    return Ask(
        side=payment.side,
        name="losses",
        subject=payment.spot,
        prompt=f"{payment.number} {steps} of {', '.join(alive(table, payment.units))}: whose",
        verbs=(Lose,),
        check=lambda order: check(seen, payment, order),
        offers=lambda: [whole(order) for order in _choices(seen, payment)],
        default=lambda: Lose(losses=usual(seen, payment)),
        case=payment.case,
        passable=payment.active,
        units=payment.units,
        amounts=(("losses", payment.number),),
        fit=lambda order: Lose(losses=usual(seen, payment, order.losses)) if isinstance(order, Lose) else order,
    )
