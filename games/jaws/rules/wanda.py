"""Operation Wanda (16.3): the Luftwaffe's effort for the relief, declared once, as long as two dice say."""

from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Counted, Fact, Told
from engine.refusals import Illegal, passes
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, Table
from games.jaws.rules.weather import missions_track

WANDA = "wanda"  # 16.3-p2: the game's mark: the turn on which it ends; `over` when it has
OVER = "over"


def check_wanda(table: Table) -> None:
    """16.3: from its turn on, once a game. Raises Illegal."""
    first = table.data.tables["wanda"]["turn"]
    if game_mark(table, WANDA):
        raise Illegal("16.3", "Operation Wanda was declared already")
    if table.position.turn < first:
        raise Illegal("16.3", f"Operation Wanda may be declared from turn {first} on")


def may_declare(table: Table) -> bool:
    return passes(check_wanda, table)


def declared(table: Table) -> Generator[Step, Any, None]:
    """16.3-p1, 16.3-p2: four missions at once; two dice and three say on which turn it ends."""
    row = table.data.tables["wanda"]
    yield Counted(track=missions_track(GERMAN), value=row["missions"], because="16.3-p1")
    first: int = yield Roll("Operation Wanda, first die")
    second: int = yield Roll("Operation Wanda, second die")
    last = table.position.turn + first + second + row["length"]
    yield from set_game(table, WANDA, str(last), "16.3-p2")
    yield Told(text=f"Operation Wanda has begun; it ends on turn {last}.", because="16.3-p2")


def ends(table: Table) -> Iterator[Fact]:
    """16.3-p4: in the German Event Phase of its last turn, so that the air stage of that turn still has it."""
    if running(table) and table.position.turn >= int(game_mark(table, WANDA)):
        yield from set_game(table, WANDA, OVER, "16.3-p4")
        yield Told(text="Operation Wanda is over.", because="16.3-p4")


def running(table: Table) -> bool:
    """16.3-p3: while its marker is on the track."""
    return game_mark(table, WANDA) not in ("", OVER)


def air_bonus(table: Table) -> int:
    """16.3-p3: what the German availability die is raised by."""
    return table.data.tables["wanda"]["die"] if running(table) else 0
