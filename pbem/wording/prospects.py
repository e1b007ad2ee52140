"""A game's pace in words, and what will be answered for a side in play that is not its own."""

from itertools import groupby

from engine.drawer import BRISK, CAREFUL, Drawer
from engine.table import Table

HEADING = "While others play, the referee answers for you"
_PACES = {
    BRISK: "brisk: what is asked of you while others play is answered at once, by your standing orders or else by the"
    " stated default. The game waits for you only where you have written `when QUESTION: ask`.",
    CAREFUL: "careful: what is asked about your own units while others play (losses, retreats, advances) waits for"
    " you, unless you have left a standing order. All else is answered at once, by your standing orders or else by the"
    " stated default; only `when QUESTION: ask` makes the game wait.",
}


def pace_lines(pace: str) -> list[str]:
    """What a player is told of the pace when he is invited, when he asks, and when it changes."""
    return [f"The pace is {_PACES[pace]}", "`standing` shows every question that may come, and what will be answered."]


def prospect_lines(drawer: Drawer, table: Table, side: str) -> list[str]:
    """Each question that may come, what will be answered for the side as it stands, and the line that changes it."""
    told: list[str] = []
    for question, found in groupby(drawer.prospects(table, side), key=lambda prospect: prospect.question.name):
        told.append(f"{question} -- {table.game.questions[question].about}:")
        told += [f"    {one.answer} ({one.source}); to change it: {one.change}" for one in found]
    return told
