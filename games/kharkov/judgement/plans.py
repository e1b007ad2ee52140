"""What a sensible player does by a plan: the command that strikes best, the moves for it, the attacks in their order."""

from collections.abc import Iterator
from dataclasses import dataclass, field as made
from functools import partial

from engine import hexset
from engine.asks import Ask
from engine.hexes import Hex
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.table import kept_while_marked
from games.kharkov import orders as o
from games.kharkov.data import Table
from games.kharkov.judgement import fighting, staff
from games.kharkov.judgement.blows import Plan, plan
from games.kharkov.judgement.outlook import EFFORT, best_of
from games.kharkov.rules import cards
from games.kharkov.rules.activation import active, movable, places
from games.kharkov.rules.combat.declaration import attackable, beside, check_attack, has_bonus
from games.kharkov.rules.combat.tactics import plays
from games.kharkov.rules.deployment import ground
from games.kharkov.rules.ground import ACTIVE, strength
from games.kharkov.rules.impulse import in_group

BONUSES = ("artillery", "airpower", "panzer battalion", "combat engineers")


def advise(table: Table, ask: Ask) -> Order | None:
    """What the plan says; None where there is nothing to plan."""
    match ask.name:
        case "impulse":
            return _command(table, ask)
        case "moves":
            return _move(table)
        case "attacks":
            return _attack(table)
        case "place":
            return _place(table, ask)
    return None


# The command.


def _command(table: Table, ask: Ask) -> Order | None:
    best: Order | None = None
    most = 0.0
    for order in _commands(table, ask):
        found = staff.command(table, order)
        if found > most:
            best, most = order, found
    return best


def _commands(table: Table, ask: Ask) -> Iterator[Order]:
    """Each command that is offered, with what it leaves open."""
    for choice in ask.choices():
        if choice.complete and not choice.more:
            yield choice.order()
        elif choice.kind is o.Kampfgruppe:
            yield from _groups(table, str(choice.given["card"]))
        elif choice.kind is o.Single:
            yield from (longer.order() for longer in choice.following())
        else:
            yield from _grown(choice)


def _groups(table: Table, card: str) -> Iterator[Order]:
    """One Kampfgruppe for each set of units that is no part of another."""
    far = table.data.tables["german_commands"][cards.german(table, card)["kind"]]["range"]
    near = {unit: hexset.within(table.grid, 1 << place(table, unit), far) for unit in in_group(table, card)}
    found: dict[frozenset[str], Hex] = {}
    for h in hexset.members(hexset.union(near.values()) & table.board.land):
        found.setdefault(frozenset(unit for unit, mask in near.items() if mask >> h & 1), h)
    for units, h in found.items():
        if not any(units < others for others in found):
            yield o.Kampfgruppe(at=number(table, h), card=card)


def _grown(choice: Choice) -> Iterator[Order]:
    """As long as it goes, each time with what comes first."""
    for begun in choice.following():
        longest = begun
        while longest.more and (longer := longest.following()):
            longest = longer[0]
        if longest.complete:
            yield longest.order()


# Moves.


@dataclass
class March:
    """The plan of the activation that is under way, and whom it has been asked about."""

    plan: Plan
    moves: dict[str, Hex] = made(default_factory=dict)
    looked: set[str] = made(default_factory=set)


@kept_while_marked
def march(table: Table, mark: str) -> March:
    """What the active units are to do; the mark is that of being active."""
    card = game_mark(table, "activating card")
    value = cards.german(table, card)["value"] if card else 0
    units = frozenset(active(table)) if not game_mark(table, "no attack") else frozenset()
    found = plan(table, units, value)
    return March(found, found.placed)


def _move(table: Table) -> Order:
    now = march(table, ACTIVE)
    can = movable(table)
    for unit, h in now.moves.items():
        if unit in can and unit not in now.looked:
            now.looked.add(unit)
            if h != place(table, unit) and places(table, unit, False) >> h & 1:
                return o.Move(units=(unit,), to=number(table, h))
    for unit in sorted(can, key=lambda unit: (-strength(table, [unit]), unit)):
        if unit not in now.looked:
            now.looked.add(unit)
            near, far = places(table, unit, False), places(table, unit, True)
            to, better = best_of(table, unit, near | far)
            if to is not None and better > EFFORT:
                kind = o.Move if near >> to & 1 else o.Strat
                return kind(units=(unit,), to=number(table, to))
    return o.End()


# Attacks.


def _attack(table: Table) -> Order:
    best: Order = o.End()
    most = 0.0
    for order in _attacks(table):
        found = fighting.attack(table, order)
        if found > most:
            best, most = order, found
    return best


def _attacks(table: Table) -> Iterator[o.Attack]:
    """Against each hex: by those that the plan names, by all who are left for it, and with a card."""
    ok = partial(check_attack, table)
    named = {blow.target: set(blow.placed) for blow in march(table, ACTIVE).plan.blows}
    for h in attackable(table):
        can, target = beside(table, h), number(table, h)
        elsewhere = {
            unit for other, units in named.items() if other != h and other in attackable(table) for unit in units
        }
        groups = {
            tuple(can),
            tuple(u for u in can if u not in elsewhere),
            tuple(u for u in can if u in named.get(h, ())),
        }
        bare = [
            order for units in sorted(groups) if units and passes(ok, order := o.Attack(target=target, units=units))
        ]
        if not bare:
            continue
        best = max(bare, key=partial(fighting.attack, table))
        yield best
        if has_bonus(table):
            extra = [order for tactic in BONUSES if passes(ok, order := best.model_copy(update={"bonus": tactic}))]
            yield from extra
        for card in cards.in_hand(table):
            for play in plays(table, card):
                order = best.model_copy(update={"cards": (play,)})
                if passes(ok, order):
                    yield order


# Reserves.


def _place(table: Table, ask: Ask) -> Order | None:
    units = sorted({unit for choice in ask.choices() for unit in choice.given.get("units", ())})
    if not units:
        return None
    unit = max(units, key=lambda unit: (strength(table, [unit]), unit))
    to, _ = best_of(table, unit, ground(table, unit), arriving=True)
    return o.Place(units=(unit,), at=number(table, to)) if to is not None else None
