"""The Movement Segment (9.0): stacks move one after another, and what a move leaves behind."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Halted, Marked, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, numbers, place
from engine.rules.marks import set_game, wipe
from engine.table import kept, kept_under
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.events import Disband
from games.jaws.orders.forming import Recombine
from games.jaws.orders.movement import Move, Rail
from games.jaws.orders.reserves import Reserve
from games.jaws.orders.sight import Flip, Storm, Top
from games.jaws.orders.supply import Assign
from games.jaws.orders.turn import End
from games.jaws.rules import (
    assigning,
    bridges,
    flipping,
    movement_options,
    rail,
    rail_capacity,
    reserves,
    storming,
    top,
)
from games.jaws.rules.allowance import (
    HOW,
    MOVING,
    ON_FOOT,
    SPARED,
    SPENT,
    STOOD,
    STRATEGIC,
    How,
    allowance,
    began,
    check_may_move,
    moving,
    spent,
)
from games.jaws.rules.breakdown import recombinable, recombine
from games.jaws.rules.crowding import crowding
from games.jaws.rules.escorts import escort, torn
from games.jaws.rules.extending import check_lockstep, in_lockstep, pair, settled
from games.jaws.rules.forming import FORMING, check_forming, form, forming_choices
from games.jaws.rules.ground import CUT
from games.jaws.rules.guarding import check_guard
from games.jaws.rules.interception import INTERCEPTED
from games.jaws.rules.march import go, rested
from games.jaws.rules.parts import on_map_as
from games.jaws.rules.reach import one_hex, reachable
from games.jaws.rules.replacements import alarms
from games.jaws.rules.stacking import breach, crowded
from games.jaws.rules.unchanged import stack_state, unit_state
from games.jaws.rules.units import attack_capable, is_sdm, standing, units_in
from games.jaws.rules.walking import check_begun, check_slower, check_stop, may_stop, plan

PHASE_MARKS = (
    SPENT, STOOD, SPARED, HOW, MOVING, INTERCEPTED, reserves.UNDER_WAY, bridges.TRIED, flipping.VISITED,
    *movement_options.MARKS, rail_capacity.RAN, rail.RODE,
)  # fmt: skip
VERBS = (Reserve, Move, Rail, *FORMING, Storm, Flip, Disband, Top, Assign)


def movement_segment(table: Table, side: str) -> Procedure:
    """3.2-E3B, F3: until the mover says that it is over; then what the end of the phase brings."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            break
        if isinstance(order, Rail):
            yield from rail.ride(table, order)
        elif isinstance(order, Reserve):
            yield from reserves.declare(order)
            continue
        elif isinstance(order, Top):
            yield from top.lay(table, table.grid.hex(order.at), side, order.unit, "11.3-1")
            continue
        elif isinstance(order, Assign):
            yield from assigning.assign(order)
            continue
        elif isinstance(order, Flip):
            yield from flipping.flip(order)
            continue
        elif isinstance(order, Disband):
            yield from alarms.disband(table, order)
            continue
        elif isinstance(order, Storm):
            yield from storming.storm(table, order.units, order.at, order.foot)
            yield from storming.met_on_the_way(table, order.units)
        elif isinstance(order, FORMING):
            yield from form(table, side, order)
        elif isinstance(order, movement_options.OPTIONAL):
            yield from movement_options.done(table, side, order)
        else:
            yield from carry_out(table, side, order, how_of(order))
            if side == SOVIET:
                yield from storming.met_on_the_way(table, order.units)
        yield from set_game(table, reserves.UNDER_WAY, "yes", "9.6", Noted)
    yield from rested(table)
    yield from crowding(table, side)
    if side == SOVIET:
        yield from _cut_rails(table)
    else:
        yield from rail_capacity.counted(table)
    yield from wipe(table, PHASE_MARKS, "9.0-a")


# A move


def how_of(order: Move) -> How:
    if order.strategic:
        return "strategic on foot" if order.foot else "strategic"
    return "foot" if order.foot else "move"


def _said(order: Move, how: How) -> Move:
    """The order with the word for its way."""
    flags = {"foot": how in ON_FOOT, "strategic": how in STRATEGIC}
    return order.model_copy(update={word: True for word, meant in flags.items() if meant})


