"""Pictures of the map: of a game as it stands, of a part of it, of the empty board; and the order board."""

from pathlib import Path
from typing import Annotated

import typer

from engine.campaign import replay as fold
from engine.game import Game
from engine.hexes import Hex, NoSuchHex
from engine.table import Table
from pbem.cli.logs import read_log, reader_of
from pbem.cli.terminal import CannotDo, LogOption, ScenarioOption, chosen_game, file_to_write, named_side, open_log, say
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.pictures.pictures import crop as part
from pbem.pictures.pictures import empty_board, png, whole_map
from pbem.pictures.pictures import svg as as_svg
from pbem.pictures.shapes import Picture
from pbem.report.making import upto
from pbem.tale.deeds import lately
from pbem.tale.entries import EVERYTHING, entries, facts_of

WIDEST = 6000  # pixels


def map(  # noqa: A001 - the verb people type
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The file to write.", show_default=False)],
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A rulebook: its empty board.")] = "",
    log: Annotated[Path | None, typer.Option("--log", help="The log of a game.", show_default=False)] = None,
    at: Annotated[int | None, typer.Option("--at", metavar="LINE", help="After this line; the last one.")] = None,
    side: Annotated[str, typer.Option("--side", help="Only what this side may know.")] = "",
    crop: Annotated[str, typer.Option("--crop", metavar="HEXES", help="Only around these hexes or places.")] = "",
    svg: Annotated[bool, typer.Option("--svg", help="Write SVG instead of PNG.")] = False,
    width: Annotated[int, typer.Option("--width", help="Pixels across; full size by itself.", min=0, max=WIDEST)] = 0,
    scenario: ScenarioOption = "",
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


def board(
    log: LogOption,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The file to write.", show_default=False)],
    side: Annotated[str, typer.Option("--side", help="Whose; by itself that of the side that is asked.")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Readable as text, and larger.")] = False,
) -> None:
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
