"""Which artillery a Barrage unit loses (17.1.2-c): the first is given, the rest is its owner's choice."""

from collections.abc import Generator
from functools import partial
from itertools import combinations
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import whole
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from games.jaws.data import SOVIET, Table
from games.jaws.orders.combat import Lose
from games.jaws.rules.barrage.components import best_parts, held, parts_lost


def chosen_parts(table: Table, barrage: str, steps: int) -> Generator[Step, Any, tuple[str, ...]]:
    """17.1.2-c: the components that are lost, asked for where there is a choice."""
    able = [set(parts) for parts in combinations(held(table, barrage), steps)]
    if sum(bool(parts & {*best_parts(table, barrage)}) for parts in able) < 2:
        return tuple(parts_lost(table, barrage, steps))
    order = yield _ask(table, barrage, steps)
    return tuple(gun for gun, _ in order.losses)


def _check(table: Table, barrage: str, steps: int, order: Lose) -> None:
    """Raises Illegal."""
    guns, able, best = [gun for gun, _ in order.losses], held(table, barrage), best_parts(table, barrage)
    strange = next((gun for gun, count in order.losses if gun not in able or count != 1), "")
    if strange or len(set(guns)) != steps:
        raise Illegal("17.1.2-c", f"{barrage} loses {steps} of its artillery units, one step each", unit=barrage,
                      instead="It has", alternatives=able)  # fmt: skip
    if not set(guns) & set(best):
        raise Illegal("17.1.2-c", "the first is one with most barrage points", unit=barrage, instead="One of",
                      alternatives=best)  # fmt: skip


def _losses(guns: tuple[str, ...] | list[str]) -> Lose:
    return Lose(losses=tuple((gun, 1) for gun in guns))


def _ask(table: Table, barrage: str, steps: int) -> Ask:
    seen = table.seen_by(SOVIET)
    check = partial(_check, seen, barrage, steps)
    orders = [_losses(guns) for guns in combinations(held(seen, barrage), steps)]
    return Ask(
        side=SOVIET,
        name="components",
        subject=number(table, place(table, barrage)),
        prompt=f"{barrage} loses {steps} of its artillery units: which",
        verbs=(Lose,),
        check=check,
        offers=lambda: [whole(order) for order in orders if passes(check, order)],
        default=lambda: _losses(parts_lost(seen, barrage, steps)),
        case="17.1.2-c",
        units=(barrage,),
        amounts=(("losses", steps),),
    )
