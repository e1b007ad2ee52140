"""The order board of a letter: attached, under a link, or left out, as the game and its reader want it.

A board under a link lies in a folder that somebody else serves, under a name that nobody can guess, for as long as what
it answers is asked. It holds nothing that opens a chair: whoever has the link sees, and cannot act.
"""

import json
import secrets
from typing import Any

from engine.asks import Ask
from engine.log.sidecar import replace_file
from pbem.desk.enclosing import here, sketched
from pbem.house.room import Room
from pbem.house.wishes import OFF, boards, wish_of
from pbem.letters import Letter
from pbem.letters.subjects import ORDERS
from pbem.order_board.board_page import Occasion, board_page, questions_of
from pbem.store import Seat

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


# Boards under links.


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
