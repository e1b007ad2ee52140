"""Soviet attack checks (9.4): who leads, against which hex, at what ratio, and whether it is worth it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine import hexset
from engine.asks import Procedure
from engine.facts import Noted, Told
from engine.hexes import Hex
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import crosses, number, place
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
    defenders,
    flank,
    in_support,
)
from games.kharkov.rules.combat.soviet_attack import _reserve_choice, fight, go_on, reserve_hexes
from games.kharkov.rules.combat.soviet_cards import auxiliary_applies
from games.kharkov.rules.combat.tactics import barrage, coordinated, printed
from games.kharkov.rules.combat.under_way import under_way
from games.kharkov.rules.fields import Field, field, zone
from games.kharkov.rules.ground import (
    ATTACKED,
    IP,
    ascending,
    bears,
    fits,
    germans,
    has_armor,
    in_reserve,
    is_active,
    is_dispersed,
    is_isolated,
    is_mech,
    is_ready,
    is_supplied,
    on_map,
    soviets,
    steps,
    touches,
)
from games.kharkov.rules.soviet.terms import around, surrounded, westward
from games.kharkov.rules.supply import supplied, supported

CHECKED, LED = "checked", "led"
ISOLATED_ODDS = Fraction(99)  # 9.4-e: such an attack is conducted at once, before any ratio is compared


def attacks(table: Table) -> Procedure:
    """9.4: leads in ascending order, each German hex once; an attack that is under way comes first."""
    battle = under_way(table)
    if battle is not None:
        yield from go_on(table, battle)
    while True:
        found = _next(table)
        if found is None:
            return
        lead, chosen = found
        target = chosen.best
        if chosen.trace:
            yield chosen.told(lead, "checks", "9.41")
        yield Noted(subject=f"@{number(table, target)}", mark=CHECKED, because="9.42")
        yield Noted(subject=lead, mark=LED, because="9.41")
        units, said, goes = check(table, lead, target)
        yield Told(text=said, because="9.4")
        if goes:
            yield from fight(table, target, units)


def _next(table: Table) -> tuple[str, Chosen[Hex]] | None:
    """The next lead that touches an unchecked German hex, with the hex it checks (9.41).

    One check to a lead, then the next unit; who has led leads again only when the others are through.
    """
    able = ascending(table, [unit for unit in on_map(table, SOVIET) if can_attack(table, unit)])
    for lead in sorted(able, key=lambda unit: bool(table.position.mark(unit, LED))):
        hexes = hexset.members(around(table.data, place(table, lead)) & field(table).german)
        open_ = [h for h in hexes if _fresh(table, h) and not bears(table, h, CHECKED) and may_lead(table, lead, h)]
        if open_:
            return lead, choose(open_, _preferences(table, lead), name=lambda h: number(table, h))
    return None


def _fresh(table: Table, h: Hex) -> bool:
    """12.1: a unit is attacked once in an activation; who retreated to others does not count (12.74)."""
    return any(not table.position.mark(unit, DEFENDED) for unit in germans(table, h))


def _preferences(table: Table, lead: str) -> list[tuple[str, Callable[[Hex], float]]]:
    """9.41: the highest ratio, then a VP hex, the westernmost, the highest number."""

    def ratio(h: Hex) -> float:
        odds = ISOLATED_ODDS if _helpless(table, h) else situational(table, counted(table, lead, h))
        return rounded(table, odds)

    return [
        ("ratio", ratio),
        ("a", lambda h: table.data.vp_hexes >> h & 1),
        ("b", lambda h: westward(table.data, h)),
        ("c", lambda h: int(number(table, h))),
    ]


def _helpless(table: Table, h: Hex) -> bool:
    return all(is_isolated(table, unit) for unit in germans(table, h))


def can_attack(table: Table, unit: str) -> bool:
    """9.4-c: active, has not attacked, ready."""
    return is_active(table, unit) and is_ready(table, unit) and not table.position.mark(unit, ATTACKED)


def may_lead(table: Table, unit: str, target: Hex) -> bool:
    """9.4-b"""
    if not any(is_supplied(table, other) for other in germans(table, target)):
        return True
    h, least = place(table, unit), table.data.tables["soviet"]["lead_from_vp"]
    kept = not table.data.vp_hexes >> h & 1 or steps(table, soviets(table, h)) >= least
    return table.position.steps_left(unit) > 1 and kept


def participants(table: Table, target: Hex) -> list[str]:
    """9.4-c: all active units beside the target that can attack."""
    return [u for u in on_map(table, SOVIET) if can_attack(table, u) and touches(table, place(table, u), target)]


@dataclass(frozen=True)
class Check:
    """An attack as the check counts it."""

    combat: Combat  # who will attack, whatever cards come: units on the map
    whole: Combat  # with those that Assault Coordination would add (9.4-g)
    reserves: dict[str, Hex]  # and the reserves, where they would be placed (12.2)


def counted(table: Table, lead: str, target: Hex) -> Check:
    """9.4-c: the lead, other active units, reserves as far as they fit together, and coordinated units."""
    card = game_mark(table, "activating card")
    value = cards.soviet(table, card)["value"] if card else 0
    units = participants(table, target)
    combat = Combat(SOVIET, target, units if lead in units else [lead, *units], value)
    joining = coordinated(table, combat) if _coordinates(table) else []
    whole = Combat(SOVIET, target, [*combat.attackers, *joining], value)
    return Check(combat, whole, _reserves(table, combat))


def _coordinates(table: Table) -> bool:
    return any("assault coordination" in printed(table, card) for card in in_pool(table, cards.AUXILIARY))


def _reserves(table: Table, combat: Combat) -> dict[str, Hex]:
    """9.4-c: active reserves in ascending order, each where 12.2 would place it beside those before it."""
    found: dict[str, Hex] = {}
    for unit in ascending(table, [u for u in in_reserve(table, SOVIET) if is_active(table, u)]):
        hexes = [
            h
            for h in reserve_hexes(table, combat, unit)
            if fits(table, SOVIET, h, [*(other for other, there in found.items() if there == h), unit])
        ]
        if hexes:
            found[unit] = _reserve_choice(table, combat, unit, hexes).best
    return found


def _reserve_strength(table: Table, target: Hex, reserves: Mapping[str, Hex]) -> int:
    """Their strength from where they would stand: halved over the Dniepr, and mechanized by marsh (12.41-a)."""
    data, total = table.data, 0
    for unit, h in reserves.items():
        halves = int(crosses(table, data.river("dnieper"), h, target))
        halves += int(is_mech(table, unit) and bool(data.marsh >> h & 1 or data.marsh >> target & 1))
        total += table.position.value(unit, "strength") >> halves
    return total


def situational(table: Table, check_: Check) -> Fraction:
    """9.4-d: the ratio of the check; a strength is one at the least."""
    german = defence_strength(table, check_.whole) + sum(_adjustments(table, check_).values())
    return Fraction(_own_strength(table, check_), max(1, german))


def _own_strength(table: Table, check_: Check) -> int:
    return attack_strength(table, check_.whole) + _reserve_strength(table, check_.whole.target, check_.reserves)


def _adjustments(table: Table, check_: Check) -> dict[str, int]:
    """9.4-d: what is added to the German strength, and taken from it."""
    rules, whole, reserves = table.data.tables["attack_check"], check_.whole, check_.reserves
    there, rivers = defenders(table, whole), table.data.big_rivers
    dry = any(not crosses(table, rivers, h, whole.target) for h in reserves.values())
    late = table.data.on("support_lines", table.position.turn)
    return {
        "improved position": rules["ip"] * bears(table, whole.target, IP),
        "Germans beside it": rules["adjacent"] * _helped(table, whole.target),
        "river": rules["river"] * (across(table, whole) and not dry),
        "out of support": rules["unsupported"] * (late and not _supported(table, check_)),
        "dispersed": rules["dispersed"] * all(is_dispersed(table, unit) for unit in there),
        "out of supply": rules["out_of_supply"] * all(not is_supplied(table, unit) for unit in there),
    }


def _sum(table: Table, check_: Check) -> str:
    """The strengths of a check, as they add up."""
    german = defence_strength(table, check_.whole)
    changes = [f"{what} {by:+}" for what, by in _adjustments(table, check_).items() if by]
    said = f"{_own_strength(table, check_)} against {german}"
    return f"{said} ({', '.join(changes)})" if changes else said


def _supported(table: Table, check_: Check) -> bool:
    """13.52: one attacker, a reserve too, or the defenders in support."""
    helped = supported(table)
    return in_support(table, check_.whole) or any(helped >> h & 1 for h in check_.reserves.values())


def _helped(table: Table, target: Hex) -> bool:
    near = around(table.data, target)
    return any(is_supplied(table, u) and near >> place(table, u) & 1 for u in on_map(table, GERMAN))


def rounded(table: Table, odds: Fraction) -> float:
    """9.4-d: down on the ladder."""
    ladder = table.data.tables["attack_check"]["ladder"]
    return max((step for step in ladder if odds >= Fraction(str(step))), default=0.0)


def check(table: Table, lead: str, target: Hex) -> tuple[list[str], str, bool]:
    """9.4-e: the attackers, the sentence, and whether they attack."""
    found = counted(table, lead, target)
    rules = table.data.tables["attack_check"]
    units, spot = found.combat.attackers, number(table, target)
    if _helpless(table, target):
        return units, f"{lead} leads an attack on {spot}: the defenders are isolated.", True
    odds = rounded(table, situational(table, found))
    if odds >= rules["attack_at"]:
        return units, f"{lead} leads an attack on {spot}: {odds:g}:1; {_sum(table, found)}.", True
    if odds < rules["no_attack_below"]:
        return units, f"{lead} checks {spot}: less than 1:1, no attack; {_sum(table, found)}.", False
    parts = tactical_value(table, found, odds)
    value = sum(parts.values())
    reasons = ", ".join(f"{what} {points}" for what, points in parts.items() if points)
    goes = value >= rules["value_needed"]
    said = f"{lead} checks {spot}: {odds:g}:1, tactical value {value} ({reasons}), {'attack' if goes else 'no attack'}"
    return units, f"{said}; {_sum(table, found)}.", goes


def tactical_value(table: Table, check_: Check, odds: float) -> dict[str, int]:
    """9.4-f, part by part."""
    rules, data, turn = table.data.tables["attack_check"], table.data, table.position.turn
    whole, target, reserves = check_.whole, check_.whole.target, check_.reserves
    now, placed = field(table), _with_reserves(table, reserves.values())
    points = data.points.get(target, 0)
    late = turn >= rules["late_turn"] and table.position.tracks["vp"] < rules["late_vp"]
    helped = _supported(table, check_)
    aux = [card for card in in_pool(table, cards.AUXILIARY) if auxiliary_applies(table, check_.combat, card)]
    cut = surrounded(data, placed, target, GERMAN) and not supplied(data, placed, GERMAN) >> target & 1
    tanks = armor(table, whole, SOVIET) or any(has_armor(table, unit) for unit in reserves)
    return {
        "command": whole.value,
        "ratio": rules["good_ratio_value"] * (odds >= rules["good_ratio"]),
        "barrage": int(barrage(table, whole)),
        "support": int(helped),
        "armor": int(tanks and not armor(table, whole, GERMAN)),
        "surrounded": int(any(surrounded(data, now, place(table, u), SOVIET) for u in whole.attackers)),
        "flank": int(flank(table, whole, tuple(reserves.values())) or cut),
        "target": points if late else int(points >= rules["target_vp"]),
        "auxiliary": int(bool(aux) and helped),
        "few cards": int(cards.few_cards(table)),
    }


def _with_reserves(table: Table, hexes: Iterable[Hex]) -> Field:
    """The field once the reserves of an attack are in place."""
    now, more = field(table), hexset.of(hexes)
    control = now.soviet_control | more
    zoc = zone(table.grid, control) & table.board.land
    return replace(now, soviet=now.soviet | more, soviet_control=control, soviet_zoc=zoc) if more else now
