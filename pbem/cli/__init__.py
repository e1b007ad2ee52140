"""The command line: `pbem VERB`. One file for each small group of verbs; `app` is the whole of it."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from typing import Any

import typer

import games
from pbem.cli import (
    asking,
    back,
    benchmarks,
    init,
    library,
    logs,
    machines,
    maps,
    moderating,
    ordering,
    replaying,
    reports,
    serve,
    shelving,
    watch,
)
from pbem.cli.terminal import OneSentence

app = typer.Typer(
    cls=OneSentence,
    help="Fieldpost: a referee for hex-and-counter wargames. Start with `pbem games`.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Fieldpost: a referee for hex-and-counter wargames. Start with `pbem games`."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _help(verb: Callable[..., Any]) -> str:
    """A verb's docstring, its example on a rulebook that is really there."""
    first = next((module.name for module in pkgutil.iter_modules(games.__path__)), "GAME")
    return inspect.cleandoc(verb.__doc__ or "").replace("GAME", first)


for group in (
    library,
    shelving,
    ordering,
    asking,
    back,
    machines,
    logs,
    maps,
    replaying,
    reports,
    benchmarks,
    init,
    serve,
    watch,
):
    for verb in group.VERBS:
        app.command(verb.__name__.replace("_", "-"), help=_help(verb))(verb)

app.add_typer(moderating.app, name="game")
