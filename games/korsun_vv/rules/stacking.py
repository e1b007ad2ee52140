"""The stacking check after every activation (2.1-e, 5-d): whoever is over the limit is eliminated."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Step
from engine.rules.ground import number, units_at
from engine.rules.stacking import crowded
from games.korsun_vv.data import Table
from games.korsun_vv.names import GERMAN, RUSSIAN
from games.korsun_vv.rules.ground import excess, fighters
from games.korsun_vv.rules.losses import eliminate, loss_ask
from games.korsun_vv.rules.odds import parts


def thin_out(table: Table) -> Generator[Step, Any, None]:
    """5-d: the owner says who goes; no move leads here, so only a correction or a set-up can."""
    for side in (RUSSIAN, GERMAN):
        for h in crowded(table, side, excess):
            while excess(table, there := units_at(table, h, side)) > 0:
                strong, spot = fighters(table, there), number(table, h)
                prompt = f"too many units stand in {spot}: which is eliminated"
                weakest = min(strong, key=lambda unit: (parts(table, unit), unit))
                order = yield loss_ask(side, "excess", spot, prompt, strong, weakest, "5-d", reaction=True)
                yield from eliminate(table, order.losses[0][0], "5-d")
