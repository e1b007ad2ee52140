"""Stacking in the Movement Segment (3.1(3)): hexes may fill up while units move, if all can still end within the limit.

Zones, rivers and roads do not change while a side moves, so every unit that has yet to move can reach the same hexes
whatever its friends do. Whether the segment can end well is therefore a question of sharing out hexes, asked before
each move: a segment that begins within the limit can always be closed within it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import held, number, place, units_at
from engine.table import Table
from games.manstein.rules.ground import activated, crowded, is_hq
from games.manstein.rules.reach import NORMAL, STRATEGIC, reachable

MOVED = "moved"  # a unit that has moved in this segment

Plan = dict[str, Hex]


def movable(table: Table, side: str) -> list[str]:
    """The activated units that may still move."""
    return [unit for unit in activated(table, side) if table.position.mark(unit, MOVED) is None]


def full_hexes(table: Table, side: str, unit: str) -> HexSet:
    """The hexes in which there is no room for one more unit of that kind."""
    hqs = is_hq(table, unit)

    def work_out() -> HexSet:
        counts = {h: _count(table, units_at(table, h, side), hqs=hqs) for h in hexset.members(held(table, side))}
        return hexset.of(h for h, count in counts.items() if count >= _limit(table, hqs=hqs))

    return table.keep(("full", side, hqs), work_out)


def relief(table: Table, side: str, going: Mapping[str, Hex]) -> Plan | Hex:
    """Where units could still move, once some are `going`, to end within the limit; or a hex past help."""
    plan: Plan = {}
    for hqs in (False, True):
        found = _Sharing(table, side, going, hqs=hqs).shared()
        if not isinstance(found, dict):
            return found
        plan |= found
    return plan


def check_relief(table: Table, side: str, going: Mapping[str, Hex]) -> None:
    """Raises Illegal if moves would leave a hex too full at the end of the segment, whoever moved on."""
    room = not any(full_hexes(table, side, u) >> h & 1 for u, h in going.items())
    if room and len(going) == 1 and not crowded(table, side):
        return
    stuck = relief(table, side, going)
    if isinstance(stuck, dict):
        return
    spot = number(table, stuck)
    there = [u for u in units_at(table, stuck, side) if u not in going] + [u for u, h in going.items() if h == stuck]
    problem = f"too many units would stand in {spot} at the end of the segment: {', '.join(there)}"
    raise Illegal("3.1(3)", problem, unit=next(iter(going)), at=spot, instead=_way_out(table, side, stuck))


def check_end(table: Table, side: str) -> None:
    """3.1(3): nobody stands too crowded when the segment ends. Raises Illegal."""
    full = crowded(table, side)
    plan = relief(table, side, {}) if full else {}
    if not full or not isinstance(plan, dict):  # what nobody can mend does not hold the game up
        return
    stacks = "; ".join(f"{number(table, h)}: {', '.join(units_at(table, h, side))}" for h in full)
    moves = [f"{unit} to {number(table, h)}" for unit, h in plan.items()]
    raise Illegal("3.1(3)", f"too many units stand in {stacks}", instead="Move on, for example", alternatives=moves)


def _way_out(table: Table, side: str, stuck: Hex) -> str:
    able = [unit for unit in units_at(table, stuck, side) if unit in movable(table, side)]
    spot = number(table, stuck)
    return f"Move {' or '.join(able)} out of {spot} first" if able else f"Nobody can make room in {spot}: go elsewhere"


def _limit(table: Table, *, hqs: bool) -> int:
    row = table.data.tables["stacking"]
    return int(row["headquarters"] if hqs else row["units"])


def _count(table: Table, units: list[str], *, hqs: bool) -> int:
    return sum(1 for unit in units if is_hq(table, unit) == hqs)


class _Sharing:
    """Hexes shared out among combat units, or among HQs: chains of moves from full hexes to free ones."""

    def __init__(self, table: Table, side: str, going: Mapping[str, Hex], *, hqs: bool) -> None:
        self.table, self.limit = table, _limit(table, hqs=hqs)
        still = [u for u in movable(table, side) if u not in going and is_hq(table, u) == hqs]
        self.plan: Plan = {unit: place(table, unit) for unit in still}
        self.counts: dict[Hex, int] = {}
        for unit in table.position.on_map(side):
            if is_hq(table, unit) == hqs:
                h = going.get(unit, place(table, unit))
                self.counts[h] = self.counts.get(h, 0) + 1

    def shared(self) -> Plan | Hex:
        """Who goes where; or the first hex that nobody can make room in."""
        for h in [h for h, count in self.counts.items() if count > self.limit]:
            while self.counts[h] > self.limit:
                if not self._relieve(h):
                    return h
        return {unit: h for unit, h in self.plan.items() if h != place(self.table, unit)}

    def _relieve(self, crowd: Hex) -> bool:
        """One unit less in a hex: it goes to a free one, or to a full one out of which another goes."""
        full = hexset.of(h for h, count in self.counts.items() if count >= self.limit)
        pushed: dict[Hex, str] = {}  # the unit that would come into a full hex
        waiting = [crowd]
        for h in waiting:
            for unit in [u for u, at in self.plan.items() if at == h]:
                free = self._within(unit) & ~full
                if free:
                    self._pass_on(unit, self._nearest(unit, free), pushed, crowd)
                    return True
                for onward in hexset.members(self._within(unit) & full):
                    if onward not in pushed and onward != crowd:
                        pushed[onward] = unit
                        waiting.append(onward)
        return False

    def _within(self, unit: str) -> HexSet:
        reach = reachable(self.table, unit, NORMAL) | reachable(self.table, unit, STRATEGIC)
        return (reach | 1 << place(self.table, unit)) & ~(1 << self.plan[unit])

    def _nearest(self, unit: str, hexes: HexSet) -> Hex:
        start = place(self.table, unit)
        return min(hexset.members(hexes), key=lambda h: self.table.grid.distance(start, h))

    def _pass_on(self, unit: str, to: Hex, pushed: Mapping[Hex, str], crowd: Hex) -> None:
        """Every unit of the chain goes one hex along it; only its two ends change in number."""
        self.counts[to] = self.counts.get(to, 0) + 1
        self.counts[crowd] -= 1
        for mover, end in list(self._chain(unit, to, pushed, crowd)):
            self.plan[mover] = end

    def _chain(self, unit: str, to: Hex, pushed: Mapping[Hex, str], crowd: Hex) -> Iterator[tuple[str, Hex]]:
        while True:
            left = self.plan[unit]
            yield unit, to
            if left == crowd:
                return
            unit, to = pushed[left], left
