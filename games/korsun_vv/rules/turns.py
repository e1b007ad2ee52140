"""Initiative, whose sequence comes next, and the end of a turn (2.1, 2.2)."""

from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Fact, Noted, Told
from engine.rules.marks import game_mark, set_game, wipe
from games.korsun_vv.data import Table
from games.korsun_vv.names import ALONE, GERMAN, PASSED, RUSSIAN, SURPRISE, TURN_MARKS
from games.korsun_vv.rules.ground import count
from games.korsun_vv.rules.sequence import can_act

END = "end of turn"


def initiative(table: Table) -> Generator[Step, Any, str]:
    """2.1-c, 18.0-a: the higher die; on turn 1 the Russian."""
    row = table.data.tables["activation"]["surprise"]
    if table.position.turn == row["turn"]:
        return row["side"]
    while True:
        russian = yield Roll("initiative of the Russian")
        german = yield Roll("initiative of the German")
        if russian != german:
            winner = RUSSIAN if russian > german else GERMAN
            yield Told(text=f"{winner.capitalize()} initiative.", because="2.1-c")
            return winner


def surprised(table: Table, side: str) -> bool:
    """18.0-b: whether this was the first formation of the first sequence of turn 1."""
    row = table.data.tables["activation"]["surprise"]
    first = (row["turn"], row["side"]) == (table.position.turn, side)
    return first and 0 < table.position.tracks.get(SURPRISE, 0) < row["formations"]


def after_pass(table: Table, side: str) -> Generator[Step, Any, str]:
    """2.2-a: two passes in a row end the turn, and one where the other side cannot act."""
    enemy = table.enemy(side)
    if game_mark(table, PASSED) == enemy or not can_act(table, enemy):
        return END
    yield from set_game(table, PASSED, side, "2.2-a", Noted)
    return f"{enemy}.sequence"


def after_sequence(table: Table, side: str) -> Generator[Step, Any, str]:
    """2.1-d, 2.2-b, 2.2-c: the other side, or the same again if the other is exhausted."""
    yield from set_game(table, PASSED, None, "2.2-a", Noted)
    enemy = table.enemy(side)
    count = table.position.tracks.get(ALONE, 0)
    row = table.data.tables["activation"]["turn_end"]
    if count >= row["from_sequence"]:
        dice = 0
        for number in range(row["dice"]):
            dice += yield Roll(f"end of the turn, die {number + 1}")
        if dice >= row["least"]:
            yield Told(text=f"{dice}: the turn ends.", because="2.2-b")
            return END
    if can_act(table, enemy):
        return f"{enemy}.sequence"
    return f"{side}.sequence" if can_act(table, side) else END


def begin_sequence(table: Table, side: str) -> Iterator[Fact]:
    """2.2-b: counts the sequences of a side whose enemy can do nothing more."""
    before = table.position.tracks.get(ALONE, 0)
    yield from count(table, ALONE, 0 if can_act(table, table.enemy(side)) else before + 1, "2.2-b")


def end_turn(table: Table) -> Iterator[Fact]:
    """2.1-g."""
    yield from wipe(table, TURN_MARKS, "2.1-g")
    for track in (ALONE, SURPRISE):
        yield from count(table, track, 0, "2.1-g")
