"""The order board of a game in a log, for who sits at the machine."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.terminal import CannotDo, LogOption, file_to_write, named_side, open_log, say
from pbem.order_board.board_page import Occasion, board_page, questions_of


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
