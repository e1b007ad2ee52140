"""Joining: the address is confirmed, the player's words for the dice are taken, and the game begins with the last."""

import hashlib
import re

from pbem.desk.lifecycle import begin, ready
from pbem.desk.reporting import put_report, report_line
from pbem.desk.verbs.wishing import choose_zone
from pbem.desk.visit import Visit
from pbem.letters import one_line
from pbem.wording.naming import side_title

_PARTS = re.compile(r"\b(as|zone|nonce|hash)\b\s+", re.I)
MOST_WORDS = 200  # characters of a nonce
MOST_NAME = 40


def join(visit: Visit, rest: str) -> None:
    """`join [as NAME] [zone ZONE] [nonce WORDS | hash HEX]`."""
    parts = _read(rest)
    _introduce(visit, parts)
    if visit.seat.joined:
        visit.letter.say("You have joined already", f"You play {visit.side}.")
        return
    if visit.game.state not in ("invited", "joined"):
        visit.letter.say("You cannot join", f"The game is {visit.game.state}.")
        return
    visit.seat.joined = True
    visit.letter.kind, visit.letter.about = "welcome", f"you play {side_title(visit.side)}"
    if "hash" in parts:
        visit.seat.nonce_commit = "".join(parts["hash"].casefold().split())[:64]  # shown in groups, taken with blanks
        visit.letter.say("Welcome", f"You play {visit.side}. Send your words with `nonce WORDS`: their hash is kept.")
    else:
        visit.seat.nonce = parts.get("nonce", "")[:MOST_WORDS] or hashlib.sha256(visit.mail.raw).hexdigest()[:32]
        visit.letter.say("Welcome", f"You play {visit.side}. Your words for the dice: {visit.seat.nonce}")
    _go_on(visit)


def nonce(visit: Visit, rest: str) -> None:
    """`nonce WORDS`, for whoever sent the hash of them before."""
    words = one_line(rest)[:MOST_WORDS]
    if visit.begun or visit.seat.nonce:
        visit.letter.say("Your words for the dice", "They are fixed already.")
    elif not words:
        visit.letter.say("Your words for the dice", "Write them behind `nonce`.")
    elif visit.seat.nonce_commit and hashlib.sha256(words.encode()).hexdigest() != visit.seat.nonce_commit:
        visit.letter.say(
            "Your words for the dice", "They are not the ones whose hash you sent, so they were not taken."
        )
    else:
        visit.seat.nonce = words
        visit.letter.say("Your words for the dice", words)
        _go_on(visit)


def _read(rest: str) -> dict[str, str]:
    found = _PARTS.split(f"{rest} ")
    return {found[n].casefold(): one_line(found[n + 1]) for n in range(1, len(found) - 1, 2)}


def _introduce(visit: Visit, parts: dict[str, str]) -> None:
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
        waiting = [f"{seat.side}'s words" if seat.joined else seat.side for seat in room.seats() if not seat.nonce]
        room.game.state = "joined"
        visit.letter.say("What is next", f"The game begins when all are here. Missing: {' and '.join(waiting)}.")
        return
    begin(room)
    line = visit.campaign.last
    visit.letter.say("The game begins", "You have joined." if room.alone else "Everybody has joined.")
    put_report(room, visit.letter, visit.seat, visit.player, line)
    report_line(room, line, but=visit.seat)