def groups(table: Table, order: Move) -> list[tuple[str, ...]]:
    """The stacks of an order in the order they are named, but guns after those who guard them (9.10.2); who is there
    already stays."""
    found: dict[Hex | None, list[str]] = {}
    for unit in order.units:
        found.setdefault(table.position.hex_of(unit), []).append(unit)
    there = table.grid.hex(order.to)
    stacks = [tuple(units) for h, units in found.items() if h != there or len(found) == 1]
    return sorted(stacks, key=lambda units: not any(attack_capable(table, unit) for unit in units))


def carry_out(table: Table, side: str, order: Move, how: How) -> Procedure:
    """Stack by stack; what the first have met on the way may stop those behind them."""
    if pair(table, order.units):
        yield from in_lockstep(table, side, order, how)
        return
    for units in groups(table, order):
        try:
            walk = plan(table.seen_by(side), side, units, order.to, order.via, how)
        except Illegal as refusal:
            here = number(table, place(table, units[0]))
            yield Halted(unit=units[0], at=here, why=refusal.problem, because=refusal.case)
            continue
        yield from go(table, side, units, walk.path, how)
        yield from settled(table, units)


# The end of the phase


def _cut_rails(table: Table) -> Iterator[Fact]:
    """13.1.2: a Soviet division or brigade in a railroad hex cuts the line, whatever kind it is of."""
    rails, cutters = hexset.union(table.data.ways["rail"]) & standing(table, SOVIET), table.data.tables["supply"]["cut"]
    for h in hexset.members(rails):
        spot = f"@{number(table, h)}"
        large = any(table.unit(u).size in cutters["sizes"] for u in units_in(table, h, SOVIET))
        if large and table.position.mark(spot, CUT) != 1:
            yield Marked(subject=spot, mark=CUT, because="13.1.2")


# What is legal


def check_move(table: Table, side: str, order: Move, how: How) -> None:
    """Every stack of the order, or none. Raises Illegal."""
    if pair(table, order.units):
        check_lockstep(table, side, order, how)
        return
    stacks = groups(table, order)
    for units in stacks:
        for unit in units:
            check_may_move(table, side, unit, how)
    for units in stacks:
        plan(table, side, units, order.to, order.via, how, False)
        check_stop(table, side, units, table.grid.hex(order.to), order.units)
        check_guard(table, side, units, order.units)


def _check_leaving(table: Table, side: str, units: Sequence[str], how: How) -> None:
    """Whether units may leave those they stand with. Raises Illegal."""
    check_begun(table, units)
    check_slower(table, units, how)
    check_guard(table, side, units, units)


@kept
def movable(table: Table, side: str, how: How = "move") -> list[str]:
    """The units that may still move, in the usual way or as reserves."""
    bears, open_ = table.position.marks, moving(table)
    own = (u for u in table.position.on_map(side) if u in open_ or u not in bears or SPENT not in bears[u])
    return [unit for unit in own if not is_sdm(table, unit) and _has_moves(table, side, unit, how)]


@kept_under(unit_state)
def _has_moves(table: Table, side: str, unit: str, how: How) -> bool:
    """Whether a unit may move, and has something left for it."""
    if not passes(check_may_move, table, side, unit, how):
        return False
    return spent(table, unit) < max(allowance(table, unit, how), 1)


def with_escort(table: Table, unit: str) -> tuple[str, ...]:
    """4.5.4, 4.5.5: a unit with the one it must stay with."""
    other = escort(table, unit)
    return tuple(sorted((unit, other))) if other else (unit,)


def open_hexes(table: Table, side: str, units: tuple[str, ...], how: How) -> list[str]:
    """Where a stack may move to: all that its check lets pass."""
    if not passes(_check_leaving, table, side, units, how):
        return []
    return numbers(table, reachable(table, side, units, how) & may_stop(table, side, units))


@kept_under(stack_state)
def can_go(table: Table, side: str, units: tuple[str, ...], how: How) -> bool:
    """Whether a stack may move anywhere: most can take one step."""
    if not passes(_check_leaving, table, side, units, how):
        return False
    fresh = not any(spent(table, unit) for unit in units)
    near = one_hex(table, side, units, how) if fresh else 0
    return bool(near & may_stop(table, side, units)) or bool(open_hexes(table, side, units, how))


