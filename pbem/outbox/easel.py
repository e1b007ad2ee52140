"""What letters refer to is drawn when they are sent: from the line that they tell of, as their reader sees it there.

A sketch says what: the file's name, kind and source as the letter has them, and what to draw of which game, line, side.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlmodel import Session

from engine.campaign import Span
from engine.facts import StageBegan
from engine.game import Game
from engine.log import Line, as_written, items_in_force, packed
from engine.log.lines import readable_by
from engine.position import Position, apply
from engine.referee import Referee
from engine.table import Table
from pbem.campaign_book.book_page import book_page
from pbem.campaign_book.people import FILE, People
from pbem.house import House
from pbem.letters import Enclosure
from pbem.letters.filling import Drawn, Framed
from pbem.order_board.board_page import Occasion, board_page
from pbem.pictures import pictures as painted
from pbem.pictures.pictures import painted_once
from pbem.pictures.shapes import Picture
from pbem.replay.copies import copy_for
from pbem.replay.page import page
from pbem.report.dispatch import Dispatch, dispatch
from pbem.report.illustrating import letter_picture
from pbem.report.making import Moment, make_report, referee_after
from pbem.report.report import Report
from pbem.store import GameRow, MailOut
from pbem.store.database_troubles import trouble_of
from pbem.tale.entries import ONLOOKER

REACH = 680  # pixels across a picture of where a stack may go
NEAR = 6  # hexes from the stack that it shows at most
TOO_HEAVY = "too heavy"
SORRY = "Not all that belongs into this letter could be drawn; the moderator has been told. Missing:"

Sketch = Mapping[str, Any]


class AsOf:
    """A game as it stood after a line. By far the most letters tell of the last, and nothing is read back for them."""

    def __init__(self, house: House, session: Session, game: str, line: int) -> None:
        self._house, self._session, self.line = house, session, line
        self.campaign = house.campaign(session.get_one(GameRow, game), session)
        self.game: Game = self.campaign.game
        self._latest = line == self.campaign.count - 1
        self._id = game

    @cached_property
    def lines(self) -> list[Line]:
        return self.campaign.lines()[: self.line + 1]

    @cached_property
    def referee(self) -> Referee:
        return self.campaign.referee if self._latest else referee_after(self.lines, self.game)

    def told(self, tells: Mapping[str, Any]) -> tuple[Moment, Report, Dispatch]:
        """What a letter tells of the lines since another."""
        side, since = tells["side"], tells["since"]
        if side == ONLOOKER:
            now = Moment(self.game, side, self._open_to_all(tells.get("looker")), ())
        else:
            now = Moment(self.game, side, self.referee.table.seen_by(side).position, self.referee.asks)
        span = self.campaign.span(since, self.campaign.last) if self._latest else Span.of(self.lines, since)
        report = make_report(span, now)
        return now, report, dispatch(now, report)

    def _open_to_all(self, looker: int | None) -> Position:
        """As an onlooker's letter left it, or folded anew if he has had another since."""
        line = self.campaign.last if self._latest else self.lines[-1]
        kept = self._house.cabinet.state(self._session, self._id, f"onlooker-{looker}", line)
        return Position.from_json(self.game.setting, kept, ONLOOKER) if kept else known(self.game, self.lines, ONLOOKER)

    def people(self) -> People:
        return People.from_json(self._house.cabinet.paper(self._session, self._id, FILE).decode())


def known(game: Game, lines: Sequence[Line], side: str, turn: int | None = None) -> Position:
    """The position as somebody knows it by what he may read of a log, up to the end of a turn."""
    position = Position(game.setting, side)
    for _, item in items_in_force(lines):
        if item.kind == "fact" and readable_by(item.audience, side or None):
            if turn is not None and isinstance(item.fact, StageBegan) and item.fact.turn > turn:
                break
            apply(position, item.fact)
    return position


