"""What the attacked side says before the dice (7.4-b, 7.5, 7.6-e): support, and the units that count."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask, Option, Step
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number
from engine.table import Table
from games.korsun_vv.orders import Attack, Defend, Supports
from games.korsun_vv.rules.markers import chosen, usable
from games.korsun_vv.rules.odds import best_armour, best_quality, for_quality, stars

LIKELY = range(3, 9)  # columns at which one support may still turn the result


@dataclass(frozen=True)
class Side:
    """One side of a combat: its units, what supports them, who lends quality and armour."""

    units: tuple[str, ...]
    supports: Supports
    quality: str
    armour: str


def declared(table: Table, side: str, units: Sequence[str], order: Attack | Defend, most: int, tanks: bool) -> Side:
    """What an order says of one side, completed. Raises Illegal."""
    limit = "7.3.1-a" if most == 1 else "7.3.2-a"
    supports = chosen(table, side, units, order.support, most, tanks, limit)
    for named, able, case in (
        (order.quality, for_quality(table, units), "7.4-b"),
        (order.armour, list(units), "7.5-a"),
    ):
        if named and named not in able:
            raise Illegal(case, f"{named} cannot be named here", unit=named, instead="One of", alternatives=able)
    quality = order.quality or best_quality(table, units)
    return Side(tuple(units), supports, quality, order.armour or best_armour(table, units))


def defence(
    table: Table, side: str, target: Hex, defenders: Sequence[str], most: int, column: int, tanks: bool
) -> Generator[Step, Any, Side]:
    """7.6-e: asked after the attacker has committed himself, wherever there is a choice."""
    order: Order = Defend()
    named = len(for_quality(table, defenders)) > 1 or sum(1 for u in defenders if stars(table, u)) > 1
    if named or usable(table, side, defenders, tanks):
        order = yield _ask(table, side, target, tuple(defenders), most, column, tanks)
    assert isinstance(order, Defend)
    return declared(table, side, defenders, order, most, tanks)


def _ask(table: Table, side: str, target: Hex, defenders: tuple[str, ...], most: int, column: int, tanks: bool) -> Ask:
    seen, spot = table.seen_by(side), number(table, target)
    columns = table.data.columns
    held = max(0, min(len(columns) - 1, column))

    def check(order: Order) -> None:
        assert isinstance(order, Defend)
        declared(seen, side, defenders, order, most, tanks)

    return Ask(
        side=side,
        name="defence",
        subject=spot,
        prompt=f"{spot} is attacked at {columns[held]}: support (up to {most}), and who lends quality and armour",
        verbs=(Defend,),
        check=check,
        options=lambda so_far: _options(seen, side, defenders, most, tanks),
        default=lambda: _default(seen, side, defenders, most, column, tanks),
        case="7.6-e",
        reaction=True,
        units=defenders,
        amounts=(("column", held),),
    )


def _default(table: Table, side: str, defenders: Sequence[str], most: int, column: int, tanks: bool) -> Defend:
    """One marker, the least that moves a column, where it may help."""
    able = [pair for pair in usable(table, side, defenders, tanks) if table.data.marker(pair[1])["shift"]]
    if column not in LIKELY or not able or sum(table.position.steps_left(unit) for unit in defenders) == 1:
        return Defend()
    return Defend(support=(min(able, key=lambda pair: table.data.marker(pair[1])["shift"]),))


def _options(table: Table, side: str, defenders: Sequence[str], most: int, tanks: bool) -> list[Option]:
    able = list(dict.fromkeys(usable(table, side, defenders, tanks)))
    sets: list[Supports] = [(), *((pair,) for pair in able)]
    if most > 1:
        sets += [(one, two) for index, one in enumerate(able) for two in able[index:]]
    best = best_quality(table, defenders)
    units = ["", *(unit for unit in for_quality(table, defenders) if unit != best)]
    found = [Defend(support=given, quality=unit) for given in sets for unit in units]

    def check(order: Defend) -> None:
        declared(table, side, defenders, order, most, tanks)

    return [Option(order.line()) for order in found[:40] if passes(check, order)]
