"""How fast the order board is made, and what it weighs."""

from collections.abc import Iterator

from engine.asks import Ask
from engine.campaign import replay
from engine.dice import Dice
from engine.drawer import Drawer
from engine.referee import Referee
from engine.table import Table
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.workshop.bench.played import Figures, Played, best, ms

SAMPLE = 12  # places of the campaign that boards are made for


def _board(played: Played) -> Figures:
    """The board that takes longest of some, spread over the campaign."""
    made = []
    for table, ask in _asked(played):
        occasion = Occasion(table, ask, questions=questions_of(Drawer().prospects(table, ask.side)))
        size = len(board_page(occasion))
        made.append((best(lambda occasion=occasion: board_page(occasion)), size, ask.key))  # type: ignore[misc]
    if not made:
        return []
    took, _, key = max(made)
    largest = max(size for _, size, _ in made)
    return [
        ("board_ms", ms(took), f"the order board at {key}, the slowest of {len(made)} over the campaign, warm"),
        ("board_kb", round(largest / 1024, 1), "the largest of the same boards, packed"),
    ]


def _asked(played: Played) -> Iterator[tuple[Table, Ask]]:
    """What is asked at top asks, and the table as who is asked sees it."""
    cuts = range(1, len(played.lines))
    for cut in cuts[:: max(1, len(cuts) // SAMPLE)]:
        position = replay(played.lines[:cut], played.game)
        referee = Referee(played.game, position, Dice(played.secret, played.game.rulebook, {}))
        referee.start()
        yield from ((referee.table.seen_by(ask.side), ask) for ask in referee.asks[:1] if ask.top)


MEASURES = (_board,)
