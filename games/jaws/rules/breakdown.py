"""Breakdown and recombination (4.6, 22.4): steps are conserved, and a state goes with them."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from engine.facts import Fact, Marked, Placed
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from engine.table import kept_for_good, kept_while_side_still
from games.jaws.data import GERMAN, Table
from games.jaws.orders.forming import BreakDown, Recombine
from games.jaws.rules.allowance import RESERVE, TRUCK
from games.jaws.rules.extension import twin
from games.jaws.rules.parts import (
    BROKEN,
    DOT,
    UNUSED,
    bearing,
    borne,
    in_play,
    is_broken,
    on_map_as,
    parent,
    parts_of,
    taken_off,
    worst,
)

Split = tuple[int, ...]  # the steps of each part, in the order of the parts; nought for one that is not used


# Breakdown


@kept_for_good
def splits(table: Table, unit: str, steps: int) -> list[Split]:
    """4.6-p1: how so many steps may be shared out, the usual way first: in two parts or more, whole ones, no cadre."""
    sizes = [len(table.unit(part).steps) for part in parts_of(table, unit)]
    found = [each for each in product(*(range(size + 1) for size in sizes)) if sum(each) == steps]

    def rank(each: Split) -> tuple[int, ...]:
        used = [n for n in each if n]
        cadres = sum(n == 1 and size > 2 for n, size in zip(each, sizes, strict=True))
        whole = sum(n == size for n, size in zip(each, sizes, strict=True))
        return -(len(used) > 1), cadres, -whole, -min(used), *(-n for n in each)

    alike: dict[tuple[tuple[int, str], ...], Split] = {}  # two parts of one kind are the same either way
    for each in sorted(found, key=rank):
        kinds = [table.unit(part).kind for part in parts_of(table, unit)]
        alike.setdefault(tuple(sorted((n, kind) for n, kind in zip(each, kinds, strict=True) if n)), each)
    return list(alike.values())


def said(split: Split) -> str:
    return "+".join(str(n) for n in split if n)


def split_of(table: Table, order: BreakDown) -> Split:
    """The split that an order means; with no word the usual one. Raises Illegal."""
    unit, steps = order.unit, table.position.steps_left(order.unit)
    able = splits(table, unit, steps)
    if not order.split:
        return able[0]
    sizes = [len(table.unit(part).steps) for part in parts_of(table, unit)]
    padded = (*order.split, *[0] * (len(sizes) - len(order.split)))
    legal = [said(each) for each in able]
    if sum(order.split) != steps:
        raise Illegal("4.6-3", f"{unit} has {steps} steps, and {said(order.split)} makes {sum(order.split)}", unit=unit,
                      instead="It may break down into", alternatives=legal)  # fmt: skip
    for each in permutations(padded) if len(padded) == len(sizes) else ():
        if all(n <= size for n, size in zip(each, sizes, strict=True)):
            return each
    raise Illegal("22.4", f"{unit} does not break down into {said(order.split)}", unit=unit,
                  instead="It may break down into", alternatives=legal)  # fmt: skip


def check_breakdown(table: Table, side: str, order: BreakDown) -> None:
    """Raises Illegal."""
    unit = order.unit
    check_breakable(table, side, unit)
    split = split_of(table, order)
    _check_counters(table, unit, split)
    used = [part for part, n in zip(parts_of(table, unit), split, strict=True) if n]
    if order.dot and not is_a(table, unit, "dot"):
        raise Illegal("4.6-p1", f"{unit} has no black dot", unit=unit, instead="Leave it out")
    if order.dot and order.dot not in used:
        raise Illegal("4.6-p1", f"{order.dot} is no part of {unit} in this breakdown", unit=order.dot,
                      instead="The dot may go to", alternatives=used)  # fmt: skip


def check_breakable(table: Table, side: str, unit: str) -> None:
    """4.6-a: whether a unit may break down at all. Raises Illegal."""
    if table.unit(unit).side != side:
        raise Illegal("4.6-a", f"{unit} is not yours", unit=unit)
    if is_broken(table, unit):
        raise Illegal("4.6-a", f"{unit} has broken down already", unit=unit, instead="It is on the map as",
                      alternatives=on_map_as(table, unit))  # fmt: skip
    if table.position.hex_of(unit) is None:
        raise Illegal("4.6-1", f"{unit} is not on the map", unit=unit)
    if not is_a(table, unit, "breaks"):
        case = "22.4" if is_a(table, unit, "part") else "4.6-a"
        raise Illegal(case, f"{unit} does not break down", unit=unit,
                      instead="Soviet divisions and motorized brigades and German infantry regiments do")  # fmt: skip
    if table.position.steps_left(unit) < 2:
        raise Illegal("4.6-p1", f"{unit} is a cadre: one step is one counter", unit=unit)
    if twin(table, unit):
        raise Illegal("4.7", f"{unit} is extended", unit=unit, instead=f"First `recombine {unit}`")


@kept_while_side_still()
def counters(table: Table, side: str) -> dict[str, list[str]]:
    """The counters of parts that a side has on the map, by their kind."""
    found: dict[str, list[str]] = {}
    for unit in table.position.on_map(side):
        if is_a(table, unit, "part"):
            found.setdefault(table.unit(unit).kind, []).append(unit)
    return found


def _check_counters(table: Table, unit: str, split: Split) -> None:
    """22.4: there are only so many counters of a kind. Raises Illegal."""
    kinds = [table.unit(part).kind for part, n in zip(parts_of(table, unit), split, strict=True) if n]
    side, most = table.unit(unit).side, table.data.tables["breakdown"]["counters"]
    for kind in dict.fromkeys(kinds):
        lying = counters(table, side).get(kind, [])
        if len(lying) + kinds.count(kind) > most:
            wholes = sorted({parent(table, u) for u in lying})
            raise Illegal("22.4", f"there are {most} counters of the kind {kind}, and {len(lying)} are on the map",
                          unit=unit, instead="Recombine one of", alternatives=wholes)  # fmt: skip


def break_down(table: Table, order: BreakDown) -> Iterator[Fact]:
    """4.6-p1, 4.6-4: the parts take the unit's place, its steps and its state; one keeps the black dot."""
    unit, spot = order.unit, number(table, place(table, order.unit))
    split, marks, dotted = split_of(table, order), borne(table, order.unit), is_a(table, order.unit, "dot")
    used = [(part, n) for part, n in zip(parts_of(table, unit), split, strict=True) if n]
    yield from taken_off(table, unit, BROKEN, "4.6-p1")
    for part, n in used:
        yield Placed(unit=part, at=spot, lost=len(table.unit(part).steps) - n, because="4.6-p1")
        yield from bearing(table, part, marks, "4.6-4")
        marks = {mark: value for mark, value in marks.items() if mark != TRUCK}  # 18.5.2: there is one
    if dotted:
        yield Marked(subject=order.dot or used[0][0], mark=DOT, because="4.6-p1")


