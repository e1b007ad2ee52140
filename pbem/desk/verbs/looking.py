"""Looking: how it stands, the map, the log so far, a letter once more, the campaign book."""

from email import message_from_bytes, policy

from sqlmodel import col, select

from engine.log import as_written, export
from engine.orders.fields import hexes_at
from engine.view import view
from pbem.clock.clock_rules import counted
from pbem.desk.composing import rival_name
from pbem.desk.enclosing import here, put_map, sketched
from pbem.desk.last_letters import NoLongerKept, all_agree, any_press, book_of, log_of, send_again, written
from pbem.desk.standing_of import due_words
from pbem.desk.visit import NotDone, Visit
from pbem.letters import Enclosure
from pbem.letters.letter_printing import settled
from pbem.store import MailIn, MailOut
from pbem.wording.rulings import pace_lines
from pbem.wording.situation import situation

FULL = "full"
PICTURES = {
    "on": "Your letters have their pictures: up to three of the fighting, and the map when it has changed.",
    "small": "Your letters have up to two small pictures of the fighting, and no map; `map` sends it.",
    "off": "Your letters have no pictures; `map` sends one.",
}


def status(visit: Visit, rest: str) -> None:
    """`status`: the position as the writer sees it, and who owes what."""
    if not visit.room.begun:
        chairs = [(seat.side, seat) for seat in visit.room.seats()]
        if visit.room.rival is not None:
            chairs = [("you", visit.seat), (rival_name(visit.room), visit.room.rival.seats()[0])]
        seats = [f"{who}: {'joined' if seat.joined else 'not yet joined'}" for who, seat in chairs]
        visit.letter.say("How it stands", "The game has not begun.", *seats, *pace_lines(visit.room.pace))
        return
    campaign = visit.campaign
    seen = view(campaign.position, visit.side)
    visit.letter.say("How it stands", *situation(campaign.game, seen).splitlines(), exact=True)
    if visit.game.state != "playing":
        visit.letter.say("The game", f"It is {visit.game.state}.")
    if (duel := visit.room.duel) is not None:
        told = f"Compared so far: turn {duel.compared}." if duel.compared else "No turn has been compared yet."
        visit.letter.say("The duel", f"With {rival_name(visit.room)}. {duel.ended or told}")
    visit.letter.say("The pace", *pace_lines(visit.room.pace))
    for ask in campaign.asks:
        due = due_words(visit.room, ask.side, visit.player)
        what = ask.prompt if ask.side == visit.side or not ask.hidden else "an answer"
        visit.letter.say("Who owes what", f"{ask.side}: {what}{f', by {due}' if due else ''}")


def map_(visit: Visit, rest: str) -> None:
    """`map` or `map HEX`: a picture, as the writer sees it; `map full`: all of it at full size, as a file."""
    table = visit.table
    if rest.casefold() == FULL:
        visit.letter.enclosures.append(sketched("map-full.png", "full", here(visit.room, visit.side)))
        visit.letter.say("Map", "The map at full size is attached: map-full.png.")
        return
    places, _ = hexes_at(rest.replace(",", " ").split(), table.reading(visit.side)) if rest else ([], 0)
    if rest and not places:
        visit.letter.say("Map", f"There is no hex or place {rest!r} on this map, so you get all of it.")
    put_map(visit.letter, visit.room, visit.side, [table.grid.hex(place) for place in places])


def pictures(visit: Visit, rest: str) -> None:
    """`pictures off`, `small` or `on`: what the writer's letters hold from now on."""
    wanted = rest.strip().casefold().rstrip(".!")
    if wanted not in PICTURES:
        raise NotDone("Write `pictures off`, `pictures small` or `pictures on`.")
    visit.player.pictures = wanted
    by_game = visit.game.settings.get("pictures", "all")
    less = {"none": " The moderator has switched them off in this game.", "small": " In this game they are small."}
    visit.letter.say("Pictures", PICTURES[wanted] + (less.get(by_game, "") if wanted == "on" else ""))


def log_(visit: Visit, rest: str) -> None:
    """`log`: the log so far, with what is not the writer's to know still sealed."""
    lines = visit.campaign.lines()
    over = "secret" in lines[-1]
    if over:
        visit.letter.enclosures.append(log_of(visit.room))
    else:  # not packed: what is sealed is as long as anything else of its kind, but packed it might not be
        copy = as_written(export(lines, visit.side, visit.campaign.secret))
        visit.letter.enclosures.append(Enclosure(f"{visit.game.id}.{visit.side}.jsonl", "application/jsonl", copy))
    what = "all of it" if over else "as you may see it; the rest is sealed until the end"
    visit.letter.say("Log", f"Enclosed: {counted(len(lines), 'line')}, {what}.")


