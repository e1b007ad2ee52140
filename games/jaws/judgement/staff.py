"""The quartermaster: where SDMs lie, and what is always worth its price."""

from engine.orders.order import Order
from games.jaws.data import Table
from games.jaws.orders import engineering, events, movement, sight, supply
from games.jaws.orders.supply import Sdm
from games.jaws.rules.depots import BOX, clients, fed, supply_range
from games.jaws.rules.laying import default_places
from games.jaws.rules.units import is_sdm

MORE = 1  # units that must be fed more before SDMs are laid anew


def _fed(table: Table, side: str, places: dict[str, str]) -> int:
    """How many units these places feed."""
    far, found = supply_range(table, side), set[str]()
    own = [unit for unit in table.position.on_map(side) if not is_sdm(table, unit)]
    for sdm, spot in places.items():
        if spot == BOX:
            continue
        reached = fed(table, side, 1 << table.grid.hex(spot), far)
        found |= {u for u in own if u in clients(table, sdm) and reached >> (table.position.hex_of(u) or 0) & 1}
    return len(found)


def depots(table: Table, side: str, order: Sdm) -> float:
    """By how many units more they feed than where they lie; who lays some of them only is not followed."""
    named, kept = {sdm: spot for sdm, (spot,) in order.places}, default_places(table, side)
    if len(named) < len([spot for spot in kept.values() if spot != BOX]):
        return 0.0
    return float(_fed(table, side, {**kept, **named}) - _fed(table, side, kept) - MORE)


# Replacements, shells and works: SPs are not saved (14.2-c2), so whatever can be paid for is done.
WELCOME: dict[type[Order], float] = {
    movement.Enter: 1.0,
    movement.Blow: 1.0,
    supply.Extend: 1.0,
    supply.Resupply: 1.0,
    supply.Drop: 1.0,
    supply.Feed: 1.0,
    events.Replace: 1.0,
    events.Refit: 1.0,
    events.Again: 1.0,
    events.Release: 1.0,
    engineering.Repair: 0.8,
    engineering.Mend: 0.6,
    engineering.Fortify: 0.5,
    engineering.Mine: 0.5,
    engineering.Lay: 0.5,
    sight.Storm: 0.5,
}


def worth(order: Order) -> float:
    """What an order is worth whatever the position; 0 leaves it to the ask's default."""
    return WELCOME.get(type(order), 0.0)
