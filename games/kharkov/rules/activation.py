"""A German activation (6.0): who is active, movement, improved positions, and what comes off at its end."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Moved, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, path_numbers, place
from engine.rules.marks import game_mark, set_game, wipe
from engine.rules.movement import joined
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules.combat.losses import german_losses
from games.kharkov.rules.fields import after_moves, field, supposed
from games.kharkov.rules.garrisons import cleared
from games.kharkov.rules.ground import (
    ACTIVE,
    ATTACKED,
    DISPERSED,
    IP,
    MOVED,
    bears,
    crowded,
    fits,
    full,
    germans,
    is_active,
    is_dispersed,
    is_ready,
    is_supplied,
    on_map,
)
from games.kharkov.rules.reach import MUD, Legs, beside_enemies, legs, reach, walks, way
from games.kharkov.rules.supply import can_trace, supplied
from games.kharkov.rules.towns import entered

NO_ATTACK, CARD = "no attack", "activating card"
OF_AN_ACTIVATION = (ACTIVE, MOVED, ATTACKED, "defended", "retreated", "placed")


def activate(table: Table, units: Sequence[str], card: str, *, attack: bool) -> Iterator[Fact]:
    """6.0: the units are active; from turn 4 on garrisons beside those that are ready go."""
    yield from set_game(table, CARD, card, "6.0", Noted)
    yield from set_game(table, NO_ATTACK, None if attack else "yes", "6.1", Noted)
    for unit in units:
        yield Noted(subject=unit, mark=ACTIVE, because="6.0")
    if table.data.on("garrisons", table.position.turn):
        yield from cleared(table, [unit for unit in units if is_ready(table, unit)])


def active(table: Table) -> list[str]:
    return [unit for unit in on_map(table, GERMAN) if is_active(table, unit)]


def may_attack(table: Table) -> bool:
    return not game_mark(table, NO_ATTACK)


# 2: movement (10.0)


@kept
def movable(table: Table) -> list[str]:
    """Active, undispersed units that have not moved."""
    return [u for u in active(table) if not is_dispersed(table, u) and not table.position.mark(u, MOVED)]


def movement(table: Table) -> Procedure:
    """10.0: units move one at a time, in the player's order; nobody must."""
    while movable(table):
        order = yield _move_ask(table)
        if isinstance(order, o.End):
            break
        for unit in order.units:
            yield from _moved(table, unit, order)
    yield from unstacked(table)


def unstacked(table: Table) -> Procedure:
    """10.4: where too many stand when all have moved, the player removes steps until they fit."""
    for h in crowded(table, GERMAN):
        while not fits(table, GERMAN, h, []):
            yield from german_losses(table, germans(table, h), 1, number(table, h), "10.4", first=False)


def _moved(table: Table, unit: str, order: o.Move | o.Strat) -> Iterator[Fact]:
    path = _path(table, unit, order)
    yield Moved(unit=unit, path=path_numbers(table, path), because="10.6" if isinstance(order, o.Strat) else "10.0")
    yield Noted(subject=unit, mark=MOVED, because="10.0")
    yield from entered(table, unit, path[1:])


def how(table: Table, unit: str, *, strategic: bool) -> Legs:
    return legs(table, unit, strategic=strategic, edge=not strategic)


@kept
def places(table: Table, unit: str, strategic: bool) -> HexSet:
    """Where a unit may end its move: within reach, with room, in supply if it can be (10.5)."""
    here = place(table, unit)
    if strategic and not _may_go_far(table, unit):
        return 0
    can = reach(table.data, field(table), how(table, unit, strategic=strategic), here)
    can &= ~(1 << here)
    packed = can & full(table, GERMAN, table.position.steps_left(unit))
    room = can & ~packed | hexset.of(h for h in hexset.members(packed) if has_room(table, h, [unit]))
    return in_supply_at_the_end(table, unit, room)


def in_supply_at_the_end(table: Table, unit: str, hexes: HexSet) -> HexSet:
    """10.5: those of the hexes from which it could trace, its own left behind; all, if it has and finds no supply."""
    traced = hexes & supplied(table.data, supposed(table, unit, None), GERMAN)
    return traced if traced or can_trace(table, unit) else hexes


def has_room(table: Table, h: Hex, units: Sequence[str]) -> bool:
    """10.4: whether they would fit once those that may still move on have done so."""
    return fits(table, GERMAN, h, units, [unit for unit in germans(table, h) if unit in movable(table)])


def _near_enemies(table: Table) -> HexSet:
    """10.6: next to an enemy unit or garrison, or a Soviet town."""
    now = field(table)
    return beside_enemies(table.data, now.soviet, now.garrisons) | now.soviet_towns


def _may_go_far(table: Table, unit: str) -> bool:
    """10.6: supplied, not next to an enemy, from turn 2 on, on firm ground."""
    firm = game_mark(table, "ground") != MUD and table.data.on("strategic_movement", table.position.turn)
    return firm and is_supplied(table, unit) and not _near_enemies(table) >> place(table, unit) & 1


def _path(table: Table, unit: str, order: o.Move | o.Strat) -> list[Hex]:
    """The way that was named, or a cheapest one. Raises Illegal."""
    far = isinstance(order, o.Strat)
    data, here, to = table.data, place(table, unit), table.grid.hex(order.to)
    if not order.via:
        return way(data, field(table), how(table, unit, strategic=far), here, to)
    named = [here, *(table.grid.hex(spot) for spot in order.via if spot != number(table, here))]
    named += [] if named[-1] == to else [to]
    gap = joined(table.grid, named)
    if gap is not None:
        raise Illegal("10.0", f"{number(table, named[gap])} and {number(table, named[gap + 1])} do not touch")
    if not walks(data, field(table), how(table, unit, strategic=far), named):
        raise Illegal("10.0", f"{unit} cannot get to {order.to} that way")
    return named


