"""What happens by itself when a turn begins and ends (5.6, 14.2, 18.2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.asks import Procedure
from engine.facts import Counted, Fact, Pooled, Told, Turned
from engine.rules.marks import wipe
from engine.rules.pools import in_pool
from games.manstein.data import Table
from games.manstein.rules.air import reorganize
from games.manstein.rules.chits import COMMON, HAND, cup, hand_count
from games.manstein.rules.draw import PLAYED
from games.manstein.rules.ground import AXIS, SOVIET
from games.manstein.rules.headquarters import come_back
from games.manstein.rules.victory import end_of_turn

REINFORCED = "reinforced"  # 7.2(3)-b: Reinf or Abn was carried out this turn


def begin_turn(table: Table) -> Procedure:
    date = table.data.date(table.position.turn)
    yield Told(text=f"Turn {table.position.turn}" + (f", {date}" if date else ""))
    yield from _convert(table)
    yield from come_back(table)


def _convert(table: Table) -> Iterator[Fact]:
    """18.2: on turn 4 the Fronts are turned over."""
    row = table.data.tables["headquarters"]["conversion"]
    if not table.data.switch["hq_conversion"] or table.position.turn < row["turn"]:
        return
    for front, back in row["backs"].items():
        if table.position.where.get(front) != "turned":
            yield Turned(unit=front, into=back, at=table.position.where[front], because="18.2(1)")


def end_turn(table: Table) -> Procedure:
    """5.6: air reorganization, the chits back to their pools, the victory check."""
    yield from reorganize(table)
    owners = {cup(SOVIET): (SOVIET,), cup(AXIS): (AXIS,), HAND: (AXIS,), cup(COMMON): None, PLAYED: None}
    for pool, only in owners.items():
        if in_pool(table, pool):
            yield Pooled(pool=pool, items=(), only=only, because="5.6(2)")
    if hand_count(table):
        yield Counted(track=HAND, value=0, because="5.6(2)")
    yield from wipe(table, (REINFORCED, "drawn", "chit", "spent chit"), "5.6(2)")
    yield from end_of_turn(table)
