"""Divisions extend, move in two hexes and recombine (4.7, 4.7.1), in the course of their movement."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.asks import Procedure
from engine.facts import Fact, Halted, Noted, Placed
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, place
from engine.rules.marks import game_mark, set_game
from engine.table import kept
from games.jaws.data import Table
from games.jaws.orders.forming import ExtendDivision
from games.jaws.orders.movement import Move
from games.jaws.rules.allowance import MOVING, RESERVE, SPENT, How, allowance, began, check_may_move, spent
from games.jaws.rules.escorts import escort
from games.jaws.rules.extension import IN_STEP, body, is_marker, markers, twin
from games.jaws.rules.guarding import check_left
from games.jaws.rules.joining import rejoined
from games.jaws.rules.march import along, go
from games.jaws.rules.parts import UNUSED, bearing, borne
from games.jaws.rules.reach import from_zoc_to_zoc, gait, halting, together
from games.jaws.rules.units import is_cadre
from games.jaws.rules.walking import plan
from games.jaws.rules.zones import crossfire

Pace = tuple[tuple[str, ...], Hex]  # who goes, and into which hex


def how_of(table: Table, unit: str) -> How:
    """The way in which its move began."""
    return began(table, unit, "reserve" if table.position.mark(unit, RESERVE) is not None else "move")


# Extending


def placed(table: Table, division: str, case: str) -> Iterator[Fact]:
    """4.7-p1, 4.7-p2: the Extended marker in the division's hex, in its state (4.7.3)."""
    marker = markers(table)[division]
    yield Placed(unit=marker, at=number(table, place(table, division)), because=case)
    yield from bearing(table, marker, borne(table, division), case)


def check_extendable(table: Table, side: str, unit: str) -> None:
    """4.7: a division, no cadre, not extended. Raises Illegal."""
    if table.unit(unit).side != side:
        raise Illegal("4.7", f"{unit} is not yours", unit=unit)
    if is_marker(table, unit):
        raise Illegal("4.7", f"{unit} is an Extended marker", unit=unit, instead=f"Name {body(table, unit)}")
    if unit not in markers(table):
        raise Illegal("4.7", f"{unit} is no Soviet infantry or cavalry division", unit=unit)
    if table.position.hex_of(unit) is None:
        raise Illegal("4.7", f"{unit} is not on the map as a whole", unit=unit)
    if twin(table, unit):
        there = number(table, place(table, markers(table)[unit]))
        raise Illegal("4.7", f"{unit} is extended into {there} already", unit=unit,
                      instead=f"Move its marker, or `recombine {unit}`")  # fmt: skip
    if is_cadre(table, unit):
        raise Illegal("4.7", f"{unit} is a cadre, and a cadre does not extend", unit=unit)


def check_extend(table: Table, side: str, order: ExtendDivision) -> None:
    """4.7.1-3, 4.7.1-5: the marker goes one hex by all rules of movement, or the division does. Raises Illegal."""
    check_extendable(table, side, order.unit)
    how, there = how_of(table, order.unit), table.grid.hex(order.to)
    check_may_move(table, side, order.unit, how)
    able = numbers(table, open_to(table, side, order.unit))
    if table.grid.direction(place(table, order.unit), there) is None:
        raise Illegal("4.7", f"{order.unit} extends into a hex beside it, not {order.to}", unit=order.unit, at=order.to,
                      instead="It may into", alternatives=able)  # fmt: skip
    if crossfire(table, table.enemy(side)) >> there & 1:
        raise Illegal("4.7.1-5", f"{order.to} is in the ZOC of two enemy hexes", unit=order.unit, at=order.to,
                      instead="It may into", alternatives=able)  # fmt: skip
    laid = table.suppose([*placed(table, order.unit, "4.7-p1"), *_opened(table, order.unit)])
    plan(laid, side, _goers(table, order), order.to, (order.to,), how)
    if from_zoc_to_zoc(table, table.enemy(side), place(table, order.unit), there):  # not even with its Shermans
        raise Illegal("4.7.1-5", f"{order.unit} may not extend from ZOC to ZOC, into {order.to}", unit=order.unit,
                      at=order.to, instead="It may into", alternatives=able)  # fmt: skip


def _goers(table: Table, order: ExtendDivision) -> tuple[str, ...]:
    """4.7-p1: the marker, or the division with its Shermans (4.5.4), which leaves it behind."""
    if not order.itself:
        return (markers(table)[order.unit],)
    return _with_shermans(table, order.unit)


def _with_shermans(table: Table, division: str) -> tuple[str, ...]:
    tanks = escort(table, division)
    return (division, tanks) if tanks else (division,)


def extend(table: Table, side: str, order: ExtendDivision) -> Procedure:
    """4.7-p1: the marker is laid, and one of them goes into the hex."""
    how, goers = how_of(table, order.unit), _goers(table, order)
    yield from placed(table, order.unit, "4.7-p1")
    yield from _opened(table, order.unit)
    yield from go(table, side, goers, (place(table, order.unit), table.grid.hex(order.to)), how)
    yield from settled(table, goers)


