"""German attacks (12.0-G): one at a time, in the player's order."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Marked, Noted
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import place
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.advance import breach, german_advance
from games.kharkov.rules.combat.attack_choices import attack_ask
from games.kharkov.rules.combat.battle_report import fought
from games.kharkov.rules.combat.declaration import attackable, combat_of, help_of, tactics_played
from games.kharkov.rules.combat.forecast import forecast_draw
from games.kharkov.rules.combat.losses import german_losses
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    Combat,
    defenders,
    drawn,
    in_support,
    is_weak,
    required,
)
from games.kharkov.rules.combat.soviet_cards import defence_card, put_away
from games.kharkov.rules.combat.soviet_defence import soviet_defenders_hit
from games.kharkov.rules.combat.tactics import (
    applied,
    join_attack,
    join_battle,
)
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    IP,
    bears,
    is_ready,
    steps,
)
from games.kharkov.rules.towns import off


def attacks(table: Table) -> Procedure:
    """12.1: attacks until the phase is closed, or nobody can attack."""
    while attackable(table):
        order = yield attack_ask(table)
        if isinstance(order, o.End):
            return
        yield from attack(table, order)


def attack(table: Table, order: o.Attack) -> Procedure:
    """12.0-G, steps 1 to 9."""
    combat = combat_of(table, order)
    spot = order.target
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _play(table, combat, order)
    yield from abandoned(table, combat)
    ready = any(is_ready(table, unit) for unit in defenders(table, combat))
    if not is_weak(table, combat) and ready and in_support(table, combat):
        yield from defence_card(table, combat)
    units = defenders(table, combat)
    for unit in units:
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    here = yield from _draw(table, combat, spot)
    a, d, absorbed = hits.reduced(table, combat, *hits.raw(table, combat, here, len(here)))
    yield fought(table, combat, here, a, d)
    if absorbed:
        yield off(table, combat.target, IP, "14.24")
    flight = yield from soviet_defenders_hit(table, combat, d)
    yield from _attackers_hit(table, combat, a, spot)
    yield from german_advance(table, combat, breach(table, units, flight))
    yield from put_away(table, combat)
    yield from chits.set_aside(table)


def _play(table: Table, combat: Combat, order: o.Attack) -> Iterator[Fact]:
    """Step 2: cards are played; who is added moves now."""
    tactics, joining = tactics_played(table, combat, order), help_of(table, combat, order)
    if order.cards:
        yield from cards.discard(table, [card for card, _ in order.cards], "12.3")
    for tactic in tactics:
        yield from applied(table, combat, GERMAN, tactic)
        combat.extra += 1
    for unit in joining.near:
        yield from join_attack(combat, unit)
    for unit in joining.far:
        yield from join_battle(table, combat, unit, joining.into)


def abandoned(table: Table, combat: Combat) -> Iterator[Fact]:
    """14.24: an improved position goes when all units of its hex attack."""
    for h in sorted({place(table, unit) for unit in combat.attackers}):
        if bears(table, h, IP) and set(table.position.at(h)) <= set(combat.attackers):
            yield off(table, h, IP, "14.24")


def _draw(table: Table, combat: Combat, spot: str) -> Generator[Step, Any, list[str]]:
    """12.4, 12.4-b: the required chits, then as many more as the player says before he sees them."""
    least, highest = required(table, combat), drawn(table, combat)
    found = yield from chits.draw_chits(table, least)
    if highest > least:
        a, d, _ = hits.reduced(table, combat, *hits.raw(table, combat, found, least))
        order = yield _draw_ask(table, combat, spot, found, highest - least, (a, d))
        found += yield from chits.draw_chits(table, order.chits)
    return found


def _draw_ask(table: Table, combat: Combat, spot: str, here: list[str], left: int, had: tuple[int, int]) -> Ask:
    a, d = had

    def check(order: o.Pull) -> None:
        if not 0 <= order.chits <= left:
            raise Illegal("12.4-b", f"you may draw up to {left} more chits")

    def fit(order: Order) -> Order:
        return o.Pull(chits=min(order.chits, left)) if isinstance(order, o.Pull) else order

    own = steps(table, defenders(table, combat))
    default = 0 if d >= own + 1 else left
    return Ask(
        GERMAN, "draw", spot, f"{d} hits on the Soviets and {a} on you so far: how many more chits, up to {left}",
        (o.Pull,), default=lambda: o.Pull(chits=default),
        offers=lambda: [pick(o.Pull, "chits", lambda: range(left + 1))], check=check, case="12.4-b",
        amounts=(("hits", d), ("losses", a), ("left", left)), units=tuple(combat.attackers), fit=fit,
        odds=lambda order: forecast_draw(table.seen_by(GERMAN), combat, here, order.chits),
    )  # fmt: skip


def _attackers_hit(table: Table, combat: Combat, a: int, spot: str) -> Procedure:
    """12.52: the first hit a step; one dispersal may stand for the next two; the rest steps."""
    if not a:
        return
    lost = yield from german_losses(table, combat.attackers, 1, spot, "12.52", first=True)
    left = a - 1
    alive = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    if not left or not alive:
        return
    order = yield _disperse_ask(table, alive, left, spot)
    if isinstance(order, o.Disperse):
        left -= min(2, left)
        for unit in alive:
            yield Marked(subject=unit, mark=DISPERSED, because="12.52")
    yield from german_losses(table, alive, left, spot, "12.52", first=False, before=lost)


def _disperse_ask(table: Table, units: Sequence[str], left: int, spot: str) -> Ask:
    return Ask(
        GERMAN, "disperse", spot, f"{left} more hits at {spot}: disperse for up to two of them, or lose steps",
        (o.Disperse, o.Stand), default=o.Disperse, offers=lambda: [Choice(o.Disperse), Choice(o.Stand)], case="12.52",
        amounts=(("hits", left),), units=tuple(units),
    )  # fmt: skip
