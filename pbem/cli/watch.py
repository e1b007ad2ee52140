"""The service watched: a live table of games in the terminal, and one line for who runs a monitor."""

import time
from datetime import datetime, timedelta

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pbem.cli.acting import at_home
from pbem.cli.terminal import NOT_ALL, say
from pbem.house import House
from pbem.mail_servers.oauth.consent_keeper import consent_trouble
from pbem.moderator.listing import ListedGame, Owing, ago, standings
from pbem.service.vital_signs import ailments, vital_signs

_COLOURS = {"playing": "green", "paused": "yellow", "invited": "cyan", "joined": "cyan"}


def watch(every: float = 2.0, once: bool = False, everything: bool = False) -> None:
    """Watch the games: who owes what, for how long, and how the mail goes. Ctrl-C ends it.

    Example: pbem watch --once
    """
    console = Console()
    with at_home() as house:
        if once:
            console.print(picture(house, everything=everything))
            return
        with Live(picture(house, everything=everything), console=console, screen=console.is_terminal) as live:
            try:
                while True:
                    time.sleep(every)
                    live.update(picture(house, everything=everything))
            except KeyboardInterrupt:
                return


def picture(house: House, *, everything: bool = False) -> Table:
    """The table as it is now; nobody is asked, and nothing is written."""
    with house.database.reading() as session:
        found = standings(session, everything=everything)
    now, trouble, signs = house.clock(), consent_trouble(house.settings), vital_signs(house)
    came, ours = signs.mails, signs.letters
    mail = f"mail: {came['stored']} to deal with, {ours['queued']} to send"
    mail += f", {came['shunted']} set aside, {ours['failed']} not delivered"
    table = Table(
        *("game", "state", "who", "owes", "for", "left"),
        title=f"{len(found)} games, {now:%Y-%m-%d %H:%M} UTC",
        caption=mail if trouble is None else f"{mail}\nmail is held up: {trouble}",
    )
    for game in found:
        _add(table, game, now)
    return table


def _add(table: Table, game: ListedGame, now: datetime) -> None:
    state = Text(game.state, style=_COLOURS.get(game.state, "dim"))
    if not game.owing:
        table.add_row(Text(game.id), state, "", "", "", "")
    for number, owing in enumerate(game.owing):
        first = (Text(game.id), state) if number == 0 else (Text(""), Text(""))
        who = Text(f"{owing.side} ({owing.who})")
        table.add_row(*first, who, Text(owing.what), ago(now - owing.since), _left(owing, now))


def _left(owing: Owing, now: datetime) -> Text:
    if owing.due is None:
        return Text("-", style="dim")
    left = owing.due - now
    if left < timedelta(0):
        return Text(f"{ago(-left)} late", style="bold red")
    return Text(ago(left), style="yellow" if left < timedelta(hours=12) else "")


def health() -> None:
    """Say in one line how the service does: status 0 if it is well, 1 if not, 2 if that cannot be told.

    It looks at the house and at the service's own notes; no mail server is asked.

    Example: pbem health
    """
    with at_home() as house:
        signs = vital_signs(house)
        found = ailments(house, signs)
    say(f"{'; '.join(found) if found else 'well'}: {signs.in_words()}")
    if found:
        raise typer.Exit(NOT_ALL)
