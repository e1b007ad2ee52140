"""What the player declares (12.1, 12.3): whom he attacks, with whom, by which cards, and who joins."""

from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules import cards
from games.kharkov.rules.activation import active
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    Combat,
    flank,
)
from games.kharkov.rules.combat.tactics import (
    check_cards,
    coordinated,
    reinforcers,
    tactics_of,
    useful,
)
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    fits,
    is_dispersed,
    is_isolated,
    is_supplied,
    soviets,
    touches,
)
from games.kharkov.rules.soviet.terms import around


@kept
def able(table: Table) -> list[str]:
    """12.1: active units that have not attacked, undispersed and not isolated."""
    return [
        unit
        for unit in active(table)
        if not table.position.mark(unit, ATTACKED) and not is_dispersed(table, unit) and not is_isolated(table, unit)
    ]


def beside(table: Table, target: Hex) -> list[str]:
    return [unit for unit in able(table) if touches(table, place(table, unit), target)]


@kept
def attackable(table: Table) -> list[Hex]:
    """Soviet hexes that somebody supplied can attack, and that were not attacked in this activation."""
    near = hexset.union(around(table.data, place(table, unit)) for unit in able(table))
    found = []
    for h in hexset.members(field(table).soviet & near):
        fresh = any(not table.position.mark(unit, DEFENDED) for unit in soviets(table, h))
        if fresh and any(is_supplied(table, unit) for unit in beside(table, h)):
            found.append(h)
    return found


def combat_of(table: Table, order: o.Attack) -> Combat:
    card = game_mark(table, "activating card")
    value = cards.german(table, card)["value"] if card else 0
    return Combat(GERMAN, table.grid.hex(order.target), list(order.units), value)


def check_attack(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, o.Attack):
        return
    target = table.grid.hex(order.target)
    if not soviets(table, target):
        raise Illegal("12.1", f"no Soviet unit is in {order.target}", at=order.target, alternatives=_spots(table))
    if target not in attackable(table):
        raise Illegal("12.1", f"{order.target} cannot be attacked now", at=order.target, alternatives=_spots(table))
    can = beside(table, target)
    for unit in order.units:
        if unit not in can:
            raise Illegal("12.1", f"{unit} cannot attack {order.target}", alternatives=can)
    if not any(is_supplied(table, unit) for unit in order.units):
        raise Illegal("13.21-b", "units out of supply attack only together with a supplied one")
    combat = combat_of(table, order)
    check_cards(table, combat, order.cards)
    _check_bonus(table, order)
    tactics_played(table, combat, order)


def _spots(table: Table) -> list[str]:
    return [number(table, h) for h in attackable(table)]


def _check_bonus(table: Table, order: o.Attack) -> None:
    """12.34"""
    if not order.bonus:
        return
    if not has_bonus(table):
        raise Illegal("12.34", "only units activated by Von Manstein have a tactic without a card")


def has_bonus(table: Table) -> bool:
    card = game_mark(table, "activating card")
    return bool(card) and cards.german(table, str(card))["kind"] == "manstein"


@dataclass(frozen=True)
class Help:
    """Who joins an attack by a tactic: beside the target already, or from afar into a hex next to it."""

    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    into: Hex = 0


def help_of(table: Table, combat: Combat, order: o.Attack) -> Help:
    """TAC.assault, TAC.reinforce: who is named, and the hex; with none named the one that flanks, then the highest.

    Raises Illegal.
    """
    near = [unit for unit in order.helpers if unit in coordinated(table, combat)]
    far = [unit for unit in order.helpers if unit not in near]
    can = reinforcers(table, combat, GERMAN) if far else {}
    for unit in far:
        if unit not in can:
            raise Illegal("TAC.reinforce", f"{unit} cannot join this attack", alternatives=[*can])
    if len({place(table, unit) for unit in far}) > 1:
        raise Illegal("TAC.reinforce", "one unit or stack joins by Reinforce Battle")
    if not far:
        return Help(tuple(near))
    spots = spots_of(table, combat, order)
    named = table.grid.hex(order.into) if order.into else None
    if not spots or (named is not None and named not in spots):
        where = f"in {order.into}" if order.into else "together"
        allowed = [number(table, h) for h in spots]
        raise Illegal("TAC.reinforce", f"{', '.join(far)} cannot join this attack {where}", alternatives=allowed)
    best = max(spots, key=lambda h: (flank(table, combat, (h,)), number(table, h)))
    return Help(tuple(near), tuple(far), best if named is None else named)


def spots_of(table: Table, combat: Combat, order: o.Attack) -> list[Hex]:
    """TAC.reinforce: the hexes in which all who come from afar could join together."""
    far = [unit for unit in order.helpers if unit not in coordinated(table, combat)]
    can = reinforcers(table, combat, GERMAN) if far else {}
    common = [h for h in can.get(far[0], ()) if all(h in can.get(unit, ()) for unit in far)] if far else []
    return [h for h in common if fits(table, GERMAN, h, far)]


def tactics_played(table: Table, combat: Combat, order: o.Attack) -> list[str]:
    """12.3: what the cards and the bonus give; each of them must give something. Raises Illegal."""
    joining = help_of(table, combat, order)
    offered = [tactics_of(table, card, named) for card, named in order.cards]
    names = [card for card, _ in order.cards]
    if order.bonus:
        offered.append([order.bonus])
        names.append("the bonus")
    found = useful(table, combat, GERMAN, offered)
    wanted = {"assault coordination": joining.near, "reinforce battle": joining.far}
    kept = [[tactic for tactic in tactics if wanted.get(tactic, True)] for tactics in found]
    for name, tactics, given, use in zip(names, offered, found, kept, strict=True):
        if not given:
            raise Illegal("12.3", f"{name} would give nothing in this combat: {', '.join(tactics)}")
        if not use:
            can = [*coordinated(table, combat), *reinforcers(table, combat, GERMAN)]
            raise Illegal("12.3", f"say who joins by {name}: `plus UNITS`", alternatives=can)
    tactics = [tactic for use in kept for tactic in use]
    for tactic, units in wanted.items():
        if units and tactic not in tactics:
            raise Illegal("12.1", f"{', '.join(units)} may join only by {tactic}")
    return tactics
