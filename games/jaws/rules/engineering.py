"""The Engineering Phases (3.2-E5, F5; 15.0): what goes on from before, then what the phasing side orders."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import passes
from engine.rules.ground import is_a
from engine.rules.marks import marked, wipe
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.engineering import Build, Fortify, Lay, Level, Lift, Mend, Mine, Repair, TakeUp
from games.jaws.orders.movement import Blow
from games.jaws.orders.turn import End
from games.jaws.rules import engineering_options, minelaying, mines, positions, railroads, repairs, second_airfield
from games.jaws.rules.bridges import TRIED, blow, check_blow, demolitions
from games.jaws.rules.ground import BRIDGE, POSITION
from games.jaws.rules.units import STORMED, of_class, standing

PHASE_MARKS = (TRIED, STORMED)


def engineering_phase(table: Table, side: str) -> Procedure:
    """15.0: works begun before go on; then bridges, positions, railroads and minefields, until the side ends it."""
    yield from repairs.progress(table, side)
    yield from minelaying.deserted(table)
    if side == GERMAN:
        yield from mines.cleared(table)
        yield from second_airfield.finished(table)
    while next(_works(table, side), None) is not None:
        order = yield _ask(table, side)
        if isinstance(order, End):
            break
        yield from _done(table, side, order)
    if side == SOVIET:
        yield from minelaying.finish(table)
    yield from wipe(table, PHASE_MARKS, "15.0")


def _done(table: Table, side: str, order: Order) -> Procedure:
    match order:
        case Blow():
            a, b = repairs.ends(table, order.bridge)
            row, enemy = table.data.tables["bridges"], standing(table, table.enemy(side))
            yield from blow(table, a, b, row["occupied"] if (enemy >> a | enemy >> b) & 1 else 0)
        case Repair():
            yield from repairs.repair(table, side, order)
        case Build():
            yield from repairs.build(table, side, order)
        case TakeUp():
            yield from repairs.take_up(table, order)
        case Fortify():
            yield from positions.fortify(table, order)
        case Level():
            yield from positions.level(order)
        case Mend():
            yield from railroads.mend(table, order)
        case Mine():
            yield from minelaying.mine(table, order)
        case Lay():
            yield from minelaying.lay(table, order)
        case Lift():
            yield from minelaying.lift(table, order)
        case _:
            yield from engineering_options.done(table, order)


def check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    match order:
        case Blow():
            check_blow(table, side, order)
        case Repair():
            repairs.check_repair(table, side, order)
        case Build():
            repairs.check_build(table, side, order)
        case TakeUp():
            repairs.check_take_up(table, side, order)
        case Fortify():
            positions.check_fortify(table, order)
        case Level():
            positions.check_level(table, order)
        case Mend():
            railroads.check_mend(table, order)
        case Mine():
            minelaying.check_mine(table, order)
        case Lay():
            minelaying.check_lay(table, order)
        case Lift():
            minelaying.check_lift(table, order)
        case _:
            engineering_options.check(table, order)


def _works(table: Table, side: str) -> Iterator[Choice]:
    """All that may be ordered."""
    yield from (whole(Blow(bridge=bridge)) for bridge in demolitions(table, side))
    for bridge in repairs.fallen(table):
        if passes(repairs.check_repair, table, side, Repair(bridge=bridge)):
            yield whole(Repair(bridge=bridge))
    yield from map(whole, _bridging(table, side))
    if side == SOVIET:
        yield from minelaying.choices(table)
        return
    yield from engineering_options.choices(table)
    yield from (whole(Fortify(unit=unit)) for unit in positions.fortifiers(table))
    yield from (whole(Level(at=spot[1:])) for spot in marked(table, POSITION))
    yield from (whole(Mend(unit=unit)) for unit in railroads.menders(table))


def _bridging(table: Table, side: str) -> Iterator[Build | TakeUp]:
    """15.2.3, 15.2.4: every bridge that an engineer may build, or take up."""
    grid = table.grid
    for unit in of_class(table, side, "engineer"):
        if (h := table.position.hex_of(unit)) is None:
            continue
        for other in grid.neighbours(h):
            if not repairs.water(table, h, other):
                continue
            kinds = (False, True) if is_a(table, unit, "bridge") else (False,)  # 15.2.4: a column builds others too
            orders = (Build(bridge=grid.hexside(h, other), unit=unit, plain=plain) for plain in kinds)
            yield from (order for order in orders if passes(repairs.check_build, table, side, order))
        for spot in marked(table, BRIDGE) if side == GERMAN and is_a(table, unit, "bridge") else ():
            if passes(repairs.check_take_up, table, side, TakeUp(bridge=spot[1:], unit=unit)):
                yield TakeUp(bridge=spot[1:], unit=unit)


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    own: tuple[type[Order], ...] = (Mine, Lay, Lift) if side == SOVIET else (TakeUp, Fortify, Level, Mend)
    also = "minefields" if side == SOVIET else "positions, railroads"
    return Ask(
        side=side,
        name="engineering",
        subject=side,
        prompt=f"engineering: bridges, {also}; `end` closes the phase",
        verbs=(Blow, Repair, Build, *own, *engineering_options.verbs(table, side), End),
        check=partial(check, seen, side),
        offers=lambda: [Choice(End), *_works(seen, side)],
        default=End,
        case="15.0",
        top=True,
    )
