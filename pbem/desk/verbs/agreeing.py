"""What players say to each other, and settle between them: press, going back, a draw; and giving up."""

import unicodedata
from functools import partial

from engine.campaign import replay
from engine.log import NoWayBack
from engine.refusals import Refusal
from pbem.desk.composing import letter_to_moderator, rival_name, to_rival
from pbem.desk.visit import NotDone, Visit
from pbem.store import PressSent
from pbem.wording.naming import side_title

MOST_CHARACTERS = 4_000
MOST_LINES = 80
MOST_WIDE = 500


def press(visit: Visit, rest: str) -> None:
    """`press TEXT`, `press to moderator: TEXT`; it runs to an empty line or `end press`."""
    whom, text = _addressed(rest)
    lines = clean(visit.house.without_tokens(text))
    if not lines:
        raise NotDone("Write your words behind `press`, or on the lines below it.")
    sender = f"{visit.player.name or visit.side} ({visit.side})"
    if whom == "moderator":
        visit.others.append(letter_to_moderator(visit.room, f"Press from {sender}", *lines))
        visit.letter.say("Press", "Passed on to the moderator.")
        return
    opponents = visit.opponents()
    writer = visit.player.name or side_title(visit.side)
    across = to_rival(visit.room, f"Press from {visit.player.name or visit.side}", *lines, kind="press", writer=writer)
    visit.others += across
    if (opponents or across) and visit.room.begun:
        turn, text = visit.campaign.position.turn, "\n".join(lines)
        visit.session.add(PressSent(game_id=visit.game.id, side=visit.side, turn=turn, at=visit.room.now, text=text))
    visit.write_to_all(f"Press from {sender}", *lines)
    told = " and ".join([*(seat.side for seat, _ in opponents), *([rival_name(visit.room)] if across else [])])
    why = "you play alone" if visit.room.alone else "the other chair is a bot's"
    nobody = f"There is nobody to read it: {why}. `press to moderator: TEXT` reaches the moderator."
    visit.letter.say("Press", f"Passed on to {told}." if told else nobody)


def _addressed(rest: str) -> tuple[str, str]:
    head, colon, text = rest.partition(":")
    said = head.strip().casefold().removeprefix("to ")
    return (said, text) if colon and said in ("moderator", "opponent") else ("opponent", rest)


def clean(text: str) -> list[str]:
    """Text without control characters, tricks of direction and endless lines; cut where it grows too long."""
    kept = "".join(c for c in text[:MOST_CHARACTERS] if c == "\n" or unicodedata.category(c)[0] != "C")
    lines = [line.strip()[:MOST_WIDE] for line in kept.splitlines()]
    lines = [line for line in lines if line][:MOST_LINES]
    return [*lines, "(cut here: press is limited)"] if len(text) > MOST_CHARACTERS else lines


def withdraw(visit: Visit, rest: str) -> None:
    """`withdraw`: what waits in the drawer comes out again, and an offer or a request lapses."""
    said = list(visit.campaign.withdraw(visit.side))
    if visit.seat.undo_wanted is not None:
        said.append(f"your request to go back to line {visit.seat.undo_wanted}")
    if visit.seat.draw_offered:
        said.append("your offer of a draw")
    visit.seat.undo_wanted, visit.seat.draw_offered = None, False
    visit.letter.say("Withdrawn", *(said or ["Nothing of yours was waiting."]), exact=bool(said))


def undo(visit: Visit, rest: str) -> None:
    """`undo LINE`: asks who else plays to go back to the end of a line; who plays alone goes back."""
    campaign = visit.campaign
    if not rest.strip().removeprefix("line ").isdecimal():
        raise NotDone(f"Name the line to go back to, such as `undo {max(0, campaign.count - 2)}`.")
    to = int(rest.strip().removeprefix("line "))
    if not 0 <= to < campaign.count - 1:
        raise NotDone(f"Line {to} is not before the last line, which is {campaign.count - 1}.")
    try:
        campaign.may_undo(to, visit.side)
    except (Refusal, NoWayBack) as problem:
        raise NotDone(str(problem)) from None
    if (duel := visit.room.duel) is not None and replay(campaign.lines(), campaign.game, to).turn <= duel.compared:
        known = f"You have been told how the duel stood after turn {duel.compared}: there is no going back behind that."
        raise NotDone(known)
    opponents = visit.opponents()
    if not opponents:
        said = f"You go back to the end of line {to}." if visit.room.alone else "Your opponent is a bot, and lets you."
        visit.letter.say("Undo", said)
        _go_back(visit, to, visit.side)
        return
    visit.seat.undo_wanted = to
    whom = " and ".join(seat.side for seat, _ in opponents)
    visit.letter.say("Undo", f"{whom} is asked to let you go back to the end of line {to}. Any new line voids it.")
    said = f"{visit.side} asks to go back to the end of line {to}."
    visit.write_to_all("A request", said, "Write `accept undo` if you agree; any new line voids it.")


def accept(visit: Visit, rest: str) -> None:
    """`accept undo` or `accept draw`."""
    what = rest.strip().casefold()
    if what == "draw":
        accept_draw(visit)
        return
    wants = next((seat for seat, _ in visit.opponents() if seat.undo_wanted is not None), None)
    if what not in ("undo", "") or wants is None:
        raise NotDone("There is nothing of that kind to accept: any new line voids a request.")
    assert wants.undo_wanted is not None
    visit.letter.say("Undo", f"You let {wants.side} go back to the end of line {wants.undo_wanted}.")
    _go_back(visit, wants.undo_wanted, wants.side)


def _go_back(visit: Visit, to: int, side: str) -> None:
    visit.act = partial(visit.campaign.undo, to, by=side, at=visit.room.at, cause=visit.cause)


FOR_GOOD = ("for good", "yes", "really")


def draw(visit: Visit, rest: str) -> None:
    """`draw` offers one; `draw accept` or `accept draw` takes it."""
    if rest.strip().casefold() == "accept":
        accept_draw(visit)
        return
    opponents = visit.opponents()
    if not opponents:
        raise NotDone("Your opponent is a bot, and plays on.")
    visit.seat.draw_offered = True
    whom = " and ".join(seat.side for seat, _ in opponents)
    visit.letter.say("Draw", f"Offered to {whom}. Any new line voids the offer.")
    take = "Write `accept draw` to take it; any new line voids it."
    visit.write_to_all("A draw is offered", f"{visit.side} offers a draw.", take)


def accept_draw(visit: Visit) -> None:
    """The game ends without a winner."""
    if not any(seat.draw_offered for seat, _ in visit.opponents()):
        raise NotDone("No draw is on offer: any new line voids an offer. `draw` offers one.", heading="Draw")
    visit.letter.say("Draw", "Agreed.")
    _conclude(visit, "a draw by agreement", "")


def resign(visit: Visit, rest: str) -> None:
    """`resign for good`: the game is given up."""
    if rest.strip().casefold().rstrip(".!") not in FOR_GOOD:
        raise NotDone("Write `resign for good` if you mean it: it cannot be taken back.")
    winners = [side for side in visit.campaign.game.sides if side != visit.side]
    visit.letter.say("Resign", "You have given up the game.")
    _conclude(visit, f"{visit.side} resigned", winners[0] if len(winners) == 1 else "")


def _conclude(visit: Visit, result: str, winner: str) -> None:
    by, at, cause = visit.side, visit.room.at, visit.cause
    visit.act = partial(visit.campaign.conclude, result, winner, by=by, at=at, cause=cause)
