"""Mail that needs a hand: set aside, failed, lost; and passwords of the embedded server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from pbem.cli import acting as m
from pbem.moderator import mailbox_accounts, sorting


def shunted(context: typer.Context) -> None:
    """List the mail that was set aside, and letters that could not be delivered.

    Example: pbem game shunted
    """
    with m.moderating(context) as act:
        sorting.shunted(act)


def retry(
    context: typer.Context,
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="As `shunted` lists it, or all.")],
) -> None:
    """Deal with a mail that was set aside once more, or send a letter that failed once more.

    Example: pbem game retry all
    """
    with m.moderating(context) as act:
        sorting.retry(act, number)


def resend(
    context: typer.Context,
    game: m.GameId,
    side: Annotated[str, typer.Argument(metavar="[SIDE]", help="To one side; to all by itself.")] = "",
    line: Annotated[
        int | None, typer.Option("--line", help="The report on this line; the last letter by itself.")
    ] = None,
) -> None:
    """Send the last letter, or the report on a line, once more.

    Example: pbem game resend ID german
    """
    with m.moderating(context) as act:
        sorting.resend(act, game, side, line)


def mailbox(
    context: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Whose password is lost.")],
) -> None:
    """Give a mailbox on the embedded server a new password.

    Example: pbem game mailbox vatutin@front.example
    """
    with m.moderating(context) as act:
        mailbox_accounts.new_password(act, address)


VERBS: tuple[Callable[..., Any], ...] = (shunted, retry, resend, mailbox)
