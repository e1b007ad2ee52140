"""German attacks (12.0-G): one at a time, in the player's order."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Fought, Marked, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place, units_at
from engine.rules.marks import game_mark
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.activation import active
from games.kharkov.rules.combat import chits, hits, retreat
from games.kharkov.rules.combat.advance import german_advance
from games.kharkov.rules.combat.losses import german_losses, gone, soviet_losses
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    RETREATED,
    Combat,
    across,
    defenders,
    drawn,
    in_support,
    is_weak,
    ratio,
    required,
)
from games.kharkov.rules.combat.soviet_cards import defence_card
from games.kharkov.rules.combat.tactics import (
    applied,
    benefits,
    check_cards,
    coordinated,
    german_tactics,
    join_battle,
    reinforcers,
)
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    IP,
    bears,
    is_dispersed,
    is_isolated,
    is_ready,
    is_supplied,
    soviets,
    steps,
    touches,
)
from games.kharkov.rules.supply import in_supply
from games.kharkov.rules.towns import off

DIE = 10


def attacks(table: Table) -> Procedure:
    """12.1: attacks until the phase is closed, or nobody can attack."""
    while _attackable(table):
        order = yield _ask(table)
        if isinstance(order, o.End):
            return
        yield from attack(table, order)


def able(table: Table) -> list[str]:
    """12.1: active units that have not attacked, undispersed and not isolated."""
    return [
        unit
        for unit in active(table)
        if not table.position.mark(unit, ATTACKED) and not is_dispersed(table, unit) and not is_isolated(table, unit)
    ]


def beside(table: Table, target: Hex) -> list[str]:
    return [unit for unit in able(table) if touches(table, place(table, unit), target)]


def _attackable(table: Table) -> list[Hex]:
    """Soviet hexes that somebody supplied can attack, and that were not attacked in this activation."""
    found = []
    for h in hexset.members(field(table).soviet):
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
    if target not in _attackable(table):
        raise Illegal("12.1", f"{order.target} cannot be attacked now", at=order.target, alternatives=_spots(table))
    can = beside(table, target)
    for unit in order.units:
        if unit not in can:
            raise Illegal("12.1", f"{unit} cannot attack {order.target}", alternatives=can)
    if not any(is_supplied(table, unit) for unit in order.units):
        raise Illegal("13.21-b", "units out of supply attack only together with a supplied one")
    combat = combat_of(table, order)
    check_cards(table, combat, order.cards)
    _check_bonus(table, combat, order)
    _check_helpers(table, combat, order)


def _spots(table: Table) -> list[str]:
    return [number(table, h) for h in _attackable(table)]


def _check_bonus(table: Table, combat: Combat, order: o.Attack) -> None:
    """12.34"""
    if not order.bonus:
        return
    card = game_mark(table, "activating card")
    if not card or cards.german(table, card)["kind"] != "manstein":
        raise Illegal("12.34", "only units activated by Von Manstein have a tactic without a card")
    if order.bonus in german_tactics(table, order.cards) or not benefits(table, combat, GERMAN, order.bonus):
        raise Illegal("12.34", f"{order.bonus} would give nothing in this combat")


def _tactics(table: Table, order: o.Attack) -> list[str]:
    return [*german_tactics(table, order.cards), *([order.bonus] if order.bonus else [])]


def _check_helpers(table: Table, combat: Combat, order: o.Attack) -> None:
    """TAC.assault, TAC.reinforce: who joins is named, and comes by the tactic that brings him."""
    tactics = _tactics(table, order)
    near = coordinated(table, combat) if "assault coordination" in tactics else []
    far = reinforcers(table, combat, GERMAN) if "reinforce battle" in tactics else {}
    for unit in order.helpers:
        if unit not in near and unit not in far:
            raise Illegal("TAC.reinforce", f"{unit} cannot join this attack", alternatives=[*near, *far])
    by_far = [unit for unit in order.helpers if unit in far and unit not in near]
    if len({place(table, unit) for unit in by_far}) > 1:
        raise Illegal("TAC.reinforce", "one unit or stack joins by Reinforce Battle")
    if ("assault coordination" in tactics or "reinforce battle" in tactics) and not order.helpers:
        raise Illegal("TAC.reinforce", "say who joins: `reinforced by UNITS`", alternatives=[*near, *far])


def attack(table: Table, order: o.Attack) -> Procedure:
    """12.0-G, steps 1 to 9."""
    combat = combat_of(table, order)
    spot = order.target
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _play(table, combat, order)
    yield from _abandoned(table, combat)
    ready = any(is_ready(table, unit) for unit in defenders(table, combat))
    if not is_weak(table, combat) and ready and in_support(table, combat):
        yield from defence_card(table, combat)
    for unit in defenders(table, combat):
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    number_ = yield from _drawn(table, combat, spot)
    here = table.position.pools[chits.HERE]
    a, d = hits.raw(table, combat, here, number_)
    a, d, absorbed = hits.reduced(table, combat, a, d)
    yield _fought(table, combat, number_, a, d)
    if absorbed:
        yield off(table, combat.target, IP, "14.24")
    overrun = across(table, combat)
    path = yield from soviet_defenders_hit(table, combat, d, overrun)
    yield from _attackers_hit(table, combat, a, spot)
    fast = "panzer battalion" in combat.attack_tactics
    gone_ = not units_at(table, combat.target, SOVIET)
    far = gone_ and (len(path) == 2 or not path)
    yield from german_advance(table, combat, path, far=far, fast=fast)
    yield from chits.set_aside(table)


def _play(table: Table, combat: Combat, order: o.Attack) -> Iterator[Fact]:
    """Step 2: cards are played; who is added moves now."""
    if order.cards:
        yield from cards.discard(table, [card for card, _ in order.cards], "12.3")
    near = coordinated(table, combat)
    for tactic in _tactics(table, order):
        yield from applied(table, combat, GERMAN, tactic)
        combat.extra += 1
    for unit in order.helpers:
        if unit in near:
            combat.attackers.append(unit)
            combat.joined.add(unit)
        else:
            yield from join_battle(table, combat, unit, reinforcers(table, combat, GERMAN)[unit][0])
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")


def _abandoned(table: Table, combat: Combat) -> Iterator[Fact]:
    """14.24: an improved position goes when all units of its hex attack."""
    for h in sorted({place(table, unit) for unit in combat.attackers}):
        if bears(table, h, IP) and set(table.position.at(h)) <= set(combat.attackers):
            yield off(table, h, IP, "14.24")


def _drawn(table: Table, combat: Combat, spot: str):  # type: ignore[no-untyped-def]
    """12.4, 12.4-b: the required chits, then as many more as the player says before he sees them."""
    least, highest = required(table, combat), drawn(table, combat)
    yield from chits.draw_chits(table, least)
    if highest > least:
        here = table.position.pools[chits.HERE]
        a, d = hits.raw(table, combat, here, least)
        a, d, _ = hits.reduced(table, combat, a, d)
        order = yield _draw_ask(table, combat, spot, highest - least, a, d)
        if order.chits:
            yield from chits.draw_chits(table, order.chits)
        return least + order.chits
    return least


def _draw_ask(table: Table, combat: Combat, spot: str, left: int, a: int, d: int) -> Ask:
    def check(order: o.Draw) -> None:
        if not 0 <= order.chits <= left:
            raise Illegal("12.4-b", f"you may draw up to {left} more chits")

    own = steps(table, defenders(table, combat))
    default = 0 if d >= own + 1 else left
    return Ask(
        GERMAN, "draw", spot, f"{d} hits on the Soviets and {a} on you so far: how many more chits, up to {left}",
        (o.Draw,), default=lambda: o.Draw(chits=default),
        offers=lambda: [pick(o.Draw, "chits", lambda: range(left + 1))], check=check, case="12.4-b",
        amounts=(("hits", d), ("losses", a), ("left", left)), units=tuple(combat.attackers),
    )  # fmt: skip


def _fought(table: Table, combat: Combat, number_: int, a: int, d: int) -> Fact:
    odds = ratio(table, combat)
    column = f"{odds.numerator}:{odds.denominator}" if odds.denominator == 1 else f"{float(odds):.1f}:1"
    names = table.position.pools[chits.HERE]
    tactics = [*combat.attack_tactics, *(f"{tactic} (defence)" for tactic in combat.defence_tactics)]
    working = (*((tactic, "12.3") for tactic in tactics), (f"{number_} chits", "12.4"))
    return Fought(
        kind="attack", attackers=tuple(combat.attackers), defenders=tuple(defenders(table, combat)),
        targets=(number(table, combat.target),), column=column, decided=tuple(("chit", name) for name in names),
        result=f"A{a} D{d}", working=working, because="12.5",
    )  # fmt: skip


def soviet_defenders_hit(table: Table, combat: Combat, d: int, overrun: bool):  # type: ignore[no-untyped-def]
    """12.53: hit by hit: steps at the most retreat, a retreat where hits reach the steps, else a Hold Check."""
    units = defenders(table, combat)
    limit = retreat.most_hexes(table, units, combat.defence_tactics)
    path: list[Hex] = []
    here = combat.target
    while d > 0:
        alive = [unit for unit in units if table.position.hex_of(unit) is not None]
        if not alive:
            break
        can = len(path) < limit and bool(_way_back(table, alive, here, combat.target, path, d))
        back = can and (d >= steps(table, alive) or not (yield from _holds(table, combat, alive, here, path, overrun)))
        d -= 1
        if not back:
            yield from soviet_losses(table, alive, 1, "12.53")
            continue
        found = _way_back(table, alive, here, combat.target, path, d + 1)
        to = retreat.soviet_refuge(table, alive, here, found)
        yield from retreat.fall_back(table, alive, [to], "12.53")
        path.append(to)
        here = to
        if len(path) == 2:
            for unit in alive:
                if table.position.hex_of(unit) is not None and not is_dispersed(table, unit):
                    yield Marked(subject=unit, mark=DISPERSED, because="12.75")
    for unit in [u for u in units_at(table, combat.target, SOVIET) if table.position.mark(u, RETREATED)]:
        if not defenders(table, combat):
            yield from gone(table, unit, "12.74")
    return path


def _way_back(
    table: Table, units: Sequence[str], here: Hex, target: Hex, path: Sequence[Hex], d: int
) -> list[retreat.Refuge]:
    """12.71, 12.75: overstacked only on the first hex, and only with a hit left for the second."""
    away = target if path else None
    found = retreat.refuges(table, units, here, away)
    if not found and not path and d > 1:
        found = [
            r for r in retreat.refuges(table, units, here, passing=True) if retreat.refuges(table, units, r.hex, target)
        ]
    return found


def _holds(table: Table, combat: Combat, units: Sequence[str], here: Hex, path: Sequence[Hex], overrun: bool):  # type: ignore[no-untyped-def]
    """12.53-b: the Hold Check."""
    rules = table.data.tables["hold"]
    chance = steps(table, units) * rules["steps"] + rules["vp"] * table.data.points.get(here, 0)
    chance += rules["cover"] * (table.data.terrain(here) in hits.COVER)
    chance += rules["river"] * (overrun and not path)
    chance += rules["no_supply"] * (not in_supply(table, SOVIET, here))
    chance += rules["costly_retreat"] * retreat.costly(table, units, here)
    chance += rules["retreated"] * bool(path)
    turn = table.position.turn
    die = yield Roll(f"hold at {number(table, here)}, {max(0, chance)} or less", sides=DIE, stream=f"hold {turn}")
    return die <= chance


def _attackers_hit(table: Table, combat: Combat, a: int, spot: str) -> Procedure:
    """12.52: the first hit a step; one dispersal may stand for the next two; the rest steps."""
    if not a:
        return
    units = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    yield from german_losses(table, units, 1, spot, "12.52", first=True)
    left = a - 1
    alive = [unit for unit in units if table.position.hex_of(unit) is not None]
    if not left or not alive:
        return
    order = yield _disperse_ask(table, alive, left, spot)
    if isinstance(order, o.Disperse):
        left -= min(2, left)
        for unit in alive:
            yield Marked(subject=unit, mark=DISPERSED, because="12.52")
    yield from german_losses(table, alive, left, spot, "12.52", first=False)


def _disperse_ask(table: Table, units: Sequence[str], left: int, spot: str) -> Ask:
    return Ask(
        GERMAN, "disperse", spot, f"{left} more hits at {spot}: disperse for up to two of them, or lose steps",
        (o.Disperse, o.Stand), default=o.Disperse, offers=lambda: [Choice(o.Disperse), Choice(o.Stand)], case="12.52",
        amounts=(("hits", left),), units=tuple(units),
    )  # fmt: skip


# The ask.


def _offers(table: Table) -> list[Choice]:
    found = []
    for h in _attackable(table):
        can = beside(table, h)

        def left(said: Given, can: list[str] = can) -> list[str]:
            return [unit for unit in can if unit not in said.get("units", ())]

        found.append(gather(o.Attack, "units", left, partial(check_attack, table), target=number(table, h)))
    return [*found, Choice(o.End)]


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        GERMAN, "attacks", "attacks", "attacks of the active units", (o.Attack, o.End), default=o.End,
        offers=partial(_offers, seen), check=partial(check_attack, seen), case="12.1", top=True,
    )  # fmt: skip
