"""The Movement Segment (9.0): stacks move one after another, and what a move leaves behind."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Halted, Marked, Moved, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, numbers, path_numbers, place
from engine.rules.marks import set_game, wipe
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders import End, Move, Rail
from games.jaws.rules import bridges, rail
from games.jaws.rules.allowance import AFOOT, CLOSED, HOW, MOVING, SPENT, How, allowance, check_may_move, moving, spent
from games.jaws.rules.depots import CUT, displaced, exposed
from games.jaws.rules.escorts import escort, torn
from games.jaws.rules.extending import check_march, march_on, pair, settled
from games.jaws.rules.forming import FORMING, check_forming, form, forming_choices
from games.jaws.rules.ground import passed
from games.jaws.rules.losses import lose
from games.jaws.rules.reach import REGROUPING, crossing, one_hex, reachable
from games.jaws.rules.recovery import SILENT
from games.jaws.rules.stacking import breach, crowded
from games.jaws.rules.strength import strength
from games.jaws.rules.units import DISORGANIZED, OOS, REGROUP, attack_capable, is_sdm, on_wheels, standing, units_in
from games.jaws.rules.walking import Walk, may_stop, plan

PHASE_MARKS = (SPENT, HOW, MOVING, bridges.TRIED)


def movement_segment(table: Table, side: str) -> Procedure:
    """3.2-E3B, F3: until the mover says that it is over; then what the end of the phase brings."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            break
        if isinstance(order, Rail):
            yield from rail.ride(table, order)
        elif isinstance(order, FORMING):
            yield from form(table, side, order, go)
        else:
            yield from _carry_out(table, side, order)
    yield from crowding(table, side)
    if side == SOVIET:
        yield from _cut_rails(table)
    yield from wipe(table, PHASE_MARKS, "9.0-a")


# A move


def how_of(order: Move) -> How:
    return "strategic" if order.strategic else "foot" if order.foot else "move"


def groups(table: Table, order: Move) -> list[tuple[str, ...]]:
    """The stacks of an order, in the order they are named; a formation moves stack by stack."""
    found: dict[Hex | None, list[str]] = {}
    for unit in order.units:
        found.setdefault(table.position.hex_of(unit), []).append(unit)
    there = table.grid.hex(order.to)
    return [tuple(units) for h, units in found.items() if h != there or len(found) == 1]


def _carry_out(table: Table, side: str, order: Move) -> Procedure:
    if pair(table, order.units):
        yield from march_on(table, side, order, how_of(order), go)
        return
    for units in groups(table, order):
        walk = plan(table.seen_by(side), side, units, order.to, order.via, how_of(order))
        yield from go(table, side, units, walk.path, how_of(order))
        yield from settled(table, units)


def go(table: Table, side: str, units: Sequence[str], path: Sequence[Hex], how: How) -> Generator[Step, Any, None]:
    """Units walk a way leg by leg: wherever the other side may act, they stand for a moment (9.11, 13.2.4, 15.2.1)."""
    left = list(path)
    while len(left) > 1:
        end = next((n for n in range(1, len(left)) if _disturbs(table, side, left[n])), len(left) - 1)
        leg, left = left[: end + 1], left[end:]
        stand = [unit for unit in units if table.position.hex_of(unit) == leg[0]]
        if not stand:
            return
        try:
            walk = plan(
                table, side, tuple(stand), number(table, leg[-1]), path_numbers(table, leg[1:]), how, len(left) == 1
            )
        except Illegal as refusal:
            yield Halted(unit=stand[0], at=number(table, leg[0]), why=refusal.problem, because=refusal.case)
            return
        yield from _leg(table, side, stand, walk, how)
        yield from arrived(table, side, leg[-1])


def _disturbs(table: Table, side: str, h: Hex) -> bool:
    """Whether entering a hex sets something off."""
    enemy = table.enemy(side)
    return bool(exposed(table, enemy, h)) or bool(bridges.threatened(table, enemy, h))


def arrived(table: Table, side: str, h: Hex) -> Procedure:
    """What the other side does, or must, when units come to a hex."""
    enemy = table.enemy(side)
    yield from displaced(table, enemy, h)
    yield from bridges.approached(table, enemy, h)