def _opened(table: Table, division: str) -> Iterator[Fact]:
    """9.0-a: the move of the division is the one that is open now."""
    marker = markers(table)[division]
    if division not in game_mark(table, MOVING).split():
        yield from set_game(table, MOVING, f"{division} {marker}", "9.0-a", Noted)


@kept
def open_to(table: Table, side: str, division: str) -> HexSet:
    """Where a division may extend now."""
    how, start, enemy = how_of(table, division), place(table, division), table.enemy(side)
    marker = markers(table)[division]
    by = (gait(table, marker, (marker,), how),)
    left = allowance(table, division, how) - spent(table, division)
    fresh, found = not spent(table, division), 0
    if not fresh and halting(table, enemy, by) >> start & 1:
        return 0
    for cost, masks in together(table, enemy, by).items():
        if cost <= left or fresh:
            found |= hexset.beyond(table.grid, start, masks)
    return found & ~crossfire(table, enemy)


# Moving in two hexes (4.7.1-6)


def pair(table: Table, units: Sequence[str]) -> str:
    """The division whose halves, with its Shermans and nobody else, are named together; empty if there is none."""
    marker = next((unit for unit in units if is_marker(table, unit)), "")
    division = twin(table, marker) if marker else ""
    mates = {marker, division, escort(table, division) if division else ""} - {""}
    return division if division and division in units and set(units) <= mates else ""


def lockstep(table: Table, side: str, order: Move, how: How) -> list[list[Pace]]:
    """Both halves by the same way, step by step, so that neither leaves the other's side. Raises Illegal."""
    division = pair(table, order.units)
    marker, stack = markers(table)[division], tuple(unit for unit in order.units if not is_marker(table, unit))
    alone = table.suppose([Placed(unit=marker, at=UNUSED)])
    path = plan(alone, side, stack, order.to, order.via, how).path
    here, there, found = place(table, division), place(table, marker), list[list[Pace]]()
    for step in path[1:]:
        d = table.grid.direction(here, step)
        beyond = None if d is None else table.grid.neighbour(there, d)
        if beyond is None:
            raise Illegal("4.7.1-6", f"{marker} would leave the map beside {division}", unit=marker)
        both = [(stack, step), ((marker,), beyond)]
        found.append(both if table.grid.distance(step, there) <= 1 else both[::-1])
        here, there = step, beyond
    return found


def check_lockstep(table: Table, side: str, order: Move, how: How) -> None:
    """4.7.1-6: every step of both. Raises Illegal."""
    laid = table.suppose(list(set_game(table, IN_STEP, "yes", "4.7.1-6", Noted)))
    for both in lockstep(table, side, order, how):
        laid = _gone(laid, side, both, how)
    for unit in order.units:
        check_left(laid, side, place(table, unit))


def _gone(table: Table, side: str, paces: Sequence[Pace], how: How) -> Table:
    """The table when one after another has taken his. Raises Illegal."""
    for units, h in paces:
        spot = number(table, h)
        walk = plan(table, side, units, spot, (spot,), how)
        table = table.suppose(list(along(table, side, units, walk, how)))
    return table


def in_lockstep(table: Table, side: str, order: Move, how: How) -> Procedure:
    """Both go, as far as nobody stops one of them: no half comes up to the other that halts."""
    yield from set_game(table, IN_STEP, "yes", "4.7.1-6", Noted)
    for both in lockstep(table.seen_by(side), side, order, how):
        stand = [(tuple(unit for unit in units if table.position.hex_of(unit) is not None), h) for units, h in both]
        if not all(units for units, _ in stand):
            break
        try:
            _gone(table, side, stand, how)
        except Illegal as refusal:
            unit = stand[0][0][0]
            at = number(table, place(table, unit))
            yield Halted(unit=unit, at=at, why=refusal.problem, because=refusal.case)
            break
        for units, h in stand:
            yield from go(table, side, units, (place(table, units[0]), h), how)
        if any(table.position.hex_of(unit) not in (h, None) for units, h in stand for unit in units):
            break
    yield from set_game(table, IN_STEP, None, "4.7.1-6", Noted)
    yield from settled(table, order.units)


def settled(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """4.7-p3: halves that are in one hex are one unit; else the other's move has begun too (9.0-a)."""
    for unit in units:
        other = twin(table, unit)
        if not other:
            continue
        if table.position.hex_of(unit) == table.position.hex_of(other):
            division = body(table, unit)
            yield from rejoined(table, division, place(table, division), "4.7-p3")
            yield from set_game(table, MOVING, " ".join(_with_shermans(table, division)), "9.0-a", Noted)
        elif table.position.mark(unit, SPENT) is not None:
            open_ = game_mark(table, MOVING).split()
            if table.position.mark(other, SPENT) is None:
                yield Noted(subject=other, mark=SPENT, value=0, because="9.0-a")
            if unit in open_ and other not in open_:
                yield from set_game(table, MOVING, " ".join((*open_, other)), "9.0-a", Noted)
