"""Odds (12.1.3-B, C): both strengths, the column, and every shift with its case."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import hexset
from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.odds import ratio_beyond, ratio_column, shifted, shifted_beyond
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.barrage.markers import barrage_columns
from games.jaws.rules.combat.battle import (
    ALARM,
    COMBAT,
    Battle,
    combines,
    defenders_in,
    dots,
    dry,
    infantry_steps,
    infantry_type,
    stacks,
)
from games.jaws.rules.combat.unattacked import in_unattacked_zoc
from games.jaws.rules.extension import steps, twin
from games.jaws.rules.ground import has_position, open_fords
from games.jaws.rules.mines import attacked_across
from games.jaws.rules.partisans import exposed, is_partisan
from games.jaws.rules.size_bonus import by_size
from games.jaws.rules.strength import strength
from games.jaws.rules.units import OOS, upset
from games.jaws.shapes import CombatRow

MOST_HALVINGS = 2  # 12.5-n


@dataclass(frozen=True)
class Odds:
    """What the dice are read against: the column, off which end it runs (12.11), and how it was found."""

    column: int
    start: int  # before the shifts
    beyond: int
    name: str
    working: tuple[Working, ...]


def rows_of(table: Table, h: Hex) -> list[CombatRow]:
    """12.5.1: every kind of terrain that a hex has."""
    data = table.data
    names = [table.board.kinds.get(h, "clear")]
    names += [name for name, hexes in (("town", data.towns), ("village", data.villages)) if hexes >> h & 1]
    return [row for name in names if isinstance(row := data.tables["terrain"]["combat"].get(name), dict)]


def cover(table: Table, h: Hex) -> list[CombatRow]:
    """12.5.1: the terrain that counts in a combat; 18.1.3-3: for partisans a hex is clear."""
    if not exposed(table, h):
        return rows_of(table, h)
    row = table.data.tables["terrain"]["combat"]["clear"]
    return [row] if isinstance(row, dict) else []


def half(number: int) -> int:
    return -(-number // 2)


def _halved_by_terrain(table: Table, unit: str, target: Hex) -> str:
    """12.5.2: what halves a unit that attacks a hex; empty if nothing does."""
    here, rows = place(table, unit), table.data.tables["terrain"]["combat"]
    if exposed(table, target):
        return ""
    for name in ("river", "stream", "swamp"):
        row, over = rows[name], crosses(table, table.data.sides(name), here, target)
        over = over and not crosses(table, open_fords(table, table.unit(unit).side), here, target)  # 12.5.2-h
        if over and isinstance(row, dict) and (row.get("halves") == "all" or is_a(table, unit, "armor")):
            return name
    if is_a(table, unit, "armor") and any(row.get("halves") for row in cover(table, target)):
        return "terrain"
    return ""


def attack_strength(table: Table, battle: Battle, unit: str) -> tuple[int, list[str]]:
    """12.1.3-B1: a unit's strength, halved for terrain, for a ZOC and without support, at most twice; then for
    Disorganized. Gives why."""
    why = [name for h in battle.targets if (name := _halved_by_terrain(table, unit, h))][:1]
    if in_unattacked_zoc(table, battle, unit):
        why.append("ZOC")
    if unit not in battle.supported:
        why.append("unsupported")
    why = why[:MOST_HALVINGS]
    if upset(table, unit):
        why.append("Disorganized")
    value = strength(table, unit)
    for _ in why:
        value = half(value)
    return max(1, value), why


def defence_strength(table: Table, unit: str) -> int:
    """12.5: as printed; 12.17.2-1: halved if Disorganized."""
    value = strength(table, unit)
    return half(value) if upset(table, unit) else value


def hex_bonus(table: Table, units: list[str], h: Hex) -> int:
    """12.5.2: what the best terrain of a hex adds to its defenders."""
    best = 0
    foot = sum(infantry_steps(table, unit) for unit in units)
    for row in cover(table, h):
        if row.get("per_step"):
            best = max(best, max(foot * row["per_step"], row.get("bonus", 0)) if foot else 0)
        elif any(infantry_type(table, unit) and not is_a(table, unit, "alarm") for unit in units):
            best = max(best, by_size(table, units, row.get("bonus", 0)))
    return best


def position_bonus(table: Table, units: list[str], h: Hex) -> int:
    """15.1.2: what an improved position adds to German infantry."""
    foot = any(infantry_type(table, u) and not is_a(table, u, "alarm") and table.unit(u).side == GERMAN for u in units)
    return by_size(table, units, table.data.tables["positions"]["bonus"]) if foot and has_position(table, h) else 0


def _defence(table: Table, battle: Battle) -> tuple[int, list[Working]]:
    units = [unit for unit in battle.defenders if unit != battle.answering]
    total = sum(defence_strength(table, unit) for unit in units)
    working = [Working(f"defence of {', '.join(units)}", str(total), "12.1.3-B1")]
    for h, units in stacks(table, battle.defenders).items():
        if more := hex_bonus(table, units, h):
            total += more
            working.append(Working(f"terrain of {number(table, h)}", f"{more:+} for the defence", "12.5.2-a"))
        if more := position_bonus(table, units, h):
            total += more
            working.append(Working(f"improved position in {number(table, h)}", f"{more:+} for the defence", "15.1.2"))
    return max(1, total), working


# 12.1.3-C


def _division(table: Table, battle: Battle) -> int:
    """12.9.2; 4.7.2-3: not while extended."""
    if battle.side != SOVIET or battle.segment not in (COMBAT, ALARM):
        return 0
    least = table.data.tables["combat"]["division"]["steps"]
    count = 0
    for unit in battle.units:
        large = is_a(table, unit, "division") and not twin(table, unit) and steps(table, unit) >= least
        count += large and table.position.mark(unit, OOS) is None and not in_unattacked_zoc(table, battle, unit)
    return count


def _barrage(table: Table, battle: Battle) -> int:
    """17.1.3-5, -7: the marker's columns, in the Combat Resolution Segment only."""
    return barrage_columns(table, battle.targets) if battle.segment == COMBAT else 0


