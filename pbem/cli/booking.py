"""The campaign book, written as files."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.campaign_book.book_page import book_page
from pbem.campaign_book.book_pdf import NotPrinted, print_pdf
from pbem.campaign_book.people import beside, read_people
from pbem.cli.logs import AsSeenBy, LogFileName, read_log
from pbem.cli.replaying import readers_copy
from pbem.cli.terminal import CannotDo, existing, named_side, progress, say

BookFolder = Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Where to put it.", show_default=False)]
PeopleFile = Annotated[Path | None, typer.Option("--people", help="Who played, and their press; people.json.")]
Pdf = Annotated[bool, typer.Option("--pdf/--no-pdf", help="A PDF too, if Chromium is there.")]


def book(file: LogFileName, out: BookFolder, side: AsSeenBy = "", people: PeopleFile = None, pdf: Pdf = True) -> None:
    """Write the campaign book: one page to keep and print, turn by turn, with maps, battles, charts and the dice.

    While the game runs it tells what --side may know, or what is open to all; when it is over, everything. Names and
    press are taken from people.json beside the log, which the post office writes, or from --people.

    Example: pbem book first.jsonl -o book
    """
    if out.exists() and not out.is_dir():
        raise CannotDo(f"{out} is a file, not a folder")
    lines, game = read_log(file)
    told = beside(file) if people is None else read_people(existing(people))
    copy = readers_copy(file, lines, None, named_side(game, side) if side else None)
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
