"""The Combat Phase (4.2-b): one attack after another, in the order the player chooses as he goes."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Ask, Step
from engine.rules.combat import attack_ask, attacks
from engine.table import Table
from games.korsun_spi.orders import Attack, End
from games.korsun_spi.rules.combat import attack_options, check_attack, resolve


def battle(table: Table, side: str) -> Generator[Step, Any, None]:
    yield from attacks(lambda: _ask(table, side), lambda order: resolve(table, side, order))


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    return attack_ask(
        side,
        f"attacks of turn {table.position.turn}; `end` closes the phase",
        "4.2-b",
        Attack,
        End,
        lambda order: check_attack(seen, side, order),
        lambda so_far: attack_options(seen, side, so_far),
    )
