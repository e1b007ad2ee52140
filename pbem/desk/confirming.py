"""The answer of somebody who was asked whether a chair may have his address."""

from pbem.desk.addresses import carry_out, told_moderator, welcome
from pbem.desk.composing import letter_to
from pbem.gate import Arrival, echo
from pbem.house.room import Room
from pbem.inbox.incoming import Incoming
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.reading import Read
from pbem.store import AddressRequest, MailIn, Seat

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
            others.append(_reminder(room, seat, request))
            letter.say("Your address", "You have confirmed it. The address it was asked from must do so, too.")
        else:
            others += carry_out(room, seat, request)
            welcome(room, letter, seat)
            others.append(told_moderator(room, seat, request))
    elif first in NO:
        room.session.delete(request)
        letter.say("Your address", "It stays as it was, and you will not be asked again.")
        refused = letter_to(room, "notice", seat, player)
        refused.say("Your address", f"{request.address} does not want it: nothing was changed.")
        others.append(refused)
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


def _reminder(room: Room, seat: Seat, request: AddressRequest) -> Letter:
    player = room.player(seat)
    assert player is not None
    letter = letter_to(room, "notice", seat, player)
    letter.say(
        "Your address",
        f"{request.address} has confirmed. Reply with the line below, and it is done; `address keep` calls it off:",
        f"    address confirm {request.word}",
    )
    return letter
