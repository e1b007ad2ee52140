"""A campaign again: the position as text, a page that plays it, a film for the mail."""

from pathlib import Path
from typing import Annotated

import typer

from engine.campaign import NoSecret
from engine.campaign import replay as fold
from engine.game import Game
from engine.log import Line
from engine.log.chain import revealed
from engine.view import view
from pbem.cli.logs import AsSeenBy, LogFileName, log_secret, read_log, reader_of
from pbem.cli.terminal import CannotDo, named_side, say
from pbem.replay.copies import Copy, copy_for
from pbem.replay.film import film
from pbem.replay.page import page
from pbem.wording.situation import situation

AtLine = Annotated[int | None, typer.Option("--at", metavar="LINE", help="After this line; the last one.")]
PageFile = Annotated[Path | None, typer.Option("-o", "--out", metavar="PAGE", help="Write a page that plays it.")]
FilmFile = Annotated[Path | None, typer.Option("--film", metavar="WEBP", help="Write a film of it.")]


def replay(
    file: LogFileName, at: AtLine = None, side: AsSeenBy = "", out: PageFile = None, to: FilmFile = None
) -> None:
    """Show the position after a line as text, or write the campaign as a page that plays it, or as a film.

    While the game runs, page and film show what --side may know, or what is open to all; when it is over, everything.

    Example: pbem replay first.jsonl -o first.html
    """
    lines, game = read_log(file)
    if at is not None and not 0 <= at < len(lines):
        raise CannotDo(f"there is no line {at} in {file}; its lines are 0 to {len(lines) - 1}")
    reader = named_side(game, side) if side else None
    if out is None and to is None:
        reader = reader_of(lines, game, side)
        position = fold(lines, game, at)
        say(situation(game, view(position, reader) if reader else position))
        return
    for path in (out, to):
        if path is not None and not path.parent.is_dir():
            raise CannotDo(f"there is no folder {path.parent}")
    _write(game, readers_copy(file, lines, at, reader), out, to)


def readers_copy(file: Path, lines: list[Line], at: int | None, reader: str | None) -> Copy:
    secret = revealed(lines) or log_secret(file)
    if secret is None:
        raise NoSecret(file.name)
    return copy_for(lines if at is None else lines[: at + 1], reader, secret)


def _write(game: Game, copy: Copy, out: Path | None, to: Path | None) -> None:
    if out is not None:
        out.write_text(page(game, copy), encoding="utf-8")
        say(f"{out}: open it in a browser.")
    if to is not None:
        to.write_bytes(film(game, copy))
        say(str(to))
