"""A new rulebook on the shelf."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.terminal import say
from pbem.workshop.new_game import new_game as write


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The folder's name: small letters, digits, underscores.")],
) -> None:
    """Begin a rulebook in `games` of the current folder: every file it needs, playable as it is.

    In a copy of the source it gets its first tests, too.

    Example: pbem new-game NAME
    """
    for path in write(name, Path()):
        say(path.as_posix())
    say()
    say(f"Now play it, here: pbem play {name} --bots random --log {name}.jsonl")
    say(f"Then write its pages: pbem reference {name} -o docs/reference")
