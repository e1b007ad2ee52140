"""Reinforcements (12.0): placed by rail; Soviet groups in their order, with units that convert others."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Counted, Fact, Marked, Placed, Turned
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers, units_at
from games.manstein.data import Table
from games.manstein.orders import Convert, Place
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import SOVIET, crowd, full, has_room, kind
from games.manstein.rules.lines import cities_of, railheads

ARRIVED = "arrived"  # the box of Soviet units that may be placed


def open_rails(table: Table, side: str, unit: str) -> list[str]:
    """12.1(1): the railroad hexes in which there is room for a unit."""
    return numbers(table, railheads(table, side) & ~full(table, side, kind(table, unit)))


def check_place(table: Table, side: str, units: Sequence[str], at: str) -> None:
    """12.1, 3.1(3). Raises Illegal."""
    h = table.grid.hex(at)
    case, why = "12.1(1)", ""
    if cities_of(table, table.enemy(side)) >> h & 1:
        case, why = "12.1(2)", "the enemy controls that city"
    elif not railheads(table, side) >> h & 1:
        why = "no railroad of yours free of enemy zones leads there"
    if why:
        said = f"{', '.join(units)} may not be placed in {at}: {why}"
        spots = numbers(table, railheads(table, side))
        raise Illegal(case, said, at=at, instead="Rail hexes that are open", alternatives=spots)
    if not has_room(table, side, h, units):
        raise Illegal("3.1(3)", crowd(table, h, [*units_at(table, h, side), *units]), at=at,
                      instead="Rail hexes with room", alternatives=open_rails(table, side, units[0]))  # fmt: skip


def arrive(table: Table) -> Iterator[Fact]:
    """12.2(1): the lowest-numbered group not yet received; those that found no place before are still waiting."""
    received = table.position.tracks.get("groups", 0)
    groups = table.data.tables["reinforcements"]["groups"]
    if received >= len(groups):
        return
    group = groups[received]
    yield Counted(track="groups", value=received + 1, because="12.2(1)")
    for unit in table.roster.by_side(SOVIET):
        if table.position.where.get(unit.id) in (f"group {group}", f"group ({group})"):
            yield Placed(unit=unit.id, at=ARRIVED, because="12.2")


def arrived(table: Table, *, converting: bool) -> list[str]:
    """The units that wait to be placed, or to replace another (12.2(3))."""
    return [u for u in table.position.in_box(ARRIVED) if table.unit(u).setup.startswith("(") == converting]


def reinforce(table: Table) -> Procedure:
    """12.2: one order at a time, as long as anybody can come; the others wait for the next reinforcement."""
    while _choices(table):
        order = yield _ask(table)
        if isinstance(order, Convert):
            yield from _convert(table, order)
        else:
            assert isinstance(order, Place)
            for unit in order.units:
                yield Placed(unit=unit, at=order.at, because="12.2")
                yield from entered(table, unit, [table.grid.hex(order.at)], placed=True)


def _convert(table: Table, order: Convert) -> Iterator[Fact]:
    """12.2(3): the new unit takes the hex and the supply state of the old one, at full strength."""
    yield Turned(unit=order.old, into=order.new, at=table.position.where[order.old], because="12.2(3)")
    if table.position.mark(order.new, "broke through") is not None:
        yield Marked(subject=order.new, mark="broke through", value=None, because="17.1(1)-g")


def replaceable(table: Table, new: str) -> list[str]:
    """12.2(3): the units on the map of the type that it replaces."""
    kinds = table.data.tables["reinforcements"]["converts"].get(table.unit(new).kind, ())
    return [unit for unit in table.position.on_map(SOVIET) if table.unit(unit).kind in kinds]


def _check(table: Table, order: Order) -> None:
    if isinstance(order, Place):
        for unit in order.units:
            if unit not in arrived(table, converting=False):
                raise Illegal("12.2(1)", f"{unit} is not among the reinforcements", unit=unit, instead="These are",
                              alternatives=arrived(table, converting=False))  # fmt: skip
        check_place(table, SOVIET, order.units, order.at)
    elif isinstance(order, Convert):
        if order.new not in arrived(table, converting=True):
            raise Illegal("12.2(3)", f"{order.new} converts nobody now", unit=order.new, instead="Converting units",
                          alternatives=arrived(table, converting=True))  # fmt: skip
        if order.old not in replaceable(table, order.new):
            raise Illegal("12.2(3)", f"{order.new} does not replace {order.old}", unit=order.old, instead="It replaces",
                          alternatives=replaceable(table, order.new) or ("nobody on the map",))  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(SOVIET)
    waiting = table.position.in_box(ARRIVED)
    return Ask(
        side=SOVIET,
        name="reinforcements",
        subject=SOVIET,
        prompt=f"place {', '.join(waiting)} on railroads, or convert; nobody who can come is held back",
        verbs=(Place, Convert),
        check=partial(_check, seen),
        offers=partial(_choices, seen),
        default=partial(_default, seen),
        case="12.2",
        top=True,
        units=tuple(waiting),
    )


def _default(table: Table) -> Order:
    """Whoever can be placed is placed, as near to the front as the railroad goes; then the weakest are converted."""
    for unit in arrived(table, converting=False):
        spots = open_rails(table, SOVIET, unit)
        if spots:
            goal = table.data.area(table.data.scenario["sources"]["axis"]["area"])
            return Place(units=(unit,), at=min(spots, key=lambda spot: (_far(table, spot, goal), spot)))
    new = next(unit for unit in arrived(table, converting=True) if replaceable(table, unit))
    return Convert(old=min(replaceable(table, new), key=lambda old: table.position.value(old, "attack")), new=new)


def _far(table: Table, spot: str, goal: HexSet) -> int:
    return min(table.grid.distance(table.grid.hex(spot), g) for g in hexset.members(goal))


def _choices(table: Table) -> list[Choice]:
    """What can be done with those who wait."""
    found = [pick(Place, "at", partial(open_rails, table, SOVIET, unit), units=(unit,))
             for unit in arrived(table, converting=False) if open_rails(table, SOVIET, unit)]  # fmt: skip
    found += [Choice(Convert, {"old": old, "new": new})
              for new in arrived(table, converting=True) for old in replaceable(table, new)]  # fmt: skip
    return found
