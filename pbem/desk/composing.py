"""The answer to a mail: what became of the orders, what is asked now, and what stands at the end of every letter."""

import re
from collections import Counter
from functools import cache
from typing import Any

from jinja2 import Template

from engine.asks import Ask
from engine.referee import Reply
from pbem import TEMPLATES
from pbem.clock.clock_rules import counted, length_in_words, read_rules
from pbem.desk.ask_boxes import ask_box, when_of
from pbem.desk.enclosing import enclose_report, put_board
from pbem.desk.standing_of import ask_of, deadline_of, due_words, enclose_deadline, in_a_subject, name_of, state_word
from pbem.house import Room
from pbem.letters import Kind, Letter
from pbem.report.printing import paper
from pbem.store import Player, Seat
from pbem.wording.naming import ask_detail, ask_title, in_groups, side_title, titled
from pbem.wording.rulings import HEADING, notes, refused_lines, told_lines
from pbem.wording.words import capital

FOOT = (
    "status", "orders", "map [HEX]", "map full", "check ORDER", "forecast ORDER", "when QUESTION: ORDER", "standing",
    "press TEXT", "undo LINE", "withdraw", "absent until DATE", "wait", "draw", "resign", "resend LINE", "log",
    "pictures off", "help [WORD]",
)  # fmt: skip

AFTERWARDS = ("status", "map [HEX]", "map full", "press TEXT", "resend LINE", "book", "log", "help [WORD]")
_REST = {"returned": "not carried out", "unused": "not called for", "kept": "kept for later", "sealed": "sealed"}


def answer_orders(letter: Letter, reply: Reply, *, dry: bool = False) -> None:
    """What became of the orders: which were refused and why, all of them in a line, each in the attachment."""
    told = told_lines(reply.lines, dry=dry) or ["(no order lines)"]
    states = Counter(line.state for line in reply.lines)
    number, refused = len(reply.lines), len(reply.refused)
    lines = counted(number, "line")
    if dry:
        bad = f", {refused} not" if refused else ""
        letter.kind, letter.about = "checked", f"{lines if not refused else number - refused} legal{bad}"
        letter.say("Your orders", *told)
    else:
        letter.refused = tuple(refused_lines(reply.lines))
        letter.echo = tuple(told)
        letter.kind, letter.about, letter.tally = _became(reply, states, lines)
    if refused and not reply.items and not dry:
        letter.advice = "Nothing was carried out. Correct these lines and send all of them again."
    elif not dry and (said := notes(reply)):
        letter.say("Please note", *said)
    elif reply.stopped and reply.stopped != "refused":
        letter.say("It goes no further", reply.stopped[:1].upper() + reply.stopped[1:] + ".")


def _became(reply: Reply, states: Counter[str], lines: str) -> tuple[Kind, str, str]:
    """The kind of the answer, what its subject says, and the same in a line for the letter."""
    number, done = len(reply.lines), states["done"]
    rest = ", ".join(f"{many} {_REST[state]}" for state, many in states.items() if state in _REST)
    if reply.refused:
        bad = len(reply.refused) if reply.items else number
        stands = f"{done} of {number} done" if reply.items else "nothing was done"
        return "refused", f"{bad} of {lines}", f"Not carried out: {len(reply.refused)} refused, {stands}"
    if not done and states["kept"] + states["sealed"]:
        kept = states["kept"] + states["sealed"]
        how = "kept for later" if states["kept"] else "taken down; opened when its time comes"
        return "kept", counted(kept, "line"), f"{kept} of {number} {how}"
    tally = f"{done} of {number} done" + (f", {rest}" if rest else "")
    return "done", counted(done, "order"), tally


def letter_to(room: Room, kind: Kind, seat: Seat, player: Player, *said: str, greeting: str = "") -> Letter:
    """A letter to whoever sits on a chair, whose answer comes back to it; a heading and words, if any are said."""
    letter = Letter(kind, player.address, greeting=greeting)
    address(room, letter, seat)
    if said:
        letter.say(*said)
    return letter


def address(room: Room, letter: Letter, seat: Seat) -> None:
    """Who the reader is at this table, and where his answer goes."""
    letter.game, letter.title, letter.sides = room.game.id, room.game.title, room.rules.sides
    letter.reply_to = room.house.seat_address(seat.token)
    against = [name_of(room, other) for other in room.seats() if other.id != seat.id]
    letter.seated = f"You are {side_title(seat.side)}" + (f", against {' and '.join(against)}" if against else "")
    if room.rival is not None:
        letter.seated += f", in a duel with {rival_name(room)}"


def letter_about(room: Room, kind: Kind, to: str, about: str = "") -> Letter:
    """A letter of a game to somebody who has no chair there, or none yet."""
    return Letter(kind, to, about, game=room.game.id, title=room.game.title, sides=room.rules.sides)


def letter_to_moderator(room: Room, *said: str, about: str = "") -> Letter:
    """A letter whose answer may hold his verbs; the same."""
    letter = letter_about(room, "moderator", room.game.moderator, about)
    letter.reply_to = room.house.seat_address(room.game.moderator_token)
    if said:
        letter.say(*said)
    return letter


HEAD = "\x0e"  # before a heading: nobody whose words are filled in can write it


