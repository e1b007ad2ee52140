"""A combat as it stands (12.41): who fights, what was played, and every situation that a chit may name."""

from dataclasses import dataclass, field
from fractions import Fraction

from engine.hexes import Hex
from engine.rules.ground import crosses, place, units_at
from engine.rules.marks import game_mark
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.ground import (
    IP,
    bears,
    has_armor,
    is_dispersed,
    is_isolated,
    is_mech,
    is_ready,
    is_supplied,
    on_map,
    steps,
    strength,
    touches,
)
from games.kharkov.rules.reach import MUD
from games.kharkov.rules.supply import supported

RETREATED, DEFENDED = "retreated", "defended"
ARMORED = ("tank brigade", "panzer battalion")
ARTILLERY = ("artillery", "fixed artillery")


@dataclass
class Combat:
    """One attack on one hex, as far as it has come."""

    side: str  # that attacks
    target: Hex
    attackers: list[str]
    value: int  # command value of the activating card
    joined: set[str] = field(default_factory=set)  # brought by a tactic: they may not advance (12.8)
    attack_tactics: list[str] = field(default_factory=list)
    defence_tactics: list[str] = field(default_factory=list)
    extra: int = 0  # chits for the attacker's tactics
    from_deck: set[str] = field(default_factory=set)  # Soviet cards that may be used again (12.32)
    was_auxiliary: set[str] = field(default_factory=set)  # those of them that were drawn for a command

    @property
    def enemy(self) -> str:
        return SOVIET if self.side == GERMAN else GERMAN

    def tactics(self, side: str) -> list[str]:
        return self.attack_tactics if side == self.side else self.defence_tactics


def defenders(table: Table, combat: Combat) -> list[str]:
    """12.74: who retreated into the hex in this activation does not count."""
    return [u for u in units_at(table, combat.target, combat.enemy) if not table.position.mark(u, RETREATED)]


def hexes(table: Table, combat: Combat) -> set[Hex]:
    return {place(table, unit) for unit in combat.attackers}


# Strengths and ratio (12.41-a).


def _over_dniepr(table: Table, combat: Combat, unit: str) -> bool:
    return crosses(table, table.data.river("dnieper"), place(table, unit), combat.target)


def _in_marsh(table: Table, combat: Combat, unit: str) -> bool:
    marsh = table.data.marsh
    return is_mech(table, unit) and bool(marsh >> place(table, unit) & 1 or marsh >> combat.target & 1)


def attack_strength(table: Table, combat: Combat) -> int:
    """Units over the Dniepr, and mechanized ones into or from marsh, are halved as groups, rounded down; both: twice.

    A unit under both is in the group of its marsh first, and the total of all over the river is halved after that.
    """
    groups: dict[tuple[bool, bool], int] = {}
    for unit in combat.attackers:
        key = _over_dniepr(table, combat, unit), _in_marsh(table, combat, unit)
        groups[key] = groups.get(key, 0) + strength(table, [unit])
    dry = groups.get((False, False), 0) + groups.get((False, True), 0) // 2
    wet = groups.get((True, False), 0) + groups.get((True, True), 0) // 2
    return dry + wet // 2 + _added(table, combat.attack_tactics)


def halvings(table: Table, combat: Combat) -> list[tuple[str, str]]:
    """Which units count half, for the report."""
    found = []
    for what, holds in (("over the Dniepr", _over_dniepr), ("mechanized in marsh", _in_marsh)):
        units = [unit for unit in combat.attackers if holds(table, combat, unit)]
        found += [(what, f"{', '.join(units)} halved")] if units else []
    own = [unit for unit in defenders(table, combat) if is_mech(table, unit) and table.data.marsh >> combat.target & 1]
    return [*found, *([("defends mechanized in marsh", f"{', '.join(own)} halved")] if own else [])]


def defence_strength(table: Table, combat: Combat) -> int:
    """Mechanized defenders in marsh are halved; at least 1."""
    own = defenders(table, combat)
    mech = [unit for unit in own if is_mech(table, unit)]
    total = strength(table, own)
    if table.data.marsh >> combat.target & 1:
        total -= strength(table, mech) - strength(table, mech) // 2
    return max(1, total + _added(table, combat.defence_tactics))


def _added(table: Table, tactics: list[str]) -> int:
    """TAC.tank, TAC.rifle, TAC.panzer"""
    rows = table.data.tables["tactics"]
    return sum(rows[tactic]["strength"] for tactic in tactics if tactic in rows)


def ratio(table: Table, combat: Combat) -> Fraction:
    return Fraction(attack_strength(table, combat), defence_strength(table, combat))


# How many chits (12.4).


def required(table: Table, combat: Combat) -> int:
    """12.4: as many as the defenders have steps."""
    return steps(table, defenders(table, combat))


def most(table: Table, combat: Combat) -> int:
    """12.4-a: the maximum, at most six in light mud (12.4-d)."""
    rules = table.data.tables["chits_drawn"]
    three = [table.position.steps_left(unit) >= 3 for unit in combat.attackers]
    number = sum(rules["three_steps"] if is_three else rules["attacker"] for is_three in three)
    number += combat.extra * rules["tactic"]
    own = defenders(table, combat)
    if own and all(is_isolated(table, unit) for unit in own):
        number += rules["isolated"]
    elif own and all(not is_supplied(table, unit) for unit in own):
        number += rules["out_of_supply"]
    if "screen" in combat.defence_tactics:
        number += rules["screen"]
    return min(number, rules["mud_cap"]) if game_mark(table, "ground") == MUD else number


