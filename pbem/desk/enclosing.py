"""Files that go with a letter: the report in full, what is drawn when it is sent, and the order board."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from engine.asks import Ask
from engine.hexes import Hex
from engine.log.sidecar import replace_file
from pbem.house.room import Room
from pbem.house.wishes import OFF, boards, wish_of
from pbem.letters import REPORT, Enclosure, Letter
from pbem.letters.subjects import ORDERS
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.report.dispatch import Dispatch
from pbem.report.illustrating import with_room_for_pictures
from pbem.report.making import Moment
from pbem.report.printing import as_text
from pbem.report.report import LetterPicture
from pbem.store import Player, Seat

NONE, SMALL, ALL = "none", "small", "all"  # what the moderator may say of the pictures of a game
_WISHES = {"off": NONE, "small": SMALL}
_KINDS = {"png": "image/png", "html": "text/html", "gz": "application/gzip", "eml": "application/octet-stream"}


def pictures_for(room: Room, player: Player | None) -> str:
    """What a reader gets of pictures: the least of what his game and he himself want."""
    by_game, own = room.game.settings.get("pictures"), _WISHES.get(player.pictures) if player is not None else None
    return next((less for less in (NONE, SMALL) if less in (by_game, own)), ALL)


def here(room: Room, side: str) -> dict[str, Any]:
    """What is drawn as it stands after the last line, as a side sees it."""
    return {"game": room.game.id, "line": room.campaign.count - 1, "side": side}


def sketched(name: str, draw: str, of: Mapping[str, Any], source: str = "", **more: Any) -> Enclosure:
    """A file that is made when the letter is sent: see `outbox.easel`."""
    kind = _KINDS[name.rpartition(".")[2]]
    sketch = {"name": name, "kind": kind, "source": source, "draw": draw, **of, **more}
    return Enclosure(name, kind, b"", source, sketch)


def put_dispatch(letter: Letter, told: Dispatch, now: Moment, *, wanted: str, map_sent: str = "") -> None:
    """What stands in the letter of what it tells, with room for its pictures."""
    if wanted != NONE:
        small, of = wanted == SMALL, letter.tells
        told = with_room_for_pictures(
            now, told, lambda name: f"cid:{_source(name, of)}", map_sent=map_sent, small=small
        )
        letter.enclosures += [
            sketched(f"{one.name}.png", "report", of, _source(one.name, of), small=small, content=one.content)
            for one in told.pictures
        ]
    letter.dispatch = told


def enclose_report(letter: Letter) -> None:
    """All that the letter leaves out: the reader's orders line by line, and the complete report."""
    if letter.report is None and not letter.echo:
        return
    orders = "\n".join(["Your orders", "-----------", *(f"  {line}" for line in letter.echo), ""])
    whole = as_text(letter.report, letter.echo) if letter.report is not None else orders
    letter.enclosures.append(Enclosure(REPORT, "text/plain", whole.encode()))


def put_map(letter: Letter, room: Room, side: str, hexes: Sequence[Hex] = ()) -> None:
    """The map as a side sees it, or the part of it around some hexes."""
    caption, shown = "The part you asked for" if hexes else "The whole map", _numbers(room, hexes)
    _put_picture(letter, "map-asked", caption, "map", here(room, side), hexes=shown)


def put_rivals_map(letter: Letter, room: Room, rival: Room, side: str, turn: int, caption: str) -> None:
    """The map of the other one of a duel, as he knew it at the end of a turn."""
    named = _source("map-asked.png", here(room, side))
    _put_picture(letter, "map-asked", caption, "rival", here(rival, side), named, turn=turn)


def put_reach(letter: Letter, room: Room, side: str, spot: Hex, places: Sequence[Hex]) -> None:
    """The map around a stack, with the hexes lit that it may be ordered to."""
    shown = _numbers(room, [spot, *places])
    words = f"Where {shown[0]} may be ordered to, {len(places)} hexes in all"
    _put_picture(letter, "reach", words, "reach", here(room, side), hexes=shown)


