"""The duty to attack (4.2, 4.3): who owes an attack, on whom, and when it lapses."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Fact
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.table import kept
from games.korsun_vv.data import Table
from games.korsun_vv.names import DUTY
from games.korsun_vv.rules.ground import enemy_zoc, is_mobile, may_attack, open_to, set_mark, sources, stands
from games.korsun_vv.rules.points import acting, left


def binds(table: Table, side: str) -> HexSet:
    """4.2-b, 4.3-b: the hexes where whoever moves in must attack."""
    return enemy_zoc(table, side) & ~table.data.free


def may_enter_zone(table: Table, unit: str, h: Hex, points: int) -> bool:
    """4.2-c: with a point left for an attack, or where none is due."""
    if not binds(table, table.unit(unit).side) >> h & 1:
        return True
    return may_attack(table, unit) and points >= table.data.tables["attack"]["normal"]["points"]


def owe(table: Table, unit: str, still: bool = False) -> Iterator[Fact]:
    """4.3-a: a unit that has moved owes an attack where it stands now, or still the one it owed before (4.2-b)."""
    due = still or bool(binds(table, table.unit(unit).side) >> place(table, unit) & 1)
    yield from set_mark(table, unit, DUTY, 1 if due else None, "4.3-a")


def freed(table: Table, unit: str) -> Iterator[Fact]:
    """4.3-c: attacked, advanced or retreated."""
    yield from set_mark(table, unit, DUTY, None, "4.3-a")


def could_step(table: Table, unit: str, here: Hex, target: Hex) -> bool:
    """7.1-d: whether the unit could step into a hex if nobody were there; tanks leave difficult ground by road."""
    d = table.grid.direction(here, target)
    if d is None or not open_to(table, unit)[d] >> here & 1:
        return False
    if is_mobile(table, unit) and table.board.kinds[here] == "difficult":
        return bool(table.data.roads[d] >> here & 1)
    return True


def answerable(table: Table, unit: str, h: Hex) -> list[Hex]:
    """7.1-e: the enemies whose zone holds a hex and whom the unit could attack from there."""
    return [t for t in hexset.members(sources(table, table.unit(unit).side, h)) if could_step(table, unit, h, t)]


def owed_to(table: Table, unit: str) -> list[Hex]:
    """7.1-e: the hexes that exert a zone on the unit and that it can attack; none if the duty has lapsed."""
    if table.position.mark(unit, DUTY) is None or not stands(table, unit) or not may_attack(table, unit):
        return []
    if left(table, unit) < table.data.tables["attack"]["normal"]["points"]:
        return []
    return answerable(table, unit, place(table, unit))


def check_spared(table: Table, unit: str, target: Hex, points: int) -> None:
    """7.1-e: an attack on somebody else leaves a unit the point for the one it owes. Raises Illegal."""
    owed = owed_to(table, unit)
    if owed and target not in owed and left(table, unit) - points < table.data.tables["attack"]["normal"]["points"]:
        problem = f"{unit} must attack {_spots(table, owed)} and would have no action point left for it"
        raise Illegal("7.1-e", problem, unit=unit, at=number(table, target), instead="For instance",
                      alternatives=[f"attack {number(table, h)} with {unit}" for h in owed])  # fmt: skip


@kept
def debtors(table: Table, side: str) -> dict[str, list[Hex]]:
    """The units that must still attack, with whom."""
    found = {unit: owed_to(table, unit) for unit in acting(table, side)}
    return {unit: targets for unit, targets in found.items() if targets}


def check_duties(table: Table, side: str) -> None:
    """4.3-a: nobody's duty is left open at the end of an activation. Raises Illegal."""
    owing = debtors(table, side)
    if owing:
        said = [f"{unit} in {number(table, place(table, unit))} must attack {_spots(table, targets)}"
                for unit, targets in owing.items()]  # fmt: skip
        problem = f"the activation cannot end: {'; '.join(said)}"
        lines = [f"attack {number(table, targets[0])} with {unit}" for unit, targets in owing.items()]
        raise Illegal("4.3-a", problem, unit=next(iter(owing)), instead="For instance", alternatives=lines)


def _spots(table: Table, targets: Sequence[Hex]) -> str:
    return " or ".join(number(table, h) for h in targets)
