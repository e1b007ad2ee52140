"""The Combat Phase (4.2-b): one attack after another, in the order the player chooses as he goes."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Ask, Option, Step
from engine.orders.order import Order
from engine.table import Table
from games.korsun_spi.orders import Attack, End
from games.korsun_spi.rules.combat import attack_options, check_attack, resolve


def battle(table: Table, side: str) -> Generator[Step, Any, None]:
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        yield from resolve(table, side, order)


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def check(order: Order) -> None:
        if isinstance(order, Attack):
            check_attack(seen, side, order)

    def options(so_far: str) -> list[Option]:
        found = attack_options(seen, side, so_far)
        return found if so_far else [*found, Option("end")]

    return Ask(
        side=side,
        name="combat",
        subject=side,
        prompt=f"attacks of turn {table.position.turn}; `end` closes the phase",
        verbs=(Attack, End),
        check=check,
        options=options,
        default=End,
        case="4.2-b",
        top=True,
    )
