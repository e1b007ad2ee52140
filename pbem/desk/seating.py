"""Who is asked to sit on a chair, and who sits down there."""

from sqlmodel import col, select

from engine.view import view
from pbem.clock.clock_rules import read_rules
from pbem.clock.dues import set_dues
from pbem.desk.ask_boxes import mailto
from pbem.desk.composing import letter_to
from pbem.desk.duels.told import how_it_goes, rival_name
from pbem.desk.enclosing import put_map
from pbem.desk.lifecycle import chair_name, invitation, note_invitation, seat_bots, terms_lines, time_windows
from pbem.desk.standing_of import ask_of, due_words
from pbem.house import Room
from pbem.letters import Letter
from pbem.report.dispatch import Button
from pbem.store import Invitation, Player, Seat, new_id
from pbem.wording.naming import side_title
from pbem.wording.rulings import pace_lines
from pbem.wording.situation import situation

OPEN, TAKEN, DECLINED, LAPSED, WITHDRAWN = "open", "taken", "declined", "lapsed", "withdrawn"


def ask_to_sit(room: Room, seat: Seat, player: Player) -> Invitation:
    """Somebody is asked to take a chair; whoever was asked before him is asked no more."""
    withdraw_invitations(room, seat)
    return note_invitation(room, seat, player, new_id() if room.begun else seat.token)


def withdraw_invitations(room: Room, seat: Seat) -> None:
    for before in invitations(room, OPEN):
        if before.seat_id == seat.id:
            before.state = WITHDRAWN


def invitations(room: Room, *states: str) -> list[Invitation]:
    """Those of a game that are in one of these states, oldest first."""
    found = select(Invitation).where(Invitation.game_id == room.game.id, col(Invitation.state).in_(states))
    return list(room.session.exec(found.order_by(col(Invitation.id))).all())


def letter_of(room: Room, asked: Invitation, seat: Seat, player: Player) -> Letter:
    """The letter that asks him: an invitation, or its twin for a game under way."""
    return _take_over(room, asked, seat, player) if room.begun else invitation(room, seat, player)


def _take_over(room: Room, asked: Invitation, seat: Seat, player: Player) -> Letter:
    """Opponent, rules, situation, map, what is owed: as the side sees it, and nothing that its holder left for it."""
    campaign = room.campaign
    letter = letter_to(room, "invitation", seat, player)
    letter.reply_to = room.house.seat_address(asked.token)
    letter.about = f"to take over {side_title(seat.side)} in {room.game.title}"
    letter.buttons = (Button("Join", mailto(letter, "join")),)
    against = [chair_name(room, other) for other in room.seats() if other.id != seat.id]
    against += [f"the rules, which play {side}" for side in room.rules.setting.played]
    letter.greeting = (
        f"You are asked to take over {seat.side} in {room.game.title}, which is under way, against"
        f" {' and '.join(against)}."
    )
    if room.duel is not None:
        stands = room.duel.ended or f"Turns compared so far: {room.duel.compared or 'none'}."
        letter.say("The duel", f"It is a duel with {rival_name(room)}. {stands}", *how_it_goes(room))
    letter.say(
        "To join",
        "Answer this mail with the line `join`; you may add your name and your time zone. If you would rather not,"
        " write `decline`. Until you join nothing is expected of you.",
        "    join as Anna zone Europe/Kyiv",
    )
    letter.say("The game", *terms_lines(room.game))
    letter.say("The pace", *pace_lines(room.pace))
    letter.say("What is owed", *_owed(room, seat, player))
    if room.duel is None:
        letter.say("Time", *read_rules(room.game.settings).in_words())
    seen = view(campaign.position, seat.side)
    letter.say(f"How it stands, as {seat.side} sees it", *situation(campaign.game, seen).splitlines(), exact=True)
    if room.game.settings.get("pictures", "all") != "none":
        put_map(letter, room, seat.side)
    letter.head, letter.commands = campaign.head, ("join", "decline", "help")
    return letter


def _owed(room: Room, seat: Seat, player: Player) -> list[str]:
    ask, due = ask_of(room.campaign, seat.side), due_words(room, seat.side, player)
    if ask is None:
        return [f"Nothing is asked of {seat.side} now."]
    told = [f"{ask.prompt[:1].upper()}{ask.prompt[1:]}."]
    if room.game.state == "paused":
        told.append("The game is paused: no time passes.")
    elif due:
        told.append(f"It is due by {due}; when you join, your time for it begins anew.")
    return told


def sit_down(room: Room, seat: Seat, *, player: Player | None = None, bot: str = "", token: str = "") -> None:
    """The chair is his: nothing of what its last holder left for it, his own address, and his whole time."""
    seat.token, seat.nonce_commit = token or new_id(), ""
    seat.away_until, seat.waiting, seat.draw_offered, seat.undo_wanted = None, False, False, None
    seat.extensions, seat.unheard, seat.unheard_since = 0, 0, None
    seat.press_printed = False
    seat.bot, seat.player_id = bot, player.id if player is not None else None
    if not room.begun:
        seat.joined, seat.nonce, seat.reported = bool(bot), f"bot:{bot}" if bot else "", -1
        room.session.flush()
        return
    seat.joined = True
    room.session.flush()
    room.campaign.stand_down(seat.side, "")  # whoever sits there now gives standing orders of his own
    room.campaign.withdraw(seat.side)
    seat_bots(room)
    time_windows(room)
    for due in [due for due in room.dues() if due.side == seat.side]:
        room.settle(due)
    room.session.flush()
    set_dues(room)
