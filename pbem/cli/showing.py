"""A game shown: its map, its order board, the campaign as a page, a film or a book, reports and reference pages."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

import games
from engine.campaign import NoSecret
from engine.campaign import replay as fold
from engine.game import Game
from engine.hexes import Hex, NoSuchHex
from engine.log import Line
from engine.log.chain import revealed
from engine.referee import Differs
from engine.table import Table
from engine.view import view
from pbem.campaign_book.book_page import book_page
from pbem.campaign_book.book_pdf import NotPrinted, print_pdf
from pbem.campaign_book.people import beside, read_people
from pbem.cli.logs import log_secret, read_log, reader_of
from pbem.cli.terminal import (
    CannotDo,
    chosen_game,
    existing,
    file_to_write,
    folder_to_write,
    named_side,
    open_log,
    progress,
    say,
)
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.pictures.pictures import crop as part
from pbem.pictures.pictures import empty_board, png, whole_map
from pbem.pictures.pictures import svg as as_svg
from pbem.pictures.shapes import Picture
from pbem.replay.copies import Copy, copy_for
from pbem.replay.film import film
from pbem.replay.page import page
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of, upto
from pbem.report.printing import as_html, as_text, reference_page
from pbem.tale.deeds import lately
from pbem.tale.entries import EVERYTHING, entries, facts_of
from pbem.wording.situation import situation

WIDEST = 6000  # pixels


def map(  # noqa: A001 - the verb people type
    out: Path,
    game: str = "",
    log: Path | None = None,
    at: int | None = None,
    side: str = "",
    crop: str = "",
    svg: bool = False,
    width: int = 0,
    scenario: str = "",
) -> None:
    """Draw the map: of a game after a line, with what happened in that phase, or the empty board of a rulebook.

    Example: pbem map GAME -o board.png

    Example: pbem map --log first.jsonl --side red --crop 0203,0405 -o front.png
    """
    if bool(game) == (log is not None):
        raise CannotDo("name a rulebook for its empty board, or give --log FILE for a game, one of the two")
    file_to_write(out)
    picture = _board(game, scenario, crop, width) if log is None else _game(log, at, side, crop, width)
    data = as_svg(picture).encode() if svg else png(picture)
    out.write_bytes(data)
    size = f"{round(picture.width * picture.scale)} x {round(picture.height * picture.scale)}"
    say(f"{out}: {size}, {len(data) / 1000:,.0f} KB.")


def _board(game: str, scenario: str, crop: str, width: int) -> Picture:
    chosen = chosen_game(game, scenario, None)
    if not crop:
        return empty_board(chosen, width)
    table = Table(chosen, chosen.new_position())
    return part(table, None, read_hexes(chosen, crop), (), width or WIDEST)


def _game(log: Path, at: int | None, side: str, crop: str, width: int) -> Picture:
    lines, game = read_log(log)
    reader, told = reader_of(lines, game, side), upto(lines, at)
    facts = lately(facts_of(entries(told, EVERYTHING)))
    table = Table(game, fold(told, game))
    if crop:
        return part(table, reader, read_hexes(game, crop), facts, width or WIDEST)
    return whole_map(table, reader, facts, width)


def read_hexes(game: Game, text: str) -> list[Hex]:
    """Hexes and places, between commas or blanks. Raises NoSuchHex, CannotDo."""
    words = [word.strip() for word in text.replace(";", ",").split(",") if word.strip()]
    found: list[Hex] = []
    for word in words:
        number = game.place_names.get(word.casefold())
        for one in [number] if number else word.split():
            if not game.shown.land >> game.board.grid.hex(one) & 1:
                raise NoSuchHex(one)
            found.append(game.board.grid.hex(one))
    if not found:
        raise CannotDo("name the hexes to show after --crop, as in 0203,0405")
    return found


def board(log: Path, out: Path, side: str = "", plain: bool = False) -> None:
    """Write the order board: a page on which orders are found by tapping, and written as text.

    Example: pbem board --log first.jsonl -o orders.html
    """
    campaign = open_log(log)
    file_to_write(out)
    whose = named_side(campaign.game, side) if side else ""
    asks = [ask for ask in campaign.asks if ask.top and whose in ("", ask.side)]
    open_ = [ask for ask in asks if campaign.drawer.sealed(ask.key) is None]
    if not open_:
        raise CannotDo(f"no orders are asked of {whose or 'anybody'} now, so that there is nothing for a board")
    if not whose and len({ask.side for ask in open_}) > 1:
        raise CannotDo(f"{' and '.join(ask.side for ask in open_)} are asked at once: say whose board with --side")
    ask = open_[0]
    seen = campaign.referee.table.seen_by(ask.side)
    questions = questions_of(campaign.drawer.prospects(seen, ask.side))
    page = board_page(Occasion(seen, ask, questions=questions), packed=not plain)
    out.write_text(page, encoding="ascii")
    say(f"{out}: the order board of {ask.side}, {len(page) / 1000:,.0f} KB. Open it in a browser.")


def replay(file: Path, at: int | None = None, side: str = "", out: Path | None = None, to: Path | None = None) -> None:
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


def book(file: Path, out: Path, side: str = "", people: Path | None = None, pdf: bool = True) -> None:
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


def report(
    log: Path, side: str, out: Path, line: int | None = None, since: int | None = None, deadline: str = ""
) -> None:
    """Write a side's report of a line as files: HTML, its plain twin, and the pictures.

    Example: pbem report --log first.jsonl --line 5 --side red -o report
    """
    lines, game = read_log(log)
    reader = named_side(game, side)
    folder_to_write(out)
    try:
        told = upto(lines, line)
        now = moment(told, game, reader)
        made = make_report(span_of(told, since), now, deadline=deadline)
        drawn = list(illustrate(now, made))
    except Differs as problem:
        raise CannotDo(f"these rules do not lead where {log} goes: {problem}") from None
    made = replace(made, pictures=tuple(picture for picture, _ in drawn))
    files = {"report.html": as_html(made).encode(), "report.txt": as_text(made).encode()}
    out.mkdir(parents=True, exist_ok=True)
    for name, data in {**files, **{picture.source: image for picture, image in drawn}}.items():
        (out / name).write_bytes(data)
        say(str(out / name))


def reference(game: str, out: Path, scenario: str = "") -> None:
    """Write the reference pages of a game: orders, charts and marks, as Markdown and as plain text.

    Example: pbem reference GAME -o docs/reference
    """
    book = games.rulebook(game)
    played = book.game(scenario)
    folder_to_write(out)
    out.mkdir(parents=True, exist_ok=True)
    for kind in ("md", "txt"):
        path = out / f"{book.id}.{kind}"
        path.write_text(reference_page(kind, book, played), encoding="utf-8")
        say(str(path))
