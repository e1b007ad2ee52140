"""Untried units (13.0): unknown to both players until they fight. Korsun has none (19.63)."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Drew, Eliminated, Fact, Moved, Noted, Turned
from engine.hexes import Hex
from engine.rules.ground import held, is_a, number, place, units_at
from engine.rules.pools import drawn, in_pool
from games.korsun_spi.data import Table
from games.korsun_spi.rules.allowance import CLOSED
from games.korsun_spi.rules.ground import enemy_zoc, is_hq, overstacked


def pool_of(table: Table, unit: str) -> str:
    """13.1: the pool of its type that an untried unit is drawn from."""
    return table.unit(unit).kind


def reveal(table: Table, units: Sequence[str]) -> Generator[Step, Any, list[str]]:
    """13.2: untried units among these are turned over; gives who is left to fight."""
    left = []
    stood = {unit: table.position.where[unit] for unit in units}
    for unit in units:
        if not is_a(table, unit, "untried"):
            left.append(unit)
            continue
        shown = yield from _turn(table, unit)
        if shown:
            left.append(shown)
    return [unit for unit in left if not (is_hq(table, unit) and table.position.where[unit] != stood[unit])]


def _turn(table: Table, unit: str) -> Generator[Step, Any, str]:
    """One counter drawn without replacement; 13.3: one without any strength goes at once."""
    _, item = yield from drawn(table, [pool_of(table, unit)], f"what {unit} is", "13.1", stream="untried")
    h, at = place(table, unit), table.position.where[unit]
    yield Turned(unit=unit, into=item, at=at, because="13.2")
    if any(strength(table, item)):
        return item
    yield Eliminated(unit=item, at=at, because="13.3")
    yield from _send_back(table, h, table.unit(item).side)
    return ""


@dataclass(frozen=True)
class Draw:
    """One thing that untried units may prove to be: how likely, the table then, and who replaced whom."""

    chance: Fraction
    table: Table
    became: dict[str, str]  # nothing where the counter has no strength (13.3)

    def left(self, units: Sequence[str]) -> list[str]:
        """Who of these is there to fight."""
        return [shown for unit in units if (shown := self.became.get(unit, unit))]


def draws(table: Table, units: Sequence[str]) -> Iterator[Draw]:
    """13.1: everything that the untried among these may prove to be; counters of equal strength are one case."""
    unknown = next((unit for unit in units if is_a(table, unit, "untried")), None)
    if unknown is None:
        yield Draw(Fraction(1), table, {})
        return
    pool, at = in_pool(table, pool_of(table, unknown)), table.position.where[unknown]
    alike: dict[tuple[int, int], list[str]] = {}
    for item in pool:
        alike.setdefault(strength(table, item), []).append(item)
    for (attack, defence), items in alike.items():
        happened: list[Fact] = [Drew(pool=pool_of(table, unknown), item=items[0])]
        happened.append(Turned(unit=unknown, into=items[0], at=at))
        if not attack and not defence:
            happened.append(Eliminated(unit=items[0], at=at))
        there = {unknown: items[0] if attack or defence else ""}
        for rest in draws(table.suppose(happened), [unit for unit in units if unit != unknown]):
            yield Draw(Fraction(len(items), len(pool)) * rest.chance, rest.table, {**there, **rest.became})


def strength(table: Table, item: str) -> tuple[int, int]:
    """A counter's attack and defence."""
    return table.position.value(item, "attack"), table.position.value(item, "defence")


def way_back(table: Table, hq: str) -> str:
    """11.23: the hex that an HQ came from, if it stands alone in an enemy zone that it was moved into."""
    h, side = place(table, hq), table.unit(hq).side
    came, _, here = str(table.position.mark(hq, "came from") or "").partition(" ")
    alone = all(is_hq(table, unit) for unit in units_at(table, h, side))
    return came if here == number(table, h) and alone and enemy_zoc(table, side) >> h & 1 else ""


def _send_back(table: Table, h: Hex, side: str) -> Procedure:
    """11.23: back to where it came from, or eliminated; whom the enemy came to stays."""
    for hq in units_at(table, h, side):
        came = way_back(table, hq)
        if came and _can_return(table, hq, h, table.grid.hex(came), side):
            yield Moved(unit=hq, path=(number(table, h), came), how="retreat", because="11.23")
            yield Noted(subject=hq, mark="spent", value=CLOSED, because="11.23")
        elif came:
            yield Eliminated(unit=hq, at=number(table, h), because="11.23")


def _can_return(table: Table, hq: str, h: Hex, back: Hex, side: str) -> bool:
    if table.grid.direction(h, back) is None or held(table, table.enemy(side)) >> back & 1:
        return False
    stack = units_at(table, back, side)
    covered = not enemy_zoc(table, side) >> back & 1 or any(not is_hq(table, unit) for unit in stack)
    return covered and not overstacked(table, [*stack, hq])