def _leg(table: Table, side: str, units: Sequence[str], walk: Walk, how: How) -> Iterator[Fact]:
    path = path_numbers(table, walk.path)
    for unit in units:
        before = table.position.mark(unit, SPENT)
        total = _closed(table, unit, units, walk, how, total=walk.spent[unit], again=before is not None)
        yield Noted(subject=unit, mark=SPENT, value=total, because="9.0-a")
        yield Noted(subject=unit, mark=HOW, value=how, because="9.4")
        yield Moved(unit=unit, path=path, how=how, spent=walk.spent[unit] - int(before or 0), because="9.0-a")
        yield from _aftermath(table, unit, units, walk, how, again=before is not None)
    yield from set_game(table, MOVING, " ".join(units), "9.0-a", Noted)
    yield from passed(table, side, walk.path)


def _closed(table: Table, unit: str, units: Sequence[str], walk: Walk, how: How, *, total: int, again: bool) -> int:
    """What a unit has spent; all of it where the move has changed its state, for that is at a move's end (10.3.2)."""
    changed = any(True for _ in _aftermath(table, unit, units, walk, how, again=again))
    return CLOSED if changed and not is_a(table, unit, "artillery") else total


def _aftermath(table: Table, unit: str, units: Sequence[str], walk: Walk, how: How, *, again: bool) -> Iterator[Fact]:
    """The markers that a move puts on a unit."""
    position = table.position
    upset = any(position.mark(unit, mark) is not None for mark in (DISORGANIZED, REGROUP))
    if walk.crossed and crossing(table, unit, units) == REGROUPING and not upset:
        yield Marked(subject=unit, mark=REGROUP, because="10.3.2-2")
    elif how == "strategic" and (is_a(table, unit, "artillery") or is_a(table, unit, "engineer")) and not upset:
        case = "9.4.2-r2" if is_a(table, unit, "artillery") else "9.4.2-r3"
        yield Marked(subject=unit, mark=REGROUP, because=case)
    if walk.waded and on_wheels(table, unit):
        yield Marked(subject=unit, mark=AFOOT, because="9.2.1-2")
    by_wheel = how != "foot" and not is_a(table, unit, "foot") and position.mark(unit, AFOOT) is None
    if position.mark(unit, OOS) == 1 and by_wheel and not walk.waded and (len(walk.path) > 2 or again):
        yield Marked(subject=unit, mark=OOS, value=2, because="13.4.1-d")
    level = table.unit(unit).value("nofire") if table.unit(unit).has("nofire") else 0
    if level and position.mark(unit, SILENT) != level:
        yield Marked(subject=unit, mark=SILENT, value=level, because="9.10.3")


# The end of the phase


def crowding(table: Table, side: str) -> Iterator[Fact]:
    """11.1.2: who stands in too full a hex is Disorganized, and the strongest of them loses a step."""
    for h in crowded(table, side):
        stack = units_in(table, h, side)
        for unit in stack:
            if table.position.mark(unit, REGROUP) is not None:
                yield Marked(subject=unit, mark=REGROUP, value=None, because="11.1.2")
            if table.position.mark(unit, DISORGANIZED) is None:
                yield Marked(subject=unit, mark=DISORGANIZED, because="11.1.2")
        yield from lose(table, max(stack, key=partial(strength, table)), 1, "11.1.2")


def _cut_rails(table: Table) -> Iterator[Fact]:
    """13.1.2: a Soviet division or brigade in a railroad hex cuts the line."""
    rails = hexset.union(table.data.ways["rail"]) & standing(table, SOVIET)
    for h in hexset.members(rails):
        spot = f"@{number(table, h)}"
        large = any(is_a(table, u, kind) for u in units_in(table, h, SOVIET) for kind in ("division", "brigade"))
        if large and table.position.mark(spot, CUT) is None:
            yield Marked(subject=spot, mark=CUT, because="13.1.2")


# What is legal


def check_move(table: Table, side: str, order: Move) -> None:
    """Every stack of the order, or none. Raises Illegal."""
    if order.foot and order.strategic:
        raise Illegal(
            "9.4.2", "one move is tactical on foot, or strategic, not both", instead="Say `foot` or `strategic`"
        )
    for unit in order.units:
        check_may_move(table, side, unit, how_of(order))
    if pair(table, order.units):
        check_march(table, side, order, how_of(order), _leg)
        return
    stacks = groups(table, order)
    for units in stacks:
        plan(table, side, units, order.to, order.via, how_of(order))
        _check_guard(table, side, units, order.units)


