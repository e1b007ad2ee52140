"""Stepping in: orders for a player, going back, corrections, a word to all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from pbem.cli import acting as m
from pbem.moderator import arranging, ruling


def act(context: typer.Context, game: m.GameId, side: m.SideName, file: m.TextFrom = "-") -> None:
    """Give orders for a player, by the game's own rules; he is told.

    Example: echo end | pbem game act ID german
    """
    with m.moderating(context) as doing:
        ruling.act_for(doing, game, side, m.text_for(doing, file))


def rewind(
    context: typer.Context,
    game: m.GameId,
    line: Annotated[int, typer.Argument(metavar="LINE", help="The game stands again as after this line.", min=0)],
) -> None:
    """Go back to the end of a line, past dice too; nothing is deleted, and all are told.

    Example: pbem game rewind ID 12
    """
    with m.moderating(context) as doing:
        ruling.rewind(doing, game, line)


def correct(context: typer.Context, game: m.GameId, file: m.TextFrom = "-", because: m.Because = "") -> None:
    """Put a position right by hand: place, box, mark, unmark, count, took, pool, eliminate, one thing a line.

    All are told that it was done, and each is shown what he may see.

    Example: echo "place GTC3 2719" | pbem game correct ID --because "a slip of the pen"
    """
    with m.moderating(context) as doing:
        ruling.correct(doing, game, m.text_for(doing, file), because)


def press(context: typer.Context, game: m.GameId, file: m.TextFrom = "-") -> None:
    """Write to all players of a game.

    Example: echo "The next turn starts on Monday." | pbem game press ID
    """
    with m.moderating(context) as doing:
        arranging.press(doing, game, m.text_for(doing, file))


VERBS: tuple[Callable[..., Any], ...] = (act, rewind, correct, press)
