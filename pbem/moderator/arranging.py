"""Chairs filled, words to all, onlookers let in, games closed."""

from typing import Annotated

import typer
from sqlmodel import select

from engine import log
from engine.campaign import CannotResume, NoSecret
from engine.referee import Reply
from pbem.clock.dues import set_dues
from pbem.desk.composing import finish, letter_to
from pbem.desk.lifecycle import BOT, begin, invitation, player_of, ready, seat_bots, time_windows
from pbem.desk.visit import Witness
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.moderator.act import Act
from pbem.moderator.arguments import Delay, GameId, SideName, TextFrom
from pbem.moderator.cannot_moderate import BadAddress, CannotModerate, NoSuchChair, WrongState
from pbem.moderator.mailbox_accounts import open_mailboxes
from pbem.moderator.setting_up import ADDRESS, check_chair
from pbem.outbox.unsubscribing import Reports, unsubscribe_address
from pbem.store import Seat, Spectator, mail_address, new_id
from pbem.wording.naming import side_title


def substitute(
    act: Act,
    game: GameId,
    side: SideName,
    chair: Annotated[str, typer.Argument(metavar="WHO", help="A mail address, or bot:sensible.")],
) -> None:
    """Give a chair to somebody else, or to a bot; all are told. The old token opens it no more.

    Example: pbem game substitute ID german bot:sensible
    """
    room = act.room(game)
    if room.game.state in ("finished", "abandoned"):
        raise WrongState(room.game.id, room.game.state, "nobody can take a chair there")
    check_chair(chair)
    seat = act.seat(room, side)
    before = room.player(seat)
    if not chair.startswith(BOT):
        open_mailboxes(act, [chair])
    if before is not None and before.address == mail_address(chair):
        raise CannotModerate(f"{before.address} plays {seat.side} already")
    if before is not None:
        act.send(act.write(room, seat, before, "Your chair has passed on", _gone(seat), stays=False), "before")
    _sit(act, room, seat, chair)
    who = f"The bot {seat.bot}" if seat.bot else chair
    act.tell_all(room, "A chair has passed on", f"{_somebody(seat)} plays {seat.side} from now on.", but=seat)
    act.say(f"{who} plays {seat.side} in {room.game.id} from now on.")


def _gone(seat: Seat) -> str:
    return f"You play {seat.side} no more: somebody else was given the chair. Thank you for having played."


def _somebody(seat: Seat) -> str:
    return f"A bot ({seat.bot})" if seat.bot else "Somebody else"


def _sit(act: Act, room: Room, seat: Seat, chair: str) -> None:
    seat.token, seat.nonce_commit = new_id(), ""
    seat.away_until, seat.waiting, seat.draw_offered, seat.undo_wanted = None, False, False, None
    if chair.startswith(BOT):
        seat.bot, seat.player_id, seat.joined = chair.removeprefix(BOT), None, True
        seat.nonce = seat.nonce or chair
    else:
        seat.bot, seat.player_id, seat.joined = "", player_of(act.session, chair).id, room.begun
        seat.nonce = seat.nonce if room.begun else ""
        seat.reported = -1 if not room.begun else seat.reported
    act.session.flush()
    if not room.begun:
        _invite_anew(act, room, seat)
        return
    room.campaign.stand_down(seat.side, "")  # whoever sits there now gives standing orders of his own
    room.campaign.withdraw(seat.side)
    seat_bots(room)
    time_windows(room)
    if not seat.bot:
        _hand_over(act, room, seat)
    _fresh_deadline(act, room, seat)


def _invite_anew(act: Act, room: Room, seat: Seat) -> None:
    player = room.player(seat)
    if player is not None:
        act.send(invitation(room, seat, player), "invitation")
    elif ready(room):
        begin(room)


def _hand_over(act: Act, room: Room, seat: Seat) -> None:
    """What somebody is told who takes over a game under way."""
    player = room.player(seat)
    assert player is not None
    greeting = f"You are asked to take over {seat.side} in {room.game.title}, which is under way."
    letter = letter_to(room, "invitation", seat, player, greeting)
    letter.about = f"to take over {side_title(seat.side)} in {room.game.title}"
    letter.say("To begin", "Answer this mail with `status`, `map` or `help`, or with your orders.")
    finish(room, letter, seat, player, room.campaign.head)
    act.send(letter, "after")


def _fresh_deadline(act: Act, room: Room, seat: Seat) -> None:
    """What the chair owes is owed anew from now, and the one before has no part in it."""
    for due in [due for due in room.dues() if due.side == seat.side]:
        room.settle(due)
    act.session.flush()
    set_dues(room)


