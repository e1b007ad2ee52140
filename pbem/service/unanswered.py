"""Who does not answer: invitations reminded, reported, lapsed; players whom only the clock answers for."""

from datetime import datetime, timedelta

from sqlmodel import col, select

from pbem.clock.clock_rules import counted, read_rules
from pbem.desk.composing import letter_to_moderator, notice_to
from pbem.desk.seating import LAPSED, OPEN, WITHDRAWN, invitations, letter_of
from pbem.desk.trouble import in_each
from pbem.desk.verbs.joining import say_ways
from pbem.house import House, Room
from pbem.outbox.outgoing import queue
from pbem.store import GameRow, Invitation, Player, Seat, utc

REMINDED, REPORTED = 1, 2  # the rungs below the last


def climb_invitations(house: House, now: datetime) -> None:
    """Every open invitation as far up the ladder as its days have gone."""
    first = timedelta(days=min(house.settings.times.remind_days, house.settings.times.report_days))
    games = select(Invitation.game_id).where(Invitation.state == OPEN, col(Invitation.asked) <= now - first)

    def climb(room: Room) -> None:
        for asked in invitations(room, OPEN):
            _climb(room, asked, now)

    in_each(house, games.order_by(col(Invitation.game_id)), "its invitations could not be seen to", climb)


def _climb(room: Room, asked: Invitation, now: datetime) -> None:
    seat, player = room.session.get_one(Seat, asked.seat_id), room.session.get_one(Player, asked.player_id)
    if asked.state != OPEN or (seat.joined and not room.begun):
        return
    if room.game.state in ("finished", "abandoned"):
        asked.state = WITHDRAWN
        return
    times, days = room.house.settings.times, (now - utc(asked.asked)).days
    if days >= times.lapse_days:
        _lapse(room, asked, seat, player)
    elif days >= times.report_days and asked.step < REPORTED:
        asked.step = REPORTED
        _report(room, asked, seat, player, days)
    elif days >= times.remind_days and asked.step < REMINDED:
        asked.step = REMINDED
        _remind(room, asked, seat, player, times.lapse_days - days)


def _remind(room: Room, asked: Invitation, seat: Seat, player: Player, left: int) -> None:
    """The invitation once more; its subject says for how long it stands."""
    letter = letter_of(room, asked, seat, player)
    letter.about = f"{letter.about}, {_days(left)} left"
    letter.greeting = f"You have not answered yet. {letter.greeting} The invitation stands for {_days(left)} more."
    queue(room.house, room.session, letter, f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/reminder")


def _report(room: Room, asked: Invitation, seat: Seat, player: Player, days: int) -> None:
    left = room.house.settings.times.lapse_days - days
    letter = letter_to_moderator(room, f"{seat.side} has not answered")
    said = f"{player.address}, who is asked to play {seat.side}, has not answered for {_days(days)}."
    letter.say("An invitation is not answered", said, f"It lapses in {_days(left)}, unless you do something.")
    say_ways(letter, room, seat.side)
    queue(room.house, room.session, letter, f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/report")


def _lapse(room: Room, asked: Invitation, seat: Seat, player: Player) -> None:
    """A game that has not begun lapses with it; one under way goes on, with its chair as it was."""
    key = f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/lapsed"
    asked.state = LAPSED
    letter = letter_to_moderator(room, f"the invitation to play {seat.side} has lapsed")
    said = f"{player.address}, who was asked to play {seat.side}, has not answered."
    goes_on = (
        "The game goes on as it was." if room.begun else "The game has lapsed with it; all who were asked are told."
    )
    letter.say("An invitation has lapsed", said, goes_on)
    say_ways(letter, room, seat.side)
    queue(room.house, room.session, letter, f"{key}/moderator")
    if room.begun:
        return
    for table in room.pair():
        table.game.state = "lapsed"
        table.wake_lookers()
        for one in invitations(table, OPEN):
            one.state = LAPSED
        for other, reader in table.people():
            who = seat.side if room.duel is None else player.name or player.address
            whose = "You have not answered" if other.id == seat.id else f"Nobody has answered for {who}"
            lapsed = f"{whose}, so that the invitation has lapsed."
            told = notice_to(table, other, reader, "The game does not begin", lapsed, *_hope(other))
            queue(room.house, room.session, told, f"{key}/{table.game.id}/{other.side}")


def _hope(seat: Seat) -> list[str]:
    """Whoever has joined keeps his chair: it may yet come to a game."""
    return ["You keep your chair, should the moderator find somebody else."] if seat.joined else []


def _days(number: int) -> str:
    return counted(number, "day")


def report_no_shows(house: House) -> None:
    """One letter for each run of deadlines that a player has left to the clock; the game pauses if its terms say so."""
    state = select(GameRow.state).where(GameRow.id == Seat.game_id).scalar_subquery()  # asked of the few alone
    silent = select(Seat.game_id).where(Seat.unheard > 0, state == "playing")
    games = silent.order_by(col(Seat.game_id))
    in_each(house, games, "its moderator could not be told of a player", _tell_of_silence)


def _tell_of_silence(room: Room) -> None:
    rules = read_rules(room.game.settings)
    for seat, player in room.people():
        if rules.no_show and seat.unheard >= rules.no_show:
            _tell_of(room, seat, player, pauses=rules.on_no_show == "pause")


def _tell_of(room: Room, seat: Seat, player: Player, *, pauses: bool) -> None:
    letter = letter_to_moderator(room, f"{seat.side} does not answer")
    letter.say(
        f"{seat.side} does not answer",
        f"{seat.side} ({player.address}) has left {counted(seat.unheard, 'deadline')} running to the clock, since line"
        f" {seat.unheard_since} of the log.",
        "The game is paused, as its terms say." if pauses else "The game goes on, and the clock goes on answering.",
    )
    say_ways(
        letter, room, seat.side,
        f"`moderator extend {seat.side} 3d` gives more time.",
        "`moderator resume` lets the game go on." if pauses else "`moderator pause` stops the clock.",
        "`moderator press`, and your words below it, writes to all players.",
    )  # fmt: skip
    if queue(room.house, room.session, letter, _key(room, seat)) is not None and pauses:
        _pause(room, seat)


def _key(room: Room, seat: Seat) -> str:
    return f"no-show/{room.game.id}/{seat.id}/{seat.player_id}/{seat.unheard_since}"


def _pause(room: Room, silent: Seat) -> None:
    room.game.state, room.game.paused_at = "paused", room.now
    left = (
        f"left {counted(silent.unheard, 'deadline')} running to the clock, and the terms say that the game stops then."
    )
    for seat, player in room.people():
        whose = "You have" if seat.id == silent.id else f"{silent.side} has"
        goes_on = "No deadline passes until the moderator lets it go on."
        letter = notice_to(room, seat, player, "The game is paused", f"{whose} {left}", goes_on)
        queue(room.house, room.session, letter, f"{_key(room, silent)}/{seat.side}")