def _cap(table: Table, hexes: Iterable[Hex]) -> int:
    """12.7-c3, 12.7-c4: the most shifts of combined arms by the terrain of the attacked hexes."""
    return min((row["combined"] for h in hexes for row in cover(table, h) if "combined" in row), default=0)


def combined_arms(table: Table, battle: Battle) -> tuple[int, int]:
    """12.7: the attacker's shifts and the defender's; 12.7-c6: of the defender's hexes a forest alone has none."""
    ours = [
        h
        for h, units in stacks(table, battle.units).items()
        if combines(table, units) and all(dry(table, battle.side, h, target) for target in battle.targets)
    ]
    theirs = [h for h, units in stacks(table, battle.defenders).items() if combines(table, units)]
    open_ = [h for h in battle.targets if _cap(table, (h,))]
    return min(_cap(table, battle.targets), len(ours)), min(_cap(table, open_), len({*theirs} & {*open_}))


def superiority(table: Table, battle: Battle) -> int:
    """12.8: by the best white dots of each side; 12.8.1: none in towns, forest, or over open water and swamp."""
    row = table.data.tables["combat"]["superiority"]
    barred = any(row_.get("superiority") is False for h in battle.targets for row_ in cover(table, h))
    near = {h for h in stacks(table, battle.units) if all(dry(table, battle.side, h, to) for to in battle.targets)}
    able = [unit for unit in battle.units if not barred and place(table, unit) in near]
    shut = {h for h in battle.targets if any(r.get("superiority") is False for r in cover(table, h))}
    ours = max((dots(table, unit)[0] for unit in able), default=0)
    theirs = max((dots(table, u)[0] for u in battle.defenders if place(table, u) not in shut), default=0)
    if ours > theirs:
        return next(s for by, s in reversed(list(zip(row["by"], row["shifts"], strict=True))) if ours - theirs >= by)
    return -row["behind"] if theirs > ours else 0


def _hilltop(table: Table, battle: Battle) -> int:
    """12.5.2-e"""
    hills, shift = table.data.area("hilltops"), table.data.tables["combat"]["hilltop"]["shift"]
    ours = bool(hexset.of(place(table, unit) for unit in battle.units if not is_partisan(table, unit)) & hills)
    theirs = bool(hexset.of(h for h in battle.targets if not exposed(table, h)) & hills)
    return shift * (ours - theirs)


