"""What each side owes, kept beside the mail: a row for each open ask, its reminders; anew after every line."""

from datetime import datetime, timedelta

from engine.asks import Ask
from engine.campaign import Campaign
from pbem.clock.clock_rules import ClockRules, read_rules
from pbem.clock.time_zones import due_at
from pbem.house import Room
from pbem.store import Due, Player, Seat, utc

LENGTHS = {"deadline", "weekdays_off"}  # the terms that say how long anybody has
TURN = "turn"  # in a duel: the time for a whole turn, whatever is asked in it
WINDOW = "window"  # the kind of a hidden question, whose time runs out whether it was answered or not


def _owed(room: Room, asked: datetime | None = None) -> dict[str, Due]:
    """What each side owes as the game stands; a phase that goes on keeps its deadline."""
    now, campaign = asked or room.now, room.campaign
    rules, changed = read_rules(room.game.settings), campaign.last.get("terms", {}).keys() & LENGTHS
    asks = {ask.side: ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None}
    window = campaign.window
    if window is not None:
        asks[window.side] = window  # sealed or not, its time runs
    seats = {seat.side: seat for seat in room.seats()}
    rows = {row.side: row for row in room.dues()}
    planned = {}
    for side, ask in asks.items():
        player, row = room.player(seats[side]), rows.get(side)
        kind = WINDOW if ask is window else TURN if room.duel is not None else kinds_of(ask)[0]
        row = row if row is not None and _goes_on(row, kind, ask.key) else None
        begun = now
        if room.duel is not None and kind == TURN:
            begun = utc(room.duel.since or now)
            due, reminded = _for_the_turn(room, row, player, rules, begun)
        elif row is not None:
            due, reminded = row.due, row.reminded
            if changed and kind != WINDOW:
                due = _by_new_terms(row, _due(player, ask, kind, rules, utc(row.asked if due else now)))
        else:
            due, reminded = _due(player, ask, kind, rules, now), 0
        away = seats[side].away_until
        if kind != WINDOW and due is not None and away is not None and utc(away) > utc(due):
            due, reminded = away, 0
        planned[side] = Due(
            game_id=room.game.id,
            side=side,
            key=ask.key,
            kind=kind,
            prompt=ask.prompt,
            asked=begun if kind == TURN or row is None else row.asked,
            due=utc(due) if due is not None else None,
            reminded=reminded,
            outage=row.outage if row is not None else None,
            moved=row.moved if row is not None else 0,
        )
        if row is not None and row.due != due:
            climb_anew(planned[side], rules, now)
    return planned


def _for_the_turn(
    room: Room, row: Due | None, player: Player | None, rules: ClockRules, begun: datetime
) -> tuple[datetime | None, int]:
    """By when a turn of a duel must be ended, and the reminders gone; its time runs for both from when it was begun.

    Who is ahead of the turn that is waited for has no deadline, and nobody has one when the duel is decided.
    """
    duel = room.duel
    if duel is None or player is None or duel.ended or room.campaign.position.turn > duel.compared + 1:
        return None, 0
    if row is not None and row.due is not None:
        return row.due, row.reminded
    return due_at(begun, rules.span(TURN), rules, player.zone), 0


def set_dues(room: Room, asked: datetime | None = None) -> None:
    """The rows as the open asks want them; what was owed and is no longer goes into the player's record."""
    planned = _owed(room, asked)
    seats = {seat.side: seat for seat in room.seats()}
    for row in list(room.dues()):
        wanted = planned.pop(row.side, None)
        if row.kind != WINDOW and (wanted is None or not _goes_on(row, wanted.kind, wanted.key)):
            _remember(room, seats.get(row.side), row, asked or room.now)
        if wanted is None:
            room.settle(row)
            continue
        row.key, row.kind, row.prompt, row.asked = wanted.key, wanted.kind, wanted.prompt, wanted.asked
        row.due, row.reminded, row.outage, row.moved = wanted.due, wanted.reminded, wanted.outage, wanted.moved
    for due in planned.values():
        room.owe(due)
    rules = read_rules(room.game.settings)
    for row in room.dues():
        wind(row, rules)
        if row.side in seats and seats[row.side].bot:
            row.wake = row.asked  # it is asked, and answers


