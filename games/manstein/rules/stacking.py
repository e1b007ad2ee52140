"""Stacking in the Movement Segment (3.1(3)): hexes may fill up while units move, if all can still end within the limit.

Zones, rivers and roads do not change while a side moves, so every unit that has yet to move can reach the same hexes
whatever its friends do. Whether the segment can end well is therefore a question of sharing out hexes, asked before
each move: a segment that begins within the limit can always be closed within it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import held, number, place, units_at
from engine.table import kept_while_side_still, kept_while_still
from games.manstein.data import Table
from games.manstein.rules.ground import KINDS, Kind, activated, crowd, crowded, excess, kind, present
from games.manstein.rules.reach import reaches

MOVED = "moved"  # a unit that has moved in this segment

Plan = dict[str, Hex]


@kept_while_side_still("activated", MOVED)
def movable(table: Table, side: str) -> list[str]:
    """The activated units that may still move."""
    return [unit for unit in activated(table, side) if table.position.mark(unit, MOVED) is None]


def stacks(table: Table, side: str) -> dict[tuple[str, ...], HexSet]:
    """Those who may leave a hex together, and the empty hexes that all of them reach: they fit in there as well."""
    if crowded(table, side):
        return {}
    by_hex: dict[Hex, tuple[str, ...]] = {}
    for unit in movable(table, side):
        by_hex[place(table, unit)] = (*by_hex.get(place(table, unit), ()), unit)
    found = {}
    for stack in (stack for stack in by_hex.values() if len(stack) > 1):
        hexes = reduce(and_, (reaches(table, unit)[0] for unit in stack)) & ~held(table, side)
        if hexes:
            found[stack] = hexes
    return found


def relief(table: Table, side: str) -> Plan | None:
    """Where units could still move to end within the limit; none if a hex is past help."""
    plan: Plan = {}
    for found in _shared(table, side, {}):
        if found.stuck:
            return None
        plan |= found.onward()
    return plan


def ends_well(table: Table, side: str, going: Mapping[str, Hex]) -> bool:
    """Whether all could still end within the limit, once some are `going`."""
    if not crowded(table, side) and not any(excess(table, _stack(table, side, h, going)) for h in going.values()):
        return True  # as they stand
    return not any(found.stuck for found in _shared(table, side, going))


def _shared(table: Table, side: str, going: Mapping[str, Hex]) -> Iterator[_Sharing]:
    for of in KINDS:
        coming = {unit: h for unit, h in going.items() if kind(table, unit) == of}
        found = _sharing(table, side, of)
        yield found.moved(coming) if coming else found


def open_to(table: Table, side: str, unit: str, hexes: HexSet) -> HexSet:
    """Those of the hexes in which a unit may end its move and leave the segment a good end."""
    sure, doubtful = _sorted_out(table, side, kind(table, unit))
    asked = hexset.members(hexes & doubtful)
    return hexes & sure | hexset.of(h for h in asked if ends_well(table, side, {unit: h}))


def any_open(table: Table, side: str, unit: str, hexes: HexSet) -> bool:
    """Whether there is one among the hexes: the doubtful ones are tried only if need be, and no further."""
    sure, doubtful = _sorted_out(table, side, kind(table, unit))
    return bool(hexes & sure) or any(ends_well(table, side, {unit: h}) for h in hexset.members(hexes & doubtful))


@kept_while_still("activated", MOVED, "supply")
def _sorted_out(table: Table, side: str, of: Kind) -> tuple[HexSet, HexSet]:
    """The hexes that are open for sure, and those for which the sharing out must be tried."""
    everything = table.grid.everything
    if not ends_well(table, side, {}):
        return 0, everything
    sharing = _sharing(table, side, of)
    if crowded(table, side):
        return everything & ~sharing.full, sharing.full
    giving = sharing.giving()
    return everything & ~sharing.full | giving, sharing.full & hexset.of(sharing.plan.values()) & ~giving


def check_relief(table: Table, side: str, going: Mapping[str, Hex]) -> None:
    """Raises Illegal if moves would leave a hex too full at the end of the segment, whoever moved on."""
    if ends_well(table, side, going):
        return
    stacks = {h: _stack(table, side, h, going) for h in (*going.values(), *crowded(table, side))}
    full = next(h for h, stack in stacks.items() if excess(table, stack))
    spot = number(table, full)
    problem = crowd(table, full, stacks[full])
    raise Illegal("3.1(3)", problem, unit=next(iter(going)), at=spot, instead=_way_out(table, side, full))


def _stack(table: Table, side: str, h: Hex, going: Mapping[str, Hex]) -> list[str]:
    """Who stands in a hex once some have gone."""
    return [*(u for u in units_at(table, h, side) if u not in going), *(u for u, to in going.items() if to == h)]


def check_end(table: Table, side: str) -> None:
    """3.1(3): nobody stands too crowded when the segment ends. Raises Illegal."""
    full = crowded(table, side)
    plan = relief(table, side) if full else None
    if plan is None:  # what nobody can mend does not hold the game up
        return
    stacks = "; ".join(crowd(table, h, units_at(table, h, side)) for h in full)
    moves = [f"{unit} to {number(table, h)}" for unit, h in plan.items()]
    raise Illegal("3.1(3)", stacks, instead="Move on, for example", alternatives=moves)


def _way_out(table: Table, side: str, stuck: Hex) -> str:
    able = [unit for unit in units_at(table, stuck, side) if unit in movable(table, side)]
    spot = number(table, stuck)
    return f"Move {' or '.join(able)} out of {spot} first" if able else f"Nobody can make room in {spot}: go elsewhere"


@kept_while_still("activated", MOVED, "supply")
def _sharing(table: Table, side: str, of: Kind) -> _Sharing:
    """The hexes of a side's combat units, or of its HQs, as they may share them out from now on."""
    plan = {unit: place(table, unit) for unit in movable(table, side) if kind(table, unit) == of}
    return _Sharing(table, table.data.tables["stacking"][of], plan, Counter(present(table, side, of)))


