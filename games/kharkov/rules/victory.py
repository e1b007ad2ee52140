"""Victory (17.0, 18.0): Soviet points, and how the three games end."""

from collections.abc import Iterator

from engine.facts import Fact, GameEnded
from engine.game import won_or_lost
from engine.rules.marks import game_mark
from games.kharkov.data import GERMAN, SOVIET, Table

HEAVY = "heavy mud"
LEVELS = ("tactical", "operational", "strategic")  # 17.2: a strategic victory, or defeat, is the greatest


def points(table: Table) -> int:
    return table.position.tracks["vp"]


def _ended(table: Table, level: str, *, won: bool, case: str) -> Fact:
    result = f"German {level} {'victory' if won else 'defeat'}"
    return GameEnded(result=result, winner=GERMAN if won else SOVIET, points=((SOVIET, points(table)),), because=case)


def level(table: Table) -> int:
    """17.2: how good an end is for the Germans, from a strategic defeat (-3) over a draw to a strategic victory (3)."""
    reached = next((n for n, name in enumerate(LEVELS, 1) if name in table.position.ended), 1)
    return reached * won_or_lost(table.position)


def holds_kharkov(table: Table, side: str) -> bool:
    return table.position.owners.get(table.data.tables["start"]["kharkov"]) == side


def at_once(table: Table) -> Iterator[Fact]:
    """18.1, 18.2: what ends a short game wherever it happens."""
    match table.data.scenario["victory"]:
        case "initial assault":
            beyond = table.position.held(SOVIET) & table.board.land & ~table.data.inside["West Line"]
            if beyond and holds_kharkov(table, SOVIET):
                yield _ended(table, "operational", won=False, case="18.1")
        case "star and gallop" if points(table) >= table.data.tables["victory"]["star_and_gallop"]["at_once"]:
            yield _ended(table, "strategic", won=False, case="18.2")


def end_of_turn(table: Table) -> Iterator[Fact]:
    """17.2: the scenario says when victory is checked."""
    rows, turn = table.data.tables["victory"], table.position.turn
    match table.data.scenario["victory"]:
        case "initial assault" if turn == table.data.turns:
            won = points(table) <= rows["initial_assault"]["most"]
            yield _ended(table, "tactical", won=won, case="18.1")
        case "star and gallop" if turn == table.data.turns:
            level = next(row for row in rows["star_and_gallop"]["levels"] if points(table) >= row["least"])
            yield _ended(table, level["level"], won=level["won"], case="18.2")
        case "campaign":
            yield from _campaign(table)


def _campaign(table: Table) -> Iterator[Fact]:
    """18.35: above the calendar's figure it is lost, below the other and with Kharkov German it is won."""
    if game_mark(table, "ground") == HEAVY:  # 18.34-c
        return
    row, turn = table.data.calendar(table.position.turn), table.position.turn
    for lost in row.get("loss", ()):
        if points(table) > lost["above"]:
            yield _ended(table, lost["level"], won=False, case="18.35")
            return
    for win in row.get("win", ()):
        if points(table) < win["below"]:
            if holds_kharkov(table, GERMAN):
                yield _ended(table, win["level"], won=True, case="18.35")
            elif turn == table.data.turns:
                yield GameEnded(result="draw", points=((SOVIET, points(table)),), because="18.35")
            return
