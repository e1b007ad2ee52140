"""What units are worth in a fight: terrain (10.0), integrity (19.5), supply (12.23), support, equipment."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import is_a, number, place, units_at
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import is_hq
from games.korsun_spi.rules.supply import active, fed_to_strike, supplied


@dataclass(frozen=True)
class Total:
    """A side's strength and how it was added up."""

    points: int
    working: tuple[Working, ...]


def reckoned(printed: int, factor: int, halved: bool) -> int:
    """9.32: multiply, then halve, then drop the fraction once; never less than 1 unless it is printed 0."""
    if printed == 0:
        return 0
    return max(1, printed * factor // (2 if halved else 1))


def regiments(table: Table, formation: str) -> list[str]:
    return [unit.id for unit in table.roster.by_formation(formation)]


def _division(table: Table, unit: str) -> str:
    """19.57: panzer or infantry if a unit belongs to a division that can have integrity; empty otherwise."""
    formation = table.roster.formation(table.unit(unit).formation)
    return formation.kind if formation else ""


def _whole(table: Table, unit: str) -> list[str]:
    """19.54: all units of the division, if all are on the map; empty otherwise."""
    formation = table.unit(unit).formation
    integrity = table.data.switch["integrity"]
    if not formation or integrity == "none":
        return []
    needed = table.data.tables["integrity"]["units"]
    if integrity == "star" and formation in table.data.tables["star_integrity"]["two_units"]:
        needed = 2
    members = regiments(table, formation)
    if len(members) != needed or any(table.position.hex_of(member) is None for member in members):
        return []
    return members


def _mixed(table: Table, members: Sequence[str]) -> bool:
    """19.53: some unit of the division shares its hex with another formation; assault guns and Baeke do not count."""
    for member in members:
        side = table.unit(member).side
        for other in units_at(table, place(table, member), side):
            exempt = is_a(table, other, "stug") or is_a(table, other, "heavy")
            if other not in members and not exempt:
                return True
    return False


def panzer_attack(table: Table, unit: str) -> bool:
    """19.51: the whole panzer division in one hex."""
    if _division(table, unit) != "panzer":
        return False
    members = _whole(table, unit)
    return bool(members) and len({place(table, m) for m in members}) == 1 and not _mixed(table, members)


def panzer_defence(table: Table, unit: str) -> bool:
    """19.52: the panzer division within two hexes of itself, nobody else between."""
    if _division(table, unit) != "panzer":
        return False
    members = _whole(table, unit)
    if not members or _mixed(table, members):
        return False
    spots = [place(table, member) for member in members]
    for index, first in enumerate(spots):
        for second in spots[index + 1 :]:
            if table.grid.distance(first, second) > 2:
                return False
            for between in table.grid.between(first, second):
                if any(other not in members for other in table.position.at(between)):
                    return False
    return True


def infantry_defence(table: Table, h: Hex) -> bool:
    """19.56: a whole infantry division, or Korpsabteilung B, in the hex."""
    for unit in table.position.at(h):
        if _division(table, unit) == "infantry":
            members = _whole(table, unit)
            if members and all(place(table, m) == h for m in members) and not _mixed(table, members):
                return True
    return False


def attack_strength(table: Table, unit: str, *, full_supply: bool = False) -> tuple[int, list[Working]]:
    """One unit's attack strength; overrunners were in supply when the phase began (6.12)."""
    printed = table.position.value(unit, "attack")
    factor, working = 1, [Working(unit, str(printed), "3.23")]
    if panzer_attack(table, unit):
        factor *= table.data.tables["integrity"]["panzer_factor"]
        working.append(Working(f"{unit} divisional integrity", f"x{factor}", "19.51"))
    if table.position.mark(unit, "supported") is not None:
        factor *= table.data.tables["supported_corps"]["attack_factor"]
        working.append(
            Working(f"{unit} supported", f"x{table.data.tables['supported_corps']['attack_factor']}", "24.21")
        )
    halved = not full_supply and not fed_to_strike(table, unit)
    if halved:
        working.append(Working(f"{unit} out of supply", "/2", "12.23"))
    return reckoned(printed, factor, halved), working


def attack_total(table: Table, units: Sequence[str]) -> Total:
    """9.0: all attackers, with the HQs among them (11.37)."""
    points, working = 0, []
    by_hex: dict[Hex, int] = {}
    for unit in units:
        if not is_hq(table, unit):
            amount, lines = attack_strength(table, unit)
            points += amount
            by_hex[place(table, unit)] = by_hex.get(place(table, unit), 0) + amount
            working += lines
    for unit in units:
        if is_hq(table, unit) and active(table, unit):
            cap = by_hex.get(place(table, unit), 0)
            added = min(table.position.value(unit, "rating"), cap)
            points += added
            working.append(Working(f"{unit} leadership", f"+{added}", "11.37"))
    return Total(points, tuple(working))


def overrun_total(table: Table, units: Sequence[str]) -> Total:
    """6.0: the sum of the overrunners, halved, and still 1 at least unless all of them are printed 0 (9.32)."""
    points, working = 0, []
    for unit in units:
        amount, lines = attack_strength(table, unit, full_supply=True)
        points += amount
        working += lines
    working.append(Working("overrun", "/2", "6.0"))
    return Total(max(min(1, points), points // 2), tuple(working))


def terrain_factor(table: Table, target: Hex, launch: Sequence[Hex]) -> tuple[int, list[Working]]:
    """10.32: two bonuses make triple; a river counts only if everybody attacks across one (10.12, 10.14)."""
    charts = table.data.tables["terrain"]
    bonuses, working = [], []
    if table.data.shelter[target] > 1:
        bonuses.append(table.data.shelter[target])
        kind = table.board.terrain_of(target)
        case = "10.26" if kind == "city" else "10.4"
        working.append(Working(f"{kind} in {number(table, target)}", f"x{bonuses[-1]}", case))
    rivers = [_river(table, here, target) for here in launch]
    if rivers and all(rivers):
        least = min(rivers, key=lambda name: charts["hexside"][name]["defence"])
        bonuses.append(charts["hexside"][least]["defence"])
        case = "10.14" if least == "major" else "10.12"
        working.append(Working(f"{least} river before {number(table, target)}", f"x{bonuses[-1]}", case))
    if len(bonuses) > 1:
        working.append(Working("terrain, never more than", f"x{charts['most_defence']}", "10.32"))
        return charts["most_defence"], working
    return (bonuses[0] if bonuses else 1), working


def _river(table: Table, here: Hex, target: Hex) -> str:
    features = table.board.feature(here, target)
    return "major" if "major" in features else "minor" if "minor" in features else ""


def defence_total(table: Table, targets: Sequence[Hex], attackers: Sequence[str]) -> Total:
    """9.21, 9.23: everybody in the attacked hexes, each hex by its own terrain."""
    launch = [place(table, unit) for unit in attackers]
    side = table.unit(table.position.at(targets[0])[0]).side
    points, working = 0, []
    for target in targets:
        factor, lines = terrain_factor(table, target, launch)
        working += lines
        for unit in defenders_at(table, target, side):
            amount, lines = defence_strength(table, unit, factor)
            points += amount
            working += lines
    return Total(max(1, points), tuple(working))


def defenders_at(table: Table, target: Hex, side: str) -> list[str]:
    """Those whose strength counts: not who fell back here in this phase (9.76), not an HQ in a stack (11.38)."""
    present = [u for u in units_at(table, target, side) if table.position.mark(u, "fell back") is None]
    fighting = [u for u in present if not is_hq(table, u)]
    return fighting or present


def defence_strength(table: Table, unit: str, terrain: int) -> tuple[int, list[Working]]:
    """One unit's defence strength in terrain of a factor."""
    if is_hq(table, unit):
        divisor = table.data.tables["headquarters_defence"][table.data.switch["hq_defence"]]
        printed = table.position.value(unit, "rating") // divisor
        working = [Working(f"{unit} alone", str(printed), "11.38")]
    else:
        printed = table.position.value(unit, "defence")
        working = [Working(unit, str(printed), "3.23")]
    factor = terrain
    if panzer_defence(table, unit):
        factor *= table.data.tables["integrity"]["panzer_factor"]
        working.append(Working(f"{unit} divisional integrity", "x2", "19.52"))
    if table.position.mark(unit, "heavy") in (1, 2):
        factor *= table.data.tables["heavy_equipment"]["defence_factor"]
        working.append(Working(f"{unit} heavy equipment", "x2", "25.31"))
    halved = not supplied(table, unit)
    if halved:
        working.append(Working(f"{unit} out of supply", "/2", "12.23"))
    return reckoned(printed, factor, halved), working
