"""3.0: attacks of either side; whose steps the garrison's are, the player says, and the rules for the raiders."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import facts as f
from engine.asks import Ask, Procedure, Roll, Step
from engine.forecast import Forecast, Working, even_chances, outlook
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.orders.usual import Lose
from engine.refusals import Illegal
from engine.rules.chooser import choose
from engine.rules.ground import number, place, units_at
from engine.rules.losses import spreads
from engine.rules.marks import game_mark
from engine.rules.odds import ratio_beyond, ratio_column, shifted, shifted_beyond, told_beyond
from engine.rules.sight import forecast as over_what_is_possible
from engine.table import Table
from tests.engine.outpost.ground import near
from tests.engine.outpost.orders import Advance, Attack, GiveWay, Stay

COLUMNS = ("1-2", "1-1", "2-1", "3-1")
RESULTS = {
    "1-2": ("A1", "A1", "A1", "-", "-", "D1"),
    "1-1": ("A1", "A1", "-", "-", "D1", "D1"),
    "2-1": ("A1", "-", "-", "D1", "D1", "D2"),
    "3-1": ("-", "-", "D1", "D1", "D2", "D2"),
}


def strength(table: Table, units: Sequence[str]) -> int:
    return sum(table.position.value(unit, "strength") for unit in units)


def odds(table: Table, units: Sequence[str], target: Hex) -> Forecast:
    """3.1: odds, one column to the left in mud."""
    defenders = table.position.at(target)
    attack, defence = strength(table, units), strength(table, defenders)
    shift = -1 if game_mark(table, "ground") == "mud" else 0
    base = ratio_column(attack, defence, COLUMNS)
    column = COLUMNS[shifted(base, shift, COLUMNS)]
    beyond = ratio_beyond(attack, defence, COLUMNS) + shifted_beyond(base, shift, COLUMNS)
    working = (Working("strengths", f"{attack} to {defence}", "3.1"), *told_beyond(beyond, "3.1"))
    chances = even_chances(RESULTS[column])
    means = outlook(chances, lambda result: (False, result[0] == "D", result[0] == "A"))
    return Forecast(f"attack on {number(table, target)}", column, working, chances, means)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    if not isinstance(order, Attack):
        raise Illegal("3.0", "only an attack can be forecast")
    target = table.grid.hex(order.target)
    check(table, side, order)
    defenders = table.position.at(target)
    return over_what_is_possible(table, defenders, lambda supposed: odds(supposed, order.units, target), "3.2")


def check(table: Table, side: str, order: Attack) -> None:
    target = table.grid.hex(order.target)
    if not units_at(table, target, table.enemy(side)):
        raise Illegal("3.0", "nobody is there to attack", at=order.target)
    able = near(table, target, side)
    for unit in order.units:
        if unit not in able:
            raise Illegal("3.0", f"{unit} cannot attack {order.target}", alternatives=able)


def fight(table: Table, side: str, units: Sequence[str], target: Hex) -> Procedure:
    """3.0: one attack, worked out by what is true."""
    defenders, spot = table.position.at(target), number(table, target)
    found = odds(table, units, target)
    die = yield Roll(f"attack on {spot}")
    result = RESULTS[found.column][die - 1]
    yield f.Fought(
        kind="attack", attackers=tuple(units), defenders=defenders, targets=(spot,), column=found.column,
        decided=(("die", str(die)),), result=result, because="3.1",
    )  # fmt: skip
    if result != "-":
        hit = (units, side) if result[0] == "A" else (defenders, table.enemy(side))
        yield from _hit(table, *hit, int(result[1]), spot, attacked=result[0] == "D")
    if side == "garrison" and not table.position.at(target):
        yield from _advance(table, units, target)


def _hit(table: Table, units: Sequence[str], side: str, steps: int, spot: str, *, attacked: bool) -> Procedure:
    left = {unit: table.position.steps_left(unit) for unit in units if table.position.alive(unit)}
    steps = min(steps, sum(left.values()))
    if side == "garrison":
        answer = yield _loss(table, left, steps, spot, attacked)
        if isinstance(answer, GiveWay):
            for unit in left:
                yield f.Moved(unit=unit, path=(spot, _rear(table, spot)[0]), how="retreat", because="3.4")
            return
        losses = dict(answer.losses)
    else:
        losses = yield from _wolves_lose(table, left, steps)
    for unit, lost in losses.items():
        yield from _lose(table, unit, lost)


def _wolves_lose(table: Table, left: dict[str, int], steps: int) -> Generator[Step, Any, dict[str, int]]:
    """3.5: the raiders lose steps where they have most, and no counter if they can help it."""
    chosen = choose(
        list(spreads(left, steps)),
        [
            ("loses no counter", lambda way: all(left[unit] > lost for unit, lost in way.items())),
            ("from the strongest", lambda way: max(left[unit] for unit in way)),
        ],
        name=lambda way: ", ".join(way),
    )
    yield chosen.told("raiders", "lose steps:", "3.5")
    return chosen.best


def _lose(table: Table, unit: str, steps: int) -> Iterator[f.Fact]:
    if table.position.steps_left(unit) > steps:
        yield f.StepLost(unit=unit, steps=steps, because="3.3")
    else:
        yield f.Eliminated(unit=unit, at=table.position.where[unit], because="3.3")


def _loss(table: Table, left: dict[str, int], steps: int, spot: str, attacked: bool) -> Ask:
    """3.3, 3.4: the garrison says which steps it loses, or gives way where it was attacked."""
    seen = table.seen_by("garrison")

    def check(order: Lose | GiveWay) -> None:
        if isinstance(order, GiveWay):
            if not attacked or not _rear(seen, spot):
                raise Illegal("3.4", "there is no giving way", at=spot)
            return
        if sum(lost for _, lost in order.losses) != steps or any(left.get(u, 0) < lost for u, lost in order.losses):
            raise Illegal("3.3", f"{steps} steps are to be lost by {', '.join(left)}")

    losses = [Lose(losses=tuple(spread.items())) for spread in spreads(left, steps)]
    ways = [Choice(GiveWay)] if attacked and _rear(seen, spot) else []
    return Ask(
        "garrison", "loss", spot, f"{steps} steps at {spot}: lose them, or give way", (Lose, GiveWay),
        lambda: losses[0], lambda: [*map(whole, losses), *ways], check, case="3.3",
        amounts=(("losses", steps),), units=tuple(left),
    )  # fmt: skip


def _rear(table: Table, spot: str) -> list[str]:
    here, raiders = table.grid.hex(spot), table.position.held("raiders")
    west = [h for h in table.grid.neighbours(here) if number(table, h)[:2] < spot[:2]]
    return [number(table, h) for h in west if not raiders >> h & 1]


def _advance(table: Table, units: Sequence[str], target: Hex) -> Procedure:
    spot, able = number(table, target), [unit for unit in units if table.position.alive(unit)]

    def check(order: Order) -> None:
        if isinstance(order, Advance) and order.unit not in able:
            raise Illegal("3.6", f"{order.unit} did not win here", alternatives=able)

    answer = yield Ask(
        "garrison", "advance", spot, f"who advances into {spot}", (Advance, Stay), Stay,
        lambda: [Choice(Stay), *(whole(Advance(unit=unit)) for unit in able)], check, case="3.6", passable=True,
        units=tuple(able),
    )  # fmt: skip
    if isinstance(answer, Advance):
        path = (number(table, place(table, answer.unit)), spot)
        yield f.Moved(unit=answer.unit, path=path, how="advance", because="3.6")
