"""The cup (2.22, 12.42): chits drawn, which side of each applies, and when they go back."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Pooled
from engine.rules.pools import dealt, in_pool, pour, put, shuffled
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.combat.situation import Combat, ratio, situations, terrain
from games.kharkov.shapes import Chit, ChitSide

CUP, DRAWN, HERE = "cup", "drawn chits", "chits here"  # DRAWN: of earlier combats; HERE: of this one


def all_back(table: Table, case: str, turn: int) -> Procedure:
    """12.42: all chits go back to the cup, for a turn that begins with it."""
    yield Pooled(pool=DRAWN, items=(), because=case)
    yield Pooled(pool=HERE, items=(), because=case)
    yield from shuffled(table, CUP, list(table.data.tables["chits"]), case, turn=turn)


def draw_chits(table: Table, number: int) -> Generator[Step, Any, list[str]]:
    """12.4, 12.42: so many chits; a dark one brings those of earlier combats back into the cup at once."""
    found = []
    for _ in range(number):
        if not in_pool(table, CUP):  # three dark ones always lie in it, unless somebody took them out
            yield from _refilled(table)
            if not in_pool(table, CUP):
                break
        chit: str = yield from dealt(table, CUP, "12.4")
        found.append(chit)
        if table.data.tables["chits"][chit]["dark"] and in_pool(table, DRAWN):
            yield from _refilled(table)
    yield from put(table, HERE, found, "12.4")
    return found


def _refilled(table: Table) -> Procedure:
    """12.42: the chits of earlier combats go back into the cup."""
    back = [*in_pool(table, CUP), *in_pool(table, DRAWN)]
    yield Pooled(pool=DRAWN, items=(), because="12.42")
    yield from shuffled(table, CUP, back, "12.42")


def set_aside(table: Table) -> Procedure:
    """12.42: after the combat its chits stay out, or go back too if one of them was dark."""
    here = in_pool(table, HERE)
    if any(table.data.tables["chits"][chit]["dark"] for chit in here):
        yield Pooled(pool=HERE, items=(), because="12.42")
        yield from shuffled(table, CUP, [*in_pool(table, CUP), *here], "12.42")
    else:
        yield from pour(table, HERE, DRAWN, "12.4")


@dataclass(frozen=True)
class Circumstances:
    """All that a chit asks: worked out once for a combat."""

    side: str
    ratio: Fraction
    terrain: str
    value: int
    holds: frozenset[str]


def circumstances(table: Table, combat: Combat, number: int) -> Circumstances:
    holds = frozenset(situations(table, combat, number))
    return Circumstances(combat.side, ratio(table, combat), terrain(table, combat), combat.value, holds)


@cache
def _named(ratio: float) -> Fraction:
    """A ratio as the chit names it."""
    return Fraction(str(ratio))


def applies(side: ChitSide, now: Circumstances) -> bool:
    """12.41: whether a side's situation is that of the combat."""
    match side["when"]:
        case "ratio at least":
            return now.ratio >= _named(side.get("ratio", 0))
        case "ratio above":
            return now.ratio > _named(side.get("ratio", 0))
        case "ratio below":
            return now.ratio < _named(side.get("ratio", 0))
        case "terrain":
            return now.terrain in side.get("terrain", ())
        case "command value":
            return now.value == side.get("value")
    return side["when"] in now.holds


def kept_side(chit: Chit, now: Circumstances) -> ChitSide | None:
    """12.41: the side that applies; of two the one with priority."""
    front, back = applies(chit["front"], now), applies(chit["back"], now)
    if front and back:
        return chit["back"] if chit["priority"] == "back" else chit["front"]
    return chit["front"] if front else chit["back"] if back else None


def hits_of(side: ChitSide | None, attacker: str) -> tuple[int, int]:
    """12.5: hits on the attacker and on the defender; those by nationality go to whichever role it has."""
    if side is None:
        return 0, 0
    by_side = {SOVIET: side.get("soviet", 0), GERMAN: side.get("german", 0)}
    defender = GERMAN if attacker == SOVIET else SOVIET
    return side.get("attacker", 0) + by_side[attacker], side.get("defender", 0) + by_side[defender]


def totals(chits: Mapping[str, Chit], names: Iterable[str], now: Circumstances) -> tuple[int, int]:
    """12.5: what the chits come to, positive and negative."""
    found = [hits_of(kept_side(chits[name], now), now.side) for name in names]
    return sum(a for a, _ in found), sum(d for _, d in found)
