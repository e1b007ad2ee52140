"""A stack retreats (10.6): its owner says who goes first, and which of the legal ways each takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Fact, Moved
from engine.orders.choice import Choice, Given
from engine.refusals import Illegal
from engine.rules.ground import number, path_numbers, place
from engine.rules.retreat import Way
from engine.table import kept
from games.manstein.data import Table
from games.manstein.orders import Retreat
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import has_room, is_hq
from games.manstein.rules.headquarters import must_relocate
from games.manstein.rules.losses import eliminate, lose_step
from games.manstein.rules.retreat import safest, said, whole_ways, why_not, zones_entered

NOWHERE: Way = ()  # 10.6.8


@dataclass(frozen=True)
class Rout:
    """Units that must leave a hex."""

    side: str
    units: tuple[str, ...]
    length: int


Plan = list[tuple[str, Way]]


def retreat(table: Table, side: str, units: Sequence[str], length: int) -> Procedure:
    """10.6: every unit by itself, in the order its owner says; if he does not, HQs last."""
    rout = Rout(side, tuple(sorted(units, key=lambda u: is_hq(table, u))), length)
    order = Retreat()
    if _is_there_a_choice(table, rout):
        order = yield _ask(table, rout)
    for unit, way in planned(table.seen_by(side), rout, order):
        yield from _go(table, side, unit, way)


def _go(table: Table, side: str, unit: str, way: Way) -> Procedure:
    if way == NOWHERE:
        if is_hq(table, unit):  # it has no elimination rule
            yield from must_relocate(table, unit, "10.6.8")
        else:
            yield from eliminate(table, unit, "10.6.8")
        return
    way = _survived(table, unit, way)
    hurt = zones_entered(table, unit, way)
    dies = hurt >= table.position.steps_left(unit) and not is_hq(table, unit)
    yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="10.6")
    yield from entered(table, unit, way[1:-1] if dies else way[1:])
    if hurt:
        yield from lose_step(table, unit, hurt, "10.6.3")


def _survived(table: Table, unit: str, way: Way) -> Way:
    """10.6.3: a way as far as the hex in which the unit loses its last step."""
    left = table.position.steps_left(unit)
    ends = range(2, len(way))
    return next((way[:end] for end in ends if zones_entered(table, unit, way[:end]) >= left), way)


@kept
def planned(table: Table, rout: Rout, order: Retreat) -> Plan:
    """Everybody's way: those the order names first, in its order, then the others by the safest. Raises Illegal."""
    named = dict(order.paths)
    plan: Plan = []
    for unit in [*named, *(u for u in rout.units if u not in named)]:
        if unit not in rout.units:
            raise Illegal("10.6", f"{unit} does not retreat here", unit=unit, instead="These do",
                          alternatives=rout.units)  # fmt: skip
        way = _chosen(table, rout, unit, named.get(unit, ()))
        plan.append((unit, way))
        table = table.suppose(list(_supposed(table, unit, way)))
    return plan


def _supposed(table: Table, unit: str, way: Way) -> Iterator[Fact]:
    """What a retreat does to the room that is left for the others: whoever is lost on the way takes none."""
    if way != NOWHERE and zones_entered(table, unit, way) < table.position.steps_left(unit):
        yield Moved(unit=unit, path=path_numbers(table, way), how="retreat")


def _chosen(table: Table, rout: Rout, unit: str, named: Sequence[str]) -> Way:
    """The legal way that the named hexes mean: all of them, or only the last. Raises Illegal."""
    found = whole_ways(table, unit, rout.length)
    if not found:
        return NOWHERE
    if not named:
        return safest(table, unit, found)
    steps = tuple(table.grid.hex(h) for h in named)
    for way in found:
        if way[1:] == steps or (len(steps) == 1 and way[-1] == steps[0]):
            return way
    case, why = why_not(table, unit, (place(table, unit), *steps), rout.length, found)
    raise Illegal(case, f"{unit} may not retreat by {' '.join(named)}: {why}", unit=unit, at=named[-1],
                  instead="Legal retreats", alternatives=[said(table, way) for way in found])  # fmt: skip


def _is_there_a_choice(table: Table, rout: Rout) -> bool:
    """Whether somebody has two ways, or two units want the same room."""
    ends: dict[int, list[str]] = {}
    for unit in rout.units:
        found = whole_ways(table, unit, rout.length)
        if len(found) > 1:
            return True
        for way in found:
            ends.setdefault(way[-1], []).append(unit)
    return not all(has_room(table, rout.side, h, coming) for h, coming in ends.items())


def _ask(table: Table, rout: Rout) -> Ask:
    seen = table.seen_by(rout.side)
    spot = number(table, place(table, rout.units[0]))
    who = ", ".join(rout.units)
    first = ", and who goes first" if len(rout.units) > 1 else ""
    hexes = "a hex" if rout.length == 1 else f"{rout.length} hexes"
    return Ask(
        side=rout.side,
        name="retreat",
        subject=spot,
        prompt=f"{who} must retreat {hexes} from {spot}: which way{first}",
        verbs=(Retreat,),
        check=partial(_check, seen, rout),
        offers=lambda: _onward(seen, rout, {"paths": ()}).following(),
        default=lambda: _default(seen, rout),
        case="10.6.2-b",
        passable=True,
        units=rout.units,
    )


def _check(table: Table, rout: Rout, order: Retreat) -> None:
    """Raises Illegal."""
    planned(table, rout, order)


def _default(table: Table, rout: Rout) -> Retreat:
    plan = planned(table, rout, Retreat())
    return Retreat(paths=tuple((unit, path_numbers(table, way[1:])) for unit, way in plan))


def _onward(table: Table, rout: Rout, given: Given) -> Choice:
    """One unit after another; whoever is not named follows by the safest way."""
    before: tuple[tuple[str, tuple[str, ...]], ...] = given["paths"]

    def longer() -> Iterator[tuple[str, tuple[str, ...]]]:
        later = table
        for unit, way in planned(table, rout, Retreat(paths=before))[: len(before)]:
            later = later.suppose(list(_supposed(later, unit, way)))
        for unit in rout.units:
            if unit not in dict(before):
                yield from ((unit, path_numbers(table, way[1:])) for way in whole_ways(later, unit, rout.length))

    more = "paths" if len(before) < len(rout.units) else ""
    return Choice(Retreat, given, more, longer, bool(before), partial(_onward, table, rout))
