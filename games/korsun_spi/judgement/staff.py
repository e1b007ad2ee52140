"""What is decided at the map table: HQs, Supported markers, air supply."""

from games.korsun_spi.data import Table
from games.korsun_spi.judgement.moving import headquarters_weight
from games.korsun_spi.judgement.worth import price, strength
from games.korsun_spi.orders import Activate, AirSupply, Unsupport
from games.korsun_spi.rules.hqs import active_now
from games.korsun_spi.rules.supply import air_trace


def activate(table: Table, order: Activate) -> float:
    """How much more fighting these HQs could run than those active now."""
    now = sum(headquarters_weight(table, hq) for hq in active_now(table))
    return sum(headquarters_weight(table, hq) for hq in order.units) - now * 1.05 - 0.1


def unsupport(table: Table, order: Unsupport) -> float:
    """The markers come off the weakest corps."""
    return 50.0 - sum(strength(table, unit, "attack") for unit in order.units)


def air_supply(table: Table, order: AirSupply) -> float:
    """All that is fed by it."""
    units = {unit for town in order.towns for unit in air_trace(table, table.grid.hex(town))}
    return sum(price(table, unit) for unit in units)
