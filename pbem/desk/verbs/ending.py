"""Ending a game before its end: a draw by agreement, giving up."""

from functools import partial

from pbem.desk.visit import Visit

FOR_GOOD = ("for good", "yes", "really")


def draw(visit: Visit, rest: str) -> None:
    """`draw` offers one; `draw accept` or `accept draw` takes it."""
    if rest.strip().casefold() == "accept":
        accept_draw(visit)
        return
    opponents = visit.opponents()
    if not opponents:
        visit.letter.say("Draw", "Your opponent is a bot, and plays on.")
        return
    visit.seat.draw_offered = True
    whom = " and ".join(seat.side for seat, _ in opponents)
    visit.letter.say("Draw", f"Offered to {whom}. Any new line voids the offer.")
    for seat, player in opponents:
        said = f"{visit.side} offers a draw."
        visit.write_to(
            seat, player, "A draw is offered", said, "Write `accept draw` to take it; any new line voids it."
        )


def accept_draw(visit: Visit) -> None:
    """The game ends without a winner."""
    if not any(seat.draw_offered for seat, _ in visit.opponents()):
        visit.letter.say("Draw", "No draw is on offer: any new line voids an offer. `draw` offers one.")
        return
    visit.letter.say("Draw", "Agreed.")
    _conclude(visit, "a draw by agreement", "")


def resign(visit: Visit, rest: str) -> None:
    """`resign for good`: the game is given up."""
    if rest.strip().casefold().rstrip(".!") not in FOR_GOOD:
        visit.letter.say("Resign", "Write `resign for good` if you mean it: it cannot be taken back.")
        return
    winners = [side for side in visit.campaign.game.sides if side != visit.side]
    visit.letter.say("Resign", "You have given up the game.")
    _conclude(visit, f"{visit.side} resigned", winners[0] if len(winners) == 1 else "")


def _conclude(visit: Visit, result: str, winner: str) -> None:
    by, at, cause = visit.side, visit.room.at, visit.cause
    visit.act = partial(visit.campaign.conclude, result, winner, by=by, at=at, cause=cause)