@kept
def relief(table: Table, side: str, how: How = "move") -> Move | Recombine | None:
    """11.0-a: a move out of too full a hex into one where the units may stand, or parts that may recombine in it; None
    if there is neither."""
    for h in crowded(table, side):
        for unit in units_in(table, h, side):
            units, way = with_escort(table, unit), began(table, unit, how)
            if not all(_has_moves(table, side, each, way) for each in units):
                continue
            for spot in open_hexes(table, side, units, way):
                there = table.grid.hex(spot)
                if breach(table, side, [*units_in(table, there, side), *units], there) is None:
                    return _said(Move(units=units, to=spot), way)
    return _recombination(table, side, how) if crowded(table, side) else None


def _recombination(table: Table, side: str, how: How) -> Recombine | None:
    """Parts that fill a hex too full only as long as they are apart."""
    there = {unit: place(table, on_map_as(table, unit)[0]) for unit in recombinable(table, side)}
    for unit, h in there.items():
        order, after = Recombine(unit=unit), table.suppose(list(recombine(table, unit)))
        helps = h in crowded(table, side) and h not in crowded(after, side)
        if helps and passes(check_forming, table, side, order, how):
            return order
    return None


def check_room(table: Table, side: str, how: How = "move") -> None:
    """11.0-a: a segment is not closed while too full a hex can be put right. Raises Illegal."""
    if (out := relief(table, side, how)) is not None:
        h, broken = next(iter(crowded(table, side).items()))
        raise Illegal(broken.case, f"{number(table, h)} is too full: {broken.problem}", at=number(table, h),
                      instead=f"It can be put right, as by `{out.line()}`")  # fmt: skip


# The ask


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def check(order: Order) -> None:
        if isinstance(order, Move):
            check_move(seen, side, order, how_of(order))
        elif isinstance(order, Rail):
            rail.check_rail(seen, order)
        elif isinstance(order, Reserve):
            reserves.check_reserve(seen, side, order)
        elif isinstance(order, Top):
            top.check_top(seen, side, order)
        elif isinstance(order, Assign):
            assigning.check_assign(seen, side, order)
        elif isinstance(order, Flip):
            flipping.check_flip(seen, order)
        elif isinstance(order, Storm):
            storming.check_storm(seen, order.units, order.at, order.foot)
        elif isinstance(order, Disband):
            alarms.check_disband(seen, order)
        elif isinstance(order, FORMING):
            check_forming(seen, side, order)
        elif isinstance(order, movement_options.OPTIONAL):
            movement_options.check(seen, side, order)
        else:
            check_room(seen, side)

    return Ask(
        side=side,
        name="movement",
        subject=side,
        prompt="moves; `end` closes the segment",
        verbs=(*VERBS, *movement_options.verbs(seen, side), End),
        check=check,
        offers=partial(_choices, seen, side),
        default=lambda: relief(seen, side) or End(),
        case="9.0-a",
        top=True,
    )


def move_choices(table: Table, side: str, how: How = "move") -> list[Choice]:
    """Every unit that may still move, and whole stacks; where to is worked out for who looks."""
    able = dict.fromkeys(movable(table, side, how))
    found: dict[tuple[str, ...], Choice] = {}
    stacks = [with_escort(table, unit) for unit in able]
    for _, stack in table.position.stacks():
        here = [unit for unit in stack if unit in able]
        stacks += [tuple(u for u in here if spent(table, u)), tuple(u for u in here if not spent(table, u))]
    for units in stacks:
        entire = able.keys() >= set(units) and torn(table, dict.fromkeys(units, "")) is None
        if units and entire and units not in found and can_go(table, side, units, how):
            found[units] = pick(Move, "to", partial(open_hexes, table, side, units, how), units=units)
    return list(found.values())


def _choices(table: Table, side: str) -> list[Choice]:
    moves = move_choices(table, side) + reserves.declarable(table, side) + forming_choices(table, side)
    moves += top.choices(table, side)
    moves += movement_options.choices(table, side)
    if side == SOVIET:
        moves += storming.storms(table, movable(table, side))
    if side == GERMAN:
        moves += flipping.flips(table)
        moves += map(whole, alarms.disbandable(table))
        moves += [pick(Rail, "to", partial(list, spots), units=(unit,)) for unit, spots in rail.trains(table)]
    return moves if relief(table, side) is not None else [Choice(End), *moves]