def drawn(table: Table, combat: Combat) -> int:
    """12.4, 12.4-c: what a Soviet attack draws, and the most that a German one may."""
    return max(required(table, combat), most(table, combat))


def is_large(table: Table, side: str, number: int) -> bool:
    """9.3-large"""
    large = table.data.tables["chits_drawn"]["large"]
    return number >= (large["soviet"] if side == SOVIET else large["german"])


def is_weak(table: Table, combat: Combat) -> bool:
    """12.39: a German attack that draws one or two at the most."""
    return drawn(table, combat) <= table.data.tables["chits_drawn"]["weak"]


def unready(table: Table, unit: str) -> bool:
    return not is_ready(table, unit)


def overwhelming(table: Table, combat: Combat) -> bool:
    """12.38, 9.3-overwhelm, with the chits that are certain at this moment (12.38-b)."""
    rules, odds = table.data.tables["overwhelming"], ratio(table, combat)
    own = defenders(table, combat)
    if odds >= rules["ratio"]:
        return True
    if odds >= rules["large_ratio"] and is_large(table, combat.side, drawn(table, combat)):
        return True
    if odds >= rules["unready_ratio"] and all(unready(table, unit) for unit in own):
        return True
    return all(is_isolated(table, unit) for unit in own) and not table.data.vp_hexes >> combat.target & 1


# Situations (12.41-b to 12.41-k).


def flank(table: Table, combat: Combat, also: tuple[Hex, ...] = ()) -> bool:
    """12.41-f: from three hexes or more, or from two that do not touch; never against a town or city."""
    spots = [*{*hexes(table, combat), *also}]
    if table.data.towns >> combat.target & 1:
        return False
    return len(spots) >= 3 or (len(spots) == 2 and table.grid.distance(spots[0], spots[1]) > 1)


def across(table: Table, combat: Combat) -> bool:
    """12.51: whether all attack over Donets or Dniepr, bridged or not."""
    spots = hexes(table, combat)
    return bool(spots) and all(crosses(table, table.data.big_rivers, h, combat.target) for h in spots)


def armor(table: Table, combat: Combat, side: str) -> bool:
    own = combat.attackers if side == combat.side else defenders(table, combat)
    return any(has_armor(table, u) for u in own) or any(t in ARMORED for t in combat.tactics(side))


def in_support(table: Table, combat: Combat) -> bool:
    """13.52: a Soviet attack is unsupported only if all attackers and defenders are out of support."""
    there = supported(table)
    if combat.side == SOVIET:
        return bool(there >> combat.target & 1) or any(there >> h & 1 for h in hexes(table, combat))
    return bool(there >> combat.target & 1)


def defender_adjacent(table: Table, combat: Combat) -> bool:
    """12.41-d: next to a ready friend not yet attacked in this impulse; from turn 5 on Soviets both in support."""
    late = combat.enemy == SOVIET and table.data.on("support_lines", table.position.turn)
    for unit in on_map(table, combat.enemy):
        h = place(table, unit)
        if h == combat.target or not touches(table, h, combat.target):
            continue
        if is_ready(table, unit) and not table.position.mark(unit, DEFENDED):
            both = supported(table) >> h & supported(table) >> combat.target & 1
            if not late or both:
                return True
    return False


def situations(table: Table, combat: Combat, number: int) -> set[str]:
    """The named situations that hold, by the words of the chits; ratio, terrain and command value apart."""
    own = defenders(table, combat)
    late = table.data.on("support_lines", table.position.turn)
    soviet_attack = combat.side == SOVIET
    helped = in_support(table, combat)
    german, soviet = combat.tactics(GERMAN), combat.tactics(SOVIET)
    holds = {
        "attacker artillery": any(t in ARTILLERY for t in combat.attack_tactics),
        "defender artillery": any(t in ARTILLERY for t in combat.defence_tactics),
        "german airpower": "airpower" in german,
        "soviet airpower": "airpower" in soviet,
        "combat engineers": "combat engineers" in combat.attack_tactics,
        "nkvd": "nkvd" in soviet,
        "improved position": bears(table, combat.target, IP),
        "one hex": len(hexes(table, combat)) == 1,
        "dispersed or unsupplied": all(is_dispersed(table, u) or not is_supplied(table, u) for u in own),
        "defender adjacent": defender_adjacent(table, combat),
        "flank": flank(table, combat),
        "large": is_large(table, combat.side, number),
        "only attacker armor": armor(table, combat, combat.side) and not armor(table, combat, combat.enemy),
        "only defender armor": armor(table, combat, combat.enemy) and not armor(table, combat, combat.side),
        "attack not supported": late and soviet_attack and not helped,
        "defender not supported": late and not soviet_attack and not helped,
        "soviets not supported": late and not helped,
    }
    return {name for name, so in holds.items() if so}


def terrain(table: Table, combat: Combat) -> str:
    return table.data.terrain(combat.target)
