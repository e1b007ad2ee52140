"""Files put into a letter: the report in full, the pictures of its fights, the map, a map on its own."""

from collections.abc import Sequence

from engine.hexes import Hex
from engine.table import Table
from pbem.house.room import Room
from pbem.letters import REPORT, Enclosure, Letter
from pbem.pictures import pictures as painted
from pbem.report.dispatch import Dispatch
from pbem.report.illustrating import illustrate_letter
from pbem.report.making import Moment
from pbem.report.printing import as_text
from pbem.report.report import LetterPicture, Report
from pbem.store import Player

PNG = "image/png"
NONE, SMALL, ALL = "none", "small", "all"  # what the moderator may say of the pictures of a game
_WISHES = {"off": NONE, "small": SMALL}
REACH = 680  # pixels across a picture of where a stack may go
NEAR = 6  # hexes from the stack that it shows at most


def pictures_for(room: Room, player: Player | None) -> str:
    """What a reader gets of pictures: the least of what his game and he himself want."""
    by_game, own = room.game.settings.get("pictures"), _WISHES.get(player.pictures) if player is not None else None
    return next((less for less in (NONE, SMALL) if less in (by_game, own)), ALL)


def illustrated(
    report: Report, told: Dispatch, now: Moment, game: str, *, wanted: str, map_sent: str = ""
) -> tuple[Dispatch, list[Enclosure]]:
    """A dispatch with its pictures, and their files."""
    if wanted == NONE:
        return told, []
    told, drawn = illustrate_letter(
        now, report, told, lambda name: f"cid:{_source(name, game, report.line)}",
        map_sent=map_sent, small=wanted == SMALL,
    )  # fmt: skip
    files = [
        Enclosure(f"{one.picture.name}.png", PNG, one.png, one.picture.source.removeprefix("cid:")) for one in drawn
    ]
    return told, files


def enclose_report(letter: Letter) -> None:
    """All that the letter leaves out: the reader's orders line by line, and the complete report."""
    whole = as_text(letter.report, letter.echo) if letter.report is not None else _echoed(letter.echo)
    if whole:
        letter.enclosures.append(Enclosure(REPORT, "text/plain", whole.encode()))


def _echoed(echo: Sequence[str]) -> str:
    return "\n".join(["Your orders", "-----------", *(f"  {line}" for line in echo)]) + "\n" if echo else ""


def map_of(table: Table, side: str, hexes: Sequence[Hex], game: str, line: int) -> tuple[LetterPicture, Enclosure]:
    """The map as a side sees it, or the part of it around some hexes."""
    drawing = painted.crop(table, side, hexes) if hexes else painted.whole_map(table, side)
    source = _source("map-asked.png", game, line)
    wide, high = round(drawing.width * drawing.scale), round(drawing.height * drawing.scale)
    caption = "The part you asked for" if hexes else "The whole map"
    picture = LetterPicture("map-asked", f"cid:{source}", caption, caption, wide, high)
    return picture, Enclosure("map-asked.png", PNG, painted.png(drawing), source)


def full_map(table: Table, side: str) -> Enclosure:
    """The map at full size, to lie beside the letter."""
    return Enclosure("map-full.png", PNG, painted.png(painted.whole_map(table, side, width=0)))


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
