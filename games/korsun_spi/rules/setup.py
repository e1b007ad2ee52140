"""Setting up (18.0): the Soviet first, then the German who sees it."""

from collections import Counter
from collections.abc import Iterator

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Noted, Placed
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, numbers, units_at
from engine.table import kept, kept_while_still
from games.korsun_spi.data import SECTIONS, Table
from games.korsun_spi.orders import End, Historical, Place, TakeBack
from games.korsun_spi.rules.ground import GERMAN, SOVIET


def stock(table: Table, side: str) -> dict[str, str]:
    """The historical set-up: each unit's hex."""
    return {unit: spot for spot, units in table.data.stock[side].items() for unit in units}


def symbols(table: Table, h: Hex) -> Counter[str]:
    """18.1: the unit symbols printed in a hex; they are those of the stock set-up."""
    return _printed(table).get(number(table, h), Counter())


@kept
def _printed(table: Table) -> dict[str, Counter[str]]:
    rows = table.data.stock[SOVIET].items()
    return {spot: Counter(_symbol(table, unit) for unit in units) for spot, units in rows}


def _symbol(table: Table, unit: str) -> str:
    """18.11: units of a type are interchangeable; 18.13: an HQ has its own hex."""
    return unit if "hq" in table.unit(unit).classes else table.unit(unit).kind


@kept_while_still()
def to_place(table: Table, side: str) -> list[str]:
    """The units still to be set up."""
    waiting = [u for u in table.roster.by_side(side) if table.position.where.get(u.id) == "setup"]
    if side == GERMAN:
        late = {row["code"] for row in table.data.tables["reinforcements"] if "code" in row}
        return [unit.id for unit in waiting if unit.setup not in late]
    wanted = _bare_symbols(table)
    return [unit.id for unit in waiting if wanted[_symbol(table, unit.id)] > 0]


def _bare_symbols(table: Table) -> Counter[str]:
    """18.1: the printed symbols that no unit stands on yet."""
    wanted = Counter(_symbol(table, unit) for unit in stock(table, SOVIET))
    return wanted - Counter(_symbol(table, unit) for unit in table.position.on_map(SOVIET))


def missing(table: Table, side: str) -> int:
    """18.16, 18.26: how many units are still to be set up; more may fit than are wanted (18.11)."""
    return _bare_symbols(table).total() if side == SOVIET else len(to_place(table, side))


def area_for(table: Table, unit: str) -> HexSet:
    """Where a unit may be set up."""
    if table.unit(unit).side == SOVIET:
        symbol = _symbol(table, unit)
        return hexset.of(table.grid.hex(spot) for spot, printed in _printed(table).items() if printed[symbol])
    code = table.unit(unit).setup
    if code in SECTIONS:  # 18.22
        return hexset.spread(table.grid, table.board.lines[code].inner) & table.data.german_side
    near = table.grid.hex(code)
    wiking = table.data.tables["setup"]["around"]  # 18.21
    if code == wiking["code"]:
        return hexset.within(table.grid, 1 << near, wiking["hexes"]) & table.data.german_side
    return 1 << near


def check_place(table: Table, side: str, order: Place) -> None:
    h = table.grid.hex(order.at)
    for unit in order.units:
        if table.unit(unit).side != side:
            raise Illegal("18.0", f"{unit} is not yours", unit=unit)
        if unit not in to_place(table, side) and table.position.hex_of(unit) is None:
            raise Illegal("18.0", f"{unit} does not start on the map", unit=unit)
        area = area_for(table, unit)
        if not area >> h & 1:
            raise Illegal(_area_case(table, unit, h), f"{unit} may not be set up in {order.at}", unit=unit,
                          at=order.at, instead="It may go to", alternatives=numbers(table, area))  # fmt: skip
    there = [u for u in units_at(table, h, side) if u not in order.units]
    if side == SOVIET:
        _check_symbols(table, order, there)
    elif len(there) + len(order.units) > table.data.tables["setup"]["most_in_hex"]["units"]:
        raise Illegal("18.25", f"more than three units in {order.at}: {', '.join([*there, *order.units])}", at=order.at)


def _area_case(table: Table, unit: str, h: Hex) -> str:
    if table.unit(unit).side == SOVIET:
        if "hq" in table.unit(unit).classes:
            return "18.13"
        return "18.11" if symbols(table, h) else "18.1"
    if not table.data.german_side >> h & 1:
        return "18.23"
    return "18.22" if table.unit(unit).setup in SECTIONS else "18.21"


