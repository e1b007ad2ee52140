"""Stacking (11.0): how many, and of whose command."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.rules.ground import is_a, number
from engine.table import kept_for_good, kept_while_side_still
from games.jaws.data import GERMAN, Table
from games.jaws.rules.depots import ATTACHED
from games.jaws.rules.extension import body
from games.jaws.rules.partisans import lone
from games.jaws.rules.stalin import STALIN, army_now
from games.jaws.rules.units import armee, corps, division, front, is_cadre, is_sdm, korps

GRACE = "crowded by retreat"  # 11.2: a hex's mark: the units that a retreat has crowded there


@dataclass(frozen=True)
class Breach:
    """How a stack breaks a limit: the case, and what is wrong."""

    case: str
    problem: str


def breach(table: Table, side: str, stack: Sequence[str], h: Hex) -> Breach | None:
    """11.0: the first limit that a side's units would break in a hex; None if they may stand there together."""
    broken = _broken(table, side, stack, bool(table.data.forest >> h & 1))
    return broken and Breach(broken.case, broken.problem.format(hex=number(table, h)))


def fit(table: Table, side: str, stack: Sequence[str]) -> bool:
    """11.0: whether units may stand together in the open."""
    return _broken(table, side, stack, False) is None


def _broken(table: Table, side: str, stack: Sequence[str], forest: bool) -> Breach | None:
    if len(stack) < 2:
        return None
    lost, lent = table.position.lost, table.data.switch["stalin"]
    return _breach(table, side, tuple(stack), tuple([lost.get(body(table, unit), 0) for unit in stack]), forest,
                   armies_of(table, stack) if lent else ())  # fmt: skip


def armies_of(table: Table, stack: Sequence[str]) -> tuple[str, ...]:
    """18.13-b: the armies that units belong to now."""
    return tuple([army_now(table, table.unit(unit)) for unit in stack])


@kept_for_good
def _breach(
    table: Table, side: str, stack: tuple[str, ...], lost: tuple[int, ...], forest: bool, armies: tuple[str, ...]
) -> Breach | None:
    """The same for units that have lost so many steps, in a forest or elsewhere, and are of these armies, if that may
    change; the sentence leaves the hex open."""
    units = _bodies(table, stack)
    if len(units) < 2:
        return None
    command = _german(table, units) if side == GERMAN else _soviet(table, units)
    return _numbers(table, units, forest) or command or _regiments(table, side, units)


def _bodies(table: Table, stack: Sequence[str]) -> list[str]:
    """Who counts: 11.0-b: no SDM; 4.7-p3: an extended division in one hex as one unit."""
    halves = [unit for unit in stack if body(table, unit) != unit and body(table, unit) in stack]
    return [unit for unit in stack if not is_sdm(table, unit) and unit not in halves]


def too_many(table: Table, side: str, stack: Sequence[str], h: Hex) -> Breach | None:
    """The limits of numbers, whoever's command the units are of."""
    units = _bodies(table, stack)
    broken = _numbers(table, units, bool(table.data.forest >> h & 1)) or _regiments(table, side, units)
    return broken and Breach(broken.case, broken.problem.format(hex=number(table, h)))


def _numbers(table: Table, units: Sequence[str], forest: bool) -> Breach | None:
    """11.0-a, 17.1.2-a4"""
    alone = next((unit for unit in units if is_a(table, unit, "barrage")), "") if len(units) > 1 else ""
    if alone:
        return Breach("17.1.2-a4", f"{alone} stands alone in its hex")
    if len(units) > 1 and (group := lone(table, units)):
        return Breach("18.1.2", f"{group} stacks with nobody")
    row = table.data.tables["stacking"]
    most = row["forest"] if forest else row["units"]
    if len(units) > most:
        return Breach("11.0-a", f"{len(units)} units in {{hex}}, where {most} may stand")
    return None


def _regiments(table: Table, side: str, units: Sequence[str]) -> Breach | None:
    """11.0-g2"""
    regiments = [u for u in units if side == GERMAN and is_a(table, u, "breaks") and not is_cadre(table, u)]
    most = table.data.tables["stacking"]["regiments"]
    if len(regiments) > most:
        return Breach("11.0-g2", f"{len(regiments)} infantry regiments, where {most} may stand")
    return None


def _several(bodies: Iterable[str]) -> list[str]:
    """The names, if there is more than one."""
    found = sorted({body for body in bodies if body})
    return found if len(found) > 1 else []