class _Sharing:
    """Hexes shared out among units that may still move: chains of moves from full hexes to free ones."""

    def __init__(self, table: Table, limit: int, plan: Plan, counts: Counter[Hex]) -> None:
        self.table, self.limit, self.plan, self.counts = table, limit, plan, counts
        self.full = hexset.of(h for h, count in counts.items() if count >= limit)
        self.stuck = not self._share_out()  # in some hex nobody can make room

    def moved(self, going: Mapping[str, Hex]) -> _Sharing:
        """The same once units have gone somewhere for good."""
        plan = {unit: h for unit, h in self.plan.items() if unit not in going}
        counts = Counter(self.counts)
        for unit, h in going.items():
            counts[self.plan.get(unit, place(self.table, unit))] -= 1
            counts[h] += 1
        return _Sharing(self.table, self.limit, plan, counts)

    def giving(self) -> HexSet:
        """The hexes that somebody can leave for one with room."""
        return hexset.of(h for unit, h in self.plan.items() if self._within(unit) & ~self.full)

    def onward(self) -> Plan:
        """Who has to move on, and where he could."""
        return {unit: h for unit, h in self.plan.items() if h != place(self.table, unit)}

    def _share_out(self) -> bool:
        for h in [h for h, count in self.counts.items() if count > self.limit]:
            while self.counts[h] > self.limit:
                if not self._relieve(h):
                    return False
        return True

    def _relieve(self, crowd: Hex) -> bool:
        """One unit less in a hex: it goes to a free one, or to a full one out of which another goes."""
        pushed: dict[Hex, str] = {}  # the unit that would come into a full hex
        waiting = [crowd]
        for h in waiting:
            for unit in [u for u, at in self.plan.items() if at == h]:
                within = self._within(unit)
                free = within & ~self.full
                if free:
                    self._pass_on(unit, self._nearest(unit, free), pushed, crowd)
                    return True
                for onward in hexset.members(within & self.full):
                    if onward not in pushed and onward != crowd:
                        pushed[onward] = unit
                        waiting.append(onward)
        return False

    def _within(self, unit: str) -> HexSet:
        walked, marched = reaches(self.table, unit)
        return (walked | marched | 1 << place(self.table, unit)) & ~(1 << self.plan[unit])

    def _nearest(self, unit: str, hexes: HexSet) -> Hex:
        start = place(self.table, unit)
        return min(hexset.members(hexes), key=lambda h: self.table.grid.distance(start, h))

    def _pass_on(self, unit: str, to: Hex, pushed: Mapping[Hex, str], crowd: Hex) -> None:
        """Every unit of the chain goes one hex along it; only its two ends change in number."""
        self.counts[to] += 1
        self.counts[crowd] -= 1
        if self.counts[to] >= self.limit:
            self.full |= 1 << to
        while True:
            left, self.plan[unit] = self.plan[unit], to
            if left == crowd:
                return
            unit, to = pushed[left], left
