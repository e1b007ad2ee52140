"""The book of a campaign: a cover, a chapter for each turn, what it cost, and the proof of its dice."""

import base64
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any

from markupsafe import Markup
from PIL import Image

from engine import facts as f
from engine.game import Game
from engine.hexes import Hex
from engine.log import ALL
from engine.log.chain import revealed
from engine.position import ELIMINATED, Position
from engine.table import Table
from pbem.campaign_book.book_charts import ChartLine, bar_chart, line_chart
from pbem.campaign_book.chapters import Clash, TurnChapter, chapters, decisive, heaviest
from pbem.campaign_book.people import NOBODY, People, PressPiece
from pbem.pictures.look import Look, look_of
from pbem.pictures.pictures import fighting, whole_map
from pbem.pictures.pillow_painter import paint, saved
from pbem.pictures.shapes import Picture
from pbem.replay.copies import Copy
from pbem.report.printing import paper
from pbem.tale.entries import EVERYTHING, Entry, facts_of
from pbem.tale.marches import BY_COMBAT
from pbem.wording.naming import in_groups
from pbem.wording.words import capital, decided, fight_title, how_many, place, plural, said, steps

MAP = 820  # pixels across
FIGHT = 560
COLOURS = 64
PICTURED = 10  # battles that have a picture, in the whole book
TOLD = 4  # battles of a turn that are told at length
MOST_SENTENCES = 6  # of what came of one
# Of what came of a battle: marks and tracks are for the report, sightings are no news when all lies open.
UNTOLD = (
    f.Marked, f.Counted, f.Pooled, f.Drew, f.StageBegan, f.GameEnded, f.Sighted, f.LostSight, f.Doubted,
)  # fmt: skip

Told = Callable[[int, int], None]


class NothingToTell(ValueError):
    """A log in which the first turn has not begun."""

    def __init__(self) -> None:
        super().__init__("its first turn has not begun, so that there is nothing to tell yet")


def book_page(game: Game, copy: Copy, people: People = NOBODY, told: Told = lambda done, of: None) -> str:
    """The book as one HTML page that prints well. Raises NothingToTell, BadLook, NoWayBack."""
    entries = list(copy.entries())
    reader = EVERYTHING if copy.over else copy.reader
    parts = chapters(game, entries, reader)
    if not any(chapter.turn for chapter in parts):
        raise NothingToTell
    look, last = look_of(game), parts[-1].after
    binder = _Binder(game, look, people, decisive(parts, PICTURED, TOLD))
    turns = []
    for chapter in parts:  # the pictures take their time
        turns.append(binder.turn_page(chapter))
        told(len(turns), len(parts))
    printed = paper("html").get_template("book/book.html")
    return printed.render(
        css=Markup(paper("css").get_template("book/book.css").render()),
        title=game.title,
        subtitle=_subtitle(copy, reader, look),
        players=[(binder.name(side), _title(look, side)) for side in game.setting.chairs],
        ended=capital(last.ended) if last.ended else "",
        winner=_title(look, last.winner) if last.winner in game.sides else "",
        standing=list(game.standing(Table(game, last))),
        figures=_figures(game, parts, look),
        charts=_charts(game, parts, look),
        turns=turns,
        left=[(_title(look, side), ", ".join(last.on_map(side)) or "nobody") for side in game.sides],
        proof=_proof(copy, entries),
        over=copy.over,
    )