def other_ways(table: Table, side: str, unit: str, most: int) -> list[BreakDown]:
    """Ways to break a unit down besides the usual one, as far as there are counters."""
    able = splits(table, unit, table.position.steps_left(unit))[1 : 1 + most]
    orders = [BreakDown(unit=unit, split=tuple(n for n in each if n)) for each in able]
    return [order for order in orders if passes(check_breakdown, table, side, order)]


def breakable(table: Table, side: str, units: Sequence[str]) -> list[str]:
    """Those of these units that may break down in the usual way."""
    able = [unit for unit in units if is_a(table, unit, "breaks")]
    return [unit for unit in able if passes(check_breakdown, table, side, BreakDown(unit=unit))]


# Recombination


def whole_of(table: Table, unit: str) -> str:
    """The unit that is meant by its own name or by that of a part."""
    return parent(table, unit) or unit


def check_recombination(table: Table, side: str, order: Recombine) -> None:
    """4.6-1: all that is left of a unit stands in one hex. Raises Illegal."""
    unit = whole_of(table, order.unit)
    if table.unit(unit).side != side:
        raise Illegal("4.6-a", f"{unit} is not yours", unit=unit)
    if not is_broken(table, unit):
        able = [u for u in table.position.in_box(BROKEN) if table.unit(u).side == side]
        raise Illegal("4.6-p2", f"{unit} has not broken down", unit=unit, instead="These have", alternatives=able)
    parts = on_map_as(table, unit)
    if away := [part for part in in_play(table, unit) if part not in parts]:
        raise Illegal("4.6-1", f"{away[0]} is off the map", unit=away[0], instead="Bring it back first")
    spots = {part: number(table, place(table, part)) for part in parts}
    if len(set(spots.values())) > 1:
        where = ", ".join(f"{part} in {spot}" for part, spot in spots.items())
        raise Illegal("4.6-1", f"the parts of {unit} do not stand in one hex: {where}", unit=unit,
                      instead="Move them together first")  # fmt: skip
    if order.at and order.at not in spots.values():
        raise Illegal("4.6-1", f"{unit} can only recombine in {next(iter(spots.values()))}", unit=unit, at=order.at)
    if len({table.position.mark(part, RESERVE) is not None for part in parts}) > 1:
        raise Illegal("9.6", f"some parts of {unit} are in Reserve and some are not", unit=unit)


def recombine(table: Table, unit: str) -> Iterator[Fact]:
    """4.6-p2, 4.6-3, 4.6-5: with the steps of all its parts and the worst of their states."""
    parts = on_map_as(table, unit)
    steps, marks = sum(table.position.steps_left(part) for part in parts), worst(table, parts)
    spot = number(table, place(table, parts[0]))
    for part in parts:
        yield from taken_off(table, part, UNUSED, "4.6-p2")
    yield Placed(unit=unit, at=spot, lost=len(table.unit(unit).steps) - steps, because="4.6-p2")
    yield from bearing(table, unit, marks, "4.6-5")


def recombinable(table: Table, side: str) -> list[str]:
    """The units whose parts may be put together now."""
    broken = [unit for unit in table.position.in_box(BROKEN) if table.unit(unit).side == side]
    return [unit for unit in broken if passes(check_recombination, table, side, Recombine(unit=unit))]


def may_break_in_retreat(table: Table, unit: str) -> bool:
    """4.6-6, 12.13.3-a: German regiments only."""
    return table.unit(unit).side == GERMAN and bool(breakable(table, GERMAN, [unit]))
