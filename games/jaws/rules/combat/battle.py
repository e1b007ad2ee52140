"""A combat while it is fought (12.1.3): who takes part, where, and what each side has added."""

from dataclasses import dataclass

from engine.hexes import Hex
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.movement import cost_of_step
from games.jaws.data import GERMAN, Table, joined
from games.jaws.rules.extension import body, steps
from games.jaws.rules.fords import may_ford
from games.jaws.rules.ground import BRIDGE, bridged, exits, ground, open_fords
from games.jaws.rules.partisans import exposed, lair
from games.jaws.rules.parts import DOT
from games.jaws.rules.reach import wades
from games.jaws.rules.strength import strength
from games.jaws.rules.units import HELD, OOS, attack_capable, going, is_cadre, knows_all, starred, units_in, upset

DECLARED = "declared"  # 12.1.1-1: a hex's mark: to be attacked, or attacked already
OPEN, DONE = "open", "fought"
ATTACKED = "attacked"  # 12.3.3: a unit that has attacked in this phase
HIT = "hit"  # 12.3.3: a unit that was attacked in this phase; in which segment last
BREAKTHROUGH = "breakthrough"  # 12.1.4: a unit's marker: whether its attack was supported
PAID, UNPAID = "supported", "unsupported"
COMBAT, RESERVES = "combat", "reserves"  # 12.1.3, 12.1.6: the segments of attacks that are declared
ALARM = "alarm"  # 9.12: an attack in the course of a move
SEGMENT = "breakthrough"  # the segment in which they attack again
LATER = (SEGMENT, RESERVES)  # the segments after the declared combats
BROKE_OUT = "broke through"  # 9.8: a unit that moved or attacked in that segment
FELL_BACK = "fell back"  # 12.3.1-2: a unit that retreated in this segment


@dataclass(frozen=True)
class Battle:
    """Both sides of one combat."""

    side: str
    units: tuple[str, ...]  # the attackers
    targets: tuple[Hex, ...]
    defenders: tuple[str, ...]
    supported: frozenset[str] = frozenset()
    held_back: tuple[str, ...] = ()  # 12.3.1-1: out of supply, and kept out of it
    segment: str = COMBAT
    engineer: str = ""  # 12.9.1: the one whose bonus was declared
    answering: str = ""  # 12.10.7-3: the gun that supports the defence, and does not add its strength
    holding: frozenset[Hex] = frozenset()  # 12.14: the hexes for which No Retreat was declared

    def spots(self, table: Table) -> tuple[str, ...]:
        return tuple(number(table, h) for h in self.targets)


def alive(table: Table, units: tuple[str, ...]) -> list[str]:
    return [unit for unit in units if table.position.hex_of(unit) is not None]


def stacks(table: Table, units: tuple[str, ...]) -> dict[Hex, list[str]]:
    """Units by the hex they stand in."""
    found: dict[Hex, list[str]] = {}
    for unit in alive(table, units):
        found.setdefault(place(table, unit), []).append(unit)
    return found


def able_in(table: Table, enemy: str, h: Hex) -> list[str]:
    """12.3.1-2: everybody there but who retreated into the hex in this segment."""
    return [unit for unit in units_in(table, h, enemy) if table.position.mark(unit, FELL_BACK) is None]


def defenders_in(table: Table, enemy: str, h: Hex) -> list[str]:
    """12.3.1-2: those who can; of too many the three strongest, unless their owner says otherwise."""
    able = able_in(table, enemy, h)
    most = table.data.tables["stacking"]["units"]
    if len(able) <= most:
        return able
    best = sorted(able, key=lambda unit: (not attack_capable(table, unit), -strength(table, unit), unit))[:most]
    return [unit for unit in able if unit in best]


def defended(table: Table, enemy: str, h: Hex) -> bool:
    """Whether somebody is there to be attacked; in a hex where nobody can be seen (11.3-4), whoever it is."""
    hidden = not knows_all(table) and table.position.mark(f"@{number(table, h)}", HELD[enemy]) is not None
    return hidden or bool(defenders_in(table, enemy, h))


def infantry_type(table: Table, unit: str) -> bool:
    """Infantry, and a Soviet armor brigade that is no cadre (4.5.3)."""
    return is_a(table, unit, "infantry") or starred(table, unit)


def infantry_steps(table: Table, unit: str) -> int:
    """The attack-capable infantry steps of a unit."""
    if is_a(table, unit, "infantry") and attack_capable(table, unit):
        return steps(table, unit)
    return 1 if starred(table, unit) else 0


def could_step(table: Table, unit: str, here: Hex, there: Hex) -> bool:
    """12.16: whether terrain lets a unit go from hex to hex: by the chart, infantry over any river too."""
    if not lair(table, (unit,)) >> there & 1:
        return False
    heavy = is_a(table, unit, "pz5") or is_a(table, unit, "pz6")
    by = exits(table, BRIDGE, going(table, unit), ground(table), False, heavy)
    if cost_of_step(by, table.grid, here, there) is not None:
        return True
    if may_ford(table, unit) and crosses(table, open_fords(table, table.unit(unit).side), here, there):
        return True
    return (
        wades(table, unit)
        and table.data.land >> there & 1 == 1
        and crosses(table, table.data.sides("river"), here, there)
    )


def dry(table: Table, side: str, here: Hex, there: Hex) -> bool:
    """12.7-c5, 12.8.1: no river or swamp before a side's attackers, or a bridge, ford or road over it."""
    data = table.data
    if exposed(table, there):
        return True
    if crosses(table, data.sides("river"), here, there):
        spans = joined(bridged(table, BRIDGE), open_fords(table, side))
        return crosses(table, spans, here, there)
    return not crosses(table, data.sides("swamp"), here, there) or crosses(table, data.roads, here, there)


def dots(table: Table, unit: str) -> tuple[int, int]:
    """4.5.1: white and black dots, of a unit's parts one's (4.6-p1); 13.5.2-d: OOS2 takes one, a white one first."""
    row = table.unit(body(table, unit))
    white = table.position.value(unit, "white") if row.has("white") else 0
    dotted = "dot" in row.classes or table.position.mark(unit, DOT) is not None
    black = table.position.value(unit, "black") if row.has("black") else int(dotted)
    if table.position.mark(unit, OOS) == 2 and not is_a(table, unit, "infantry"):
        return (white - 1, black) if white else (0, max(0, black - 1))
    return white, black


def combines(table: Table, units: list[str]) -> bool:
    """12.7-a: whether a stack has combined arms; no cadre and nobody Disorganized counts (12.7-c1, 12.17.2-4)."""
    fit = [unit for unit in units if not upset(table, unit) and not is_cadre(table, unit)]
    if not units or table.unit(units[0]).side != GERMAN:
        return any(starred(table, unit) for unit in fit)
    foot = any(is_a(table, unit, "infantry") and attack_capable(table, unit) for unit in fit)
    return foot and any(is_a(table, unit, "armor") for unit in fit)
