"""Games set up, listed, filled, stopped and closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import games
from pbem.cli import acting as m
from pbem.cli.terminal import CannotDo, ChosenOptions, GameName, ScenarioOption, read_options
from pbem.moderator import CannotModerate, arranging, keeping, listing, timing
from pbem.moderator.arranging import Terms


class Errors(StrEnum):
    """What becomes of a mail with a faulty line."""

    refuse = "refuse"
    skip = "skip"


class AtDeadline(StrEnum):
    """What happens when time is up."""

    default = "default"
    hold = "hold"


Many = list[str] | None
Delay = Annotated[int, typer.Option("--delay", metavar="HOURS", help="How much later onlookers are told.", min=0)]


def new(
    context: typer.Context,
    game: GameName,
    scenario: ScenarioOption = "",
    option: ChosenOptions = None,
    name: Annotated[str, typer.Option("--name", help="What the game is called; a number by itself.")] = "",
    deadline: Annotated[
        Many, typer.Option("--deadline", metavar="[KIND=]TIME", help='48h, "daily at 21:00", combat=24h, reply=12h.')
    ] = None,
    grace: Annotated[str, typer.Option("--grace", help="How long after it the clock still waits.")] = "",
    reminder: Annotated[Many, typer.Option("--reminder", help="How long before it a reminder goes out.")] = None,
    off: Annotated[Many, typer.Option("--off", metavar="DAY", help="A day of the week that does not count.")] = None,
    extensions: Annotated[int | None, typer.Option("--extensions", help="How often a player may ask for time.")] = None,
    absence: Annotated[int | None, typer.Option("--absence", metavar="DAYS", help="How long he may be away.")] = None,
    at_deadline: Annotated[AtDeadline, typer.Option("--at-deadline", help="The usual answer, or the moderator.")] = (
        AtDeadline.default
    ),
    errors: Annotated[Errors, typer.Option("--errors", help="A faulty line: refuse the mail, or skip the line.")] = (
        Errors.refuse
    ),
    pictures: Annotated[bool, typer.Option("--pictures/--no-pictures", help="Maps in the reports.")] = True,
    spectator: Annotated[Many, typer.Option("--spectator", metavar="ADDRESS", help="Gets the public reports.")] = None,
    delay: Delay = 0,
) -> None:
    """Set up a game and invite its players: --SIDE with a mail address, or bot:sensible.

    Example: pbem game new GAME --soviet vatutin@front.example --german bot:sensible --deadline 48h
    """
    settings: dict[str, Any] = {"errors": errors.value, "on_deadline": at_deadline.value}
    settings["deadline"] = _deadlines(deadline or [])
    given = {"grace": grace, "reminders": reminder, "weekdays_off": off, "extensions": extensions}
    settings |= {key: value for key, value in {**given, "absence_days": absence}.items() if value not in (None, "")}
    if not pictures:
        settings["pictures"] = "none"
    book = games.rulebook(game)
    played = book.scenario(scenario) if scenario else book.scenarios[0]
    terms = Terms(
        rulebook=book.id,
        chairs=_chairs(context.args),
        scenario=played.id,
        options=read_options(option or (), played.choices),
        settings=settings,
        spectators=spectator or (),
        delay_hours=delay,
        name=name,
    )
    with m.moderating(context) as act:
        arranging.new(act, terms)


def _chairs(words: Sequence[str]) -> dict[str, str]:
    """`--soviet ADDRESS --german=bot:sensible`. Raises CannotDo."""
    chairs: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        side, equals, chair = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not side:
            raise CannotDo(f"{word!r} is not understood; who plays is written --SIDE ADDRESS")
        if not equals:
            if not left:
                raise CannotDo(f"--{side} needs a mail address, or bot:sensible")
            chair = left.pop(0)
        chairs[side] = chair
    return chairs


def _deadlines(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        kind, equals, time = text.partition("=")
        found[kind.strip() if equals else "default"] = (time if equals else text).strip()
    return found


def list_(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Those that are over or archived, too.")] = False,
) -> None:
    """List the games: who owes what, for how long, and how much time is left.

    Example: pbem game list
    """
    with m.moderating(context) as act:
        listing.list_games(act, everything=everything)


def show(context: typer.Context, game: m.GameId) -> None:
    """Show one game: its terms, its chairs, where it stands, its mail, and the address of your verbs.

    Example: pbem game show ID
    """
    with m.moderating(context) as act:
        listing.show(act, game)


def players(context: typer.Context) -> None:
    """Show the players' records: how often in time, late, left to the clock, and how long they take.

    Example: pbem game players
    """
    with m.moderating(context) as act:
        listing.players(act)


def pause(context: typer.Context, game: m.GameId, because: m.Because = "") -> None:
    """Stop a game's clock; no orders are taken until `resume`.

    Example: pbem game pause ID --because "a player is moving house"
    """
    with m.moderating(context) as act:
        timing.pause(act, game, because)


def resume(context: typer.Context, game: m.GameId) -> None:
    """Let a paused game go on; nobody has lost any time.

    Example: pbem game resume ID
    """
    with m.moderating(context) as act:
        timing.resume(act, game)


def extend(
    context: typer.Context,
    game: m.GameId,
    side: m.SideName,
    time: Annotated[str, typer.Argument(metavar="TIME", help="12h, 2d, 1w.")],
) -> None:
    """Give a side more time for what it owes; both sides are told.

    Example: pbem game extend ID german 24h
    """
    with m.moderating(context) as act:
        timing.extend(act, game, side, time)


def substitute(
    context: typer.Context,
    game: m.GameId,
    side: m.SideName,
    chair: Annotated[str, typer.Argument(metavar="WHO", help="A mail address, or bot:sensible.")],
) -> None:
    """Give a chair to somebody else, or to a bot; all are told.

    Example: pbem game substitute ID german bot:sensible
    """
    with m.moderating(context) as act:
        arranging.substitute(act, game, side, chair)


def spectator(
    context: typer.Context,
    game: m.GameId,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who wants to look on.")],
    delay: Delay = 0,
) -> None:
    """Let somebody look on: public reports, later than the players' if you say so.

    Example: pbem game spectator ID zhukov@stavka.example --delay 24
    """
    with m.moderating(context) as act:
        arranging.announce_spectator(act, game, address, delay)


def close(
    context: typer.Context,
    game: m.GameId,
    result: Annotated[str, typer.Option("--result", help="How it ended; without one it counts as abandoned.")] = "",
    winner: Annotated[str, typer.Option("--winner", metavar="SIDE", help="Who has won.")] = "",
) -> None:
    """End a game by your word: its secret is shown, and all get the whole log and the replay.

    Example: pbem game close ID --winner soviet --result "the pocket has surrendered"
    """
    with m.moderating(context) as act:
        arranging.close(act, game, result, winner)


def export(
    context: typer.Context,
    game: m.GameId,
    reader: Annotated[
        str, typer.Option("--for", metavar="SIDE", help="Only what this side, or `onlooker`, may have.")
    ] = "",
    to: Annotated[str, typer.Option("--to", metavar="FILE", help="Where to put it; by mail it is enclosed.")] = "",
) -> None:
    """Pack a game's log, replay and list of mail into one file.

    Example: pbem game export ID --to game.zip
    """
    with m.moderating(context) as act:
        if act.mail is not None:
            if to:
                raise CannotModerate("a mail cannot name a file: the export is enclosed in the answer")
            keeping.export_by_mail(act, game, reader)
            return
        name, data = keeping.export(act, game, reader)
        place = Path(to or name)
        place.write_bytes(data)
        act.say(f"{place} is written, {len(data):,} bytes.")


def archive(context: typer.Context, game: m.GameId) -> None:
    """Pack a game that is over into the archive folder, and take it off the list. Nothing is deleted.

    Example: pbem game archive ID
    """
    with m.moderating(context) as act:
        keeping.archive(act, game)


VERBS: tuple[Callable[..., Any], ...] = (
    new, list_, show, players, pause, resume, extend, substitute, spectator, close, export, archive,
)  # fmt: skip
