"""The Breakout declared (16.4): when it may be, and what it changes."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Told
from engine.refusals import Illegal, passes
from engine.rules.ground import place
from engine.rules.marks import game_mark, set_game
from games.jaws.data import SOVIET, Table
from games.jaws.rules.korsun import POCKET, isolated
from games.jaws.rules.pocket import cut_off, gruppe, outside
from games.jaws.rules.units import korps

BREAKOUT = "breakout"  # the game's mark: on which turn it was declared


def declared_on(table: Table) -> int:
    """16.4: the turn of the declaration; 0 if there was none."""
    return int(game_mark(table, BREAKOUT) or 0)


def breaks_out(table: Table) -> bool:
    """16.4-e1: whether this German turn has a Breakout Phase."""
    return declared_on(table) == table.position.turn > 0


def last_turn(table: Table) -> bool:
    """16.4-e3: whether it is the Soviet turn after a Breakout, the last of the game."""
    return 0 < declared_on(table) < table.position.turn


def spared(table: Table, unit: str) -> bool:
    """16.5.4-1: on the last turn no Soviet unit and none of Gruppe Stemmermann comes out of supply."""
    return last_turn(table) and (table.unit(unit).side == SOVIET or table.position.mark(unit, POCKET) is not None)


def relievers(table: Table) -> list[str]:
    """16.4-2: the units of the relieving korps that are not cut off."""
    bodies = table.data.tables["breakout"]["korps"]
    return [unit for unit in outside(table) if korps(table, table.unit(unit)) in bodies]


def check_breakout(table: Table) -> None:
    """16.4-1, 16.4-2. Raises Illegal."""
    row, said = table.data.tables["breakout"], isolated(table)
    if declared_on(table):
        raise Illegal("16.4", "the Breakout was declared already")
    if not 0 < said < table.position.turn:
        raise Illegal("16.4-1", "Korsun must have been declared isolated on an earlier turn")
    near = hexset.within(table.grid, hexset.of(place(table, unit) for unit in relievers(table)), row["near"])
    if not any(near >> place(table, unit) & 1 and cut_off(table, unit) for unit in gruppe(table)):
        names = ", ".join(row["korps"])
        raise Illegal("16.4-2", f"no unit of Gruppe Stemmermann that is cut off is within {row['near']} hexes of "
                      f"one of {names} that is not")  # fmt: skip


def may_declare(table: Table) -> bool:
    return passes(check_breakout, table)


def declared(table: Table) -> Iterator[Fact]:
    """16.4-e1 to -e3"""
    yield from set_game(table, BREAKOUT, str(table.position.turn), "16.4")
    yield Told(text="The Breakout is declared: the game ends with the next Soviet turn.", because="16.4-e3")