class Easel:
    """Draws what a letter needs, within a transaction that reads."""

    def __init__(self, house: House, session: Session) -> None:
        self._house, self._session = house, session
        self._stood: dict[tuple[str, int], AsOf] = {}
        self._told: tuple[Moment, Report, Dispatch] | None = None  # made once for all pictures of a report

    def finished(self, mail: MailOut, *, patient: bool = False) -> tuple[bytes, dict[str, str]]:
        """The mail as it goes out, and what is not in it and why; what goes wrong is raised, unless he is patient."""
        if not mail.pictures:
            return mail.raw, {}
        framed = Framed(mail.raw, [sketch["name"] for sketch in mail.pictures])
        drawn, missing = dict[str, Drawn](), dict[str, str]()
        for sketch in mail.pictures:
            try:
                data, width = self._draw(sketch)
            except Exception as problem:
                if not patient or trouble_of(problem) is not None:
                    raise
                missing[sketch["name"]] = repr(problem)
            else:
                file = Enclosure(sketch["name"], sketch["kind"], data, sketch["source"])
                drawn[file.name] = file, width
        kept = framed.lightened(drawn)
        raw = framed.filled(kept, f"{SORRY} {', '.join(missing)}." if missing else "")
        return raw, {**missing, **dict.fromkeys(drawn.keys() - kept.keys(), TOO_HEAVY)}

    def _draw(self, sketch: Sketch) -> tuple[bytes, int]:
        """A file, and how wide it is if it is a picture."""
        what = sketch["draw"]
        if what == "letter":
            sent = self._session.get_one(MailOut, sketch["letter"])
            return Easel(self._house, self._session).finished(sent, patient=True)[0], 0
        at = self._as_of(sketch["game"], sketch["line"])
        if what in FILES:
            return FILES[what](at, sketch), 0
        if what == "report":
            self._told = self._told or at.told(sketch)
            picture = letter_picture(*self._told, sketch["name"].removesuffix(".png"), small=sketch["small"])
            return painted_once(picture, at.game), picture.pixels[0]
        picture = PARTS[what](at, sketch)
        return painted.png(picture), picture.pixels[0]

    def _as_of(self, game: str, line: int) -> AsOf:
        if (game, line) not in self._stood:
            self._stood[game, line] = AsOf(self._house, self._session, game, line)
        return self._stood[game, line]


# Files that are no pictures.


def _log(at: AsOf, sketch: Sketch) -> bytes:
    return packed(at.lines) if sketch["name"].endswith(".gz") else as_written(at.lines)  # as an earlier version sent it


def _replay(at: AsOf, sketch: Sketch) -> bytes:
    return page(at.game, copy_for(at.lines, None, at.campaign.secret)).encode()


def _book(at: AsOf, sketch: Sketch) -> bytes:
    return book_page(at.game, copy_for(at.lines, None, at.campaign.secret), at.people()).encode()


def _board(at: AsOf, sketch: Sketch) -> bytes:
    side = sketch["side"]
    ask = next(ask for ask in at.referee.asks if ask.side == side)
    occasion = Occasion(at.referee.table.seen_by(side), ask, **sketch["occasion"])
    return board_page(occasion, packed=sketch["packed"]).encode("ascii")


FILES: Mapping[str, Callable[[AsOf, Sketch], bytes]] = {"log": _log, "replay": _replay, "book": _book, "board": _board}


# Maps that were asked for.


def _part(at: AsOf, sketch: Sketch) -> Picture:
    """The map as a side sees it, or the part of it around some hexes."""
    table, side = at.referee.table, sketch["side"]
    hexes = [table.grid.hex(place) for place in sketch["hexes"]]
    return painted.crop(table, side, hexes) if hexes else painted.whole_map(table, side)


def _full(at: AsOf, sketch: Sketch) -> Picture:
    return painted.whole_map(at.referee.table, sketch["side"], width=0)


def _reach(at: AsOf, sketch: Sketch) -> Picture:
    """The map around a stack, with the hexes lit that it may be ordered to."""
    table = at.referee.table
    spot, *places = (table.grid.hex(place) for place in sketch["hexes"])
    near = [spot, *(h for h in places if table.grid.distance(spot, h) <= NEAR)]
    return painted.crop(table, sketch["side"], near, width=REACH, lit=places)


def _rival(at: AsOf, sketch: Sketch) -> Picture:
    """The whole map at the end of a turn, as the other one of a duel knew his own."""
    position = known(at.game, at.lines, sketch["side"], sketch["turn"])
    return painted.whole_map(Table(at.game, position), sketch["side"])


PARTS: Mapping[str, Callable[[AsOf, Sketch], Picture]] = {"map": _part, "full": _full, "reach": _reach, "rival": _rival}
