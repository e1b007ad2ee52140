"""Taking back: undo what no die has settled, withdraw what has not happened yet."""

from typing import Annotated

import typer

from pbem.cli.replies import show_asks
from pbem.cli.terminal import CannotDo, LogOption, SideOption, named_side, now, open_log, say
from pbem.wording.situation import headline


def undo(
    log: LogOption,
    line: Annotated[int, typer.Option("--line", help="Go back to the end of this line.", show_default=False)],
    side: Annotated[str, typer.Option("--side", help="The side that takes back.")] = "",
    moderator: Annotated[bool, typer.Option("--moderator", help="Go back past a die, too.")] = False,
) -> None:
    """Go back to the end of a line; nothing is deleted, the log gains a line that says so.

    Never past a die, somebody else's answer or something revealed, unless the moderator does it.

    Example: pbem undo --log first.jsonl --line 4 --side soviet
    """
    campaign = open_log(log)
    if not side and not moderator:
        raise CannotDo("say who takes back: --side SIDE or --moderator")
    if not 0 <= line < campaign.count - 1:
        raise CannotDo(f"line {line} is not before the last line, which is {campaign.count - 1}")
    by = "moderator" if moderator else named_side(campaign.game, side)
    reply = campaign.undo(line, by=by, at=now())
    say(f"Back at the end of line {line}: {headline(campaign.game, campaign.position)}.")
    for owner, lines in reply.taken_out.items():
        for text in lines:
            say(f"Handed back to {owner}: {text}")
    show_asks(campaign)


def withdraw(log: LogOption, side: SideOption) -> None:
    """Take a side's waiting lines out of its drawer.

    Example: pbem withdraw --log first.jsonl --side soviet
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    taken = campaign.withdraw(speaker)
    say(f"{len(taken)} lines of {speaker} withdrawn." if taken else f"Nothing of {speaker} was waiting.")
    for text in taken:
        say(f"  {text}")
