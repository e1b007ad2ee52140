"""A new rulebook on the shelf."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import games
from pbem.cli.terminal import CannotDo, say
from pbem.workshop.new_game import BadName, NoSource
from pbem.workshop.new_game import new_game as write

ROOT = Path(games.__path__[0]).parent


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The folder's name: small letters, digits, underscores.")],
    root: Annotated[
        Path, typer.Option("--root", help="The copy of the source to write to.", show_default=False)
    ] = ROOT,
) -> None:
    """Begin a rulebook: a folder with every file it needs, playable as it is, and its first tests.

    Example: pbem new-game NAME
    """
    try:
        written = write(name, root)
    except (BadName, NoSource) as problem:
        raise CannotDo(str(problem)) from None
    for path in written:
        say(path.relative_to(root).as_posix())
    say()
    say(f"Now play it: pbem play {name} --bots random --log {name}.jsonl")
    say(f"Then write its pages: pbem reference {name} -o docs/reference")
