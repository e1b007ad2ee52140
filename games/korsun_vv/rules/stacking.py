"""The stacking check after every activation (2.1-e, 5-d): whoever is over the limit is eliminated."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from engine.asks import Ask, Step
from engine.hexes import Hex
from engine.orders.choice import whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, units_at
from engine.rules.stacking import crowded
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Lose
from games.korsun_vv.rules.ground import GERMAN, RUSSIAN, excess, fighters
from games.korsun_vv.rules.losses import eliminate
from games.korsun_vv.rules.odds import parts


def thin_out(table: Table) -> Generator[Step, Any, None]:
    """5-d: the owner says who goes; no move leads here, so only a correction or a set-up can."""
    for side in (RUSSIAN, GERMAN):
        for h in crowded(table, side, excess):
            while excess(table, there := units_at(table, h, side)) > 0:
                order = yield _ask(table, side, h, fighters(table, there))
                yield from eliminate(table, order.losses[0][0], "5-d")


def _ask(table: Table, side: str, h: Hex, there: Sequence[str]) -> Ask:
    spot = number(table, h)
    weakest = min(there, key=lambda unit: (parts(table, unit), unit))

    def check(order: Order) -> None:
        assert isinstance(order, Lose)
        if len(order.losses) != 1 or order.losses[0][0] not in there:
            raise Illegal("5-d", f"one unit in {spot} must go", at=spot, instead="One of", alternatives=list(there))

    return Ask(
        side=side,
        name="excess",
        subject=spot,
        prompt=f"too many units stand in {spot}: which is eliminated",
        verbs=(Lose,),
        check=check,
        offers=lambda: [whole(Lose(losses=((unit, 1),))) for unit in there],
        default=lambda: Lose(losses=((weakest, 1),)),
        case="5-d",
        reaction=True,
        passable=True,
        units=tuple(there),
    )