def close(
    act: Act,
    game: GameId,
    result: Annotated[str, typer.Option("--result", help="How it ended; without one it counts as abandoned.")] = "",
    winner: Annotated[str, typer.Option("--winner", metavar="SIDE", help="Who has won.")] = "",
) -> None:
    """End a game by your word: its secret is shown, and all get the whole log and the replay.

    Example: pbem game close ID --winner soviet --result "the pocket has surrendered"
    """
    room = act.room(game)
    if room.game.state in ("finished", "abandoned"):
        raise WrongState(room.game.id, room.game.state, "it is closed already")
    sides = room.rules.sides
    side = next((one for one in sides if one.casefold() == winner.strip().casefold()), "")
    if winner and not side:
        raise NoSuchChair(room.game.id, winner, sides)
    if side and not result:
        result = f"{side} wins by the moderator's ruling"
    if not room.begun:
        _abandon(act, room)
        return
    try:
        act.house.campaign(room.game)
    except (CannotResume, NoSecret, log.DamagedLog, FileNotFoundError) as trouble:
        _lay_aside(act, room, trouble)
    else:
        _conclude(act, room, result, side)


def _lay_aside(act: Act, room: Room, trouble: Exception) -> None:
    """A game that cannot be carried on gets no last line; its log stays as it is, for whoever can mend it."""
    room.game.state = "abandoned"
    act.tell_all(room, "The moderator has closed the game", "It could not be carried on. Its log stays as it is.")
    act.say(f"{room.game.id} is abandoned, without a last line in its log: {trouble}.")


def _abandon(act: Act, room: Room) -> None:
    room.game.state = "abandoned"
    act.tell_all(room, "The game does not take place", "The moderator has called it off.")
    act.say(f"{room.game.id} is abandoned.")


def _conclude(act: Act, room: Room, result: str, winner: str) -> None:
    """The log gets its last line, so that its secret is out and every roll can be checked."""
    campaign = room.campaign
    ended = result or "abandoned"
    if room.game.state == "paused":
        room.game.state = "playing"

    def tell(line: log.Line, _reply: Reply) -> None:
        act.say(f"{room.game.id} is closed by line {line['n']}: {ended}.")
        act.tell_all(room, "The moderator has closed the game", f"{ended[:1].upper()}{ended[1:]}.", held=True)

    def make(witness: Witness) -> None:
        campaign.conclude(ended, winner, by="moderator", at=room.at, cause=act.cause, witness=witness)

    act.line(room, make, tell)
    if not result:
        room.game.state = "abandoned"
    act.session.commit()


def press(act: Act, game: GameId, words: TextFrom = "-") -> None:
    """Write to all players of a game.

    Example: echo "The next turn starts on Monday." | pbem game press ID
    """
    room = act.room(game)
    if not words.strip():
        raise CannotModerate("there are no words in it")
    act.tell_all(room, "The moderator writes", *words.strip().splitlines())
    act.say(f"Sent to {', '.join(player.address for _, player in room.people()) or 'nobody'}.")


def announce_spectator(
    act: Act,
    game: GameId,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who wants to look on.")],
    delay_hours: Delay = 0,
) -> None:
    """Let somebody look on: public reports, later than the players' if you say so.

    Example: pbem game spectator ID zhukov@stavka.example --delay 24
    """
    room = act.room(game)
    if not ADDRESS.fullmatch(address):
        raise BadAddress(address)
    wanted = mail_address(address)
    known = select(Spectator).where(Spectator.game_id == room.game.id, Spectator.address == wanted)
    if act.session.exec(known).first() is not None:
        raise CannotModerate(f"{wanted} looks on at {room.game.id} already")
    last = room.campaign.count - 1 if room.begun else -1
    looker = Spectator(game_id=room.game.id, address=wanted, delay_hours=delay_hours, reported=last)
    act.session.add(looker)
    letter = Letter("looking on", wanted, "the public reports", game=room.game.id, title=room.game.title)
    letter.unsubscribe = unsubscribe_address(act.house, Reports(room.game, looker))
    letter.greeting = f"You look on at {room.game.title}, {room.game.id}."
    when = f"{delay_hours} hours after they are made" if delay_hours else "as they are made"
    letter.say("What you get", f"The public reports of the game, {when}. You need not answer.")
    act.send(letter, "spectator")
    open_mailboxes(act, [wanted])
    act.say(f"{wanted} looks on at {room.game.id}, {when}.")
