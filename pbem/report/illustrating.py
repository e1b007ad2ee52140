"""The three pictures of a report: the fighting, the map at mail width, the map at full size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine import facts as f
from pbem.pictures import pictures as painted
from pbem.pictures.shapes import Picture
from pbem.report.making import Moment
from pbem.report.report import LetterPicture
from pbem.wording.situation import headline
from pbem.wording.words import fight_line


@dataclass(frozen=True)
class Illustration:
    """A picture as the report speaks of it, and its bytes."""

    picture: LetterPicture
    png: bytes


def illustrate(
    now: Moment, facts: Sequence[f.Fact], source: Callable[[str], str] = "{}".format
) -> Iterator[Illustration]:
    """The pictures of a report; `source` says where a mail finds the file of that name. Raises BadLook."""
    table, side = now.table, now.side
    fought = painted.fighting(table, side, facts)
    if fought is not None:
        battles = [fight_line(now.game, fact) for fact in facts if isinstance(fact, f.Fought)]
        caption = "Where it was fought" if battles else "Where units moved"
        yield _drawn(fought, source("fighting.png"), "fighting", "; ".join(battles) or caption, caption)
    said = f"{_count(now)} on the whole map, {headline(now.game, now.seen)}"
    yield _drawn(painted.whole_map(table, side, facts), source("map.png"), "map", said, "The whole map")
    full = painted.whole_map(table, side, facts, 0)
    yield _drawn(full, source("map-full.png"), "map-full", "the whole map, full size", "Full size", attached=True)


def _drawn(picture: Picture, source: str, name: str, alt: str, caption: str, attached: bool = False) -> Illustration:
    wide, high = round(picture.width * picture.scale), round(picture.height * picture.scale)
    return Illustration(LetterPicture(name, source, alt, caption, wide, high, attached), painted.png(picture))


def _count(now: Moment) -> str:
    counted = [f"{sum(1 for _ in now.seen.on_map(side))} {side}" for side in now.game.sides]
    return f"{' and '.join(counted)} units"
