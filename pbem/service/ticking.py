"""What time brings: reminders, grace, absence, and then a line by the clock or a question to the moderator.

And who does not answer: invitations reminded, reported, lapsed; players whom only the clock answers for.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, or_, text
from sqlmodel import col, select

from pbem.clock.clock_rules import ClockRules, counted, length_in_words, read_rules
from pbem.clock.dues import GRACE_TOLD, HELD, WINDOW, line_time, next_of, rungs_gone, set_dues, wind
from pbem.desk.composing import finish, letter_to, letter_to_moderator
from pbem.desk.duel_course import end_duel
from pbem.desk.line_made import nobody_asked_for
from pbem.desk.seating import LAPSED, OPEN, WITHDRAWN, invitations, letter_of
from pbem.desk.standing_of import ask_of, in_his_time, soon
from pbem.desk.trouble import in_each
from pbem.desk.verbs.joining import say_ways
from pbem.house import House, Room
from pbem.house.wishes import OFF, reminders, wish_of
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.outbox.unsubscribing import Subscription, unsubscribe_address
from pbem.store import Due, GameRow, Invitation, MailIn, Player, Seat, utc

REMINDED, REPORTED = 1, 2  # the rungs of an invitation, below the last
# The state is asked row by row: as a join it would be looked for first, in every open game.
_STATE = select(GameRow.state).where(GameRow.id == Due.game_id).scalar_subquery()
_DEADLINES = _STATE == "playing", col(Due.due).is_not(None), col(Due.wake).is_not(None)
_OF_SEAT = select(GameRow.state).where(GameRow.id == Seat.game_id).scalar_subquery()
_OPEN = Invitation.state == OPEN, col(Invitation.asked) <= bindparam("asked")
NEXT = select(Due.wake).where(*_DEADLINES).order_by(col(Due.wake)).limit(1)
# In these something has come due, or is near enough for a reminder.
WOKEN = select(Due.game_id).where(*_DEADLINES, col(Due.wake) <= bindparam("now")).order_by(col(Due.wake))
SILENT = select(Seat.game_id).where(text("unheard > 0"), _OF_SEAT == "playing").order_by(col(Seat.game_id))
UNANSWERED = select(Invitation.game_id).where(*_OPEN).order_by(col(Invitation.game_id))
ANYTHING = select(or_(WOKEN.exists(), SILENT.exists(), UNANSWERED.exists()))


def tick(house: House, now: datetime, then: Callable[[str], None]) -> None:
    """Everything that is due by a moment up to which mail came in and went out; `then` where the clock has answered."""
    times = house.settings.times
    asked = now - timedelta(days=min(times.remind_days, times.report_days))
    with house.database.reading() as session:
        if not session.exec(ANYTHING, params={"now": now, "asked": asked}).one():
            return  # as nearly always: one question tells
    woken = WOKEN.params(now=now)
    for game in in_each(house, woken, "its clock could not be wound", lambda room: _tick_game(room, now)):
        then(game)
    in_each(house, SILENT, "its moderator could not be told of a player", _tell_of_silence)
    unanswered = UNANSWERED.params(asked=asked)
    in_each(house, unanswered, "its invitations could not be seen to", lambda room: _climb_all(room, now))


def next_wake(house: House) -> datetime | None:
    """The next moment at which the clock has something to do."""
    with house.database.reading() as session:
        found = session.exec(NEXT).first()
    return utc(found) if found is not None else None


def _tick_game(room: Room, now: datetime) -> bool:
    waiting = select(MailIn.id).where(MailIn.game_id == room.game.id, MailIn.state == "stored")
    if room.session.exec(waiting.limit(1)).first() is not None:
        return False  # another worker has yet to deal with it, and mail comes before the clock
    rules = read_rules(room.game.settings)
    set_dues(room, line_time(room.campaign, now))  # what was sealed since is owed no more
    late = []
    for row in room.dues():
        seat = next(seat for seat in room.seats() if seat.side == row.side)
        player = room.player(seat)
        if row.due is None or player is None or row.reminded == HELD or next_of(row, rules) > now:
            continue
        if row.kind == WINDOW:
            return _by_clock(room)
        if now >= utc(row.due) + rules.grace:
            late.append(row)
        else:
            _remind(room, row, seat, player, rules, now)
    if not late:
        return False
    if rules.on_deadline == "hold":
        _hold(room, late)
        return False
    if room.duel is not None:
        return _out_of_time(room, late[0], rules, now)
    return _by_clock(room, late)


def _letter(
    room: Room, seat: Seat, player: Player, greeting: str, left: str = "", by: datetime | None = None
) -> Letter:
    letter = letter_to(room, "reminder", seat, player, greeting=greeting)
    ask = ask_of(room.campaign, seat.side)
    what = "your move" if ask is None or ask.top else "a question waits for you"
    letter.about = f"{what}, {left}" if left else what
    letter.by = soon(by, player, room.now) if by is not None else ""
    finish(room, letter, seat, player)
    return letter


def _remind(room: Room, row: Due, seat: Seat, player: Player, rules: ClockRules, now: datetime) -> None:
    """One reminder, however many rungs have gone by; the last tells of the grace that is left. Subjects count down."""
    assert row.due is not None
    due = utc(row.due)
    left = (
        f"{length_in_words(due - now)} left" if now < due else f"due, {length_in_words(due + rules.grace - now)} left"
    )
    orders = f"Turn {room.campaign.position.turn} of your duel" if room.duel is not None else "Your orders"
    are, were = ("is", "was") if room.duel is not None else ("are", "were")
    if now < due:
        row.reminded = rungs_gone(row, rules, now)
        rung, said, by = str(row.reminded), f"{orders} {are} due by {in_his_time(due, player)}.", due
    else:
        row.reminded = GRACE_TOLD
        lost = "the duel is lost" if room.duel is not None else "the clock answers for you"
        what = "the moderator decides" if rules.on_deadline == "hold" else lost
        until = in_his_time(due + rules.grace, player)
        rung, said, by = "grace", f"{orders} {were} due. You have until {until}; then {what}.", due + rules.grace
    wind(row, rules)
    if wish_of(room.session, player, reminders(seat)) == OFF:
        return
    letter = _letter(room, seat, player, said, left, by)
    letter.unsubscribe = unsubscribe_address(room.house, Subscription(room.game, player, seat))
    key = f"reminder/{room.game.id}/{row.side}/{row.key}/{due.timestamp():.0f}/{rung}"
    queue(room.house, room.session, letter, key)


def _hold(room: Room, late: list[Due]) -> None:
    """The game waits for the moderator, who is told once."""
    for row in late:
        row.reminded, row.wake = HELD, None
        key = f"held/{room.game.id}/{row.side}/{row.key}"
        for seat, player in room.people():
            if seat.side == row.side:
                waits = _letter(room, seat, player, "Your orders were due. The moderator decides what happens now.")
                queue(room.house, room.session, waits, f"{key}/player")
        owes = f"{row.side} owes: {row.prompt}."
        letter = letter_to_moderator(room, "A deadline has passed", owes, "The game waits for your decision.")
        queue(room.house, room.session, letter, key)


def _by_clock(room: Room, late: Sequence[Due] = ()) -> bool:
    """What is late is answered; a window opens, whatever was answered and whenever, at the same time for all."""
    campaign, sides = room.campaign, [row.side for row in late]
    # Named by the line to come: all can read it, and what is asked may be hidden from some.
    at, cause = room.at, f"clock/{room.game.id}/{campaign.count}"
    reply = campaign.expire(sides, at=at, cause=cause) if sides else campaign.open_window(at=at, cause=cause)
    return nobody_asked_for(room, reply, by_clock=True)


def _out_of_time(room: Room, row: Due, rules: ClockRules, now: datetime) -> bool:
    """Whoever has not ended a turn of a duel in its time has lost it; if neither has, it is off.

    His game ends with it. Who has been given more time than the other may still use it.
    """
    rival, turn = room.rival, room.campaign.position.turn
    assert rival is not None
    late = [due for due in rival.dues() if due.due is not None and utc(due.due) + rules.grace <= now]
    if late and rival.game.state == "playing":
        sentence = f"Neither of you ended turn {turn} in time. That ends the duel, and nobody has won it."
        end_duel(room, sentence)
        return False
    winner = next(iter(room.rules.setting.played), "")
    result, cause = f"{row.side} did not end turn {turn} in time", f"clock/{room.game.id}/{room.campaign.count}"
    reply = room.campaign.conclude(result, winner, by="clock", at=room.at, cause=cause)
    return nobody_asked_for(room, reply, by_clock=True)


# Who does not answer.


def _climb_all(room: Room, now: datetime) -> None:
    """Every open invitation as far up the ladder as its days have gone."""
    for asked in invitations(room, OPEN):
        _climb(room, asked, now)


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
        _invite_again(room, asked, seat, player, times.lapse_days - days)


def _invite_again(room: Room, asked: Invitation, seat: Seat, player: Player, left: int) -> None:
    """The invitation once more; its subject says for how long it stands."""
    letter = letter_of(room, asked, seat, player)
    letter.about = f"{letter.about}, {_days(left)} left"
    letter.greeting = f"You have not answered yet. {letter.greeting} The invitation stands for {_days(left)} more."
    queue(room.house, room.session, letter, f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/reminder")


def _report(room: Room, asked: Invitation, seat: Seat, player: Player, days: int) -> None:
    left = room.house.settings.times.lapse_days - days
    letter = letter_to_moderator(room, about=f"{seat.side} has not answered")
    said = f"{player.address}, who is asked to play {seat.side}, has not answered for {_days(days)}."
    letter.say("An invitation is not answered", said, f"It lapses in {_days(left)}, unless you do something.")
    say_ways(letter, room, seat.side)
    queue(room.house, room.session, letter, f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/report")


def _lapse(room: Room, asked: Invitation, seat: Seat, player: Player) -> None:
    """A game that has not begun lapses with it; one under way goes on, with its chair as it was."""
    key = f"invited/{asked.id}/{utc(asked.asked).timestamp():.0f}/lapsed"
    asked.state = LAPSED
    letter = letter_to_moderator(room, about=f"the invitation to play {seat.side} has lapsed")
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
            told = letter_to(table, "notice", other, reader, "The game does not begin", lapsed, *_hope(other))
            queue(room.house, room.session, told, f"{key}/{table.game.id}/{other.side}")


def _hope(seat: Seat) -> list[str]:
    """Whoever has joined keeps his chair: it may yet come to a game."""
    return ["You keep your chair, should the moderator find somebody else."] if seat.joined else []


def _days(number: int) -> str:
    return counted(number, "day")


def _tell_of_silence(room: Room) -> None:
    """One letter for each run of deadlines that a player has left to the clock; the game pauses if its terms say so."""
    rules = read_rules(room.game.settings)
    for seat, player in room.people():
        if rules.no_show and seat.unheard >= rules.no_show:
            _tell_of(room, seat, player, pauses=rules.on_no_show == "pause")


def _tell_of(room: Room, seat: Seat, player: Player, *, pauses: bool) -> None:
    letter = letter_to_moderator(room, about=f"{seat.side} does not answer")
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
        letter = letter_to(room, "notice", seat, player, "The game is paused", f"{whose} {left}", goes_on)
        queue(room.house, room.session, letter, f"{_key(room, silent)}/{seat.side}")