def next_of(row: Due, rules: ClockRules) -> datetime:
    """When a deadline next wants something done: a reminder, itself, the end of grace."""
    assert row.due is not None
    due = utc(row.due)
    if row.kind == WINDOW:
        return due
    rungs = ladder(row, rules)
    if row.reminded < len(rungs):
        return due - rungs[row.reminded]
    return due if row.reminded < GRACE_TOLD and rules.grace else due + rules.grace


def wind(row: Due, rules: ClockRules) -> None:
    """Whoever has moved a deadline, or reminded of it, notes when the clock wants it next."""
    row.wake = None if row.due is None or row.reminded == HELD else next_of(row, rules)


def line_time(campaign: Campaign, otherwise: datetime) -> datetime:
    """When the last line was written: from then on its questions are open."""
    try:
        return utc(datetime.fromisoformat(campaign.last["at"]))
    except ValueError:
        return otherwise


def _goes_on(row: Due, kind: str, key: str) -> bool:
    """Whether what is asked now belongs to one stage of one turn with what was owed; a window is one question alone.

    In a duel it belongs to one turn.
    """
    if WINDOW in (row.kind, kind):
        return (row.kind, row.key) == (kind, key)
    if TURN in (row.kind, kind):
        return row.kind == kind and row.key.split("/")[0] == key.split("/")[0]
    return row.key.split("/")[:2] == key.split("/")[:2]


def kinds_of(ask: Ask) -> tuple[str, ...]:
    """What the deadline rules may call an ask: a reply, its stage, the kind of stage, its name."""
    stage = ask.key.split("/")[1] if "/" in ask.key else ""
    own = () if ask.top else ("reply",)
    return (*own, stage, stage.rpartition(".")[2], ask.name)


def _due(player: Player | None, ask: Ask, kind: str, rules: ClockRules, now: datetime) -> datetime | None:
    """By when a person must answer; bots have no deadline."""
    length = rules.window if kind == WINDOW else rules.span(*kinds_of(ask))
    return due_at(now, length, rules, player.zone) if player is not None else None


def _by_new_terms(row: Due, due: datetime | None) -> datetime | None:
    """New terms give time or take the deadline away; what somebody was given for a question is never cut."""
    return due if due is None or row.due is None else max(due, utc(row.due))


def _remember(room: Room, seat: Seat | None, row: Due, now: datetime) -> None:
    """The player's record, for the moderator, and whether he is still there."""
    player = room.player(seat) if seat is not None else None
    if seat is None or player is None:
        return
    line, sealed = room.campaign.last, room.campaign.drawer.sealed(row.key) is not None
    by_clock = line.get("act") == "deadline" and not sealed
    if by_clock:
        seat.unheard += 1
        seat.unheard_since = line["n"] if seat.unheard == 1 else seat.unheard_since
    late = row.due is not None and now > utc(row.due)
    seconds = round((now - utc(row.asked)).total_seconds())
    room.record(player, "missed" if by_clock else "late" if late else "answered", seconds)
    if sealed or line.get("by") == seat.side:
        seat.unheard, seat.unheard_since = 0, None


GRACE_TOLD, HELD = 100, 101  # rungs of the ladder above all reminders


def ladder(row: Due, rules: ClockRules) -> tuple[timedelta, ...]:
    """The reminders that fall between the question and its deadline."""
    assert row.due is not None
    span = utc(row.due) - utc(row.asked)
    return tuple(reminder for reminder in rules.reminders if reminder < span)


def rungs_gone(row: Due, rules: ClockRules, now: datetime) -> int:
    """How many of them have gone by."""
    assert row.due is not None
    return sum(1 for reminder in ladder(row, rules) if utc(row.due) - reminder <= now)


def climb_anew(row: Due, rules: ClockRules, now: datetime) -> None:
    """The deadline is another one: reminders still to come are given, those gone by are not made up for."""
    if row.due is not None and now < utc(row.due):
        row.reminded = rungs_gone(row, rules, now)