def say_words(room: Room, letter: Letter, name: str, heading: str = "", **given: Any) -> None:
    """What its template in `templates/words` says: a greeting, if there is any, and lines under headings (`# Time`)."""
    rules = read_rules(room.game.settings)
    said = _words(name).render(room=room, rules=rules, in_words=length_in_words, in_groups=in_groups, **given)
    for line in filter(str.strip, said.split("\n")):
        if line.startswith(HEAD):
            heading = line.removeprefix(HEAD)
        elif heading:
            letter.say(heading, line)
        else:
            letter.greeting = line


@cache
def _words(name: str) -> Template:
    text = (TEMPLATES / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return paper("txt").from_string(re.sub(r"^# ", HEAD, text, flags=re.MULTILINE))


def finish(room: Room, letter: Letter, seat: Seat, player: Player) -> None:
    """What stands in every letter of a game that has begun: the ask in its box, what waits, the head of the chain."""
    if not room.begun:
        return
    campaign = room.campaign
    ask = ask_of(campaign, seat.side)
    if seat.id in room.passed:
        letter.say(f"You play {side_title(seat.side)} from now on", *room.passed.pop(seat.id))
    if seat.side in room.drawn:
        letter.say("From your drawer", *told_lines(room.drawn.pop(seat.side)))
    if answered := room.answered.pop(seat.side, None):
        letter.say("Answered for you", *answered)
        if letter.kind == "deadline":
            letter.about = f"{answered[0].partition(' (')[0]} was ordered for you"
    kept = [line for _, lines in campaign.drawer.waiting.get(seat.side, []) for line in lines]
    if waiting := [text for line in kept for text in line.written()]:
        letter.say("Waiting in your drawer", *waiting, exact=True)
    letter.due = due_words(room, seat.side, player) if ask is not None else ""
    if ask is not None and ask.top and (letter.report is not None or letter.template):
        put_board(room, letter, seat, ask)
    window = campaign.window if ask is None else None
    if window is not None and (then := due_words(room, window.side, player)):
        letter.say("When it goes on", f"The game goes on at {then}, and not before.")
    letter.key = ask.key if ask is not None else ""
    letter.when = when_of(room, letter, seat.side)
    _entitle(room, letter, seat, player, ask)
    letter.box = ask_box(room, letter, seat, player, ask)
    letter.state = state_word(campaign, seat.side)
    letter.head = campaign.head
    letter.commands = foot(room)
    if letter.dispatch is not None and letter.dispatch.prospects:  # told there, and once is enough
        letter.sections = [section for section in letter.sections if section.heading != HEADING]
    enclose_report(letter)
    enclose_deadline(room, letter, seat, player)
    if letter.dispatch is not None and letter.dispatch.map is not None:
        seat.map_sent = letter.dispatch.map.content


def _entitle(room: Room, letter: Letter, seat: Seat, player: Player, ask: Ask | None) -> None:
    """The subject: a new ask wins over what was done; the end wins over both."""
    campaign, turn = room.campaign, f"turn {room.campaign.position.turn}"
    news = letter.kind in ("done", "report", "welcome")
    if ask is not None and news and (due := deadline_of(room, seat.side)) is not None:
        letter.by = in_a_subject(due, player)
    if not news or (letter.kind == "report" and letter.report is None):
        return
    if campaign.over:
        letter.kind, letter.about = "over", titled(campaign.position.ended, letter.sides)
    elif ask is not None and ask.top:
        letter.kind, letter.about, letter.topic = "move", f"{turn}, {ask.name}", capital(ask.name)
    elif ask is not None:
        letter.kind, letter.topic = "question", ask_title(ask, campaign.game.board.grid)
        more = f", {ask_detail(ask)}" if letter.topic.casefold() != ask_detail(ask) else ""
        letter.about = f"{letter.topic}{more}"
    elif letter.kind == "done":
        letter.about = f"{letter.about}, {turn}; {_who_is_next(room, seat)}"
    elif letter.kind == "report" and letter.dispatch is not None:
        fights = letter.dispatch.fights
        fought = f", {counted(fights, 'fight')}" if fights else ""
        stage = letter.report.headline if letter.report is not None else turn
        letter.about = f"{stage[:1].lower()}{titled(stage[1:], letter.sides)}{fought}"


def _who_is_next(room: Room, seat: Seat) -> str:
    asked = {ask.side for ask in room.campaign.asks} - {seat.side}
    names = [name_of(room, other) for other in room.seats() if other.side in asked]
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} to move" if names else "the game goes on"


def foot(room: Room) -> tuple[str, ...]:
    """What the reader may write; who plays alone has nobody but the moderator to write to."""
    words = AFTERWARDS if room.campaign.over else FOOT
    press = "press TEXT" if room.duel is not None else "press to moderator: TEXT"
    return tuple(word.replace("press TEXT", press) for word in words if word != "draw") if room.alone else words


def rival_name(room: Room) -> str:
    """The other one of a duel, as the reader knows him."""
    rival = room.rival
    assert rival is not None
    return name_of(rival, rival.seats()[0])


def to_rival(room: Room, heading: str, *lines: str, kind: Kind = "notice", writer: str = "") -> list[Letter]:
    """Letters to the other one of a duel, in the thread of his own game; none if there is no duel."""
    rival, letters = room.rival, []
    for seat, player in rival.people() if rival is not None else ():
        assert rival is not None
        letter = letter_to(rival, kind, seat, player, heading, *lines)
        letter.writer = writer
        letter.about = " ".join(lines[:1]) if writer else ""
        finish(rival, letter, seat, player)
        letters.append(letter)
    return letters
