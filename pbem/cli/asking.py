"""Asking the referee: ask, forecast."""

from typing import Annotated

import typer

from pbem.cli.replies import secretive, show_ask, show_asks
from pbem.cli.terminal import LogOption, SideOption, named_side, open_log, say
from pbem.wording.rulings import forecast_lines, forecast_of
from pbem.wording.situation import headline


def ask(
    log: LogOption,
    side: Annotated[str, typer.Option("--side", help="Only what is asked of this side.")] = "",
    more: Annotated[str, typer.Option("--more", metavar="LINE", help="How a line begun goes on.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Show every option, however many.")] = False,
) -> None:
    """Say who must say what now, with the options and how to write them.

    Example: pbem ask --log first.jsonl --more "move RD6"
    """
    campaign = open_log(log)
    only = named_side(campaign.game, side) if side else ""
    say(f"{campaign.game.title}: {headline(campaign.game, campaign.position)}.")
    asks = [ask for ask in campaign.asks if only in ("", ask.side)]
    if not asks:
        say(f"Nothing is asked of {only or 'anybody'} now.")
    if not only and any(secretive(campaign, one) for one in asks):
        show_asks(campaign)
        return
    for one in asks:
        show_ask(one, more, everything)


def forecast(
    log: LogOption,
    side: SideOption,
    line: Annotated[str, typer.Argument(metavar="ORDER", help="The attack, as it would be ordered.")],
) -> None:
    """Show the exact chances of an attack, every modifier with its case.

    Example: pbem forecast --log first.jsonl --side german "attack 2708 with 72, 112"
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    seen = campaign.referee.table.seen_by(speaker)
    order = campaign.game.book.read(line, seen.reading(speaker))
    mine = next((ask for ask in campaign.asks if ask.side == speaker), None)
    found = forecast_of(seen, mine, speaker, order)
    say("\n".join([found.title, *forecast_lines(found)]))
