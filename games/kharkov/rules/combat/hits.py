"""Hit totals (12.5, 12.51): reductions of the ground, of supply and of tactics."""

from collections.abc import Mapping, Sequence

from engine.forecast import Working
from games.kharkov.data import Table
from games.kharkov.rules.combat.chits import circumstances, totals
from games.kharkov.rules.combat.situation import Combat, across, defenders
from games.kharkov.rules.ground import IP, bears, is_dispersed, is_isolated, is_supplied
from games.kharkov.shapes import Tactic


def raw(table: Table, combat: Combat, chits: Sequence[str], number: int) -> tuple[int, int]:
    """The chits, and tactics that change hits (12.51-c)."""
    a, d = totals(table.data.tables["chits"], chits, circumstances(table, combat, number))
    rows = table.data.tables["tactics"]
    more = [by_tactic(rows, tactic, attacking=True) for tactic in combat.attack_tactics]
    more += [by_tactic(rows, tactic, attacking=False) for tactic in combat.defence_tactics]
    return a + sum(one for one, _ in more), d + sum(other for _, other in more)


def by_tactic(rows: Mapping[str, Tactic], tactic: str, *, attacking: bool) -> tuple[int, int]:
    """12.51-c: what a tactic of the attacker, or of the defender, changes for attacker and defender."""
    if tactic not in rows:
        return 0, 0
    if attacking:
        return rows[tactic]["attack"]["own"], rows[tactic]["attack"]["enemy"]
    return rows[tactic]["defence"]["enemy"], rows[tactic]["defence"]["own"]


def reduced(table: Table, combat: Combat, a: int, d: int) -> tuple[int, int, bool]:
    """12.51, 12.51-b, 12.51-d: what is left of them, and whether an improved position took one."""
    absorbed = _dug(table, combat) and d > 0
    d -= int(_in_town(table, combat) or _dug(table, combat)) + int(across(table, combat))
    if _isolated(table, combat):
        a = 0
    elif _helpless(table, combat):
        a -= 1
    return max(0, a), max(0, d), absorbed


def changes(table: Table, combat: Combat) -> list[Working]:
    """What adds to hits and takes from them besides chits, for the report."""
    found = []
    for side in (combat.side, combat.enemy):
        for tactic in combat.tactics(side):
            a, d = by_tactic(table.data.tables["tactics"], tactic, attacking=side == combat.side)
            told = " ".join(f"{letter}{number:+}" for letter, number in (("A", a), ("D", d)) if number)
            found += [Working(f"{tactic}, hits", told, "12.51-c")] if told else []
    lines = (
        (_in_town(table, combat), "town or city", "D-1", "12.51"),
        (_dug(table, combat), "improved position", "D-1", "12.51"),
        (across(table, combat), "all over Donets or Dniepr", "D-1", "12.51"),
        (_isolated(table, combat), "all defenders isolated", "no hits on the attacker", "12.51-b"),
        (_helpless(table, combat) and not _isolated(table, combat), "dispersed or unsupplied", "A-1", "12.51-b"),
    )
    return [*found, *(Working(what, amount, case) for so, what, amount, case in lines if so)]


def _in_town(table: Table, combat: Combat) -> bool:
    return bool(table.data.towns >> combat.target & 1)


def _dug(table: Table, combat: Combat) -> bool:
    """14.22: there is none in a town."""
    return bears(table, combat.target, IP) and not _in_town(table, combat)


def _isolated(table: Table, combat: Combat) -> bool:
    own = defenders(table, combat)
    return bool(own) and all(is_isolated(table, unit) for unit in own)


def _helpless(table: Table, combat: Combat) -> bool:
    own = defenders(table, combat)
    return bool(own) and all(is_dispersed(table, unit) or not is_supplied(table, unit) for unit in own)
