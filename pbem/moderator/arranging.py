"""Chairs filled, words to all, onlookers let in, games closed."""

from typing import Annotated

import typer
from sqlmodel import select

from engine import log
from engine.campaign import CannotResume, NoSecret
from pbem.desk.attending_guests import gone
from pbem.desk.duel_course import close_duel, end_duel
from pbem.desk.lifecycle import BOT, begin, player_of, ready
from pbem.desk.seating import OPEN, ask_to_sit, invitations, sit_down, withdraw_invitations
from pbem.house import Room
from pbem.moderator.act import NOT_OVER, Act, CannotModerate, Delay, GameId, Side, TextFrom, check_address, check_chair
from pbem.moderator.readdressing import open_mailboxes
from pbem.moderator.setting_up import welcome, when_told
from pbem.store import Player, Seat, Spectator, mail_address, new_id


def substitute(
    act: Act,
    game: GameId,
    side: Side,
    chair: Annotated[str, typer.Argument(metavar="WHO", help="A mail address, or bot:sensible.")],
) -> None:
    """Ask somebody to take a chair, who has it once he joins; a bot has it at once. The old token then opens nothing.

    Example: pbem game substitute ID german bot:sensible
    """
    room = act.room(game, NOT_OVER, "nobody can take a chair there")
    check_chair(chair)
    _check_rival(room, chair)
    seat = act.seat(room, side)
    before = room.player(seat)
    if before is not None and before.address == mail_address(chair) and seat.joined:
        raise CannotModerate(f"{before.address} plays {seat.side} already")
    if chair.startswith(BOT):
        _tell_before(act, room, seat, before, chair)
        withdraw_invitations(room, seat)
        sit_down(room, seat, bot=chair.removeprefix(BOT))
        act.tell_all(room, "A chair has passed on", f"A bot ({seat.bot}) plays {seat.side} from now on.", but=seat)
        act.say(f"The bot {seat.bot} plays {seat.side} in {room.game.id} from now on.")
        _go_on(act, room, seat)
        return
    open_mailboxes(act, [chair])
    player = player_of(act.session, chair)
    if room.begun:
        holds = f"the bot {seat.bot}" if seat.bot else before.address if before is not None else "nobody"
        act.say(
            f"{player.address} is asked to play {seat.side} in {room.game.id}; {holds} has the chair until he joins."
        )
    else:
        _tell_before(act, room, seat, before, chair)
        sit_down(room, seat, player=player)
        act.tell_all(room, "A chair has passed on", f"Somebody else is asked to play {seat.side}.", but=seat)
        act.say(f"{player.address} is invited to play {seat.side} in {room.game.id}.")
    act.send(ask_to_sit(room, seat, player), "asked")
    _go_on(act, room, seat)


def _check_rival(room: Room, chair: str) -> None:
    """A duel is between two people. Raises CannotModerate."""
    if room.rival is None:
        return
    if chair.startswith(BOT):
        raise CannotModerate(f"{room.game.id} is one game of a duel, which is between two people: name an address")
    if any(player.address == mail_address(chair) for _, player in room.rival.people()):
        raise CannotModerate(f"{mail_address(chair)} plays the other game of this duel, {room.rival.game.id}")


def _tell_before(act: Act, room: Room, seat: Seat, before: Player | None, chair: str) -> None:
    """Whoever holds the chair, or is still asked to, hears that it is no longer his."""
    open_to = [one.player_id for one in invitations(room, OPEN) if one.seat_id == seat.id]
    if before is None or before.address == mail_address(chair) or not (seat.joined or before.id in open_to):
        return
    said = gone(seat) if seat.joined else f"You are no longer asked to play {seat.side}: somebody else is."
    letter = act.write(room, seat, before, "Your chair has passed on", said, stays=False)
    letter.reply_to = ""
    act.send(letter, "before")


def _go_on(act: Act, room: Room, seat: Seat) -> None:
    """A game that had lapsed waits for its players again; one that waits for nobody begins."""
    for table in room.pair() if room.game.state == "lapsed" else ():
        table.game.state = "joined" if any(other.joined for other, _ in table.people()) else "invited"
        for other, player in table.people():
            if not other.joined and other.id != seat.id:
                act.send(ask_to_sit(table, other, player), f"asked/{table.game.id}/{other.side}")
                act.say(f"{player.address} is invited again, to play {other.side}.")
    if not room.begun and ready(room):
        begin(room)


