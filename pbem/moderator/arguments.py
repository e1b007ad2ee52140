"""What the moderator's verbs are told: at the terminal as arguments, in a mail as the words of its first line."""

from typing import Annotated, Literal

import typer

GameId = Annotated[str, typer.Argument(metavar="ID", help="The game, as `pbem game list` names it.")]
SideName = Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game.")]
Because = Annotated[str, typer.Option("--because", help="Why, for the players to read.")]
Delay = Annotated[int, typer.Option("--delay", metavar="HOURS", help="How much later onlookers are told.", min=0)]
PaceName = Annotated[
    Literal["brisk", "careful"] | None,
    typer.Option("--pace", help="Whether it waits for a side asked about its units while others play."),
]
# The terms of a game, set when it is new and changed later; what is not said stays as it is.
Deadlines = Annotated[
    list[str] | None,
    typer.Option("--deadline", metavar="[KIND=]TIME", help='48h, "daily at 21:00", none, combat=24h, reply=12h.'),
]
Grace = Annotated[str, typer.Option("--grace", help="How long after it the clock still waits.")]
Reminders = Annotated[list[str] | None, typer.Option("--reminder", help="How long before it a reminder goes out.")]
DaysOff = Annotated[
    list[str] | None, typer.Option("--off", metavar="DAY", help="A day of the week that does not count, or none.")
]
Extensions = Annotated[int | None, typer.Option("--extensions", help="How often a player may ask for time.")]
Absence = Annotated[int | None, typer.Option("--absence", metavar="DAYS", help="How long he may be away.")]
AtDeadline = Annotated[
    Literal["default", "hold"] | None, typer.Option("--at-deadline", help="The usual answer, or the moderator.")
]
NoShow = Annotated[
    int | None,
    typer.Option("--no-show", metavar="N", help="You are told of who leaves N deadlines running to the clock."),
]
AtNoShow = Annotated[
    Literal["tell", "pause"] | None, typer.Option("--at-no-show", help="You are told, or the game pauses, too.")
]
Errors = Annotated[
    Literal["refuse", "skip"] | None,
    typer.Option("--errors", help="A faulty line: refuse the mail, or skip the line."),
]
Pictures = Annotated[
    Literal["all", "small", "none"] | None, typer.Option("--pictures", help="In letters: all, few and small, none.")
]
BoardKind = Annotated[
    Literal["packed", "plain", "none"] | None, typer.Option("--board", help="The order board in the letters.")
]
# A verb is given the text itself: its front end has read it from the file, or from below the verb in the mail.
TextFrom = Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or - for what is typed or piped in.")]
