"""The last letter of a game, and what is enclosed in it: the log, the replay, and the campaign book."""

from sqlmodel import col, select

from pbem.campaign_book.people import FILE, People, PressPiece
from pbem.desk.calendar_entry import enclose_deadline
from pbem.desk.composing import foot
from pbem.desk.enclosing import here, sketched
from pbem.house import Room
from pbem.letters import Enclosure, Letter, Section
from pbem.outbox.outgoing import queue
from pbem.store import PressSent
from pbem.wording.naming import in_groups

NAME = "book.html"
ENCLOSED = {
    "log": "the whole log, packed",
    "replay": "the game played again, for a browser",
    "book": "the campaign book, turn by turn",
}


def book_of(room: Room) -> Enclosure | None:
    """The book of a game that is over, if its first turn was begun.

    Who played is written beside the log, so that `pbem book` tells it too.
    """
    room.house.cabinet.keep_paper(room.session, room.game.id, FILE, people_of(room).to_json().encode())
    return sketched(NAME, "book", here(room, "")) if room.campaign.position.turn else None


def people_of(room: Room) -> People:
    """Who sits where at the end, bots by their kind; nobody's words unless everybody lets his own be printed."""
    names = {seat.side: f"the {seat.bot} bot" for seat in room.seats() if seat.bot}
    names |= {seat.side: player.name or seat.side for seat, player in room.people()}
    press = _press(room) if all_agree(room) else ()
    return People({side: names[side] for side in room.rules.setting.chairs if side in names}, tuple(press))


def all_agree(room: Room) -> bool:
    return all(seat.press_printed for seat, _ in room.people())


def any_press(room: Room) -> bool:
    return bool(_press(room))


def _press(room: Room) -> list[PressPiece]:
    sent = select(PressSent).where(PressSent.game_id == room.game.id).order_by(col(PressSent.id))
    return [PressPiece(row.turn, row.side, row.text) for row in room.session.exec(sent).all()]


def final_files(room: Room) -> list[Enclosure]:
    book = book_of(room)
    replay = sketched(f"{room.game.id}.html", "replay", here(room, ""))
    return [log_of(room), replay, *([book] if book is not None else [])]


def log_of(room: Room) -> Enclosure:
    return sketched(f"{room.game.id}.jsonl.gz", "log", here(room, ""))


def send_last_letters(room: Room, files: list[Enclosure], *first: Section) -> None:
    """To everybody who played; some sections may come before all else."""
    for seat, player in room.people():
        letter = _last_letter(room, player.address, files)
        letter.sections[:0] = first
        letter.reply_to = room.house.seat_address(seat.token)
        enclose_deadline(room, letter, seat, player)
        queue(room.house, room.session, letter, f"final/{room.game.id}/{seat.side}")


def _last_letter(room: Room, to: str, files: list[Enclosure]) -> Letter:
    """The last letter of a game: how it ended, the secret, the whole log."""
    campaign = room.campaign
    position = campaign.position
    letter = Letter("over", to, f"{position.ended}, the whole log", game=room.game.id, enclosures=list(files))
    letter.title, letter.sides = room.game.title, room.rules.sides
    letter.greeting = f"The game is over: {position.ended}."
    won = f"{position.winner} has won." if position.winner else "Nobody has won."
    points = [f"{side}: {number}" for side, number in position.points]
    letter.say("The result", won, *points)
    letter.say(
        "The secret of the dice",
        "This is the number whose hash stood in the invitation. With it every roll can be checked:"
        " `pbem verify` does so with the log enclosed.",
        f"    {in_groups(campaign.secret.hex())}",
    )
    drawn = [(file.name, file.sketch["draw"]) for file in files if file.sketch is not None]
    letter.say("Enclosed", *(f"{name}: {ENCLOSED[what]}" for name, what in drawn))
    letter.state, letter.head, letter.commands = "final", campaign.head, foot(room)
    return letter