def close(
    act: Act,
    game: GameId,
    result: Annotated[str, typer.Option("--result", help="How it ended; without one it counts as abandoned.")] = "",
    winner: Annotated[str, typer.Option("--winner", metavar="SIDE", help="Who has won.")] = "",
) -> None:
    """End a game by your word: its secret is shown, and all get the whole log and the replay.

    Example: pbem game close ID --winner soviet --result "the pocket has surrendered"
    """
    room = act.room(game, NOT_OVER, "it is closed already")
    side = act.side(room, winner, room.rules.sides) if winner else ""
    if side and not result:
        result = f"{side} wins by the moderator's ruling"
    if not room.begun:
        _abandon(act, room)
        return
    try:
        room.campaign  # noqa: B018
    except (CannotResume, NoSecret, log.DamagedLog, FileNotFoundError) as trouble:
        _lay_aside(act, room, trouble)
    else:
        _conclude(act, room, result, side)


def _lay_aside(act: Act, room: Room, trouble: Exception) -> None:
    """A game that cannot be carried on gets no last line; its log stays as it is, for whoever can mend it."""
    room.game.state = "abandoned"
    if room.duel is not None and not room.duel.ended:
        end_duel(room, f"{room.game.id} could not be carried on. That ends the duel, and nobody has won it.")
    close_duel(room)
    act.tell_all(room, "The moderator has closed the game", "It could not be carried on. Its log stays as it is.")
    act.say(f"{room.game.id} is abandoned, without a last line in its log: {trouble}.")


def _abandon(act: Act, room: Room) -> None:
    for table in room.pair():
        table.game.state = "abandoned"
        table.wake_lookers()
        for seat, player in table.people():
            said = act.write(table, seat, player, "The game does not take place", "The moderator has called it off.")
            act.send(said, f"off/{table.game.id}/{seat.side}")
        act.say(f"{table.game.id} is abandoned.")


def _conclude(act: Act, room: Room, result: str, winner: str) -> None:
    """The log gets its last line, so that its secret is out and every roll can be checked."""
    ended = result or "abandoned"
    if room.game.state == "paused":
        room.game.state = "playing"

    def tell(line: log.Line) -> None:
        act.say(f"{room.game.id} is closed by line {line['n']}: {ended}.")
        act.tell_all(room, "The moderator has closed the game", f"{ended[:1].upper()}{ended[1:]}.")

    act.line(room, room.campaign.conclude(ended, winner, by="moderator", at=room.at, cause=act.cause), tell)
    if not result:
        room.game.state = "abandoned"


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
    leave: Annotated[bool, typer.Option("--leave", help="He looks on no more.")] = False,
) -> None:
    """Let somebody look on: public reports, later than the players' if you say so. He can leave by mail.

    Example: pbem game spectator ID zhukov@stavka.example --delay 24
    """
    room = act.room(game)
    check_address(address)
    if room.duel is not None and not leave:
        why = "who sees one board could tell of it"
        raise CannotModerate(f"{room.game.id} is one game of a duel: nobody looks on there, for {why}")
    wanted = mail_address(address)
    known = select(Spectator).where(Spectator.game_id == room.game.id, Spectator.address == wanted)
    looker = act.session.exec(known).first()
    if leave:
        if looker is None:
            raise CannotModerate(f"{wanted} does not look on at {room.game.id}")
        act.session.delete(looker)
        act.say(f"{wanted} looks on at {room.game.id} no more.")
        return
    if looker is not None:
        raise CannotModerate(f"{wanted} looks on at {room.game.id} already")
    act.room(game, NOT_OVER, "there is nothing to look on at")
    last = room.campaign.count - 1 if room.begun else -1
    looker = Spectator(game_id=room.game.id, address=wanted, delay_hours=delay_hours, reported=last, token=new_id())
    act.session.add(looker)
    act.send(welcome(room, looker), "spectator")
    open_mailboxes(act, [wanted])
    act.say(f"{wanted} looks on at {room.game.id}, {when_told(looker)}.")
