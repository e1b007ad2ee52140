"""Soviet attack checks (9.4): who leads, against which hex, at what ratio, and whether it is worth it."""

from collections.abc import Sequence
from fractions import Fraction

from engine import hexset
from engine.asks import Procedure
from engine.facts import Noted, Told
from engine.hexes import Hex
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from engine.rules.pools import in_pool
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat.situation import (
    DEFENDED,
    Combat,
    across,
    armor,
    attack_strength,
    defence_strength,
    flank,
    in_support,
)
from games.kharkov.rules.combat.soviet_attack import fight, reserve_hexes
from games.kharkov.rules.combat.soviet_cards import auxiliary_applies
from games.kharkov.rules.combat.tactics import barrage, coordinated, printed
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ATTACKED,
    IP,
    ascending,
    bears,
    germans,
    in_reserve,
    is_active,
    is_dispersed,
    is_isolated,
    is_ready,
    is_supplied,
    on_map,
    soviets,
    steps,
    touches,
)
from games.kharkov.rules.soviet.terms import around, surrounded, westward
from games.kharkov.rules.supply import supplied

CHECKED = "checked"
VP_GARRISON = 3  # steps that a VP hex must keep for its units to lead (9.4-b)


def attacks(table: Table) -> Procedure:
    """9.4: leads in ascending order, each German hex once."""
    while True:
        found = _next(table)
        if found is None:
            return
        lead, target = found
        yield Noted(subject=f"@{number(table, target)}", mark=CHECKED, because="9.42")
        units, said, goes = check(table, lead, target)
        yield Told(text=said, because="9.4")
        if goes:
            yield from fight(table, target, units)


def _next(table: Table) -> tuple[str, Hex] | None:
    """The first lead that touches an unchecked German hex, with the hex it checks (9.41)."""
    for lead in ascending(table, [unit for unit in on_map(table, SOVIET) if can_attack(table, unit)]):
        hexes = hexset.members(around(table.data, place(table, lead)) & field(table).german)
        open_ = [h for h in hexes if _fresh(table, h) and not bears(table, h, CHECKED) and may_lead(table, lead, h)]
        if open_:
            return lead, max(open_, key=lambda h: _rank(table, lead, h))
    return None


def _fresh(table: Table, h: Hex) -> bool:
    """12.1: a unit is attacked once in an activation; who retreated into a hex of others does not count (12.74)."""
    return any(not table.position.mark(unit, DEFENDED) for unit in germans(table, h))


def _rank(table: Table, lead: str, h: Hex) -> tuple[float, bool, float, str]:
    """9.41: the highest ratio, then a VP hex, the westernmost, the highest number."""
    combat = checked_combat(table, lead, h)
    vp = bool(table.data.vp_hexes >> h & 1)
    return rounded(table, situational(table, combat)), vp, westward(table.data, h), number(table, h)


def can_attack(table: Table, unit: str) -> bool:
    """9.4-c: active, has not attacked, ready."""
    return is_active(table, unit) and is_ready(table, unit) and not table.position.mark(unit, ATTACKED)


def may_lead(table: Table, unit: str, target: Hex) -> bool:
    """9.4-b"""
    if not any(is_supplied(table, other) for other in germans(table, target)):
        return True
    h = place(table, unit)
    kept = not table.data.vp_hexes >> h & 1 or steps(table, soviets(table, h)) >= VP_GARRISON
    return table.position.steps_left(unit) > 1 and kept


def participants(table: Table, target: Hex) -> list[str]:
    """9.4-c: all active units beside the target that can attack."""
    return [u for u in on_map(table, SOVIET) if can_attack(table, u) and touches(table, place(table, u), target)]


def checked_combat(table: Table, lead: str, target: Hex) -> Combat:
    """The attack as the check counts it, reserves and coordination apart."""
    card = game_mark(table, "activating card")
    value = cards.soviet(table, card)["value"] if card else 0
    units = participants(table, target)
    return Combat(SOVIET, target, units if lead in units else [lead, *units], value)


