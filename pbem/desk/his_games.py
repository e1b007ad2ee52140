"""All chairs of one person: how each stands, and a letter for each whose reply address opens it."""

from collections.abc import Iterator, Sequence

from sqlmodel import Session

from engine.view import view
from pbem.desk.composing import finish, letter_to
from pbem.desk.standing_of import ask_of, due_of, in_his_time
from pbem.house import House
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.store import GameRow, Player, Seat
from pbem.store.whose import Chair
from pbem.wording.naming import side_title
from pbem.wording.situation import headline


def say_chairs(house: House, session: Session, letter: Letter, chairs: Sequence[Chair]) -> None:
    """Every chair with its situation, into a letter to whom they belong."""
    told = [line for chair in chairs for line in _stands(house, session, *chair)]
    letter.say("Your games", *(told or ["You have no chair in a game that is not over."]))
    if len(chairs) > 1:
        letter.say("Where to write", "Each game has a letter of its own: reply to the one you mean.")
    elif chairs:
        letter.say("Where to write", "Reply to this letter, or to any other of the game.")


def _stands(house: House, session: Session, seat: Seat, game: GameRow, player: Player) -> Iterator[str]:
    room = Room(house, session, game)
    yield f"{game.id}: {game.title}. You play {side_title(seat.side)}."
    if not room.begun:
        yield "    It has not begun. " + ("You have joined." if seat.joined else "Write `join` to take your chair.")
        return
    campaign = room.campaign
    stands = headline(campaign.game, view(campaign.position, seat.side))
    yield f"    {stands[:1].upper()}{stands[1:]}.{' The game is paused.' if game.state == 'paused' else ''}"
    ask, due = ask_of(campaign, seat.side), due_of(room, seat.side)
    if ask is None:
        yield "    Nothing is asked of you now."
    else:
        by = f", by {in_his_time(due.due, player)}" if due is not None and due.due is not None else ""
        yield f"    You are asked{by}: {ask.prompt}."


def reply_addresses(
    house: House, session: Session, address: str, chairs: Sequence[Chair]
) -> Iterator[tuple[Letter, Chair]]:
    """A letter for each chair, in its game's own thread."""
    for seat, game, player in chairs:
        room = Room(house, session, game)
        letter = letter_to(room, "notice", seat, player)
        letter.to = address
        letter.say("Where to write", f"Reply to this letter to write for {seat.side} in {game.id}.")
        if room.begun:
            finish(room, letter, seat, player, room.campaign.head)
        yield letter, (seat, game, player)
