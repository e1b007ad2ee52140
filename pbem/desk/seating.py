"""Who is asked to sit on a chair, and who sits down there."""

from typing import Any

from sqlmodel import col, select

import games
from engine.view import view
from pbem.clock.dues import set_dues
from pbem.desk.ask_boxes import mailto
from pbem.desk.composing import letter_to, rival_name, say_words
from pbem.desk.enclosing import put_map
from pbem.desk.standing_of import ask_of, due_words
from pbem.house import Room
from pbem.letters import Letter
from pbem.report.dispatch import Button
from pbem.store import GameRow, Invitation, Player, Seat, new_id
from pbem.wording.marks_and_tracks import track_name
from pbem.wording.naming import side_title
from pbem.wording.option_values import spelled
from pbem.wording.rulings import pace_lines
from pbem.wording.situation import situation

OPEN, TAKEN, DECLINED, LAPSED, WITHDRAWN = "open", "taken", "declined", "lapsed", "withdrawn"


def ask_to_sit(room: Room, seat: Seat, player: Player) -> Letter:
    """Somebody is asked to take a chair, by the letter this gives; whoever was asked before him is asked no more."""
    assert seat.id is not None
    assert player.id is not None
    withdraw_invitations(room, seat)
    token = new_id() if room.begun else seat.token  # under which the answer comes back
    asked = Invitation(game_id=room.game.id, seat_id=seat.id, player_id=player.id, token=token, asked=room.now)
    room.session.add(asked)
    room.session.flush()
    return letter_of(room, asked, seat, player)


def withdraw_invitations(room: Room, seat: Seat) -> None:
    for before in invitations(room, OPEN):
        if before.seat_id == seat.id:
            before.state = WITHDRAWN


def invitations(room: Room, *states: str) -> list[Invitation]:
    """Those of a game that are in one of these states, oldest first."""
    found = select(Invitation).where(Invitation.game_id == room.game.id, col(Invitation.state).in_(states))
    return list(room.session.exec(found.order_by(col(Invitation.id))).all())


def letter_of(room: Room, asked: Invitation, seat: Seat, player: Player) -> Letter:
    """The letter that asks him; in a game under way with what is owed and how it stands.

    As the side sees it, and nothing that its holder left for it.
    """
    letter, title = letter_to(room, "invitation", seat, player), side_title(seat.side)
    letter.about = f"to take over {title} in {room.game.title}" if room.begun else f"{room.game.title}, you as {title}"
    against = [chair_name(room, other) for other in room.seats() if other.id != seat.id]
    against += [f"the rules, which play {side}" for side in room.rules.setting.played]
    given: dict[str, Any] = {
        "seat": seat,
        "against": " and ".join(against),
        "rival": rival_name(room) if room.rival is not None else "",
        **terms_of(room.game),
        "pace": "\n".join(pace_lines(room.pace)),
    }
    if room.begun:
        campaign = room.campaign
        letter.reply_to, letter.head = room.house.seat_address(asked.token), campaign.head
        ask, due = ask_of(campaign, seat.side), due_words(room, seat.side, player)
        say_words(room, letter, "taking_over", ask=ask, due=due, **given)
        seen = view(campaign.position, seat.side)
        letter.say(f"How it stands, as {seat.side} sees it", *situation(campaign.game, seen).splitlines(), exact=True)
        if room.game.settings.get("pictures", "all") != "none":
            put_map(letter, room, seat.side)
    else:
        say_words(room, letter, "invitation", **given)
    letter.buttons = (Button("Join", mailto(letter, "join")),)
    letter.commands = ("join", "decline", "help")
    return letter


def terms_of(game: GameRow) -> dict[str, Any]:
    """What is played, for `words/terms.txt`: the options that were chosen are told in full, the usual ones by name."""
    book = games.title(game.rulebook)
    scenario = book.scenario(game.scenario)
    values = [(choice, game.options.get(choice.name, choice.default)) for choice in scenario.choices]
    chosen = [(one, f"{track_name(one.name)} {spelled(value)}", value == one.default) for one, value in values]
    return {"book": book, "scenario": scenario, "chosen": chosen}


def chair_name(room: Room, seat: Seat) -> str:
    """Who sits on a chair, for the others to read."""
    player = room.player(seat)
    who = (player.name or player.address) if player is not None else f"the {seat.bot} bot"
    return f"{who} ({seat.side})"


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


def seat_bots(room: Room) -> None:
    """Bots want to be asked, so that reactions are theirs to give."""
    for seat in room.seats():
        if seat.bot and not room.campaign.drawer.standing.get(seat.side):
            room.campaign.stand(seat.side, "when asked: ask")


def time_windows(room: Room) -> None:
    """Hidden questions to a person stay open for their whole time, so that his haste tells the others nothing."""
    room.campaign.time_windows(seat.side for seat, _ in room.people())
