"""What each side says before the dice (7.4-b, 7.5, 7.6-e): support, and the units that count."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal, passes
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Attack, Commit, Defend, Supports
from games.korsun_vv.rules import markers
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


def stars_of(table: Table, side: Side) -> int:
    """7.5-d: the named unit's stars, and what Tiger or Antitank add, up to a limit."""
    most = table.data.tables["armour_superiority"]["most_stars"]["stars"]
    return min(most, stars(table, side.armour) + markers.stars(table, side.supports))


def declared(table: Table, side: str, units: Sequence[str], order: Attack | Defend, most: int, tanks: bool) -> Side:
    """What an order says of one side, completed. Raises Illegal."""
    limit = "7.3.1-a" if most == 1 else "7.3.2-a"
    supports = chosen(table, side, units, order.support, most, tanks, limit)
    able = for_quality(table, units)
    for named, case in ((order.quality, "7.4-b"), (order.armour, "7.5-a")):
        if named and named not in able:
            raise Illegal(case, f"{named} cannot be named here", unit=named, instead="One of", alternatives=able)
    quality = order.quality or best_quality(table, units)
    return Side(tuple(units), supports, quality, order.armour or best_armour(table, units))


@dataclass(frozen=True)
class Call:
    """A side's turn to speak in a combat: for which units, with how much support, and how it stands."""

    side: str
    spot: str
    units: tuple[str, ...]
    most: int
    column: int
    tanks: bool
    found: str = ""  # what the attacker sees once the stack is open

    def has_choice(self, table: Table) -> bool:
        """Support, or more than one unit to name."""
        return len(for_quality(table, self.units)) > 1 or bool(usable(table, self.side, self.units, self.tanks))

    def says(self, table: Table, order: Attack | Defend) -> Side:
        """Raises Illegal."""
        return declared(table, self.side, self.units, order, self.most, self.tanks)


def defence(table: Table, call: Call) -> Generator[Step, Any, Side]:
    """7.6-e: asked after the attacker has committed himself, wherever there is a choice."""
    order = (yield _ask(table, call, Defend)) if call.has_choice(table) else Defend()
    return call.says(table, order)


def commitment(table: Table, call: Call, order: Attack) -> Generator[Step, Any, Side]:
    """7.6-e, 11.1: the attacker's own words; on a stack that he did not see he may wait with them until it is open."""
    if not call.found or order.support or order.quality or order.armour or not call.has_choice(table):
        return call.says(table, order)
    return call.says(table, (yield _ask(table, call, Commit)))


def _ask(table: Table, call: Call, kind: type[Defend]) -> Ask:
    seen, held = table.seen_by(call.side), table.data.held(call.column)
    attacked = kind is not Commit

    def check(order: Defend) -> None:
        call.says(seen, order)

    stand = "is attacked" if attacked else f"holds {call.found} and is attacked"
    said = f"{call.spot} {stand} at {table.data.columns[held]}"
    return Ask(
        side=call.side,
        name="defence" if attacked else "commitment",
        subject=call.spot,
        prompt=f"{said}: support (up to {call.most}), and who lends quality and armour",
        verbs=(kind,),
        check=check,
        offers=lambda: _choices(seen, call, kind),
        default=lambda: _default(seen, call) if attacked else Commit(),
        case="7.6-e",
        reaction=attacked,
        passable=not attacked,
        units=call.units,
        amounts=(("column", held),),
    )


def _default(table: Table, call: Call) -> Defend:
    """One marker, the least that moves a column, where it may help."""
    able = [pair for pair in usable(table, call.side, call.units, call.tanks) if table.data.marker(pair[1])["shift"]]
    if call.column not in LIKELY or not able or sum(table.position.steps_left(unit) for unit in call.units) == 1:
        return Defend()
    return Defend(support=(min(able, key=lambda pair: table.data.marker(pair[1])["shift"]),))


def _choices(table: Table, call: Call, kind: type[Defend]) -> list[Choice]:
    able = list(dict.fromkeys(usable(table, call.side, call.units, call.tanks)))
    sets: list[Supports] = [(), *((pair,) for pair in able)]
    if call.most > 1:
        sets += [(one, two) for index, one in enumerate(able) for two in able[index:]]
    best = best_quality(table, call.units)
    units = ["", *(unit for unit in for_quality(table, call.units) if unit != best)]
    found = [kind(support=given, quality=unit) for given in sets for unit in units]
    return [whole(order) for order in found[:40] if passes(call.says, table, order)]
