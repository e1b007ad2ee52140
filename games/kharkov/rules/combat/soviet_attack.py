"""Soviet attacks (12.0-S): reserves, cards, the player's answer, chits, hits, advance."""

from collections.abc import Sequence

from engine import hexset
from engine.asks import Procedure
from engine.facts import Marked, Noted, Placed, Told
from engine.hexes import Hex
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import crosses, number, place, units_at
from engine.rules.marks import game_mark
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.advance import breach, soviet_advance
from games.kharkov.rules.combat.battle_report import fought
from games.kharkov.rules.combat.german_attack import abandoned
from games.kharkov.rules.combat.german_defence import defence_ask, play_defence
from games.kharkov.rules.combat.german_retreat import germans_hit
from games.kharkov.rules.combat.losses import gone, soviet_losses
from games.kharkov.rules.combat.retreat import Flight
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    Combat,
    defenders,
    drawn,
    flank,
    in_support,
    overwhelming,
)
from games.kharkov.rules.combat.soviet_cards import attack_card, attack_tactics, auxiliary, put_away
from games.kharkov.rules.combat.under_way import ANSWER, ATTACKERS, HITS, Battle, over
from games.kharkov.rules.fields import field, supposed
from games.kharkov.rules.ground import (
    ATTACKED,
    DISPERSED,
    IP,
    ascending,
    fits,
    front,
    in_reserve,
    is_active,
    is_ready,
    on_map,
    soviets,
    steps,
)
from games.kharkov.rules.soviet.objectives import objective
from games.kharkov.rules.soviet.terms import around, proximate, surrounded
from games.kharkov.rules.supply import limit, reserve_supply, supported
from games.kharkov.rules.towns import entered, off


def fight(table: Table, target: Hex, attackers: Sequence[str]) -> Procedure:
    """12.0-S, steps 1 to 9."""
    card = game_mark(table, "activating card")
    combat = Combat(SOVIET, target, list(attackers), cards.soviet(table, card)["value"] if card else 0)
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _prepared(table, combat)
    yield from abandoned(table, combat)
    yield from go_on(table, Battle(combat))


def go_on(table: Table, battle: Battle) -> Procedure:
    """Steps 3 to 9, from what the player is asked next: nothing happens between the begin of a step and its ask."""
    combat = battle.combat
    if battle.step == ANSWER:
        yield from _answered(table, battle)
        yield from _decided(table, battle)
    if battle.d and battle.step != ATTACKERS:
        yield from germans_hit(table, battle)
    battle.step, battle.a, battle.over = ATTACKERS, max(0, battle.a - battle.over), 0  # 12.55
    if battle.a:
        yield from _soviets_hit(table, battle)
    if not units_at(table, combat.target, GERMAN):
        yield from soviet_advance(table, combat, breach(table, battle.units, Flight(battle.far, battle.trail)))
    yield from put_away(table, combat)
    yield from chits.set_aside(table)
    yield from over(table)


def _decided(table: Table, battle: Battle) -> Procedure:
    """Steps 4 and 5: the chits, and what they come to."""
    combat = battle.combat
    battle.units = defenders(table, combat)
    for unit in battle.units:
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    here = yield from chits.draw_chits(table, drawn(table, combat))
    battle.a, battle.d, absorbed = hits.reduced(table, combat, *hits.raw(table, combat, here, len(here)))
    yield fought(table, combat, here, battle.a, battle.d)
    if absorbed:
        yield off(table, combat.target, IP, "14.24")
    battle.step = HITS


def _prepared(table: Table, combat: Combat) -> Procedure:
    """Steps 1 and 2: what every attack has (12.35, 12.36) counts for an overwhelming one; then reserves and cards."""
    if in_support(table, combat):
        yield from attack_tactics(table, combat)
    yield from _reserves(table, combat)
    if not in_support(table, combat):
        return
    yield from attack_tactics(table, combat)
    if not overwhelming(table, combat):
        yield from attack_card(table, combat)
        if not overwhelming(table, combat):
            yield from auxiliary(table, combat)


# Reserves (12.2).


def _reserves(table: Table, combat: Combat) -> Procedure:
    """12.2: active reserves one by one, while the attack is not overwhelming."""
    placed: list[str] = []
    for unit in ascending(table, [u for u in in_reserve(table, SOVIET) if is_active(table, u)]):
        if overwhelming(table, combat):
            return
        hexes = reserve_hexes(table, combat, unit, placed)
        if not hexes:
            continue
        chosen = _reserve_choice(table, combat, unit, hexes)
        yield chosen.told(unit, "joins the attack from", "12.2")
        yield Placed(unit=unit, at=number(table, chosen.best), because="12.2")
        yield from entered(table, unit, [chosen.best])
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
        yield Noted(subject=unit, mark="placed", because="12.2")
        placed.append(unit)
        combat.attackers.append(unit)


