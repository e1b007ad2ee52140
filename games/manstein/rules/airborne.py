"""The airborne operation (13.0): a corps and a bridgehead anywhere within eight hexes of the front."""

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Marked, Placed
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers
from engine.table import kept
from games.manstein.data import Table
from games.manstein.orders import Drop
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import AXIS, SOVIET, full
from games.manstein.rules.lines import AIRHEAD, lines


@kept
def zones(table: Table) -> HexSet:
    """13.2: land within eight hexes of a Soviet unit with a line, no Axis unit there, room for the corps."""
    row = table.data.tables["airborne"]
    linked = held(table, SOVIET) & lines(table, SOVIET)
    near = hexset.within(table.grid, linked, row["range"]) & table.data.passable
    return near & ~held(table, AXIS) & ~full(table, SOVIET, "units")


def airborne(table: Table) -> Procedure:
    """13.2: the chit becomes the bridgehead marker and is never used again; 16.3(3): it is a crossing point."""
    if zones(table):
        order = yield _ask(table)
        corps = table.data.tables["airborne"]["unit"]
        yield Counted(track="airborne", value=1, because="16.3(3)")
        yield Marked(subject=f"@{order.at}", mark=AIRHEAD, value=1, because="13.2")
        yield Placed(unit=corps, at=order.at, because="13.2")
        yield from entered(table, corps, [table.grid.hex(order.at)], placed=True)


def _check(table: Table, order: Order) -> None:
    assert isinstance(order, Drop)
    if not zones(table) >> table.grid.hex(order.at) & 1:
        reach = table.data.tables["airborne"]["range"]
        raise Illegal(
            "13.2", f"no landing in {order.at}: land with room and no Axis unit, within {reach} hexes of a Soviet unit "
            "with a line", at=order.at, instead="It may land in", alternatives=numbers(table, zones(table)),
        )  # fmt: skip


def _best(table: Table) -> Hex:
    """A crossing point of the Axis if one is in reach, else the hex nearest to one."""
    points = [h for h in table.data.crossings if not held(table, SOVIET) >> h & 1]

    def badness(h: Hex) -> tuple[int, str]:
        return min((table.grid.distance(h, point) for point in points), default=0), number(table, h)

    return min(hexset.members(zones(table)), key=badness)


def _ask(table: Table) -> Ask:
    seen = table.seen_by(SOVIET)
    return Ask(
        side=SOVIET,
        name="airborne",
        subject=SOVIET,
        prompt="where the airborne corps lands",
        verbs=(Drop,),
        check=lambda order: _check(seen, order),
        offers=lambda: [pick(Drop, "at", lambda: numbers(seen, zones(seen)))],
        default=lambda: Drop(at=number(seen, _best(seen))),
        case="13.2",
        top=True,
    )
