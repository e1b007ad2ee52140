"""Starting a game and giving orders: new, order, check, stand."""

from typing import Annotated, Literal

import typer

from engine.campaign import Campaign
from engine.referee import Reply
from pbem.cli.replies import show_asks, show_reply
from pbem.cli.terminal import (
    NOT_ALL,
    ChosenOptions,
    GameName,
    LogOption,
    ScenarioOption,
    SideOption,
    chosen_game,
    named_side,
    new_file,
    now,
    open_log,
    read_orders,
    say,
)
from pbem.wording.option_values import shown_options
from pbem.wording.prospects import prospect_lines
from pbem.wording.situation import headline

Seed = Annotated[int | None, typer.Option("--seed", help="Dice that come out the same every time; for trying out.")]
OrdersFile = Annotated[str, typer.Argument(metavar="ORDERS", help="A text file of order lines, or - to type.")]


def new(
    game: GameName,
    log: LogOption,
    scenario: ScenarioOption = "",
    option: ChosenOptions = None,
    pace: Annotated[
        Literal["brisk", "careful"], typer.Option(help="Whether it waits for a side asked about its units.")
    ] = "brisk",
    seed: Seed = None,
) -> None:
    """Start a game on this machine, with its log in a new file.

    Its secret lies beside the log: whoever can read that file can foresee the dice.

    Example: pbem new GAME --log first.jsonl
    """
    played = chosen_game(game, scenario, option)
    campaign = Campaign.new(new_file(log), played, seed=seed, at=now(), pace=pace)
    chosen = shown_options(played.options)
    say(f"{played.title}, scenario {played.scenario}: the log is {log}." + (f" Options: {chosen}." if chosen else ""))
    say("The secret of its dice lies beside it; in a local game that proves nothing against its owner.")
    show_asks(campaign)


def order(
    orders: OrdersFile,
    log: LogOption,
    side: SideOption,
    skip: Annotated[bool, typer.Option("--skip", help="Leave out bad lines and do the rest.")] = False,
) -> None:
    """Play a side's orders into the game, and say line by line what became of them.

    Until a die is cast or somebody else is asked, it is all or nothing. Exit status 1 if anything came back.

    Example: pbem order --log first.jsonl --side soviet orders.txt
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    reply = campaign.submit(speaker, read_orders(orders), skip=skip, at=now())
    show_reply(campaign.game, reply)
    _close(campaign, reply)


def check(orders: OrdersFile, log: LogOption, side: SideOption) -> None:
    """Try orders out without doing anything: as far as the first die or somebody else's say.

    Example: pbem check --log first.jsonl --side soviet orders.txt
    """
    campaign = open_log(log)
    reply = campaign.rehearse(named_side(campaign.game, side), read_orders(orders))
    show_reply(campaign.game, reply, dry=True)
    say("Nothing was changed.")
    if _came_back(reply):
        raise typer.Exit(NOT_ALL)


def stand(
    log: LogOption,
    side: SideOption,
    line: Annotated[str, typer.Argument(metavar="[LINE]", help='"when QUESTION [at HEX]: ORDER", or ask.')] = "",
) -> None:
    """Leave a standing order, an answer to what may be asked while others play; without one, say what will be answered.

    Example: pbem stand --log first.jsonl --side german "when loss: retreat"
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    if line:
        campaign.stand(speaker, line)
    say(f"Standing orders of {speaker}:")
    for standing in campaign.drawer.standing.get(speaker, []):
        say(f"  {standing.line()}")
    say(f"What will be answered for {speaker}; the pace is {campaign.drawer.pace}:")
    for told in prospect_lines(campaign.drawer, campaign.referee.table.seen_by(speaker), speaker):
        say(f"  {told}")


def _close(campaign: Campaign, reply: Reply) -> None:
    say()
    where = headline(campaign.game, campaign.position)
    say(f"Now: {where}. Line {campaign.count - 1}, head {campaign.head[:16]}.")
    show_asks(campaign, reply.side)
    if _came_back(reply):
        raise typer.Exit(NOT_ALL)


def _came_back(reply: Reply) -> bool:
    return any(line.state in ("refused", "returned") for line in reply.lines)