def _german(table: Table, units: Sequence[str]) -> Breach | None:
    rows = [table.unit(unit) for unit in units]
    if over := _several(armee(table, row) for row in rows):
        return Breach("11.0-g1", f"units of {' and '.join(over)} may not stack")
    if over := _several(korps(table, row) for row in rows):
        return Breach("11.0-g1", f"units of {' and '.join(over)} may not stack")
    # 11.0-g4: cadres may stack with any unit of their korps
    if over := _several(division(table, row) for row in rows if not is_cadre(table, row.id)):
        return Breach("11.0-g1", f"units of {' and '.join(over)} may not stack")
    return None


def _part_of(table: Table, unit: str) -> str:
    """11.0-s4: the infantry, cavalry or FA division that a unit is, or is part of, also as its Shermans; empty if
    none."""
    if is_a(table, unit, "fa"):
        return unit.partition("-")[0]
    whole = table.unit(unit).of or table.data.tables["integral"]["pairs"].get(unit, unit)
    return whole if is_a(table, whole, "division") else ""


def _soviet(table: Table, units: Sequence[str]) -> Breach | None:
    rows, limits = [table.unit(unit) for unit in units], table.data.tables["stacking"]
    if over := _several(front(table, row) for row in rows):
        return Breach("11.0-s1", f"units of {' and '.join(over)} may not stack")
    if over := _several(army_now(table, row) for row in rows):
        return Breach("11.0-s1", f"units of {' and '.join(over)} may not stack")
    if over := _several(corps(table, row) for row in rows):
        return Breach("11.0-s1", f"units of {' and '.join(over)} may not stack")
    support = next((row for row in rows if _army_support(table, row.id)), None)
    if support is not None and any(army_now(table, row) != army_now(table, support) for row in rows):
        return Breach("11.0-s1", f"{support.id} may stack only with units of {army_now(table, support)}")
    if sum(is_a(table, unit, "division") for unit in units) > limits["divisions"]:
        return Breach("11.0-s2", "more than one division")
    if sum(is_a(table, unit, "brigade") for unit in units) > limits["brigades"]:
        return Breach("11.0-s3", f"more than {limits['brigades']} brigades")
    parts = {part for unit in units if (part := _part_of(table, unit))}
    if len(parts) > 1:
        return Breach("11.0-s4", f"parts of {' and '.join(sorted(parts))} may not stack")
    mobile = {corps(table, row) for row in rows if not _cavalry(table, row.id)} - {""}
    if parts and mobile and not all(is_a(table, unit, "cavalry") for unit in units if _part_of(table, unit)):
        return Breach("11.0-s4", f"{parts.pop()} may not stack with units of {mobile.pop()}")
    return None


def _cavalry(table: Table, unit: str) -> bool:
    return corps(table, table.unit(unit)) == "5GCC"


def _army_support(table: Table, unit: str) -> bool:
    """2.8-r: of an army, but no division, no fortified area and of no corps."""
    formation = table.roster.formation(table.unit(unit).formation)
    return formation is not None and formation.kind == "army" and not _part_of(table, unit)


@kept_while_side_still(GRACE, ATTACHED, STALIN)
def crowded(table: Table, side: str) -> dict[Hex, Breach]:
    """Every hex in which a side's units break a limit, with the limit; not where a retreat has crowded them (11.2)."""
    found = {}
    for h, everybody in table.position.stacks():
        stack = [unit for unit in everybody if table.unit(unit).side == side]  # 16.5.3-p6: a hex may be shared
        if not stack or _has_grace(table, h, stack):
            continue
        if (broken := breach(table, side, stack, h)) is not None:
            found[h] = broken
    return found


def _has_grace(table: Table, h: Hex, stack: Sequence[str]) -> bool:
    """11.2: nobody is there but those whom a retreat has brought together."""
    return set(stack) <= set(str(table.position.mark(f"@{number(table, h)}", GRACE) or "").split())


def crowded_by_retreat(table: Table, side: str, h: Hex) -> Iterator[Fact]:
    """11.2: units that retreat may break the limits; they have until the end of their next Movement Phase."""
    stack = [unit for unit in table.position.at(h) if table.unit(unit).side == side]
    if breach(table, side, stack, h) is not None:
        yield Noted(subject=f"@{number(table, h)}", mark=GRACE, value=" ".join(stack), because="11.2")