def _check_symbols(table: Table, order: Place, there: list[str]) -> None:
    printed = symbols(table, table.grid.hex(order.at))
    wanted = Counter(_symbol(table, unit) for unit in [*there, *order.units])
    over = wanted - printed
    if over:
        kind = next(iter(over))
        raise Illegal("18.1", f"there is room for {printed[kind]} {kind} in {order.at}", at=order.at)


def check_end(table: Table, side: str) -> None:
    """18.16, 18.26: everybody is placed; 18.24: the whole line is covered."""
    short = missing(table, side)
    if short:
        raise Illegal("18.26" if side == GERMAN else "18.16", f"{short} units are still to be set up",
                      instead="Not set up", alternatives=to_place(table, side))  # fmt: skip
    if side == GERMAN:
        for section in SECTIONS:
            bare = uncovered(table, section)
            if bare:
                spots = numbers(table, bare)
                raise Illegal(
                    "18.24", f"no unit of section {section} holds or controls {', '.join(spots)}", at=spots[0]
                )


def uncovered(table: Table, section: str) -> HexSet:
    """18.24: border hexes that no unit of the section's letter holds or controls."""
    own = [u for u in table.position.on_map(GERMAN) if table.unit(u).setup == section]
    spots = hexset.of(h for u in own if (h := table.position.hex_of(u)) is not None)
    covered = spots | hexset.across(table.grid, spots, table.data.zone_sides)
    return table.board.lines[section].inner & ~covered


def set_up(table: Table, side: str) -> Procedure:
    """One side's set-up, one order at a time, until it says `end`."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        if isinstance(order, Historical):
            wanted = stock(table, side)
            for unit in [*wanted, *table.position.on_map(side)]:
                if table.position.where.get(unit) != wanted.get(unit, "setup"):
                    yield Placed(unit=unit, at=wanted.get(unit, "setup"), because="18.0")
        elif isinstance(order, Place):
            for unit in order.units:
                yield Placed(unit=unit, at=order.at, because="18.0")
        elif isinstance(order, TakeBack):
            for unit in order.units:
                yield Placed(unit=unit, at="setup", because="18.0")


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    left = missing(table, side)

    def check(order: Order) -> None:
        if isinstance(order, Place):
            check_place(seen, side, order)
        elif isinstance(order, End):
            check_end(seen, side)
        elif isinstance(order, TakeBack):
            for unit in order.units:
                if seen.unit(unit).side != side or seen.position.hex_of(unit) is None:
                    raise Illegal("18.0", f"{unit} is not on the map, or not yours", unit=unit)

    return Ask(
        side=side,
        name="set-up",
        subject=side,
        prompt=f"set up {left} units, or take the historical set-up" if left else "`end` closes the set-up",
        verbs=(Place, TakeBack, Historical, End),
        check=check,
        offers=lambda: _choices(seen, side),
        default=lambda: End() if _ready(seen, side) else Historical(),
        case="18.0",
        top=True,
    )


def _ready(table: Table, side: str) -> bool:
    return not to_place(table, side) and passes(check_end, table, side)


def _choices(table: Table, side: str) -> list[Choice]:
    alike: dict[str, list[str]] = {}
    for unit in to_place(table, side):
        alike.setdefault(_symbol(table, unit) if side == SOVIET else table.unit(unit).setup, []).append(unit)
    found = [Choice(Historical)]
    for units in alike.values():
        room = _room(table, side, units[0])  # the same for all of a symbol or a set-up code
        found += [pick(Place, "at", room.copy, units=(unit,)) for unit in units if room]
    return [*found, Choice(End)] if _ready(table, side) else found


def _room(table: Table, side: str, unit: str) -> list[str]:
    orders = [Place(units=(unit,), at=number(table, h)) for h in hexset.members(area_for(table, unit))]
    return [order.at for order in orders if passes(check_place, table, side, order)]


def remember_start(table: Table) -> Iterator[Fact]:
    """21.12: units with a hex number are measured from where they were set up."""
    for unit in table.position.on_map(GERMAN):
        if table.unit(unit).setup not in SECTIONS:
            yield Noted(subject=unit, mark="start", value=table.position.where[unit], because="21.12")


def headquarters_up(table: Table) -> Iterator[Fact]:
    """18.13: every HQ stands active side up until the Soviet player declares (18.15)."""
    for unit in table.position.on_map(SOVIET):
        if "hq" in table.unit(unit).classes:
            yield Marked(subject=unit, mark="active", because="18.13")


def opening_support(table: Table) -> Iterator[Fact]:
    """24.2: the corps in the four marked hexes are supported."""
    for spot in table.data.tables["supported_corps"]["hexes"]:
        for unit in units_at(table, table.grid.hex(spot), SOVIET):
            if "corps" in table.unit(unit).classes:
                yield Marked(subject=unit, mark="supported", because="24.2")