def resend(visit: Visit, rest: str) -> None:
    """`resend LINE` or `resend`: what was written to the writer about a line, or last, goes with this answer."""
    wanted = rest.strip().casefold().removeprefix("line ").removeprefix("last")
    if wanted and not wanted.isdecimal():
        raise NotDone("Write `resend LINE`, or `resend` for the last letter.")
    found = _about(visit, int(wanted)) if wanted else _last(visit)
    if found is None:
        raise NotDone(f"No letter to you about line {wanted} was found." if wanted else "There is none.")
    if not found.raw:
        _made_again(visit, found)
        return
    visit.letter.enclosures.append(sketched("letter.eml", "letter", {"letter": found.id}))
    message = message_from_bytes(found.raw, policy=policy.default)
    body = message.get_body(("plain",))
    text = settled(body.get_content().replace("\r\n", "\n")) if body is not None else ""
    visit.letter.say(f"Once more: our letter of {message['Date']}", *text.rstrip().splitlines(), exact=True)


def _made_again(visit: Visit, found: MailOut) -> None:
    """A letter of long ago comes in a mail of its own."""
    try:
        address = visit.room.house.seat_address(visit.seat.token)
        send_again(visit.room, found, visit.player, address, f"again/{visit.cause}/{found.id}")
    except NoLongerKept:
        say = f"Our letter of {written(found)} is no longer kept; `log` sends you all that happened."
    else:
        say = f"Our letter of {written(found)} is made again from the log, and comes in a mail of its own."
    visit.letter.say("Resend", say)


def _last(visit: Visit) -> MailOut | None:
    letters = select(MailOut).where(MailOut.game_id == visit.game.id, MailOut.to == visit.player.address)
    letters = letters.order_by(col(MailOut.queued).desc(), col(MailOut.id))
    return visit.session.exec(letters.limit(1)).first()


def _about(visit: Visit, line: int) -> MailOut | None:
    # A chair may have had another side then; whom a letter was written to does not change.
    keys = [f"report/{visit.game.id}/{line}/{seat.side}" for seat in visit.room.seats()]
    made = select(MailIn.id).where(MailIn.game_id == visit.game.id, MailIn.line == line)
    keys += [f"answer/{id_}" for id_ in visit.session.exec(made).all()]
    letters = select(MailOut).where(col(MailOut.key).in_(keys), MailOut.to == visit.player.address)
    found = visit.session.exec(letters).all()
    return min(found, key=lambda letter: not letter.key.endswith(f"/{visit.side}"), default=None)


YES, NO = ("press yes", "press on"), ("press no", "press off")


def book(visit: Visit, rest: str) -> None:
    """`book`, `book press yes`, `book press no`."""
    said = " ".join(rest.split()).casefold()
    if said in (*YES, *NO):
        visit.seat.press_printed = said in YES
        _tell_the_others(visit)
    elif said:
        raise NotDone("Write `book` for the campaign book, `book press yes` or `book press no`.")
    visit.letter.say("Book", _about_press(visit))
    if visit.game.state == "finished" and not visit.campaign.revealed:
        visit.letter.say("Book", "It comes with the last letter, when the other game of the duel is over, too.")
    elif visit.game.state == "finished":
        made = book_of(visit.room)
        if made is None:
            raise NotDone("There is none: the game was over before its first turn.")
        visit.letter.enclosures.append(made)
        visit.letter.say("Book", f"Enclosed: {made.name}. Open it in a browser, or print it.")
    elif not said:
        visit.letter.say("Book", "It is made when the game is over, and comes with the last letter.")


def _about_press(visit: Visit) -> str:
    """Whose word is still wanted before anybody's press is printed."""
    if all_agree(visit.room):
        return "Press is printed in it: everybody agrees."
    if not visit.seat.press_printed:
        return "Your press is not printed in it. `book press yes` allows it; it is printed once everybody does."
    wanted = [seat.side for seat, _ in visit.opponents() if not seat.press_printed]
    return f"Your press may be printed. It will be once {' and '.join(wanted)} agrees, too."


def _tell_the_others(visit: Visit) -> None:
    """Who has not said so hears that he is asked; all hear when it is agreed, and how to have the book again."""
    if all_agree(visit.room):
        again = " Write `book` to have it with your press." if visit.game.state == "finished" else ""
        visit.write_to_all("Book", f"All agree to have their press printed in the campaign book.{again}")
    elif visit.seat.press_printed and any_press(visit.room):
        asks = f"{visit.player.name or visit.side} would have your press printed in the campaign book."
        for seat, player in visit.opponents():
            if not seat.press_printed:
                visit.write_to(seat, player, "Book", asks, "Write `book press yes` if you agree.")
