"""The three pictures of a report: the fighting, the map at mail width, the map at full size."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.game import Game
from pbem.pictures import pictures as painted
from pbem.pictures.shapes import Picture
from pbem.report.making import Moment
from pbem.report.report import LetterPicture, Report
from pbem.tale.deeds import Battle
from pbem.wording.situation import headline
from pbem.wording.words import fight_line, steps


@dataclass(frozen=True)
class Illustration:
    """A picture as the report speaks of it, and its bytes."""

    picture: LetterPicture
    png: bytes


def illustrate(now: Moment, report: Report, source: Callable[[str], str] = "{}".format) -> Iterator[Illustration]:
    """The pictures of a report; `source` says where a mail finds the file of that name. Raises BadLook."""
    table, side, facts = now.table, now.side, report.facts
    fought = painted.fighting(table, side, facts)
    if fought is not None:
        battles = [_outcome(now.game, battle) for phase in report.phases for battle in phase.fought]
        caption = "Where it was fought" if battles else "Where units moved"
        yield _drawn(fought, source("fighting.png"), "fighting", ". ".join(battles) or caption, caption)
    said = f"{_count(now)} on the whole map, {headline(now.game, now.seen)}"
    yield _drawn(painted.whole_map(table, side, facts), source("map.png"), "map", said, "The whole map")
    full = painted.whole_map(table, side, facts, 0)
    yield _drawn(full, source("map-full.png"), "map-full", "the whole map, full size", "Full size", attached=True)


def _drawn(picture: Picture, source: str, name: str, alt: str, caption: str, attached: bool = False) -> Illustration:
    wide, high = round(picture.width * picture.scale), round(picture.height * picture.scale)
    return Illustration(LetterPicture(name, source, alt, caption, wide, high, attached), painted.png(picture))


def _outcome(game: Game, battle: Battle) -> str:
    """For whoever cannot see the picture: a battle and what came of it."""
    roster = game.setting.roster
    came = [f"{unit} lost {steps(lost)}" for unit, lost in battle.lost.items()]
    came += [f"{unit} fell" for unit in battle.fallen]
    came += [f"{', '.join(march.units)} fell back to {march.path[-1]}" for march in battle.fell_back(roster)]
    came += [f"{', '.join(march.units)} went in" for march in battle.went_in(roster)]
    return "; ".join([fight_line(game, battle.fought), *came])


def _count(now: Moment) -> str:
    counted = [f"{sum(1 for _ in now.seen.on_map(side))} {side}" for side in now.game.sides]
    return f"{' and '.join(counted)} units"
