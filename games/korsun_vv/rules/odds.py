"""The combat ratio (7.4, 7.6): strengths, the column, and what moves it and the die."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import hexset
from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import crosses, is_a, place, units_at
from games.korsun_vv.data import Table, drivable
from games.korsun_vv.names import DISORGANIZED, DUG_IN, FATIGUED, SUPPLY, UNSUPPLIED
from games.korsun_vv.rules.ground import fighters, is_armour, is_hq, is_mech, together, weather

PARTS = 8  # strengths are halved at most three times and rounded once (0.3-b)


@dataclass(frozen=True)
class Odds:
    """A ratio worked out before supports and armour: the column, and how it was found."""

    attack: int
    defence: int
    column: int
    working: tuple[Working, ...]


def halvings(table: Table, unit: str) -> int:
    """1.3-b: fatigue, disorganization and lack of supply each halve once."""
    mark = table.position.mark
    return (
        (mark(unit, FATIGUED) is not None) + (mark(unit, DISORGANIZED) is not None) + (mark(unit, SUPPLY) == UNSUPPLIED)
    )


def parts(table: Table, unit: str) -> int:
    """A unit's strength in eighths; in parentheses it counts in defence only (1.1-b)."""
    key = "strength" if table.unit(unit).has("strength") else "defence"
    by = table.data.tables["combat"]["halved"]["by"]
    return table.position.value(unit, key) * PARTS // int(by ** halvings(table, unit))


def total(table: Table, units: Sequence[str]) -> int:
    """0.3-a, 0.3-b: added up, then rounded to the nearest whole, an exact half up; never below 1."""
    found = sum(parts(table, unit) for unit in units)
    return max(1, (2 * found + PARTS) // (2 * PARTS))


def ratio(attack: int, defence: int) -> str:
    """7.6-d: to the nearest whole; if the attacker is weaker the other way round."""
    if attack >= defence:
        return f"{(2 * attack + defence) // (2 * defence)}:1"
    return f"1:{(2 * defence + attack) // (2 * attack)}"


def column_of(columns: Sequence[str], text: str) -> int:
    """The column of a ratio, held within the table."""
    if text in columns:
        return columns.index(text)
    return 0 if text.startswith("1:") else len(columns) - 1


def river_shift(table: Table, units: Sequence[str], target: Hex) -> int:
    """7.4-a: only if every attacker comes across the river."""
    wet = all(crosses(table, table.data.river_sides, place(table, unit), target) for unit in units)
    return table.data.river_shift if wet else 0


def dug_in(table: Table, defenders: Sequence[str]) -> bool:
    """12.1-c: all units of the hex, HQs aside."""
    strong = fighters(table, defenders) or list(defenders)
    return all(table.position.mark(unit, DUG_IN) is not None for unit in strong)


def odds(table: Table, units: Sequence[str], target: Hex) -> Odds:
    """7.6-b to 7.6-d, and the shifts of ground and positions."""
    defenders = units_at(table, target, table.enemy(table.unit(units[0]).side))
    attack, defence = total(table, units), total(table, defenders)
    said = ratio(attack, defence)
    working = [
        Working(f"attackers {', '.join(units)}", str(attack), "7.6-b"),
        Working(f"defenders {', '.join(defenders)}", str(defence), "7.6-c"),
        Working(f"{attack} to {defence}", said, "7.6-d"),
    ]
    position = table.data.tables["combat"]["improved_position"]["columns"] if dug_in(table, defenders) else 0
    shifts = (
        ("ground", table.data.shifts[target], "7.4-a"),
        ("river", river_shift(table, units, target), "7.4-a"),
        ("improved position", position, "7.4-e"),
    )
    working += [Working(what, f"{columns} to the left", case) for what, columns, case in shifts if columns]
    column = column_of(table.data.columns, said) - sum(columns for _, columns, _ in shifts)
    return Odds(attack, defence, column, tuple(working))


def combined_arms(table: Table, units: Sequence[str]) -> int:
    """7.4-f: infantry, on foot or mechanized, stacked with armour in an attacking hex."""
    for there in together(table, units).values():
        tanks = any(is_armour(table, unit) for unit in there)
        if tanks and any(is_a(table, unit, "infantry") or is_a(table, unit, "mechanised") for unit in there):
            return table.data.tables["combat"]["combined_arms"]["die"]
    return 0


# Quality (7.4-b) and armour (7.5)


def quality(table: Table, unit: str) -> int:
    return table.position.value(unit, "quality")


def for_quality(table: Table, units: Sequence[str]) -> list[str]:
    """Who may be named for quality: an HQ only if nobody else is there."""
    return fighters(table, units) or list(units)


def best_quality(table: Table, units: Sequence[str]) -> str:
    """The highest; among equals the one with the most steps left."""
    able = for_quality(table, units)
    return max(able, key=lambda unit: (quality(table, unit), table.position.steps_left(unit)))


def stars(table: Table, unit: str) -> int:
    return table.position.value(unit, "stars") if table.unit(unit).has("stars") else 0


def best_armour(table: Table, units: Sequence[str]) -> str:
    """The most stars; among equals the one with the most steps left."""
    return max(units, key=lambda unit: (stars(table, unit), not is_hq(table, unit), table.position.steps_left(unit)))


def armour_can_fight(table: Table, spots: Sequence[Hex], target: Hex) -> bool:
    """1.6.1-g, 1.6.2-d: tanks could be in the defender's hex and in an attacker's; no river matters."""
    ground = drivable(table.data, weather(table))
    return bool(ground >> target & 1 and ground & hexset.of(spots))


def armour_met(table: Table, units: Sequence[str], defenders: Sequence[str]) -> bool:
    """7.5-a: whether a star is present, on whatever ground."""
    return any(stars(table, unit) for unit in (*units, *defenders))


def shared_armour(table: Table, units: Sequence[str], defenders: Sequence[str]) -> bool:
    """7.7-f: armoured or mechanized units on both sides."""
    return any(is_mech(table, u) for u in units) and any(is_mech(table, u) for u in defenders)
