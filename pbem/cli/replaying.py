"""A campaign again: the position as text, a page that plays it, a film for the mail, a book to print and keep."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from engine.campaign import NoSecret
from engine.campaign import replay as fold
from engine.log import Line
from engine.log.chain import revealed
from engine.view import view
from pbem.campaign_book.book_page import book_page
from pbem.campaign_book.book_pdf import NotPrinted, print_pdf
from pbem.campaign_book.people import beside, read_people
from pbem.cli.logs import AsSeenBy, LogFileName, log_secret, read_log, reader_of
from pbem.cli.terminal import existing, file_to_write, folder_to_write, named_side, progress, say
from pbem.replay.copies import Copy, copy_for
from pbem.replay.film import film
from pbem.replay.page import page
from pbem.report.making import upto
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
    told = upto(lines, at)
    reader = named_side(game, side) if side else None
    if out is None and to is None:
        reader = reader_of(lines, game, side)
        position = fold(told, game)
        say(situation(game, view(position, reader) if reader else position))
        return
    for path in filter(None, (out, to)):
        file_to_write(path)
    copy = readers_copy(file, lines, told, reader)
    if out is not None:
        out.write_text(page(game, copy), encoding="utf-8")
        say(f"{out}: open it in a browser.")
    if to is not None:
        to.write_bytes(film(game, copy))
        say(str(to))


def readers_copy(file: Path, lines: Sequence[Line], told: Sequence[Line], reader: str | None) -> Copy:
    secret = revealed(lines) or log_secret(file)
    if secret is None:
        raise NoSecret(file.name)
    return copy_for(told, reader, secret)


BookFolder = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Where to put it.", show_default=False)]
PeopleFile = Annotated[Path | None, typer.Option("--people", help="Who played, and their press; people.json.")]
Pdf = Annotated[bool, typer.Option("--pdf/--no-pdf", help="A PDF too, if Chromium is there.")]


def book(file: LogFileName, out: BookFolder, side: AsSeenBy = "", people: PeopleFile = None, pdf: Pdf = True) -> None:
    """Write the campaign book: one page to keep and print, turn by turn, with maps, battles, charts and the dice.

    While the game runs it tells what --side may know, or what is open to all; when it is over, everything. Names and
    press are taken from people.json beside the log, which the post office writes, or from --people.

    Example: pbem book first.jsonl -o book
    """
    folder_to_write(out)
    lines, game = read_log(file)
    told = beside(file) if people is None else read_people(existing(people))
    copy = readers_copy(file, lines, lines, named_side(game, side) if side else None)
    with progress("the book") as bar:
        page = book_page(game, copy, told, bar)
    out.mkdir(parents=True, exist_ok=True)
    written = out / "book.html"
    written.write_text(page, encoding="utf-8")
    say(str(written))
    if pdf:
        try:
            print_pdf(written, out / "book.pdf")
            say(str(out / "book.pdf"))
        except NotPrinted as problem:
            typer.echo(f"{problem}.", err=True)
