"""The Artillery Barrage Segment (17.1.3): each Barrage unit on the map may fire once, on up to three hexes."""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers, place
from games.jaws.data import SOVIET, Table
from games.jaws.orders.events import Barrage
from games.jaws.orders.turn import End
from games.jaws.rules.ammunition import EMPTY, FIRED
from games.jaws.rules.barrage.batteries import barrages
from games.jaws.rules.barrage.components import held
from games.jaws.rules.barrage.markers import lay, under_fire
from games.jaws.rules.units import army, standing


def loaded(table: Table) -> list[str]:
    """17.1.3: the Barrage units on the map that have not fired."""
    able = [barrage for barrage in barrages(table) if table.position.hex_of(barrage) is not None]
    return [barrage for barrage in able if table.position.mark(barrage, FIRED) is None]


def targets(table: Table, barrage: str) -> list[str]:
    """17.1.3-1: the German hexes within its range that bear no marker yet."""
    near = hexset.within(table.grid, 1 << place(table, barrage), table.unit(barrage).value("range"))
    found = near & standing(table, table.enemy(SOVIET))
    return numbers(table, hexset.of(h for h in hexset.members(found) if not under_fire(table, (h,))))


def columns_at(table: Table, barrage: str, spot: str) -> int:
    """17.1.3-2, -3: three at two hexes, and nearer; two at three."""
    row = table.data.tables["barrage"]["shifts"]
    far = table.grid.distance(place(table, barrage), table.grid.hex(spot))
    return row.get(str(far), max(row.values()))


def check_barrage(table: Table, order: Barrage) -> None:
    """Raises Illegal."""
    if order.unit not in loaded(table):
        raise Illegal("17.1.3-4", f"{order.unit} is no Barrage unit on the map that can fire", unit=order.unit,
                      instead="These can", alternatives=loaded(table))  # fmt: skip
    most, able = table.data.tables["barrage"]["markers"], targets(table, order.unit)
    if len(order.hexes) > most or len(set(order.hexes)) < len(order.hexes):
        raise Illegal("17.1.3-1", f"{order.unit} fires on {most} hexes at most, once on each", unit=order.unit)
    for spot in order.hexes:
        if spot not in able:
            raise Illegal("17.1.3-1", f"{order.unit} cannot fire on {spot}", unit=order.unit, at=spot,
                          instead="It can on", alternatives=able)  # fmt: skip


def fired(table: Table, order: Barrage) -> Iterator[Fact]:
    """17.1.3-1 to -4: markers on the hexes; the Barrage unit and its components are out of ammunition."""
    name = army(table, table.unit(order.unit))
    for spot in order.hexes:
        yield lay(table, spot, name, columns_at(table, order.unit, spot))
    for gun in (order.unit, *held(table, order.unit)):
        yield Marked(subject=gun, mark=FIRED, value=EMPTY, because="17.1.3-4")


def barrage_segment(table: Table, side: str, onward: tuple[type[Order], ...]) -> Procedure:
    """17.1.3: one after another, in any order; an intact one may wait for a later turn."""
    while any(targets(table, barrage) for barrage in loaded(table)):
        order = yield _ask(table, onward)
        if isinstance(order, End):
            return
        yield from fired(table, order)


def _ask(table: Table, onward: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(SOVIET)

    def check(order: Order) -> None:
        if isinstance(order, Barrage):
            check_barrage(seen, order)

    def offers() -> list[Choice]:
        found = [Choice(End)]
        for barrage in loaded(seen):
            able = targets(seen, barrage)

            def more(given: Given, able: list[str] = able) -> list[str]:
                named = given.get("hexes", ())
                most = seen.data.tables["barrage"]["markers"]
                return [spot for spot in able if spot not in named] if len(named) < most else []

            found += [gather(Barrage, "hexes", more, unit=barrage)] if able else []
        return found

    return Ask(
        side=SOVIET,
        name="barrage",
        subject=SOVIET,
        prompt=f"{', '.join(loaded(seen))} can fire a barrage; `end` saves it",
        verbs=(Barrage, End),
        check=check,
        offers=offers,
        default=End,
        case="17.1.3-1",
        top=True,
        onward=onward,
        course="events",
    )
