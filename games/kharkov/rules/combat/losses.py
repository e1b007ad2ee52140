"""Steps lost (12.6): who may lose one, and what becomes of a unit that has none left (12.62)."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from engine.asks import Ask, Procedure, Step
from engine.facts import Eliminated, Fact, Placed, StepLost
from engine.orders.choice import whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.kharkov.data import GERMAN, Table
from games.kharkov.orders import Lose
from games.kharkov.rules.ground import LOST, ascending, has_armor, is_isolated, selector
from games.kharkov.rules.towns import vacated

Losses = dict[str, int]
Keep = Callable[[], Iterator[Fact]]
THREE = 3  # steps of the units that lose first (12.6)


def lose_step(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """12.62: the last step gone, a unit may come back; not if it had but one, or was isolated: then it is destroyed."""
    if table.position.steps_left(unit) > 1:
        yield StepLost(unit=unit, because=case)
        return
    yield from gone(table, unit, case)


def gone(table: Table, unit: str, case: str) -> Iterator[Fact]:
    piece, isolated = table.unit(unit), is_isolated(table, unit)
    yield Eliminated(unit=unit, at=number(table, place(table, unit)), because=case)
    if len(piece.steps) > 1 and not isolated:
        yield Placed(unit=unit, at=LOST[piece.side], lost=len(piece.steps) - 1, because="12.62")
    yield from vacated(table)


# Which unit (12.6, 12.61).


def next_to_lose(table: Table, left: Losses, taken: Losses, first: bool) -> list[str]:
    """12.61: nobody twice before everybody once; 12.6: a German's first loss is a three-step or armor unit's."""
    able = [unit for unit, steps in left.items() if steps > 0]
    if not able:
        return []
    fewest = min(taken.get(unit, 0) for unit in able)
    able = [unit for unit in able if taken.get(unit, 0) == fewest]
    strong = [unit for unit in able if left[unit] >= THREE or has_armor(table, unit)]
    return strong if first and strong else able


def ways(table: Table, units: Sequence[str], number_: int, first: bool, before: Losses) -> list[Losses]:
    """Every way in which Germans may lose so many steps, after those that they have lost in this combat."""
    now = {unit: table.position.steps_left(unit) for unit in units}
    found: dict[frozenset[tuple[str, int]], Losses] = {frozenset(): {}}
    for count in range(min(number_, sum(now.values()))):
        longer: dict[frozenset[tuple[str, int]], Losses] = {}
        for taken in found.values():
            left = {unit: steps - taken.get(unit, 0) for unit, steps in now.items()}
            all_taken = {unit: before.get(unit, 0) + taken.get(unit, 0) for unit in now}
            for unit in next_to_lose(table, left, all_taken, first and not count):
                more = {**taken, unit: taken.get(unit, 0) + 1}
                longer.setdefault(frozenset(more.items()), more)
        found = longer
    return list(found.values())


def german_losses(
    table: Table, units: Sequence[str], number_: int, spot: str, case: str, *, first: bool,
    before: Losses | None = None, keep: Keep | None = None,
) -> Generator[Step, Any, Losses]:  # fmt: skip
    """12.6: the player says which units lose steps, where there is a choice; gives who lost how many.

    `keep` notes what goes on, so that the game can be entered where he is asked.
    """
    alive = [unit for unit in units if table.position.hex_of(unit) is not None]
    can = ways(table, alive, number_, first, before or {}) if number_ > 0 and alive else []
    if not can:
        return {}
    chosen: Losses = can[0] if len(can) == 1 else (yield from _ask(table, can, number_, spot, case, keep))
    for unit, lost in chosen.items():
        for _ in range(lost):
            yield from lose_step(table, unit, case)
    return chosen


def _ask(
    table: Table, can: list[Losses], number_: int, spot: str, case: str, keep: Keep | None
) -> Generator[Step, Any, Losses]:
    def check(order: Lose) -> None:
        if dict(order.losses) not in can:
            lines = [Lose(losses=tuple(way.items())).line() for way in can[:12]]
            raise Illegal("12.61", f"{number_} steps are not lost so", alternatives=lines)

    def fit(order: Order) -> Order:
        if not isinstance(order, Lose):
            return order
        named = dict(order.losses)
        best = max(can, key=lambda way: sum(min(way.get(u, 0), n) for u, n in named.items()))
        return Lose(losses=tuple(best.items()))

    default = min(can, key=lambda way: _dearness(table, way))
    units = tuple(dict.fromkeys(unit for way in can for unit in way))
    if keep is not None:
        yield from keep()
    order = yield Ask(
        GERMAN, "loss", spot, f"{number_} {'step is' if number_ == 1 else 'steps are'} lost at {spot}", (Lose,),
        default=lambda: Lose(losses=tuple(default.items())),
        offers=lambda: [whole(Lose(losses=tuple(way.items()))) for way in can], check=check, case=case,
        amounts=(("losses", number_),), units=units, fit=fit, entry=keep is not None,
    )  # fmt: skip
    return dict(order.losses)


def _dearness(table: Table, way: Losses) -> tuple[int, int]:
    """Units that would be gone, then strength lost."""
    left = table.position.steps_left
    dead = sum(lost >= left(unit) for unit, lost in way.items())
    weaker = sum(table.position.value(unit, "strength") for unit in way)
    return dead, weaker


def soviet_losses(
    table: Table, units: Sequence[str], number_: int, case: str, taken: Losses, keep: Keep | None = None
) -> Procedure:
    """12.6: most steps, then the higher selector, then as the player says; 12.61: nobody twice before all once.

    `taken` is what each has lost in this combat; it is kept up. `keep` notes it where the player is asked.
    """
    for _ in range(number_):
        alive = [unit for unit in units if table.position.hex_of(unit) is not None]
        if not alive:
            return
        fewest = min(taken.get(unit, 0) for unit in alive)
        able = [unit for unit in ascending(table, alive) if taken.get(unit, 0) == fewest]
        most = max(_rank(table, unit) for unit in able)
        tied = [unit for unit in able if _rank(table, unit) == most]
        if len(tied) > 1 and keep is not None:
            yield from keep()
        unit = tied[0] if len(tied) == 1 else (yield _tie_ask(table, tied, case, keep is not None)).losses[0][0]
        taken[unit] = taken.get(unit, 0) + 1
        yield from lose_step(table, unit, case)


def _rank(table: Table, unit: str) -> tuple[int, int]:
    return table.position.steps_left(unit), selector(table, unit)[0]


def _tie_ask(table: Table, tied: Sequence[str], case: str, entry: bool) -> Ask:
    """12.6: between units of one selector the player chooses; the default is the lower-numbered army (2.21-h)."""
    can = [Lose(losses=((unit, 1),)) for unit in tied]

    def check(order: Lose) -> None:
        if order not in can:
            raise Illegal("12.6", "one of these loses the step", alternatives=list(tied))

    spot = number(table, place(table, tied[0]))
    return Ask(
        GERMAN, "tie", spot, f"a Soviet step is lost: {' or '.join(tied)}", (Lose,), default=lambda: can[0],
        offers=lambda: [whole(order) for order in can], check=check, case=case, reaction=True, entry=entry,
    )  # fmt: skip