def _engineer(table: Table, battle: Battle) -> int:
    """12.9.1-c2: one, however many; 15.3.2-C2: none against a minefield, which they clear."""
    bonus = battle.engineer and not _mined(table, battle)
    return table.data.tables["combat"]["engineer"]["shift"] if bonus else 0


def _mined(table: Table, battle: Battle) -> bool:
    return attacked_across(table, battle.side, battle.units, battle.targets)


def _minefield(table: Table, battle: Battle) -> int:
    """15.3.2-C1: one column left, unless an assault engineer was declared (15.3.2-C2)."""
    return table.data.tables["combat"]["minefield"]["shift"] if _mined(table, battle) and not battle.engineer else 0


def out_of_supply(table: Table, units: tuple[str, ...]) -> int:
    """13.5.2-a, 13.5.2-b: the columns against a side with OOS2 units."""
    out = [table.position.mark(unit, OOS) == 2 for unit in units]
    row = table.data.tables["combat"]["oos2"]
    return row["all"] if out and all(out) else row["mixed"] if any(out) else 0


def shifts(table: Table, battle: Battle) -> list[tuple[str, int, str]]:
    """12.1.3-C3 to C8, without what dice or counters decide: what, how many to the right, by which case."""
    ours, theirs = combined_arms(table, battle)
    found = [
        ("barrage", _barrage(table, battle), "17.1.3-5"),
        ("Soviet divisions", _division(table, battle), "12.9.2"),
        ("combined arms of the attack", ours, "12.7-b"),
        ("combined arms of the defence", -theirs, "12.7-b"),
        ("armor superiority", superiority(table, battle), "12.8-p4"),
        ("hilltop", _hilltop(table, battle), "12.5.2-e"),
        ("assault engineers", _engineer(table, battle), "12.9.1-c2"),
        ("minefield", -_minefield(table, battle), "15.3.2-C1"),
        ("attackers out of supply", -out_of_supply(table, battle.units), "13.5.2-a"),
        ("defenders out of supply", out_of_supply(table, battle.defenders), "13.5.2-a"),
    ]
    return [row for row in found if row[1]]


def odds(table: Table, battle: Battle, more: tuple[tuple[str, int, str], ...] = ()) -> Odds:
    """12.1.3-B, C: both strengths, and the column that they and all shifts come to."""
    attack, working = 0, list[Working]()
    for unit in battle.units:
        value, why = attack_strength(table, battle, unit)
        attack += value
        said = f"{value}" + (f" (halved: {', '.join(why)})" if why else "")
        working.append(Working(f"attack of {unit}", said, "12.1.3-B1"))
    defence, lines = _defence(table, battle)
    return reckoned(table, (attack, defence), [*more, *shifts(table, battle)], [*working, *lines])


def reckoned(
    table: Table, strengths: tuple[int, int], rows: Sequence[tuple[str, int, str]], working: list[Working]
) -> Odds:
    """The column of two strengths, all shifts summed (12.1.3-B2, C), and by what it runs off the table (12.11)."""
    columns, (attack, defence) = table.data.tables["combat_results"]["columns"], strengths
    start = ratio_column(attack, defence, columns)
    working = [*working, Working(f"{attack} against {defence}", columns[start], "12.1.3-B2")]
    working += [Working(what, f"{by:+} columns", case) for what, by, case in rows]
    net = sum(by for _, by, _ in rows)
    column, over = shifted(start, net, columns), shifted_beyond(start, net, columns)
    raw = ratio_beyond(attack, defence, columns)
    if not over and raw and (net >= 0 if raw > 0 else net <= 0):
        over = 1 if raw > 0 else -1
    if over:
        side = "defender" if over > 0 else "attacker"
        working.append(Working("off the table", f"the {side} is Disorganized", "12.11"))
    return Odds(column, start, over, columns[column], tuple(working))


def defenders_of(table: Table, side: str, targets: tuple[Hex, ...]) -> tuple[str, ...]:
    return tuple(unit for h in targets for unit in defenders_in(table, table.enemy(side), h))
