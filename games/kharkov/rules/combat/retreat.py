"""Retreats (12.7): which hexes, at what price, and who goes together."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Moved, Noted
from engine.hexes import Hex
from engine.rules.chooser import choose
from engine.rules.ground import crosses, number, path_numbers, place, units_at
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.combat.losses import german_losses, soviet_losses
from games.kharkov.rules.combat.situation import RETREATED
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import ascending, fits, front, is_dispersed, is_isolated, is_mech, is_ready, steps
from games.kharkov.rules.soviet.terms import around, westward
from games.kharkov.rules.supply import in_supply
from games.kharkov.rules.towns import entered

COSTLY = (3, 4)  # priorities that cost a step (12.7-a)


@dataclass(frozen=True)
class Refuge:
    """A hex to fall back to, with its priority."""

    hex: Hex
    priority: int

    @property
    def costs(self) -> int:
        return int(self.priority in COSTLY)


def most_hexes(table: Table, units: Sequence[str], tactics: Sequence[str]) -> int:
    """12.7: two hexes; one with a dispersed or isolated foot unit; none with an isolated mechanized one, or NKVD."""
    if "nkvd" in tactics or any(is_isolated(table, u) and is_mech(table, u) for u in units):
        return 0
    return 1 if any(is_dispersed(table, u) or is_isolated(table, u) for u in units) else 2


def refuges(
    table: Table, units: Sequence[str], here: Hex, away: Hex | None = None, *, passing: bool = False
) -> list[Refuge]:
    """12.7-a, 12.7-b, 12.71: the hexes of the best priority that a group may fall back to.

    `away` is the hex of the combat, from which a second hex must lie two hexes; `passing` lets it be overstacked.
    """
    side = table.unit(units[0]).side
    found = [refuge for h in hexset.members(around(table.data, here)) if (refuge := _refuge(table, side, h))]
    if away is not None:
        found = [refuge for refuge in found if table.grid.distance(refuge.hex, away) == 2]
    if not passing:
        found = [refuge for refuge in found if fits(table, side, refuge.hex, units)]
    found = [refuge for refuge in found if not refuge.costs or steps(table, units) > 1]
    if not found:
        return []
    spared = [refuge for refuge in found if not refuge.costs or _survives(table, units)]
    found = spared or found  # 12.72
    best = min(refuge.priority for refuge in found)
    same = [refuge for refuge in found if refuge.priority == best]
    dry = [refuge for refuge in same if not crosses(table, table.data.wide, here, refuge.hex)]
    return dry or same


def _survives(table: Table, units: Sequence[str]) -> bool:
    """12.72: whether a step can be lost without losing a unit."""
    return any(table.position.steps_left(unit) > 1 for unit in units)


def _refuge(table: Table, side: str, h: Hex) -> Refuge | None:
    now = field(table)
    enemy = SOVIET if side == GERMAN else GERMAN
    if now.held(enemy) >> h & 1:
        return None
    friends = units_at(table, h, side)
    if now.towns(enemy) >> h & 1 and not friends:
        return None
    if not now.zoc(enemy) >> h & 1:
        return Refuge(h, 1)
    if any(is_ready(table, unit) for unit in friends):
        return Refuge(h, 2)
    return Refuge(h, 3 if not friends and in_supply(table, side, h) else 4)


def costly(table: Table, units: Sequence[str], here: Hex) -> bool:
    """12.53-b: whether every way back costs a step."""
    found = refuges(table, units, here)
    return bool(found) and all(refuge.costs for refuge in found)


# Going.


def groups(table: Table, units: Sequence[str], here: Hex, away: Hex | None) -> list[list[str]]:
    """12.73: all together if there is room somewhere; else one by one, Soviets in ascending selector order."""
    if refuges(table, units, here, away):
        return [list(units)]
    return [[unit] for unit in ascending(table, units)]


def fall_back(table: Table, units: Sequence[str], path: Sequence[Hex], case: str) -> Generator[Step, Any, None]:
    """Units go to the next hex of a way; what the hex costs is paid first."""
    here, to = place(table, units[0]), path[0]
    side = table.unit(units[0]).side
    refuge = _refuge(table, side, to)
    if refuge is not None and refuge.costs:
        if side == GERMAN:
            yield from german_losses(table, units, 1, number(table, here), "12.7-a", first=False)
        else:
            yield from soviet_losses(table, units, 1, "12.7-a")
    for unit in units:
        if table.position.hex_of(unit) is not None:
            yield from _gone(table, unit, here, to, case)


def _gone(table: Table, unit: str, here: Hex, to: Hex, case: str) -> Iterator[Fact]:
    yield Moved(unit=unit, path=path_numbers(table, (here, to)), how="retreat", because=case)
    if not table.position.mark(unit, RETREATED):
        yield Noted(subject=unit, mark=RETREATED, because="12.74")
    yield from entered(table, unit, [to])


def soviet_refuge(table: Table, units: Sequence[str], here: Hex, found: Sequence[Refuge]) -> Hex:
    """12.7-c: the preferences of Soviet units among hexes of one priority."""
    data = table.data
    arrow = data.arrow(front(table, units[0]), here, "primary")
    beside = around(data, arrow) if arrow is not None else 0
    own = field(table).soviet_towns & data.vp_hexes
    ordered = sorted((refuge.hex for refuge in found), key=lambda h: number(table, h))
    return choose(
        ordered,
        [
            ("a", lambda h: own >> h & 1),
            ("b", lambda h: h != arrow),
            ("c", lambda h: not beside >> h & 1),
            ("d", lambda h: data.woods >> h & 1),
            ("e", lambda h: -westward(data, h)),
        ],
        name=lambda h: number(table, h),
    ).best
