"""Press: words to the opponent or the moderator, as they are, within limits."""

import unicodedata

from pbem.desk.composing import tell_moderator
from pbem.desk.duels.told import rival_name, to_rival
from pbem.desk.visit import NotDone, Visit
from pbem.store import PressSent
from pbem.wording.naming import side_title

MOST_CHARACTERS = 4_000
MOST_LINES = 80
MOST_WIDE = 500
TO_MODERATOR = ("to moderator", "moderator")
TO_OPPONENT = ("to opponent", "opponent")


def press(visit: Visit, rest: str) -> None:
    """`press TEXT`, `press to moderator: TEXT`; it runs to an empty line or `end press`."""
    whom, text = _addressed(rest)
    lines = clean(visit.house.without_tokens(text))
    if not lines:
        raise NotDone("Write your words behind `press`, or on the lines below it.")
    sender = f"{visit.player.name or visit.side} ({visit.side})"
    if whom == "moderator":
        visit.others.append(tell_moderator(visit.room, f"Press from {sender}", *lines))
        visit.letter.say("Press", "Passed on to the moderator.")
        return
    opponents = visit.opponents()
    across = to_rival(visit.room, f"Press from {visit.player.name or visit.side}", *lines, kind="press",
                      writer=visit.player.name or side_title(visit.side))  # fmt: skip
    visit.others += across
    if (opponents or across) and visit.room.begun:
        turn, text = visit.campaign.position.turn, "\n".join(lines)
        visit.session.add(PressSent(game_id=visit.game.id, side=visit.side, turn=turn, at=visit.room.now, text=text))
    for seat, player in opponents:
        visit.write_to(seat, player, f"Press from {sender}", *lines)
    told = " and ".join([*(seat.side for seat, _ in opponents), *([rival_name(visit.room)] if across else [])])
    why = "you play alone" if visit.room.alone else "the other chair is a bot's"
    nobody = f"There is nobody to read it: {why}. `press to moderator: TEXT` reaches the moderator."
    visit.letter.say("Press", f"Passed on to {told}." if told else nobody)


def _addressed(rest: str) -> tuple[str, str]:
    head, colon, text = rest.partition(":")
    said = head.strip().casefold()
    if colon and said in TO_MODERATOR:
        return "moderator", text
    if colon and said in TO_OPPONENT:
        return "opponent", text
    return "opponent", rest


def clean(text: str) -> list[str]:
    """Text without control characters, tricks of direction and endless lines; cut where it grows too long."""
    kept = "".join(c for c in text[:MOST_CHARACTERS] if c == "\n" or unicodedata.category(c)[0] != "C")
    lines = [line.strip()[:MOST_WIDE] for line in kept.splitlines()]
    lines = [line for line in lines if line][:MOST_LINES]
    return [*lines, "(cut here: press is limited)"] if len(text) > MOST_CHARACTERS else lines
