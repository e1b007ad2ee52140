"""How fast pictures, reports, the replay page and the order board are made, and what they weigh."""

from collections.abc import Iterator
from dataclasses import replace

from engine import facts as f
from engine.asks import Ask
from engine.campaign import replay
from engine.dice import Dice
from engine.drawer import Drawer
from engine.log import items
from engine.referee import Referee
from engine.table import Table
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.pictures import pictures
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of
from pbem.report.printing import as_html, as_text
from pbem.tale.entries import facts_of, tale
from pbem.workshop.bench.goals import Figures, figure
from pbem.workshop.bench.played import Played, best, ms

SAMPLE = 12  # places of the campaign that boards are made for


def _busiest(played: Played) -> int:
    """The line with the most fighting in the first half, when most counters are on the map."""
    half = played.lines[: len(played.lines) // 2]
    return max(range(len(half)), key=lambda n: sum(item.body.get("fact") == "Fought" for item in items(half[n])))


def _pictures(played: Played) -> Figures:
    cut = _busiest(played) + 1
    table = Table(played.game, replay(played.lines[:cut], played.game))
    side = played.game.setting.chairs[0]
    facts = facts_of(tale(span_of(played.lines[:cut]), side).entries)
    whole = pictures.png(pictures.whole_map(table, side, facts))
    pictures.png(pictures.whole_map(table, side, facts, 0))
    units = sum(1 for _ in table.position.on_map())
    mail = best(lambda: pictures.png(pictures.whole_map(table, side, facts)))
    full = best(lambda: pictures.png(pictures.whole_map(table, side, facts, 0)))
    found = [
        figure("map_png_ms", ms(mail), units=units),
        figure("map_png_kb", round(len(whole) / 1024, 1)),
        figure("map_full_png_ms", ms(full)),
    ]
    hexes = [fact.targets[0] for fact in facts if isinstance(fact, f.Fought)][:1]
    around = _near(played, hexes[0]) if hexes else []
    if around:
        crop = best(lambda: pictures.png(pictures.crop(table, side, around, facts)))
        found.append(figure("crop_png_ms", ms(crop), spot=hexes[0]))
    return found


def _near(played: Played, spot: str) -> list[int]:
    grid = played.game.board.grid
    middle = grid.hex(spot)
    return [middle, *(h for h in grid.neighbours(middle) if played.game.board.land >> h & 1)]


def _report(played: Played) -> Figures:
    cut = _busiest(played) + 1
    lines, side = played.lines[:cut], played.game.setting.chairs[0]

    def whole() -> None:
        now = moment(lines, played.game, side)
        report = make_report(span_of(lines), now)
        report = replace(report, pictures=tuple(picture for picture, _ in illustrate(now, report)))
        as_html(report), as_text(report)

    whole()
    return [figure("report_ms", ms(best(whole)), line=cut - 1)]


def _page(played: Played) -> Figures:
    copy = copy_for(played.lines, None, played.secret)
    made = page(played.game, copy)
    took = best(lambda: page(played.game, copy))
    return [
        figure("page_facts_per_s", round(played.facts / took), facts=played.facts),
        figure("page_kb", round(len(made.encode()) / 1024)),
    ]


def board(played: Played) -> Figures:
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
        figure("board_ms", ms(took), key=key, boards=len(made)),
        figure("board_kb", round(largest / 1024, 1)),
    ]


def _asked(played: Played) -> Iterator[tuple[Table, Ask]]:
    """What is asked at top asks, and the table as who is asked sees it."""
    cuts = range(1, len(played.lines))
    for cut in cuts[:: max(1, len(cuts) // SAMPLE)]:
        position = replay(played.lines[:cut], played.game)
        referee = Referee(played.game, position, Dice(played.secret, played.game.rulebook, {}))
        referee.start()
        yield from ((referee.table.seen_by(ask.side), ask) for ask in referee.asks[:1] if ask.top)


MEASURES = (_pictures, _report, _page)
