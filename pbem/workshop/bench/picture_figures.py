"""How fast pictures, reports and the replay page are made."""

from dataclasses import replace

from engine import facts as f
from engine.campaign import replay
from engine.log import items
from engine.table import Table
from pbem.pictures import pictures
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of
from pbem.report.printing import as_html, as_text
from pbem.tale.entries import facts_of, tale
from pbem.workshop.bench.played import Figures, Played, best, facts_in, ms


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
        ("map_png_ms", ms(mail), f"the whole map at mail width as PNG, {units} counters, warm"),
        ("map_png_kb", round(len(whole) / 1024, 1), "the same picture, its size"),
        ("map_full_png_ms", ms(full), "the whole map at full size as PNG, warm"),
    ]
    hexes = [fact.targets[0] for fact in facts if isinstance(fact, f.Fought)][:1]
    around = _near(played, hexes[0]) if hexes else []
    if around:
        crop = best(lambda: pictures.png(pictures.crop(table, side, around, facts)))
        found.append(("crop_png_ms", ms(crop), f"a picture cropped around the attack on {hexes[0]}, warm"))
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
    return [("report_ms", ms(best(whole)), f"a whole report of line {cut - 1}: three pictures, HTML and text, warm")]


def _page(played: Played) -> Figures:
    copy = copy_for(played.lines, None, played.secret)
    made = page(played.game, copy)
    took = best(lambda: page(played.game, copy))
    facts = facts_in(played.lines)
    return [
        ("page_facts_per_s", round(facts / took), f"the replay page of the whole campaign, {facts} facts"),
        ("page_kb", round(len(made.encode()) / 1024), "the same page, its size"),
    ]


MEASURES = (_pictures, _report, _page)