def _put_picture(
    letter: Letter, name: str, words: str, draw: str, of: Mapping[str, Any], source: str = "", **more: Any
) -> None:
    source = source or _source(name, of)
    letter.drawn.append(LetterPicture(name, f"cid:{source}", words, words))
    letter.enclosures.append(sketched(f"{name}.png", draw, of, source, **more))


def _numbers(room: Room, hexes: Sequence[Hex]) -> list[str]:
    return [room.campaign.game.board.grid.number_of(spot) for spot in hexes]


def _source(name: str, of: Mapping[str, Any]) -> str:
    return f"{name.removesuffix('.png')}.{of['line']}@{of['game']}"


NAME = "orders.html"
NOTED = "boards.json"  # beside the log: which are under links
HEADING = "Order board"
ON, LINK = "on", "link"


def put_board(room: Room, letter: Letter, seat: Seat, ask: Ask) -> None:
    """The board goes with a letter that asks for orders; the letter is complete without it."""
    kind = str(room.game.settings.get("board", room.house.settings.board))
    wish = board_wish(room, seat) if kind != "none" else OFF
    if wish == OFF:
        return
    linked, packed = wish == LINK and why_no_link(room, seat) == "", kind == "packed"
    seen = room.campaign.referee.table.seen_by(seat.side)
    occasion: dict[str, Any] = {
        "due": letter.due,
        "reply": room.house.settings.address if linked else letter.reply_to,
        "subject": f"[{room.game.id}] {ORDERS}",
        "questions": questions_of(room.campaign.drawer.prospects(seen, seat.side)),
        "linked": linked,
    }
    if linked:
        letter.say(HEADING, _publish(room, ask, board_page(Occasion(seen, ask, **occasion), packed=packed)))
    else:  # the letter says so where it asks
        letter.enclosures.append(sketched(NAME, "board", here(room, seat.side), occasion=occasion, packed=packed))


# What a reader wants.


def board_wish(room: Room, seat: Seat) -> str:
    """on, off or link."""
    player = room.player(seat)
    return (wish_of(room.session, player, boards(seat)) if player is not None else "") or ON


def why_no_link(room: Room, seat: Seat) -> str:
    """Why his boards are not under a link; empty if they are. What a side alone knows needs both sides' word."""
    if board_wish(room, seat) != LINK:
        return "you have not asked for it"
    if room.house.boards is None or not room.house.settings.boards_url:
        return "this house has none; the board comes with your letters"
    if room.begun and room.campaign.position.views:
        others = [other.side for other, _ in room.people() if board_wish(room, other) != LINK]
        if others:
            return f"things are hidden in this game, so that {' and '.join(others)} must write `board link` too"
    return ""


# A board under a link lies in a folder that somebody else serves, under a name that nobody can guess, for as long as
# what it answers is asked. It holds nothing that opens a chair: whoever has the link sees, and cannot act.


def _publish(room: Room, ask: Ask, page: str) -> str:
    """Writes the page where it is served, and notes for what; gives the link."""
    folder = room.house.boards
    assert folder is not None
    name = f"{secrets.token_hex(16)}.html"
    folder.mkdir(parents=True, exist_ok=True)
    _note(room, {**_noted(room), name: ask.key})
    replace_file(folder / name, page.encode("ascii"))
    (folder / name).chmod(0o644)
    return f"{room.house.settings.boards_url.rstrip('/')}/{name}"


def clear_boards(room: Room) -> None:
    """Boards of what is no longer asked are gone."""
    if room.house.boards is None:
        return
    noted = _noted(room)
    open_ = {ask.key for ask in room.campaign.asks} if room.game.state == "playing" else set()
    kept = {name: key for name, key in noted.items() if key in open_}
    for name in noted.keys() - kept.keys():
        (room.house.boards / name).unlink(missing_ok=True)
    if kept != noted:
        _note(room, kept)


def _noted(room: Room) -> dict[str, str]:
    found: dict[str, str] = json.loads(room.house.cabinet.paper(room.session, room.game.id, NOTED) or "{}")
    return found


def _note(room: Room, noted: dict[str, str]) -> None:
    room.house.cabinet.keep_paper(room.session, room.game.id, NOTED, json.dumps(noted, indent=1).encode())