def reserve_hexes(table: Table, combat: Combat, unit: str, placed: Sequence[str] = ()) -> list[Hex]:
    """12.2: where a reserve may join an attack."""
    data, now, of = table.data, field(table), front(table, unit)
    hexes = around(data, combat.target) & reserve_supply(table) & limit(table, of) & ~now.german & ~now.german_towns
    if objective(table, of) is None:
        hexes &= supported(table)
    near = 0
    for other in on_map(table, SOVIET):
        if front(table, other) == of and other not in placed:
            near |= proximate(table, other) | 1 << place(table, other)
    return [h for h in hexset.members(hexes & near) if fits(table, SOVIET, h, [unit])]


def _reserve_choice(table: Table, combat: Combat, unit: str, hexes: Sequence[Hex]) -> Chosen[Hex]:
    data = table.data
    helped = supported(table)
    lacking = not in_support(table, combat)
    ordered = sorted(hexes, key=lambda h: number(table, h), reverse=True)
    return choose(
        ordered,
        [
            ("a", lambda h: lacking and helped >> h & 1),
            ("b", lambda h: surrounded(data, supposed(table, unit, h), combat.target, GERMAN)),
            ("c", lambda h: not crosses(table, data.river("dnieper"), h, combat.target)),
            ("d", lambda h: flank(table, combat, (h,)) and not flank(table, combat)),
            ("e", lambda h: not soviets(table, h)),
            ("f", lambda h: int(number(table, h))),
        ],
        name=lambda h: number(table, h),
    )


# The player's answer (12.3).


def _answered(table: Table, battle: Battle) -> Procedure:
    """12.3, step 3: cards as tactics; Reinforce Battle may bring a unit or stack into the hex."""
    combat = battle.combat
    if cards.in_hand(table) and any(is_ready(table, unit) for unit in defenders(table, combat)):
        yield from battle.keeping(table)()
        order = yield defence_ask(table, combat, number(table, combat.target))
        if isinstance(order, o.Defend):
            yield from play_defence(table, combat, order)


# Hits on the Soviets (12.54).


def _soviets_hit(table: Table, battle: Battle) -> Procedure:
    """12.54: the first hit a step, the rest by the table."""
    if not battle.taken:
        yield from soviet_losses(table, battle.combat.attackers, 1, "12.54", battle.taken, battle.keeping(table))
    alive = [unit for unit in battle.combat.attackers if table.position.hex_of(unit) is not None]
    if battle.a == 1 or not alive:
        return
    if battle.more is None:
        yield from _rest_of_hits(table, battle, alive)
    more = (battle.more or 0) + 1 - sum(battle.taken.values())
    yield from soviet_losses(table, alive, more, "12.54", battle.taken, battle.keeping(table))
    for unit in alive if battle.dispersed else ():
        if table.position.hex_of(unit) is not None:
            yield Marked(subject=unit, mark=DISPERSED, because="12.54")


def _rest_of_hits(table: Table, battle: Battle, alive: Sequence[str]) -> Procedure:
    """What the table says of the hits after the first."""
    target, left = battle.combat.target, steps(table, alive)
    vacated_vp = bool(table.data.vp_hexes >> target & 1) and not units_at(table, target, GERMAN)
    battle.more, battle.dispersed, all_gone = attacker_result(table, left, battle.a - 1, vacated_vp=vacated_vp)
    fate = "all are eliminated" if all_gone else f"{battle.more} more lost{', dispersed' if battle.dispersed else ''}"
    yield Told(text=f"Hits left for the attackers: {battle.a - 1}, on {left} steps: {fate}.", because="12.54")
    for unit in alive if all_gone else ():
        yield from gone(table, unit, "12.54")


def attacker_result(table: Table, left: int, more: int, *, vacated_vp: bool) -> tuple[int, bool, bool]:
    """Steps lost, whether all are dispersed, whether all are eliminated."""
    rows = table.data.tables["attacker_hits"]["rows"]
    row = max((row for row in rows if row["steps"] <= left), key=lambda row: row["steps"])
    text = row["results"][min(more, len(row["results"])) - 1]
    usual, _, bracketed = text.partition(" (")
    chosen = bracketed.rstrip(")") if bracketed and cards.few_cards(table) and not vacated_vp else usual
    if chosen == "E":
        return 0, False, True
    digits = chosen.rstrip("D")
    return int(digits or 0), chosen.endswith("D"), False
