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
BoardKind = Annotated[
    Literal["packed", "plain", "none"] | None, typer.Option("--board", help="The order board in the letters.")
]
# A verb is given the text itself: its front end has read it from the file, or from below the verb in the mail.
TextFrom = Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or - for what is typed or piped in.")]