@dataclass
class _Binder:
    """Makes pages of chapters."""

    game: Game
    look: Look
    people: People
    pictured: set[int]

    def name(self, side: str) -> str:
        return self.people.names.get(side, "")

    def turn_page(self, chapter: TurnChapter) -> dict[str, Any]:
        """A turn as the book prints it; battles that are not told at length are only counted."""
        game, table = self.game, Table(self.game, chapter.after)
        summary = game.summary(table) if chapter.after.stage else ""
        chosen = sorted((c for c in heaviest(chapter.clashes, TOLD) if c.weight), key=lambda c: c.number)
        title = f"Turn {chapter.turn}" if chapter.turn else "Before the first turn"
        # A whole turn's marches would hide the counters: its map shows fights and ground.
        shown = [fact for fact in chapter.facts if not isinstance(fact, f.Moved) or fact.how in BY_COMBAT]
        drawn = whole_map(table, None, shown if chapter.turn else (), MAP)
        return {
            "title": title,
            "summary": capital(summary) if summary else "",  # where the campaign stood, if the game says so
            "rows": [*_rows(game, chapter, self.look)],
            "map": _plate(drawn, f"The map at the end of {title[0].lower()}{title[1:]}"),
            "battles": [self._battle(clash) for clash in chosen],
            "more": len(chapter.clashes) - len(chosen),
            "press": [self._press(piece) for piece in self.people.press if piece.turn == chapter.turn],
        }

    def _battle(self, clash: Clash) -> dict[str, Any]:
        """A battle told at length, in the colour of the side that attacked."""
        fought, game = clash.battle.fought, self.game
        told = (x for x in facts_of(clash.battle.after) if not (game.keeps_quiet(x) or isinstance(x, UNTOLD)))
        title, pictured = fight_title(game, fought), clash.number in self.pictured
        drawn = fighting(Table(game, clash.after), None, clash.facts, FIGHT) if pictured else None
        side = game.setting.roster.get(fought.attackers[0]).side if fought.attackers else ""
        return {
            "number": clash.number,
            "title": title,
            "fought": fought,
            "decided": decided(fought),
            "came_of_it": [one.text for one in said(game, told)][:MOST_SENTENCES],
            "picture": _plate(drawn, title) if drawn is not None else None,
            "colour": self._colour(side),
        }

    def _press(self, piece: PressPiece) -> tuple[str, str, tuple[str, ...]]:
        name, side = self.name(piece.side), _title(self.look, piece.side)
        return f"{name} ({side})" if name else side, self._colour(piece.side), tuple(piece.text.splitlines())

    def _colour(self, side: str) -> str:
        return self.look.sides[side].deep if side in self.look.sides else "#6a6455"


def _title(look: Look, side: str) -> str:
    """A side as a sentence begins with it."""
    name = look.sides[side].name if side in look.sides else side
    return name[:1].upper() + name[1:]


def _rows(game: Game, chapter: TurnChapter, look: Look) -> Iterator[tuple[str, str]]:
    """A turn in a few lines: what was fought, lost and taken, who came."""
    if not chapter.turn:
        return
    if fought := how_many(clash.battle.fought.kind for clash in chapter.clashes):
        yield "Fought", ", ".join(fought)
    for side in game.sides:
        gone = [unit for unit in chapter.fallen if game.setting.roster.get(unit).side == side]
        lost = [steps(chapter.lost[side])] if chapter.lost.get(side) else []
        lost += [f"destroyed: {', '.join(gone)}"] if gone else []
        if lost:
            yield f"{_title(look, side)} losses", "; ".join(lost)
    for side, hexes in _taken(game, chapter).items():
        yield f"{_title(look, side)} took", ", ".join(hexes)
    for side in game.sides:
        came = [unit for unit in chapter.arrived if game.setting.roster.get(unit).side == side]
        if came:
            yield f"{_title(look, side)} arrivals", ", ".join(came)
    if chapter.score:
        yield "Points", ", ".join(f"{_title(look, side)} {number}" for side, number in chapter.score.items())


def _taken(game: Game, chapter: TurnChapter) -> dict[str, list[str]]:
    """Named places that another side holds at the end of the turn than at its beginning."""
    found: dict[str, list[str]] = {}
    for h in game.shown.places:
        number = game.board.grid.number_of(h)
        before, after = _holder(chapter.before, h, number), _holder(chapter.after, h, number)
        if after and before and after != before:
            found.setdefault(after, []).append(place(game, number))
    return found


def _holder(position: Position, h: Hex, number: str) -> str:
    if number in position.owners:
        return position.owners[number]
    return next((side for side in position.setting.sides if position.held(side) >> h & 1), "")


