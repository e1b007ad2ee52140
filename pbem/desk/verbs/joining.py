"""Joining: the address is confirmed, the words for the dice are taken, the game begins with the last. Or declining."""

import hashlib
import re

from pbem.desk.composing import letter_to_moderator, say_words, to_rival
from pbem.desk.lifecycle import begin, ready
from pbem.desk.line_made import put_report, report_line
from pbem.desk.seating import DECLINED, OPEN, TAKEN, invitations
from pbem.desk.standing_of import name_of
from pbem.desk.verbs.agreeing import clean
from pbem.desk.verbs.wishing import choose_zone
from pbem.desk.visit import NotDone, Visit
from pbem.house import Room
from pbem.letters import Letter, one_line
from pbem.store import Seat
from pbem.wording.naming import side_title

_PARTS = re.compile(r"\b(as|zone|nonce|hash)\b\s+", re.I)
MOST_WORDS = 200  # characters of a nonce
MOST_NAME = 40


def join(visit: Visit, rest: str) -> None:
    """`join [as NAME] [zone ZONE] [nonce WORDS | hash HEX]`."""
    parts = read_parts(rest)
    introduce(visit, parts)
    if visit.seat.joined:
        raise NotDone(f"You play {visit.side}.", heading="You have joined already")
    if visit.game.state not in ("invited", "joined"):
        lapsed = "The invitation has lapsed: not all had answered it in time. The moderator can invite you anew."
        why = lapsed if visit.game.state == "lapsed" else f"The game is {visit.game.state}."
        raise NotDone(why, heading="You cannot join")
    visit.seat.joined = True
    visit.letter.kind, visit.letter.about = "welcome", f"you play {side_title(visit.side)}"
    _settle(visit, TAKEN)
    if "hash" in parts:
        visit.seat.nonce_commit = "".join(parts["hash"].casefold().split())[:64]  # shown in groups, taken with blanks
        visit.letter.say("Welcome", f"You play {visit.side}. Send your words with `nonce WORDS`: their hash is kept.")
    else:
        visit.seat.nonce = parts.get("nonce", "")[:MOST_WORDS] or hashlib.sha256(visit.mail.raw).hexdigest()[:32]
        visit.letter.say("Welcome", f"You play {visit.side}. Your words for the dice: {visit.seat.nonce}")
    _go_on(visit)


def decline(visit: Visit, rest: str) -> None:
    """`decline [WORDS]`: the invitation is turned down; the moderator hears it, with the words and what he can do."""
    if visit.room.begun:
        way = "`resign for good` gives it up, and `press to moderator: TEXT` asks for somebody to take your chair."
        raise NotDone(f"You have joined, and the game has begun: {way}", heading="You cannot decline")
    if visit.game.state == "lapsed":
        raise NotDone("The invitation has lapsed already: nothing is expected of you.")
    visit.seat.joined, visit.seat.nonce, visit.seat.nonce_commit = False, "", ""
    _settle(visit, DECLINED)
    others = [(seat, player) for seat, player in visit.opponents() if seat.joined]
    visit.game.state = "joined" if others else "invited"
    told = "The moderator is told. If you change your mind, `join` works until somebody else is asked."
    visit.letter.say("You have declined", told)
    who, later = visit.player.name or visit.player.address, "It begins when the moderator has found somebody else."
    visit.others.append(declined_letter(visit, rest))
    visit.others += to_rival(visit.room, "The duel does not begin yet", f"{who} has declined.", later)
    for seat, player in others:
        said = f"{visit.side} has declined. The game begins when the moderator has found somebody else."
        visit.write_to(seat, player, f"Nobody plays {visit.side} yet", said)


def declined_letter(visit: Visit, words: str) -> Letter:
    """What the moderator is told of somebody who would rather not, and what he can do next."""
    why = clean(words)
    said = f"{visit.player.address} would rather not play {visit.side} in {visit.game.id}."
    letter = letter_to_moderator(visit.room, f"{visit.side} is declined", said, *(["He writes:", *why] if why else []))
    letter.about = f"{visit.side} is declined"
    say_ways(letter, visit.room, visit.side)
    return letter


def say_ways(letter: Letter, room: Room, side: str, *more: str) -> None:
    """What the moderator can do about a chair that nobody takes, or that nobody plays for."""
    say_words(room, letter, "a_chair_nobody_takes", side=side, more=more)


def _settle(visit: Visit, state: str) -> None:
    """What has become of the invitation to this chair."""
    for one in invitations(visit.room, OPEN, DECLINED, TAKEN):
        if (one.seat_id, one.player_id) == (visit.seat.id, visit.player.id):
            one.state = state


def nonce(visit: Visit, rest: str) -> None:
    """`nonce WORDS`, for whoever sent the hash of them before."""
    words, heading = one_line(rest)[:MOST_WORDS], "Your words for the dice"
    if visit.room.begun or visit.seat.nonce:
        raise NotDone("They are fixed already.", heading=heading)
    if not words:
        raise NotDone("Write them behind `nonce`.", heading=heading)
    if visit.seat.nonce_commit and hashlib.sha256(words.encode()).hexdigest() != visit.seat.nonce_commit:
        raise NotDone("They are not the ones whose hash you sent, so they were not taken.", heading=heading)
    visit.seat.nonce = words
    visit.letter.say(heading, words)
    _go_on(visit)


def read_parts(rest: str) -> dict[str, str]:
    """What stands behind `join`, by its words."""
    found = _PARTS.split(f"{rest} ")
    return {found[n].casefold(): one_line(found[n + 1]) for n in range(1, len(found) - 1, 2)}


def introduce(visit: Visit, parts: dict[str, str]) -> None:
    """His name and his clock, if he says them."""
    if parts.get("as"):
        visit.player.name = parts["as"][:MOST_NAME]
    if parts.get("zone"):
        choose_zone(visit, parts["zone"])
    else:
        visit.letter.say("Your clock", f"Times in your letters are those of {visit.player.zone}.")


def _go_on(visit: Visit) -> None:
    """The game begins if this was the last thing it waited for."""
    room = visit.room
    visit.session.flush()
    if not ready(room):
        waiting = [_missing(one, seat) for one in room.pair() for seat in one.seats() if not seat.nonce]
        room.game.state = "joined"
        visit.letter.say("What is next", f"The game begins when all are here. Missing: {' and '.join(waiting)}.")
        return
    begin(room)
    line = visit.campaign.last
    here = "You have both joined." if room.duel is not None else "You have joined."
    visit.letter.say("The game begins", here if room.alone else "Everybody has joined.")
    put_report(room, visit.letter, visit.seat, visit.player, line)
    report_line(room, line, but=visit.seat)
    if room.rival is not None:
        report_line(room.rival, room.rival.campaign.last)


def _missing(room: Room, seat: Seat) -> str:
    """Whom or what the game still waits for."""
    who = seat.side if room.duel is None else name_of(room, seat)
    return f"{who}'s words" if seat.joined else who
