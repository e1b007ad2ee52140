"""The answer to a mail: orders as understood, what became of them, what is next."""

from engine.campaign import Campaign
from engine.referee import Reply
from pbem.desk.boards import put_board
from pbem.desk.calendar_entry import enclose_deadline
from pbem.desk.standing_of import ask_of, due_of, in_his_time, state_word
from pbem.house.room import Room
from pbem.letters import Kind, Letter
from pbem.store import Player, Seat
from pbem.wording.rulings import notes, told_lines

FOOT = (
    "status", "orders", "map [HEX]", "check ORDER", "forecast ORDER", "when QUESTION: ORDER", "standing",
    "press TEXT", "undo LINE", "withdraw", "absent until DATE", "wait", "draw", "resign", "resend LINE", "log",
    "help [WORD]",
)  # fmt: skip

AFTERWARDS = ("status", "map [HEX]", "press TEXT", "resend LINE", "book", "log", "help [WORD]")


def answer_orders(letter: Letter, reply: Reply, *, dry: bool = False) -> None:
    """What became of the orders, line by line, and why they went no further."""
    letter.say("Your orders", *(told_lines(reply.lines, dry=dry) or ["(no order lines)"]))
    if reply.refused and not reply.items and not dry:
        letter.say("Nothing was carried out", "Correct the lines above and send all of them again.")
    elif not dry and (said := notes(reply)):
        letter.say("Please note", *said)
    elif reply.stopped and reply.stopped != "refused":
        letter.say("It goes no further", reply.stopped[:1].upper() + reply.stopped[1:] + ".")


def letter_to(room: Room, kind: Kind, seat: Seat, player: Player, greeting: str = "") -> Letter:
    """A letter to whoever sits on a chair, whose answer comes back to that chair."""
    back = room.house.seat_address(seat.token)
    return Letter(kind, player.address, room.subject, greeting, game=room.game.id, reply_to=back)


def letter_to_moderator(room: Room) -> Letter:
    """A letter whose answer may hold his verbs."""
    back = room.house.seat_address(room.game.moderator_token)
    return Letter("notice", room.game.moderator, room.subject, game=room.game.id, reply_to=back)


def finish(room: Room, letter: Letter, seat: Seat, player: Player, head: str) -> None:
    """What stands at the end of every letter of a game under way."""
    campaign = room.campaign
    ask = ask_of(campaign, seat.side)
    if seat.id in room.passed:
        letter.say(f"You play {seat.side} from now on", *room.passed.pop(seat.id))
    if seat.side in room.drawn:
        letter.say("From your drawer", *told_lines(room.drawn.pop(seat.side)))
    if answered := room.answered.pop(seat.side, None):
        letter.say("Answered for you", *answered)
    if letter.report is None:
        _what_next(letter, campaign, seat.side)
    kept = [line for _, lines in campaign.drawer.waiting.get(seat.side, []) for line in lines]
    waiting = [text for line in kept for text in line.written()]
    if waiting:
        letter.say("Waiting in your drawer", *waiting, exact=True)
    if ask is not None:
        letter.key = ask.key
        due = due_of(room, seat.side)
        if due is not None and due.due is not None:
            letter.due = in_his_time(due.due, player)
        if ask.top and (letter.report is not None or letter.template):
            put_board(room, letter, seat, ask)
    elif (window := campaign.window) is not None:
        due = due_of(room, window.side)
        if due is not None and due.due is not None:
            letter.say("When it goes on", f"The game goes on at {in_his_time(due.due, player)}, and not before.")
    enclose_deadline(room, letter, seat, player)
    letter.state = state_word(campaign, seat.side)
    letter.head = head
    letter.commands = foot(room)


def foot(room: Room) -> tuple[str, ...]:
    """What the reader may write; who plays alone has nobody but the moderator to write to."""
    words = AFTERWARDS if room.campaign.over else FOOT
    if not room.alone:
        return words
    return tuple(word.replace("press TEXT", "press to moderator: TEXT") for word in words if word != "draw")


def _what_next(letter: Letter, campaign: Campaign, side: str) -> None:
    ask = ask_of(campaign, side)
    if campaign.over:
        letter.say("What is next", f"The game is over: {campaign.position.ended}.")
    elif ask is not None:
        letter.say("What is asked of you", f"{ask.prompt[:1].upper()}{ask.prompt[1:]}.")
    else:
        whom = " and ".join(dict.fromkeys(a.side for a in campaign.asks if a.side != side))
        going_on = f"{whom} must answer first" if whom else "the game goes on when its time comes"
        letter.say("What is next", f"Nothing is asked of you now; {going_on}.")
