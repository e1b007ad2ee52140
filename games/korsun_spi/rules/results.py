"""Applying a result to one side: steps or hexes at the owner's choice (9.6, 9.7)."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Moved, Noted
from engine.hexset import HexSet
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.orders.usual import Losses
from engine.refusals import Illegal
from engine.rules.ground import number, path_numbers, place
from engine.rules.losses import filled, spreads
from engine.rules.retreat import Way
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Lose, Retreat
from games.korsun_spi.rules import retreat
from games.korsun_spi.rules.ground import is_hq
from games.korsun_spi.rules.losses import eliminate, lose_steps, worth
from games.korsun_spi.rules.movement import passed_towns


@dataclass(frozen=True)
class Suffering:
    """A side that must take a result, and what it may do."""

    side: str
    units: Sequence[str]
    number: int
    kind: str  # "attack" or "overrun"
    role: str  # "attacker" or "defender"
    isolated: set[str]
    shut: HexSet = 0
    may_retreat: bool = True
    case: str = "9.66"


@dataclass
class Outcome:
    """What became of the units."""

    ways: dict[str, Way] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)
    lost: bool = False
    losers: tuple[str, ...] = ()  # who took the step losses

    @property
    def gave_way(self) -> bool:
        """Whether anybody is gone from where he stood."""
        return bool(self.ways or self.dead)

    @property
    def hurt(self) -> bool:
        return self.lost or self.gave_way


Result = Generator[Step, Any, Outcome]


def eliminated(table: Table, suffering: Suffering) -> Result:
    """9.65: E removes everybody."""
    outcome = Outcome(lost=True)
    for unit in suffering.units:
        outcome.dead.append(unit)
        yield from eliminate(table, unit, suffering.isolated, "9.65")
    return outcome


def suffer(table: Table, suffering: Suffering) -> Result:
    """9.66: the owner loses so many steps, or retreats everybody so many hexes; no mixture."""
    if not suffering.units:
        return Outcome()
    order = _only_answer(table, suffering)
    if order is None:
        order = yield _ask(table, suffering)
    if isinstance(order, Lose):
        return (yield from _lose(table, suffering, order))
    assert isinstance(order, Retreat)
    return (yield from _retreat(table, suffering, order))


def _only_answer(table: Table, suffering: Suffering) -> Order | None:
    """No question is asked where there is nothing to choose."""
    can_go = suffering.may_retreat and any(
        retreat.ways(table, unit, suffering.units, suffering.number, suffering.shut) for unit in suffering.units
    )
    total = _steps(table, suffering)
    if not can_go and (len(suffering.units) == 1 or suffering.number >= total):
        return _default_loss(table, suffering)
    return None


def _steps(table: Table, suffering: Suffering) -> int:
    return sum(table.position.steps_left(unit) for unit in suffering.units)


def _ask(table: Table, suffering: Suffering) -> Ask:
    seen = table.seen_by(suffering.side)
    spots = " ".join(dict.fromkeys(number(table, place(table, unit)) for unit in suffering.units))
    n = suffering.number
    steps, hexes = ("a step" if n == 1 else f"{n} steps"), ("a hex" if n == 1 else f"{n} hexes")
    choice = f"lose {steps}, or retreat everybody {hexes}" if suffering.may_retreat else f"who loses {steps}"
    return Ask(
        side=suffering.side,
        name="loss",
        subject=spots,
        prompt=f"the {suffering.role} in {spots} ({', '.join(suffering.units)}): {choice}",
        verbs=(Lose, Retreat) if suffering.may_retreat else (Lose,),
        check=lambda order: _check(seen, suffering, order),
        offers=lambda: _choices(seen, suffering),
        default=lambda: _default(seen, suffering),
        case=suffering.case,
        units=tuple(suffering.units),
        amounts=(("losses", n),),
        fit=lambda order: _default_loss(seen, suffering, order.losses) if isinstance(order, Lose) else order,
    )


def _check(table: Table, suffering: Suffering, order: Order) -> None:
    if isinstance(order, Lose):
        _check_losses(table, suffering, order)
    elif isinstance(order, Retreat):
        _check_members(suffering, [unit for unit, _ in order.paths])
        _ways(table, suffering, order)


def _check_members(suffering: Suffering, units: Sequence[str]) -> None:
    for unit in units:
        if unit not in suffering.units:
            raise Illegal("9.67", f"{unit} takes no part in this result", unit=unit, instead="It falls on",
                          alternatives=suffering.units)  # fmt: skip


def _check_losses(table: Table, suffering: Suffering, order: Lose) -> None:
    _check_members(suffering, [unit for unit, _ in order.losses])
    for unit, steps in order.losses:
        have = table.position.steps_left(unit)
        if steps > have:
            raise Illegal("9.6", f"{unit} has only {have} of the {steps} steps", unit=unit)
    wanted = min(suffering.number, _steps(table, suffering))
    given = sum(steps for _, steps in order.losses)
    if given != wanted:
        raise Illegal("9.66", f"{wanted} steps must be lost in all, not {given}")


def _ways(table: Table, suffering: Suffering, order: Retreat) -> dict[str, Way | None]:
    return retreat.ordered(table, suffering.units, suffering.number, order, suffering.shut)


def _choices(table: Table, suffering: Suffering) -> list[Choice]:
    steps = {unit: table.position.steps_left(unit) for unit in suffering.units}
    wanted = min(suffering.number, sum(steps.values()))
    found = [Choice(Lose, {"losses": tuple(spread.items())}) for spread in spreads(steps, wanted, most=24)]
    if suffering.may_retreat:
        found.append(retreat.choice(table, suffering.units, suffering.number, suffering.shut))
    return found


def _default(table: Table, suffering: Suffering) -> Order:
    """Holds in good terrain, or where somebody cannot get away; retreats otherwise."""
    chosen = _ways(table, suffering, Retreat()) if suffering.may_retreat else {}
    stuck = not chosen or any(way is None for way in chosen.values())
    spots = {place(table, unit) for unit in suffering.units}
    strong = suffering.role == "defender" and all(table.data.shelter[h] > 1 for h in spots)
    dying = suffering.number >= _steps(table, suffering)
    if stuck or (strong and not dying):
        return _default_loss(table, suffering)
    return Retreat()


def _default_loss(table: Table, suffering: Suffering, named: Losses = ()) -> Lose:
    """Who is named; then from units that survive it first, the cheapest in victory points, HQs last."""

    def cheapness(unit: str, left: Mapping[str, int], taken: Mapping[str, int]) -> tuple[bool, bool, int, int]:
        price = worth(table, unit, isolated=unit in suffering.isolated)[1]
        return is_hq(table, unit), left[unit] == 1, -left[unit], price

    steps = {unit: table.position.steps_left(unit) for unit in suffering.units}
    return Lose(losses=filled(named, steps, suffering.number, cheapness))


def _lose(table: Table, suffering: Suffering, order: Lose) -> Result:
    outcome = Outcome(lost=True, losers=tuple(unit for unit, _ in order.losses))
    for unit, steps in order.losses:
        if steps >= table.position.steps_left(unit):
            outcome.dead.append(unit)
        yield from lose_steps(table, unit, steps, suffering.isolated, suffering.case)
    return outcome


def _retreat(table: Table, suffering: Suffering, order: Retreat) -> Result:
    """9.75: everybody at once; whoever has no way is eliminated (9.71)."""
    outcome = Outcome()
    for unit, way in _ways(table, suffering, order).items():
        if way is None:
            outcome.dead.append(unit)
            yield from eliminate(table, unit, suffering.isolated, "9.71")
        else:
            outcome.ways[unit] = way
            yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="9.7")
            yield from passed_towns(table, suffering.side, way[1:])
            if suffering.kind == "attack":
                yield Noted(subject=unit, mark="fell back", because="9.76")
    return outcome
