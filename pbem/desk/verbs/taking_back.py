"""Taking back: what waits in the drawer, and by consent what was done."""

from functools import partial

from engine.campaign import replay
from engine.log import NoWayBack
from engine.refusals import Refusal
from pbem.desk.verbs.ending import accept_draw
from pbem.desk.visit import Visit
from pbem.store import Seat


def withdraw(visit: Visit, rest: str) -> None:
    """`withdraw`: what waits in the drawer comes out again, and an offer or a request lapses."""
    taken = visit.campaign.withdraw(visit.side)
    said = list(taken)
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
        visit.letter.say("Undo", f"Name the line to go back to, such as `undo {max(0, campaign.count - 2)}`.")
        return
    to = int(rest.strip().removeprefix("line "))
    if not 0 <= to < campaign.count - 1:
        visit.letter.say("Undo", f"Line {to} is not before the last line, which is {campaign.count - 1}.")
        return
    try:
        campaign.may_undo(to, visit.side)
    except (Refusal, NoWayBack) as problem:
        visit.letter.say("Undo", str(problem))
        return
    if (duel := visit.room.duel) is not None and replay(campaign.lines(), campaign.game, to).turn <= duel.compared:
        known = f"You have been told how the duel stood after turn {duel.compared}: there is no going back behind that."
        visit.letter.say("Undo", known)
        return
    opponents = visit.opponents()
    if not opponents:
        said = f"You go back to the end of line {to}." if visit.room.alone else "Your opponent is a bot, and lets you."
        visit.letter.say("Undo", said)
        _go_back(visit, to, visit.side)
        return
    visit.seat.undo_wanted = to
    whom = " and ".join(seat.side for seat, _ in opponents)
    visit.letter.say("Undo", f"{whom} is asked to let you go back to the end of line {to}. Any new line voids it.")
    for seat, player in opponents:
        said = f"{visit.side} asks to go back to the end of line {to}."
        visit.write_to(seat, player, "A request", said, "Write `accept undo` if you agree; any new line voids it.")


def accept(visit: Visit, rest: str) -> None:
    """`accept undo` or `accept draw`."""
    what = rest.strip().casefold()
    if what == "draw":
        accept_draw(visit)
        return
    wants = _who_wants(visit)
    if what not in ("undo", "") or wants is None:
        visit.letter.say("Accept", "There is nothing of that kind to accept: any new line voids a request.")
        return
    assert wants.undo_wanted is not None
    visit.letter.say("Undo", f"You let {wants.side} go back to the end of line {wants.undo_wanted}.")
    _go_back(visit, wants.undo_wanted, wants.side)


def _who_wants(visit: Visit) -> Seat | None:
    return next((seat for seat, _ in visit.opponents() if seat.undo_wanted is not None), None)


def _go_back(visit: Visit, to: int, side: str) -> None:
    visit.act = partial(visit.campaign.undo, to, by=side, at=visit.room.at, cause=visit.cause)
