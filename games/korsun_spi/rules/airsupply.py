"""Air supply and heavy equipment (25.2, 25.3)."""

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Marked, Noted
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import held, numbers
from engine.table import kept
from games.korsun_spi.data import Table
from games.korsun_spi.orders import AirSupply, End
from games.korsun_spi.rules.combat import air_points
from games.korsun_spi.rules.ground import GERMAN
from games.korsun_spi.rules.supply import air_trace


def towns(table: Table) -> HexSet:
    """25.21: towns, not cities, unless the players agreed otherwise; none that Soviet units hold (25.24)."""
    found = table.board.towns.get("town", 0)
    if table.data.switch["city_is_town"]:
        found |= table.board.towns.get("city", 0)
    return found & ~held(table, table.enemy(GERMAN))


@kept
def useful_towns(table: Table) -> list[str]:
    """Towns from which some isolated unit could be supplied and is not yet."""
    mark, fed = table.position.mark, table.position.turn + 1
    useful = (
        town
        for town in hexset.members(towns(table))
        if any(mark(unit, "air supplied") != fed for unit in air_trace(table, town))
    )
    return numbers(table, hexset.of(useful))


def air_phase(table: Table) -> Procedure:
    """4.2-e: the Air Points that are left go to towns; on the last turn there is no next one to supply (25.23)."""
    while table.position.turn < table.data.turns and air_points(table, GERMAN) > 0 and useful_towns(table):
        order = yield _ask(table)
        if isinstance(order, End):
            return
        yield from _fly(table, order)


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        side=GERMAN,
        name="air supply",
        subject="phase",
        prompt=f"which towns to supply by air ({air_points(table, GERMAN)} Air Points left)",
        verbs=(AirSupply, End),
        check=lambda order: check_air_supply(seen, order),
        offers=lambda: [pick(AirSupply, "towns", lambda: useful_towns(seen)), Choice(End)],
        default=End,
        case="25.2",
        top=True,
    )


def check_air_supply(table: Table, order: Order) -> None:
    if not isinstance(order, AirSupply):
        return
    spots = list(dict.fromkeys(order.towns))
    have = air_points(table, GERMAN)
    if len(spots) > have:
        raise Illegal("25.25", f"{len(spots)} towns need {len(spots)} Air Points and you have {have}")
    for spot in spots:
        _check_town(table, spot)


def _check_town(table: Table, spot: str) -> None:
    h = table.grid.hex(spot)
    if held(table, table.enemy(GERMAN)) >> h & 1:
        raise Illegal("25.24", f"Soviet units hold {spot}", at=spot)
    if table.position.mark(f"@{spot}", "air") is not None:
        raise Illegal("25.22", f"{spot} is supplied by air already", at=spot)
    is_town = towns(table) >> h & 1
    if not is_town or not air_trace(table, h):
        problem = f"no isolated unit has a line to {spot}" if is_town else f"{spot} is no town"
        raise Illegal("25.21", problem, at=spot, instead="Towns with a line to isolated units",
                      alternatives=useful_towns(table))  # fmt: skip


def _fly(table: Table, order: AirSupply) -> Procedure:
    """25.22: every isolated unit with a line to the town is supplied for the whole next game-turn (25.23)."""
    for spot in dict.fromkeys(order.towns):
        yield Marked(subject=f"@{spot}", mark="air", because="25.22")
        yield Counted(track="air_german", value=air_points(table, GERMAN) - 1, because="25.25")
        for unit in air_trace(table, table.grid.hex(spot)):
            yield Marked(subject=unit, mark="air supplied", value=table.position.turn + 1, because="25.23")
            if table.position.mark(unit, "had heavy") is None:  # 25.28: the first time, never again
                yield Marked(subject=unit, mark="heavy", because="25.28")
                yield Noted(subject=unit, mark="had heavy", because="25.28")