def _check_guard(table: Table, side: str, units: Sequence[str], going: Sequence[str]) -> None:
    """9.10.2: guns moved next to an enemy this phase keep a unit that can attack beside them. Raises Illegal."""
    h = place(table, units[0])
    left = [unit for unit in units_in(table, h, side) if unit not in going]
    weak = [u for u in left if not attack_capable(table, u) and table.position.mark(u, SPENT) is not None]
    near = hexset.spread(table.grid, standing(table, table.enemy(side)))
    if weak and near >> h & 1 and not any(attack_capable(table, unit) for unit in left):
        raise Illegal("9.10.2", f"{weak[0]} was moved next to an enemy, and somebody who can attack must stay with it",
                      unit=weak[0], at=number(table, h))  # fmt: skip


def movable(table: Table, side: str) -> list[str]:
    """The units that may still move, in the usual way."""
    found = []
    for unit in table.position.on_map(side):
        if is_sdm(table, unit) or (table.position.mark(unit, SPENT) is not None and unit not in moving(table)):
            continue
        try:
            check_may_move(table, side, unit, "move")
        except Illegal:
            continue
        if spent(table, unit) < max(allowance(table, unit, "move"), 1):
            found.append(unit)
    return found


def with_escort(table: Table, unit: str) -> tuple[str, ...]:
    """4.5.4, 4.5.5: a unit with the one it must stay with."""
    other = escort(table, unit)
    return tuple(sorted((unit, other))) if other else (unit,)


def open_hexes(table: Table, side: str, units: tuple[str, ...], how: How) -> list[str]:
    """Where a stack may move to: all that its check lets pass."""
    if not passes(lambda _: _check_guard(table, side, units, units), None):
        return []
    return numbers(table, reachable(table, side, units, how) & may_stop(table, side, units))


@kept
def can_go(table: Table, side: str, units: tuple[str, ...], how: How) -> bool:
    """Whether a stack may move anywhere: most can take one step."""
    if not passes(lambda _: _check_guard(table, side, units, units), None):
        return False
    fresh = not any(spent(table, unit) for unit in units)
    near = one_hex(table, side, units, how) if fresh else 0
    return bool(near & may_stop(table, side, units)) or bool(open_hexes(table, side, units, how))


def relief(table: Table, side: str) -> Move | None:
    """11.0-a: a move out of too full a hex into one where the units may stand; None if there is none."""
    able = set(movable(table, side)) if crowded(table, side) else set()
    for h in crowded(table, side):
        for unit in units_in(table, h, side):
            units = with_escort(table, unit)
            if not able.issuperset(units):
                continue
            for spot in open_hexes(table, side, units, "move"):
                there = table.grid.hex(spot)
                if breach(table, side, [*units_in(table, there, side), *units], there) is None:
                    return Move(units=units, to=spot)
    return None


# The ask


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def check(order: Order) -> None:
        if isinstance(order, Move):
            check_move(seen, side, order)
        elif isinstance(order, Rail):
            rail.check_rail(seen, order)
        elif isinstance(order, FORMING):
            check_forming(seen, side, order)
        elif (out := relief(seen, side)) is not None:
            h, broken = next(iter(crowded(seen, side).items()))
            raise Illegal(broken.case, f"{number(seen, h)} is too full: {broken.problem}", at=number(seen, h),
                          instead=f"It can be put right, as by `{out.line()}`")  # fmt: skip

    return Ask(
        side=side,
        name="movement",
        subject=side,
        prompt="moves; `end` closes the segment",
        verbs=(Move, Rail, *FORMING, End),
        check=check,
        offers=partial(_choices, seen, side),
        default=lambda: relief(seen, side) or End(),
        case="9.0-a",
        top=True,
    )


def _choices(table: Table, side: str) -> list[Choice]:
    """Every unit that may still move, and whole stacks; where to is worked out for who looks."""
    able = movable(table, side)
    found: dict[tuple[str, ...], Choice] = {}
    stacks = [with_escort(table, unit) for unit in able]
    stacks += [tuple(unit for unit in stack if unit in able) for _, stack in table.position.stacks()]
    for units in stacks:
        whole = torn(table, dict.fromkeys(units, "")) is None
        if units and whole and units not in found and can_go(table, side, units, "move"):
            found[units] = pick(Move, "to", partial(open_hexes, table, side, units, "move"), units=units)
    moves = [*found.values(), *forming_choices(table, side)]
    if side == GERMAN:
        moves += [pick(Rail, "to", partial(list, spots), units=(unit,)) for unit, spots in rail.trains(table)]
    return moves if relief(table, side) is not None else [Choice(End), *moves]