def _figures(game: Game, parts: Sequence[TurnChapter], look: Look) -> list[tuple[str, str]]:
    """The whole campaign in figures."""
    turns, battles = sum(1 for chapter in parts if chapter.turn), sum(len(chapter.clashes) for chapter in parts)
    found = [("Turns played", str(turns)), ("Battles", str(battles))]
    for side in game.sides:
        lost = sum(chapter.lost.get(side, 0) for chapter in parts)
        gone = sum(game.setting.roster.get(unit).side == side for unit in parts[-1].after.in_box(ELIMINATED))
        found.append((f"{_title(look, side)} losses", f"{steps(lost)}, {gone} {plural('unit', gone)} destroyed"))
    return found


def _charts(game: Game, parts: Sequence[TurnChapter], look: Look) -> list[tuple[str, Markup]]:
    """How losses, and points where the game counts any, went turn by turn."""
    losses = {side: [*accumulate(chapter.lost.get(side, 0) for chapter in parts)] for side in game.sides}
    scored = [chapter for chapter in parts if chapter.score]
    points = {side: [chapter.score.get(side, 0) for chapter in scored] for side in game.sides}
    points = {side: values for side, values in points.items() if any(values)}
    drawn = [("Steps lost", "by", parts, losses)]
    drawn += [("Points", "of", scored, points)] if len(scored) > 1 and points else []
    found = []
    for what, whose, told, values in drawn:
        lines = [ChartLine(_title(look, side), look.sides[side].deep, course) for side, course in values.items()]
        chart = line_chart([chapter.turn for chapter in told], lines, f"{what} {whose} each side, turn by turn")
        found.append((f"{what}, turn by turn", chart))
    return found


def _subtitle(copy: Copy, reader: str, look: Look) -> str:
    days = [line["at"] for line in copy.lines if line.get("at")]
    said = f"{_day(days[0])} to {_day(days[-1])}" if days else ""
    if not copy.over:
        whose = f"as {_title(look, reader)} knows it" if reader in look.sides else "as all may know it"
        return f"The campaign so far, {whose}" + (f"; {said}" if said else "")
    return said


def _day(at: str) -> str:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    return f"{moment.day} {moment:%B %Y}"


def _plate(picture: Picture, alt: str) -> dict[str, Any]:
    """A picture of the book; it stands in the page itself, so that the page can be kept alone."""
    image = paint(picture).quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    source = f"data:image/png;base64,{base64.b64encode(saved(image, optimize=True)).decode()}"
    return {"source": source, "alt": alt, "width": image.width, "height": image.height}


def _proof(copy: Copy, entries: Sequence[Entry]) -> dict[str, Any]:
    """What anybody needs to check the dice, and how they fell: a heading and a chart for each kind of die."""
    header, last = copy.lines[0], copy.lines[-1]
    secret = revealed(copy.lines) if copy.over else None
    rolls = [entry.item for entry in entries if entry.item.kind == "roll"]
    thrown: dict[int, Counter[int]] = {}
    for body in (item.body for item in rolls if item.audience == ALL):
        if "of" not in body and body.get("sides", 1) > 1:
            thrown.setdefault(body["sides"], Counter())[body["value"]] += 1
    return {
        "lines": len(copy.lines),
        "rolls": len(rolls),
        "rules": header["rules"],
        "commit": in_groups(header["commit"]),
        "secret": in_groups(secret.hex()) if secret is not None else "",
        "head": in_groups(last["hash"]),
        "nonces": header["nonces"].items(),
        "dice": [_thrown(sides, counts) for sides, counts in sorted(thrown.items())],
    }


def _thrown(sides: int, counts: Counter[int]) -> tuple[str, Markup]:
    number = sum(counts.values())
    faces = {str(face): counts[face] for face in range(1, sides + 1)}
    heading = f"A die of {sides}, thrown {number} times"
    return heading, bar_chart(faces, number / sides, f"{heading}: " + ", ".join(f"{k}: {v}" for k, v in faces.items()))
