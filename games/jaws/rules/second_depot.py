"""A second depot near Korsun (18.9, an option)."""

from collections.abc import Iterator

from engine.facts import Counted, Fact, Marked, Noted
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, Table
from games.jaws.orders.optional import Haul, SetUp
from games.jaws.rules.second_airfield import check_engineer
from games.jaws.rules.stores import DEPOT, FIELD, STORES, at_work, held, near_korsun, put, site

HAULED = "hauled"  # 18.9-p3: the game's mark: how many SPs were brought there this turn


def check_set_up(table: Table, order: SetUp) -> None:
    """Raises Illegal."""
    row, unit = table.data.tables["options"]["second_depot"], order.unit
    check_engineer(table, unit, "18.9")
    h = place(table, unit)
    spot, field = number(table, h), site(table, FIELD)
    if (found := site(table, DEPOT)) is not None:
        raise Illegal("18.9", f"there is a second depot in {number(table, found[0])}", unit=unit)
    if not table.data.road_hexes >> h & 1:
        raise Illegal("18.9", f"{spot} is no road hex", unit=unit, at=spot)
    beside_field = field is not None and table.grid.distance(h, field[0]) <= row["hexes"]
    if not near_korsun(table, h, row["hexes"]) and not beside_field:
        raise Illegal("18.9", f"{spot} is more than {row['hexes']} hexes from Korsun and the second airfield",
                      unit=unit, at=spot)  # fmt: skip
    _check_held(table, order.store, row["price"], "18.9-p1")


def _check_held(table: Table, store: str, points: int, case: str) -> None:
    left = held(table, STORES[store])
    if left < points:
        others = [name for name, track in STORES.items() if held(table, track) >= points]
        raise Illegal(case, f"{store} has {left} SPs, and {points} are needed", instead="These have",
                      alternatives=others)  # fmt: skip


def set_up(table: Table, order: SetUp) -> Iterator[Fact]:
    """18.9-p1, -p2: an SP, and the marker in the engineer's hex, empty."""
    track, spot = STORES[order.store], number(table, place(table, order.unit))
    yield from put(table, track, held(table, track) - table.data.tables["options"]["second_depot"]["price"], "18.9-p1")
    yield Marked(subject=f"@{spot}", mark=DEPOT, value=table.position.turn, because="18.9-p2")
    yield Counted(track=DEPOT, value=0, because="18.9-p2")


def setups(table: Table) -> Iterator[SetUp]:
    units = table.position.on_map(GERMAN) if table.data.switch["second_depot"] else ()
    orders = (SetUp(unit=unit, store=store) for unit in units for store in STORES)
    return (order for order in orders if passes(check_set_up, table, order))


# 18.9-p3


def _left(table: Table) -> int:
    """How many SPs may still be brought this turn."""
    return table.data.tables["options"]["second_depot"]["hauled"] - int(game_mark(table, HAULED) or 0)


def check_haul(table: Table, order: Haul) -> None:
    """Raises Illegal."""
    if not at_work(table, DEPOT):
        raise Illegal("18.9-p3", "there is no second depot that was set up on an earlier turn")
    if not 1 <= order.points <= _left(table):
        raise Illegal("18.9-p3", f"{_left(table)} more SPs can be brought there this turn")
    _check_held(table, order.store, order.points, "18.9-p3")


def haul(table: Table, order: Haul) -> Iterator[Fact]:
    track = STORES[order.store]
    yield from put(table, track, held(table, track) - order.points, "18.9-p3")
    yield from put(table, DEPOT, held(table, DEPOT) + order.points, "18.9-p3")
    done = int(game_mark(table, HAULED) or 0) + order.points
    yield from set_game(table, HAULED, str(done), "18.9-p3", Noted)


def hauls(table: Table) -> list[Haul]:
    if not at_work(table, DEPOT):
        return []
    rows = [(points, store) for store in STORES for points in range(1, _left(table) + 1)]
    orders = [Haul(points=points, store=store) for points, store in rows]
    return [order for order in orders if passes(check_haul, table, order)]


def hauled(table: Table) -> Iterator[Fact]:
    """The turn's account is closed."""
    yield from set_game(table, HAULED, None, "18.9-p3", Noted)


# 18.9-p4


def drop_zone(table: Table) -> str:
    """The hex of the depot, on turns after it was set up; empty if none."""
    found = site(table, DEPOT)
    return number(table, found[0]) if found is not None and at_work(table, DEPOT) else ""


def dropped(table: Table, brought: int) -> Iterator[Fact]:
    yield from put(table, DEPOT, held(table, DEPOT) + brought, "18.9-p4")