def _joining(table: Table, combat: Combat) -> list[str]:
    """9.4-c: reserves that could be placed, and by the auxiliary card's Assault Coordination non-active units."""
    found = []
    for unit in ascending(table, [u for u in in_reserve(table, SOVIET) if is_active(table, u)]):
        if reserve_hexes(table, combat, unit):
            found.append(unit)
    if any("assault coordination" in printed(table, card) for card in in_pool(table, cards.AUXILIARY)):
        found += coordinated(table, combat)
    return found


def situational(table: Table, combat: Combat) -> Fraction:
    """9.4-d: the ratio of the check."""
    rules = table.data.tables["attack_check"]
    own = attack_strength(table, combat)
    own += sum(table.position.value(unit, "strength") for unit in _joining(table, combat))
    there = germans(table, combat.target)
    german = defence_strength(table, combat)
    german += rules["ip"] * bears(table, combat.target, IP)
    german += rules["adjacent"] * _helped(table, combat.target)
    german += rules["river"] * across(table, combat)
    late = table.data.on("support_lines", table.position.turn)
    german += rules["unsupported"] * (late and not in_support(table, combat))
    german += rules["dispersed"] * all(is_dispersed(table, unit) for unit in there)
    german += rules["out_of_supply"] * all(not is_supplied(table, unit) for unit in there)
    return Fraction(own, max(1, german))


def _helped(table: Table, target: Hex) -> bool:
    near = around(table.data, target)
    return any(is_supplied(table, u) and near >> place(table, u) & 1 for u in on_map(table, GERMAN))


def rounded(table: Table, odds: Fraction) -> float:
    """9.4-d: down on the ladder."""
    ladder = table.data.tables["attack_check"]["ladder"]
    return max((step for step in ladder if odds >= Fraction(str(step))), default=0.0)


def check(table: Table, lead: str, target: Hex) -> tuple[list[str], str, bool]:
    """9.4-e: the attackers, the sentence, and whether they attack."""
    combat = checked_combat(table, lead, target)
    rules = table.data.tables["attack_check"]
    spot = number(table, target)
    if all(is_isolated(table, unit) for unit in germans(table, target)):
        return combat.attackers, f"{lead} leads an attack on {spot}: the defenders are isolated.", True
    odds = rounded(table, situational(table, combat))
    if odds >= rules["attack_at"]:
        return combat.attackers, f"{lead} leads an attack on {spot}: {odds:g}:1.", True
    if odds < rules["no_attack_below"]:
        return combat.attackers, f"{lead} checks {spot}: less than 1:1, no attack.", False
    parts = tactical_value(table, combat, odds)
    value = sum(parts.values())
    reasons = ", ".join(f"{what} {points}" for what, points in parts.items() if points)
    goes = value >= rules["value_needed"]
    said = f"{lead} checks {spot}: {odds:g}:1, tactical value {value} ({reasons}), {'attack' if goes else 'no attack'}."
    return combat.attackers, said, goes


def tactical_value(table: Table, combat: Combat, odds: float) -> dict[str, int]:
    """9.4-f, part by part."""
    rules, data, turn = table.data.tables["attack_check"], table.data, table.position.turn
    now, target = field(table), combat.target
    points = data.points.get(target, 0)
    late = turn >= rules["late_turn"] and table.position.tracks["vp"] < rules["late_vp"]
    helped = in_support(table, combat)
    aux = [card for card in in_pool(table, cards.AUXILIARY) if auxiliary_applies(table, combat, card)]
    cut = surrounded(data, now, target, GERMAN) and not supplied(data, now, GERMAN) >> target & 1
    return {
        "command": combat.value,
        "ratio": rules["good_ratio_value"] * (odds >= rules["good_ratio"]),
        "barrage": int(barrage(table, combat)),
        "support": int(helped),
        "armor": int(armor(table, combat, SOVIET) and not armor(table, combat, GERMAN)),
        "surrounded": int(any(surrounded(data, now, place(table, u), SOVIET) for u in combat.attackers)),
        "flank": int(flank(table, combat) or cut),
        "target": points if late else int(points >= rules["target_vp"]),
        "auxiliary": int(bool(aux) and helped),
        "few cards": int(cards.few_cards(table)),
    }


def unchecked(table: Table) -> Sequence[Hex]:
    return [h for h in hexset.members(field(table).german) if not bears(table, h, CHECKED)]
