"""Attending to those who write without a chair: who is asked to take one over, or to confirm an address; onlookers."""

from pbem.desk.composing import finish, letter_to, letter_to_moderator, to_rival
from pbem.desk.seating import DECLINED, LAPSED, OPEN, TAKEN, WITHDRAWN, invitations, sit_down, withdraw_invitations
from pbem.desk.standing_of import enclose_deadline
from pbem.desk.verbs.joining import declined_letter, introduce, read_parts
from pbem.desk.verbs.own_address import carry_out
from pbem.desk.visit import Visit
from pbem.desk.vocabulary import Command, split_lines
from pbem.gate import Arrival, echo
from pbem.house import Room
from pbem.inbox.incoming import Incoming
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.reading import Read
from pbem.store import AddressRequest, Invitation, MailIn, Seat, Spectator

LEAVING = ("leave", "unsubscribe", "stop")
CLOSED = {
    LAPSED: "The invitation has lapsed: no answer came in time. The moderator can ask you again.",
    WITHDRAWN: "Somebody else has been asked since. The moderator can ask you again.",
}
HOW = "You are asked to take over a chair: write `join`, or `decline`. Nothing else is read until you have joined."


def attend_invited(visit: Visit, row: MailIn, read: Read, asked: Invitation) -> None:
    """Somebody who is asked to take over a chair joins or declines; until then he speaks for nobody."""
    commands, orders = split_lines([line for line in read.lines if not line.lstrip().startswith("#")])
    said = {command.verb: command for command in commands}
    if asked.state in CLOSED or visit.game.state not in ("playing", "paused"):
        visit.letter.say("Nothing was done", CLOSED.get(asked.state, f"The game is {visit.game.state}."))
    elif "join" in said:
        _join(visit, asked, said["join"])
    elif "decline" in said:
        asked.state = DECLINED
        visit.letter.say("You have declined", "The moderator is told. Nothing more is expected of you.")
        visit.others.append(declined_letter(visit, said["decline"].rest))
    else:
        visit.letter.say("Nothing was done", HOW)
    if ("join" in said or "decline" in said) and (orders or len(commands) > 1):
        visit.letter.say("Please note", "What else you wrote was not read: send it again in a mail of its own.")
    queue(visit.house, visit.session, visit.letter, f"answer/{row.id}")
    visit.post(row.id)
    row.state = "done"


def _join(visit: Visit, asked: Invitation, command: Command) -> None:
    """He sits down; the one before him, the others at the table and the moderator are told."""
    room, seat = visit.room, visit.seat
    if any(other.id != asked.id and other.seat_id == seat.id for other in invitations(room, OPEN)):
        visit.letter.say("Nothing was done", CLOSED[WITHDRAWN])
        return
    introduce(visit, read_parts(command.rest))
    before = room.player(seat)
    withdraw_invitations(room, seat)
    sit_down(room, seat, player=visit.player, token=asked.token)
    asked.state = TAKEN
    visit.letter.say("Welcome", f"You play {seat.side} from now on.")
    if before is not None:
        letter = letter_to(room, "notice", seat, before, "Your chair has passed on", gone(seat))
        letter.reply_to = ""  # the chair's address is no longer his
        enclose_deadline(room, letter, seat, before, owes=False)
        visit.others.append(letter)
    who, heading = visit.player.name or "Somebody else", "A chair has passed on"
    visit.write_to_all(heading, f"{who} plays {seat.side} from now on.")
    visit.others += to_rival(room, heading, f"{who} is in the duel with you from now on.")
    said = f"{visit.player.address} has joined, and plays {seat.side} from now on."
    visit.others.append(letter_to_moderator(room, heading, said))
    finish(room, visit.letter, seat, visit.player)


def gone(seat: Seat) -> str:
    """What the last holder of a chair is told."""
    return f"You play {seat.side} no more: somebody else was given the chair. Thank you for having played."


def attend_onlooker(room: Room, row: MailIn, mail: Incoming, read: Read, letter: Letter, looker: Spectator) -> None:
    """An onlooker may leave; he can do nothing else, and is told so."""
    lines = [line.strip().casefold().rstrip(".!") for line in (*read.lines, mail.subject) if line.strip()]
    if any(line in LEAVING for line in lines):
        letter.say("You look on no more", f"You get no further letters about {room.game.title}, {room.game.id}.")
        room.session.delete(looker)
    else:
        letter.reply_to = room.house.seat_address(looker.token)
        letter.say("You look on", "Nothing in your mail was read: who looks on cannot write for anybody.", LEAVE)
        letter.commands = ("leave",)
    queue(room.house, room.session, letter, f"answer/{row.id}")
    row.state = "done"


LEAVE = "If you want no more of these letters, answer with `leave`."


YES, NO = ("confirm", "yes", "ok"), ("no", "decline", "refuse")


def attend_confirmation(
    room: Room, row: MailIn, mail: Incoming, seat: Seat, request: AddressRequest, read: Read, letter: Letter
) -> None:
    """`confirm` or `no`; one answer to him, and a letter to the player whose wish it was."""
    first = next((line.strip().casefold().rstrip(".!") for line in read.lines if line.strip()), "")
    player = room.player(seat)
    assert player is not None
    others: list[Letter] = []
    if first in YES:
        request.confirmed = True
        if request.word:
            done = f"{request.address} has confirmed. Reply with the line below, and it is done"
            how = f"{done}; `address keep` calls it off:", f"    address confirm {request.word}"
            others.append(letter_to(room, "notice", seat, player, "Your address", *how))
            letter.say("Your address", "You have confirmed it. The address it was asked from must do so, too.")
        else:
            others += carry_out(room, seat, player, request, letter)
    elif first in NO:
        room.session.delete(request)
        letter.say("Your address", "It stays as it was, and you will not be asked again.")
        said = f"{request.address} does not want it: nothing was changed."
        others.append(letter_to(room, "notice", seat, player, "Your address", said))
    elif echo.times_before(Arrival(mail, room.house, room.session)) >= echo.MOST:
        row.state, row.why = "silent", "echo"
        return
    else:
        row.why = echo.NOTHING
        letter.reply_to = room.house.seat_address(request.token)
        letter.say("Please confirm", "Answer with the line `confirm`, or with `no`. Nothing else is read from here.")
    queue(room.house, room.session, letter, f"answer/{row.id}")
    for number, other in enumerate(others):
        queue(room.house, room.session, other, f"other/{row.id}/{number}")
    row.state = "done"
