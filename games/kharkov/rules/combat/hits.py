"""Hit totals (12.5, 12.51): reductions of the ground, of supply and of tactics."""

from collections.abc import Sequence

from games.kharkov.data import SOVIET, Table
from games.kharkov.rules.combat.chits import circumstances, totals
from games.kharkov.rules.combat.situation import Combat, across, defenders
from games.kharkov.rules.ground import IP, bears, is_dispersed, is_isolated, is_supplied

OWN_LESS = ("tank brigade", "rifle brigade", "intelligence")  # a hit less on the side that has it
COVER = ("woods", "town", "city")


def raw(table: Table, combat: Combat, chits: Sequence[str], number: int) -> tuple[int, int]:
    """The chits, and tactics that change hits (12.51-c)."""
    a, d = totals(table.data.tables["chits"], chits, circumstances(table, combat, number))
    soviet_attack = combat.side == SOVIET
    soviet = combat.tactics(SOVIET)
    a -= sum(tactic in OWN_LESS for tactic in combat.attack_tactics)
    d -= sum(tactic in OWN_LESS for tactic in combat.defence_tactics)
    if "partisans" in soviet:
        a, d = (a, d + 1) if soviet_attack else (a + 1, d)
    if "nkvd" in soviet:
        a, d = (a + 1, d + 1) if soviet_attack else (a, d - 1)
    if "battlefield replacements" in soviet and not soviet_attack:
        d -= 1
    return a, d


def reduced(table: Table, combat: Combat, a: int, d: int) -> tuple[int, int, bool]:
    """12.51, 12.51-b, 12.51-d: what is left of them, and whether an improved position took one."""
    own = defenders(table, combat)
    town, dug = bool(table.data.towns >> combat.target & 1), bears(table, combat.target, IP)
    absorbed = dug and not town and d > 0
    d -= int(town or dug) + int(across(table, combat))
    if own and all(is_isolated(table, unit) for unit in own):
        a = 0
    elif own and all(is_dispersed(table, unit) or not is_supplied(table, unit) for unit in own):
        a -= 1
    return max(0, a), max(0, d), absorbed
