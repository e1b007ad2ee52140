"""4.0: the raiders, whom nobody plays: each goes where its preferences lead it, and tells why."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import pairwise
from typing import Any

from engine import facts as f
from engine import hexset
from engine.asks import Ask, Procedure, Roll, Step
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.rules.chooser import by_die, choose
from engine.rules.ground import number, path_numbers, place
from engine.rules.hexsides import mark_of
from engine.rules.marks import game_mark, wipe
from engine.table import Table
from tests.engine.outpost.fighting import fight, strength
from tests.engine.outpost.ground import BRIDGES, OUTPOST, bridges_held, near, reach, way, wolves
from tests.engine.outpost.orders import No, Yes


def raid(table: Table) -> Procedure:
    """4.1: one after another, each once; who has acted is marked, so that none acts twice."""
    for unit in wolves(table):
        if table.position.alive(unit) and not table.position.mark(unit, "acted"):
            yield f.Noted(subject=unit, mark="acted", because="4.1")
            yield from _go(table, unit)
            yield from _strike(table, unit)
            if table.position.where[unit] == OUTPOST:
                yield f.GameEnded(result="the outpost has fallen", winner="raiders", because="4.4")
    yield from wipe(table, ("acted",), "4.1")


def _go(table: Table, unit: str) -> Procedure:
    """4.2: toward the garrison if it can strike it, else toward the outpost."""
    here, goal = place(table, unit), table.grid.hex(OUTPOST)
    chosen = choose(
        [here, *hexset.members(reach(table, unit))],
        [
            ("the outpost itself", lambda h: h == goal),
            ("beside a garrison", lambda h: any(h in table.grid.neighbours(place(table, u)) for u in _garrison(table))),
            ("nearest the outpost", lambda h: -table.grid.distance(h, goal)),
            ("stays where it is", lambda h: h == here),
        ],
        name=lambda h: number(table, h),
    )
    yield chosen.told(unit, "goes to", "4.2")
    path = way(table, unit, chosen.best)
    for a, b in pairwise(path):
        if (yield from _lost_bridge(table, a, b)):
            yield f.Halted(unit=unit, at=number(table, a), why="the bridge is gone", because="4.2")
            return
        yield f.Moved(unit=unit, path=path_numbers(table, (a, b)), because="4.2")


def _garrison(table: Table) -> Iterator[str]:
    return table.position.on_map("garrison")


def _lost_bridge(table: Table, a: Hex, b: Hex) -> Generator[Step, Any, bool]:
    """2.4: a bridge with a garrison beside it may be blown before anybody steps on it."""
    bridge = table.grid.hexside(a, b)
    if bridge not in BRIDGES or bridge not in bridges_held(table):
        return False
    answer = yield Ask(
        "garrison", "blow", bridge, f"raiders come to the bridge {bridge}: blow it", (Yes, No), No,
        lambda: [Choice(Yes), Choice(No)], case="2.4", reaction=True,
    )  # fmt: skip
    if isinstance(answer, Yes):
        yield from blow(table, bridge)
    return bool(mark_of(table, a, b, "blown"))


def blow(table: Table, bridge: str) -> Procedure:
    """2.3: it goes up on anything but a 6."""
    die = yield Roll(f"blow {bridge}")
    if die < 6:
        yield f.Marked(subject=f"@{bridge}", mark="blown", because="2.3")


def _strike(table: Table, unit: str) -> Procedure:
    """4.3: at the weakest stack beside it; a die between stacks alike."""
    spots = {place(table, u) for u in _garrison(table) if unit in near(table, place(table, u), "raiders")}
    if not spots:
        return
    chosen = choose(
        sorted(spots),
        [("the weakest", lambda h: -strength(table, table.position.at(h)))],
        name=lambda h: number(table, h),
    )
    chosen = yield from by_die(chosen, f"whom {unit} strikes")
    yield chosen.told(unit, "strikes at", "4.3")
    yield from fight(table, "raiders", (unit,), chosen.best)


def attrition(table: Table) -> Iterator[f.Fact]:
    """1.3: mud costs the strongest raider a step, and nobody is told."""
    strong = [unit for unit in wolves(table) if table.position.steps_left(unit) > 1]
    if game_mark(table, "ground") == "mud" and strong:
        unit = max(strong, key=table.position.steps_left)
        yield f.StepLost(unit=unit, because="1.3", only=())
