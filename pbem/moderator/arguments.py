"""What the moderator's verbs are told: at the terminal as arguments, in a mail as the words of its first line."""

from typing import Annotated, Any, Literal

import typer

Many = list[str] | None


def _said(kind: Any, **more: Any) -> Any:
    return Annotated[kind | None, typer.Option(**more)]


GameId = Annotated[str, typer.Argument(metavar="ID", help="The game, as `pbem game list` names it.")]
SideName = Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game.")]
Because = Annotated[str, typer.Option("--because", help="Why, for the players to read.")]
Delay = Annotated[int, typer.Option("--delay", metavar="HOURS", help="How much later onlookers are told.", min=0)]
# The terms of a game, set when it is new and changed later; what is not said stays as it is. By option: how settings
# call it, and how it is written. A verb has all of them by `**terms: GameTerms`.
TERMS: dict[str, tuple[str, Any]] = {
    "deadline": (
        "deadline",
        _said(list[str], metavar="[KIND=]TIME", help='48h, "daily at 21:00", none, combat=24h, reply=12h.'),
    ),
    "grace": ("grace", _said(str, help="How long after it the clock still waits.")),
    "reminder": ("reminders", _said(list[str], help="How long before it a reminder goes out.")),
    "off": ("weekdays_off", _said(list[str], metavar="DAY", help="A day of the week that does not count, or none.")),
    "extensions": ("extensions", _said(int, help="How often a player may ask for time.")),
    "absence": ("absence_days", _said(int, metavar="DAYS", help="How long he may be away.")),
    "at_deadline": ("on_deadline", _said(Literal["default", "hold"], help="The usual answer, or the moderator.")),
    "no_show": (
        "no_show",
        _said(int, metavar="N", help="You are told of who leaves N deadlines running to the clock."),
    ),
    "at_no_show": ("on_no_show", _said(Literal["tell", "pause"], help="You are told, or the game pauses, too.")),
    "errors": ("errors", _said(Literal["refuse", "skip"], help="A faulty line: refuse the mail, or skip the line.")),
    "pace": (
        "pace",
        _said(Literal["brisk", "careful"], help="Whether it waits for a side asked about its units while others play."),
    ),
    "pictures": ("pictures", _said(Literal["all", "small", "none"], help="In letters: all, few and small, none.")),
    "board": ("board", _said(Literal["packed", "plain", "none"], help="The order board in the letters.")),
}
GameTerms = Annotated[Any, (*TERMS,)]
DuelTerms = Annotated[Any, (*(name for name in TERMS if name not in ("deadline", "no_show", "at_no_show")),)]
# A verb is given the text itself: its front end has read it from the file, or from below the verb in the mail.
TextFrom = Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or - for what is typed or piped in.")]
