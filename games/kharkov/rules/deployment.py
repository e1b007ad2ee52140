"""Reserves come on to the map (7.0)."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Placed
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers, place
from engine.rules.marks import game_mark
from engine.table import kept_while_still
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.orders import End, Place
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import GARRISON, army, fits, front, full, in_reserve, on_map
from games.kharkov.rules.supply import heads
from games.kharkov.rules.towns import entered

AREAS = {"Raus": "Kempf", "1PzA": "1st Panzer Army", "4PzA": "4th Panzer Army"}


def area(table: Table, unit: str) -> HexSet:
    """2.1-b: Corps Raus has an area of its own."""
    return table.data.area(AREAS.get(army(table, unit)) or AREAS[front(table, unit)])


def strategic(table: Table, unit: str) -> HexSet:
    """7.1-b: supply heads in the area, far from enemies, garrisons and enemy towns."""
    now, rules = field(table), table.data.tables["deployment"]
    enemies = now.soviet_control | now.soviet_towns | now.garrisons  # 13.22-d: isolated units apart
    return _clear_of(table, heads(table.data, now, GERMAN) & area(table, unit), enemies, rules["strategic"])


def tactical(table: Table, unit: str) -> HexSet:
    """7.1-a: supply heads and clear hexes beside them, not so far from enemies, near friends."""
    data, now = table.data, field(table)
    grid, found = table.grid, heads(data, now, GERMAN)
    clear = data.board.terrain["clear"] & ~data.towns
    hexes = (found | hexset.spread(grid, found) & clear) & area(table, unit)
    hexes &= ~(now.soviet | now.soviet_towns | now.garrisons)
    hexes = _clear_of(table, hexes, now.soviet_control | now.soviet_towns, data.switch["deployment_distance"])
    reach = data.tables["deployment"]["friends"]
    friends = on_map(table, GERMAN)
    hexes &= ~full(table, GERMAN, table.position.steps_left(unit))
    for same in (partial(army, table), partial(front, table)):
        near = hexset.of(place(table, other) for other in friends if same(other) == same(unit))
        if own := hexes & hexset.within(grid, near, reach):
            return own
    return 0


def _clear_of(table: Table, hexes: HexSet, enemies: HexSet, far: int) -> HexSet:
    """At least so far from these; two hexes are enough in a German map-edge hex."""
    grid, edge = table.grid, table.data.edges[GERMAN]
    near = hexset.within(grid, enemies, far - 1)
    close = hexset.within(grid, enemies, table.data.tables["deployment"]["edge"] - 1)
    return hexes & ~held(table, SOVIET) & (~near | edge & ~close)


@kept_while_still("supply", GARRISON, owners=True)
def ground(table: Table, unit: str) -> HexSet:
    """Where a reserve may be placed, room for it looked at (10.4)."""
    hexes = tactical(table, unit) | strategic(table, unit)
    return hexes & ~full(table, GERMAN, table.position.steps_left(unit))


def deployable(table: Table, units: Sequence[str]) -> list[str]:
    return [unit for unit in units if ground(table, unit)]


def of_corps(table: Table, corps: Sequence[str]) -> list[str]:
    return [unit for unit in in_reserve(table, GERMAN) if army(table, unit) in corps]


def deploy(table: Table) -> Procedure:
    """7.1, 7.2: all reserves of the corps named by the card, one after another, as many as can be placed."""
    corps = game_mark(table, "deploying").split(",")
    while can := deployable(table, of_corps(table, corps)):
        order = yield _ask(table, can, may_end=False)
        yield from placed(table, order)


def delayed(table: Table) -> Procedure:
    """7.3: full-strength reserves that are two turns late may be deployed without a card."""
    while True:
        late = [unit for unit in in_reserve(table, GERMAN) if _is_late(table, unit)]
        can = deployable(table, late)
        if not can:
            return
        order = yield _ask(table, can, may_end=True)
        if isinstance(order, End):
            return
        yield from placed(table, order)


def _is_late(table: Table, unit: str) -> bool:
    setup = table.unit(unit).setup
    due = int(setup[2:]) if setup.startswith("GT") else 0
    return (
        bool(due)
        and table.position.turn - due >= table.data.tables["deployment"]["delay"]
        and not table.position.lost.get(unit)
    )


def placed(table: Table, order: Place) -> Iterator[Fact]:
    for unit in order.units:
        yield Placed(unit=unit, at=order.at, because="7.1")
        yield from entered(table, unit, [table.grid.hex(order.at)])


def check_place(table: Table, can: Sequence[str], order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Place):
        return
    h = table.grid.hex(order.at)
    for unit in order.units:
        if unit not in can:
            raise Illegal("7.1", f"{unit} is not a reserve to place now", alternatives=list(can))
        if fits(table, GERMAN, h, [unit]) and not ground(table, unit) >> h & 1:
            allowed = numbers(table, ground(table, unit))
            raise Illegal("7.1-a", f"{unit} may not be placed at {order.at}", alternatives=allowed)
    if not fits(table, GERMAN, h, order.units):
        raise Illegal("10.4", f"there is no room for {', '.join(order.units)} at {order.at}")


def _ask(table: Table, can: Sequence[str], *, may_end: bool) -> Ask:
    def spots(unit: str) -> list[str]:
        return numbers(table, ground(table, unit))

    offers = [pick(Place, "at", partial(spots, unit), units=(unit,)) for unit in can]
    best = max(hexset.members(ground(table, can[0])), key=lambda h: number(table, h))
    default = End() if may_end else Place(units=(can[0],), at=number(table, best))
    return Ask(
        GERMAN, "place", "reserves", f"reserves to place: {', '.join(can)}", (Place, End) if may_end else (Place,),
        default=lambda: default, offers=lambda: [*offers, *([Choice(End)] if may_end else [])],
        check=partial(check_place, table, can), case="7.3" if may_end else "7.1", top=True,
    )  # fmt: skip
