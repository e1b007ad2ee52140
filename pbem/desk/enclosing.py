"""Pictures put into a letter: those of the report, and a map on its own."""

from collections.abc import Sequence

from engine.hexes import Hex
from engine.table import Table
from pbem.letters import Enclosure
from pbem.pictures import pictures as painted
from pbem.report.illustrating import illustrate
from pbem.report.making import Moment, with_pictures
from pbem.report.report import LetterPicture, Report

PNG = "image/png"
REACH = 680  # pixels across a picture of where a stack may go
NEAR = 6  # hexes from the stack that it shows at most


def illustrated(report: Report, now: Moment, game: str) -> tuple[Report, list[Enclosure]]:
    """A report with its pictures, and their files."""
    drawn = list(illustrate(now, report, lambda name: f"cid:{_source(name, game, report.line)}"))
    enclosures = [
        Enclosure(
            f"{one.picture.name}.png",
            PNG,
            one.png,
            "" if one.picture.attached else one.picture.source.removeprefix("cid:"),
        )
        for one in drawn
    ]
    return with_pictures(report, [one.picture for one in drawn]), enclosures


def map_of(table: Table, side: str, hexes: Sequence[Hex], game: str, line: int) -> tuple[LetterPicture, Enclosure]:
    """The map as a side sees it, or the part of it around some hexes."""
    drawing = painted.crop(table, side, hexes) if hexes else painted.whole_map(table, side)
    source = _source("map-asked.png", game, line)
    wide, high = round(drawing.width * drawing.scale), round(drawing.height * drawing.scale)
    caption = "The part you asked for" if hexes else "The whole map"
    picture = LetterPicture("map-asked", f"cid:{source}", caption, caption, wide, high)
    return picture, Enclosure("map-asked.png", PNG, painted.png(drawing), source)


def reach_of(
    table: Table, side: str, spot: Hex, places: Sequence[Hex], game: str, line: int
) -> tuple[LetterPicture, Enclosure]:
    """The map around a stack, with the hexes lit that it may be ordered to."""
    near = [spot, *(h for h in places if table.grid.distance(spot, h) <= NEAR)]
    drawing = painted.crop(table, side, near, width=REACH, lit=places)
    source = _source("reach.png", game, line)
    wide, high = round(drawing.width * drawing.scale), round(drawing.height * drawing.scale)
    words = f"Where {table.grid.number_of(spot)} may be ordered to, {len(places)} hexes in all"
    picture = LetterPicture("reach", f"cid:{source}", words, words, wide, high)
    return picture, Enclosure("reach.png", PNG, painted.png(drawing), source)


def _source(name: str, game: str, line: int) -> str:
    return f"{name.removesuffix('.png')}.{line}@{game}"
