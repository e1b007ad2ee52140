"""Reserves (9.6): who is held back before anybody moves."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.facts import Fact, Marked
from engine.orders.choice import Choice, Given, gather
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from engine.rules.marks import game_mark
from games.jaws.data import Table
from games.jaws.orders.reserves import Reserve
from games.jaws.rules.allowance import RESERVE, check_ever_moves
from games.jaws.rules.breakout.declaring import last_turn
from games.jaws.rules.escorts import check_escorts
from games.jaws.rules.extension import twin
from games.jaws.rules.partisans import is_partisan
from games.jaws.rules.units import OOS, standing

UNDER_WAY = "under way"  # 3.2-E3A, E3B: somebody has moved, and the declarations are over


def beside_enemy(table: Table, side: str, unit: str) -> bool:
    """Whether an enemy unit stands next to it, whatever lies between; SDMs are no units."""
    near = hexset.spread(table.grid, standing(table, table.enemy(side)))
    return bool(near >> place(table, unit) & 1)


def check_reserve(table: Table, side: str, order: Reserve) -> None:
    """9.6-1, 9.6-2. Raises Illegal."""
    if last_turn(table):
        raise Illegal("16.5.4-3", "on the turn after the Breakout nobody is held in Reserve")
    if game_mark(table, UNDER_WAY):
        raise Illegal("3.2-E3A", "reserves are declared before the first move of the phase")
    for unit in order.units:
        check_ever_moves(table, side, unit)
        if table.position.mark(unit, RESERVE) is not None:
            raise Illegal("9.6", f"{unit} is in Reserve already", unit=unit)
        if is_partisan(table, unit):
            raise Illegal("18.1.2", f"{unit} is never held in Reserve", unit=unit)
        if beside_enemy(table, side, unit):
            raise Illegal("9.6-1", f"{unit} begins the phase next to an enemy unit", unit=unit,
                          at=number(table, place(table, unit)))  # fmt: skip
        if table.position.mark(unit, OOS) is not None:
            raise Illegal("9.6-2", f"{unit} is out of supply", unit=unit)
    _check_pairs(table, order)


def _check_pairs(table: Table, order: Reserve) -> None:
    """4.5.4, 4.5.5: Shermans move with theirs, and so are in Reserve with theirs. Raises Illegal."""
    check_escorts(table, dict.fromkeys(order.units, ""))
    for unit in order.units:
        if (other := twin(table, unit)) and other not in order.units:
            raise Illegal("4.7.1-6", f"{unit} and {other} are one division", unit=unit, instead=f"Name {other} too")


def declare(order: Reserve) -> Iterator[Fact]:
    for unit in order.units:
        yield Marked(subject=unit, mark=RESERVE, because="9.6")


def declarable(table: Table, side: str) -> list[Choice]:
    """Units that may be held in Reserve, one after another, as long as nobody has moved."""
    if game_mark(table, UNDER_WAY) or last_turn(table):
        return []

    def more(given: Given) -> list[str]:
        named = given.get("units", ())
        return [unit for unit in able if unit > max(named, default="")]

    able = [u for u in table.position.on_map(side) if passes(check_reserve, table, side, Reserve(units=(u,)))]
    return [gather(Reserve, "units", more, partial(check_reserve, table, side))] if able else []
