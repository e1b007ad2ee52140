"""Soviet attacks (12.0-S): reserves, cards, the player's answer, chits, hits, advance."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Procedure, Step
from engine.facts import Fact, Marked, Noted, Placed, Told
from engine.hexes import Hex
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import crosses, number, place, units_at
from engine.rules.marks import game_mark
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits, hits
from games.kharkov.rules.combat.advance import FAR, breach, soviet_advance
from games.kharkov.rules.combat.battle_report import fought
from games.kharkov.rules.combat.german_attack import abandoned
from games.kharkov.rules.combat.german_defence import defence_ask, hits_ask, play_defence, way_meant
from games.kharkov.rules.combat.losses import Losses, german_losses, gone, soviet_losses
from games.kharkov.rules.combat.retreat import Flight, Ways, fall_back, german_ways, most_hexes
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
from games.kharkov.rules.combat.soviet_defence import trampled
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
    spot = number(table, target)
    for unit in combat.attackers:
        yield Noted(subject=unit, mark=ATTACKED, because="12.1")
    yield from _prepared(table, combat)
    yield from abandoned(table, combat)
    yield from _answered(table, combat, spot)
    units = defenders(table, combat)
    for unit in units:
        yield Noted(subject=unit, mark=DEFENDED, because="12.1")
    here = yield from chits.draw_chits(table, drawn(table, combat))
    a, d, absorbed = hits.reduced(table, combat, *hits.raw(table, combat, here, len(here)))
    yield fought(table, combat, here, a, d)
    if absorbed:
        yield off(table, target, IP, "14.24")
    left, flight = yield from _germans_hit(table, combat, d, spot)
    a = max(0, a - left)  # 12.55
    vacated_vp = bool(table.data.vp_hexes >> target & 1) and not units_at(table, target, GERMAN)
    yield from _soviets_hit(table, combat, a, vacated_vp=vacated_vp)
    if not units_at(table, target, GERMAN):
        yield from soviet_advance(table, combat, breach(table, units, flight))
    yield from put_away(table, combat)
    yield from chits.set_aside(table)


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


def _answered(table: Table, combat: Combat, spot: str) -> Procedure:
    """12.3, step 3: cards as tactics; Reinforce Battle may bring a unit or stack into the hex."""
    if cards.in_hand(table) and any(is_ready(table, unit) for unit in defenders(table, combat)):
        order = yield defence_ask(table, combat, spot)
        if isinstance(order, o.Defend):
            yield from play_defence(table, combat, order)


# Hits on the Germans (12.52).


def _germans_hit(table: Table, combat: Combat, d: int, spot: str) -> Generator[Step, Any, tuple[int, Flight]]:
    """The player stands, or falls back one or two hexes; the rest are steps. Gives hits left over (12.55)."""
    units, flight = defenders(table, combat), Flight()
    if not d:
        return 0, flight
    can = min(d, most_hexes(table, units, ()))
    ways = german_ways(table, units, combat.target, can, d)
    chosen: Ways = ()
    if ways:
        order = yield hits_ask(table, combat, units, d, ways, spot)
        chosen = way_meant(table, ways, order) if isinstance(order, o.Retreat) else ()
    farthest = max((len(way) for each in ways for _, way in each), default=0)
    over = max(0, d - farthest - steps(table, units))
    flight.hexes = len(chosen[0][1]) if chosen else 0
    yield from german_losses(table, units, d - flight.hexes, spot, "12.52", first=True)
    for far in range(flight.hexes):
        yield from _gone_back(table, chosen, far, flight)
    if flight.hexes == FAR:
        for unit in units:
            if table.position.hex_of(unit) is not None:
                yield Marked(subject=unit, mark=DISPERSED, because="12.75")
    yield from trampled(table, combat, GERMAN)
    eliminated = all(table.position.hex_of(unit) is None for unit in units)
    return over if eliminated else 0, flight


def _gone_back(table: Table, chosen: Ways, far: int, flight: Flight) -> Procedure:
    """One hex farther: those who go to one hex together, and pay together."""
    groups: dict[tuple[Hex, Hex], list[str]] = {}
    for unit, way in chosen:
        if table.position.hex_of(unit) is not None:
            groups.setdefault((place(table, unit), way[far]), []).append(unit)
    for (_, to), units in groups.items():
        flight.trail += [] if far else [to]
        yield from fall_back(table, units, to, "12.7")


# Hits on the Soviets (12.54).


def _soviets_hit(table: Table, combat: Combat, a: int, *, vacated_vp: bool) -> Iterator[Fact]:
    """12.54: the first hit a step, the rest by the table."""
    if not a:
        return
    taken: Losses = {}
    yield from soviet_losses(table, combat.attackers, 1, "12.54", taken)
    alive = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    if a == 1 or not alive:
        return
    lost, dispersed, all_gone = attacker_result(table, steps(table, alive), a - 1, vacated_vp=vacated_vp)
    fate = "all are eliminated" if all_gone else f"{lost} more lost{', dispersed' if dispersed else ''}"
    said = f"Hits left for the attackers: {a - 1}, on {steps(table, alive)} steps: {fate}."
    yield Told(text=said, because="12.54")
    if all_gone:
        for unit in alive:
            yield from gone(table, unit, "12.54")
        return
    yield from soviet_losses(table, alive, lost, "12.54", taken)
    for unit in alive if dispersed else ():
        if table.position.hex_of(unit) is not None:
            yield Marked(subject=unit, mark=DISPERSED, because="12.54")


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