def check_move(table: Table, order: Order) -> None:
    """Raises Illegal, with what stands in the way."""
    if not isinstance(order, o.Move | o.Strat):
        return
    far, to = isinstance(order, o.Strat), table.grid.hex(order.to)
    for count, unit in enumerate(order.units):
        if unit not in movable(table):
            raise Illegal("10.0", _why_not(table, unit), alternatives=movable(table))
        if far and not _may_go_far(table, unit):
            raise Illegal("10.6", f"{unit} may not use strategic movement now")
        if not places(table, unit, far) >> to & 1:
            _refuse(table, unit, to, far=far)
        if count and _cut_off(table, order.units[:count], unit, to):
            raise Illegal("10.5", f"{unit} could not trace supply from {order.to} once the others are gone")
        _path(table, unit, order)
    if not has_room(table, to, order.units):
        raise Illegal("10.4", f"{', '.join(order.units)} have no room at {order.to}: three units and six steps")


def _cut_off(table: Table, before: Sequence[str], unit: str, to: Hex) -> bool:
    """10.5: whether a hex has lost its supply because others went there first."""
    alone = supplied(table.data, supposed(table, unit, None), GERMAN)
    then = supplied(table.data, after_moves(table, {**dict.fromkeys(before, to), unit: None}), GERMAN)
    return bool(alone & ~then & 1 << to)


def _why_not(table: Table, unit: str) -> str:
    if table.unit(unit).side != GERMAN or table.position.hex_of(unit) is None:
        return f"{unit} is not a unit of yours on the map"
    if not is_active(table, unit):
        return f"{unit} is not active"
    return f"{unit} is dispersed" if is_dispersed(table, unit) else f"{unit} has moved"


def _refuse(table: Table, unit: str, to: Hex, *, far: bool) -> None:
    """Says why a unit does not get there. Raises Illegal."""
    can = places(table, unit, far)
    spot, near = number(table, to), numbers(table, can)
    reached = reach(table.data, field(table), how(table, unit, strategic=far), place(table, unit))
    if not reached >> to & 1:
        raise Illegal("10.0", f"{unit} cannot reach {spot}", at=spot, alternatives=near)
    if far and _near_enemies(table) >> to & 1:
        raise Illegal("10.6", f"{spot} is next to an enemy, or an enemy town", at=spot, alternatives=near)
    if not has_room(table, to, [unit]):
        raise Illegal("10.4", f"{unit} has no room at {spot}: three units and six steps", at=spot, alternatives=near)
    raise Illegal("10.5", f"{unit} could not trace supply from {spot}", at=spot, alternatives=near)


def _move_offers(table: Table) -> list[Choice]:
    found: list[Choice] = []
    for unit in movable(table):
        for kind, far in ((o.Move, False), (o.Strat, True)):
            if can := places(table, unit, far):
                found.append(pick(kind, "to", partial(numbers, table, can), units=(unit,)))
    return [*found, Choice(o.End)]


def _move_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        GERMAN, "moves", "moves", "moves of the active units", (o.Move, o.Strat, o.End), default=o.End,
        offers=partial(_move_offers, seen), check=partial(check_move, seen), case="10.0", top=True,
        onward=(o.Attack, o.Dig, *o.COMMANDS), course="impulse",
    )  # fmt: skip


# 4: improved positions (14.21)


def diggable(table: Table) -> list[str]:
    """14.21, 14.22: the hexes of active, ready units that neither moved nor attacked, where an IP may be."""
    found = set()
    for unit in active(table):
        idle = not table.position.mark(unit, MOVED) and not table.position.mark(unit, ATTACKED)
        h = place(table, unit)
        if idle and is_ready(table, unit) and may_dig(table, h):
            found.add(number(table, h))
    return sorted(found)


def may_dig(table: Table, h: Hex) -> bool:
    """14.22: never in a town or city, nor where one is."""
    return not table.data.towns >> h & 1 and not bears(table, h, IP)


def dig(table: Table) -> Procedure:
    can = diggable(table)
    if not can:
        return
    order = yield _dig_ask(table, can)
    for spot in order.at if isinstance(order, o.Dig) else ():
        yield Marked(subject=f"@{spot}", mark=IP, because="14.21")


def _dig_ask(table: Table, can: list[str]) -> Ask:
    def check(order: Order) -> None:
        if isinstance(order, o.Dig):
            for spot in order.at:
                if spot not in can:
                    raise Illegal("14.21", f"no improved position is dug at {spot}", alternatives=can)

    def left(said: Given) -> list[str]:
        return [spot for spot in can if spot not in said.get("at", ())]

    return Ask(
        GERMAN, "dig", "dig", f"improved positions: {', '.join(can)}", (o.Dig, o.End),
        default=lambda: o.Dig(at=tuple(can)), offers=lambda: [gather(o.Dig, "at", left), Choice(o.End)],
        check=check, case="14.21", top=True, onward=o.COMMANDS, course="impulse",
    )  # fmt: skip


# 5: the end (6.0)


def stand_down(table: Table) -> Procedure:
    """6.0 step 5, 12.9-c: active units that did not attack are dispersed no more; what was noted comes off."""
    for unit in active(table):
        if is_dispersed(table, unit) and not table.position.mark(unit, ATTACKED):
            yield Marked(subject=unit, mark=DISPERSED, value=None, because="12.9-c")
    yield from wipe(table, OF_AN_ACTIVATION, "6.0")
    yield from set_game(table, CARD, None, "6.0", Noted)
    yield from set_game(table, NO_ATTACK, None, "6.1", Noted)
