"""Attending to an admitted mail: its commands, its orders, one answer, and reports to whom it concerns."""

import re
from collections.abc import Sequence
from typing import get_args

from engine.referee import Reply
from engine.refusals import Refusal, Unclear
from pbem.desk.ask_boxes import QUESTION
from pbem.desk.composing import answer_orders, finish, say_words
from pbem.desk.line_made import after_letters, before_letters, put_report, report_line
from pbem.desk.verbs import VERBS, Heard
from pbem.desk.verbs.wishing import propose_zone
from pbem.desk.visit import Visit
from pbem.desk.vocabulary import Command, split_lines
from pbem.gate import Arrival, echo
from pbem.gate.echo import NOTHING as NOTHING_CAME
from pbem.outbox.outgoing import queue
from pbem.reading import Read
from pbem.store import MailIn
from pbem.wording.words import SUPPOSED

_COUNT = re.compile(r"[^/]*/[^/]*/(\d+)")  # how much had happened when a key was given out
NOTHING = (
    "There is no order and no command in your mail; lines behind a # are not read.",
    "Write `orders` for what you may do now, `help` for all there is.",
)


def attend(visit: Visit, row: MailIn, read: Read) -> None:
    """Everything one mail asks for; the answer is queued exactly once."""
    commands, orders = split_lines([line for line in read.lines if not line.lstrip().startswith("#")])
    if read.problem is not None:
        heading = "There is no order in your mail" if read.problem.readable else "Your mail could not be read"
        visit.letter.say(heading, str(read.problem))
    for note in (*read.notes, *visit.mail.notes):
        visit.letter.say("Please note", f"{note[:1].upper()}{note[1:].rstrip('.')}.")
    if commands:
        visit.letter.about = ", ".join(dict.fromkeys(command.verb for command in commands))
    if not commands and not orders and read.problem is None:
        visit.letter.say("Nothing to do", *NOTHING)
    if any(command.verb == "check" for command in commands):
        visit.tried = orders.splitlines()
        if visit.room.begun:
            _tell_if_older(visit, _quoted(commands)[0])
        _rehearse(visit, orders)
    elif orders and visit.game.state == "playing" and _meant_for_now(visit, commands):
        _with_orders(visit, row, commands, orders)
        return
    elif orders and visit.game.state != "playing":
        joins = not visit.room.begun and any(command.verb == "join" for command in commands)
        say_words(visit.room, visit.letter, "orders_not_taken", joins=joins)
    row.why = _to_what_end(visit, commands, orders)
    for heard in get_args(Heard):
        _run(visit, commands, heard)
    if visit.act is not None:
        _tell(visit, row, visit.act())
    else:
        _close(visit, row)


def _meant_for_now(visit: Visit, commands: list[Command]) -> bool:
    """Orders for what is not open, gone by or still to come, are not carried out.

    For a phase only its stage counts, so that a sheet may be older than the last move; a question is meant exactly.
    """
    quoted, kind = _quoted(commands)
    asks = visit.campaign.asks
    mine = next((ask for ask in asks if ask.side == visit.side), None)
    if not quoted or (mine is not None and mine.key == quoted):
        return True
    same_stage = any(ask.key.split("/")[:2] == quoted.split("/")[:2] for ask in asks)
    his_stage = visit.campaign.position.side == visit.side  # what he mails waits for an answer to his own doing
    if same_stage and kind != QUESTION and (mine.top if mine is not None else his_stage):
        if mine is not None:
            _tell_if_older(visit, quoted)
        return True
    now = mine.key if mine is not None else "nothing"
    said = f"Your orders quote the key {quoted}, but that question is not open: what is asked of you now is {now}."
    visit.letter.kind, visit.letter.about = "refused", "meant for what is not asked now"
    visit.letter.say("Nothing was carried out", said, "Send them again without the key if you mean them for now.")
    return False


def _tell_if_older(visit: Visit, quoted: str) -> None:
    """Within a stage a board or a sheet made some orders ago still serves: what it says is judged as it stands now."""
    now = next((ask.key for ask in visit.campaign.asks if ask.side == visit.side and ask.top), "")
    counted = [_COUNT.match(key) for key in (quoted, now)]
    if all(counted) and int(counted[0][1]) < int(counted[1][1]):  # type: ignore[index]
        older = f"Your orders were written for {quoted}, before the orders that led to {now}"
        visit.letter.say("Please note", f"{older}: every line was judged anew.")


def _quoted(commands: list[Command]) -> tuple[str, str]:
    """The key that a mail quotes, and what stands behind it."""
    key, _, kind = next((command.rest for command in commands if command.verb == "key"), "").partition(" ")
    return key, kind


def _rehearse(visit: Visit, orders: str) -> None:
    if not visit.room.begun:
        visit.letter.say("Your orders", "The game has not begun, so nothing can be tried out.")
    elif not orders:
        visit.letter.say("Nothing to try", "Write the orders below `check`, or behind it on the same line.")
    else:
        reply = visit.rehearse()
        answer_orders(visit.letter, reply, dry=True)
        supposed = [SUPPOSED] if reply.supposed else []
        visit.letter.say("This was a dry run", "No order was carried out and no die was cast.", *supposed)


def _with_orders(visit: Visit, row: MailIn, commands: list[Command], orders: str) -> None:
    """Standing orders and withdrawals come before the orders of the same mail, all other commands after them."""
    campaign = visit.campaign
    row.why = _to_what_end(visit, commands, orders)
    _run(visit, commands, "before")
    if not any(ask.side == visit.side for ask in campaign.asks):
        reply = campaign.lay_ahead(visit.side, orders)
    else:
        reply = campaign.submit(visit.side, orders, skip=visit.skips, at=visit.room.at, cause=row.id)
    answer_orders(visit.letter, reply)
    if reply.line is not None:
        _tell(visit, row, reply, commands)
        return
    _run(visit, commands, "joining", "after")
    _close(visit, row)


def _tell(visit: Visit, row: MailIn, reply: Reply, commands: Sequence[Command] = ()) -> None:
    """A mail that made a line: its answer, and a report to everybody else."""
    room, line = visit.room, reply.line
    assert line is not None
    before_letters(room, reply)
    put_report(room, visit.letter, visit.seat, visit.player, line)
    _run(visit, commands, "joining", "after")
    propose_zone(visit)
    if commands and visit.act is not None:
        visit.letter.say("Please send that in a mail of its own", "It was not done, for your mail held orders as well.")
    finish(room, visit.letter, visit.seat, visit.player)
    queue(visit.house, visit.session, visit.letter, f"answer/{row.id}")
    report_line(room, line, but=visit.seat, notices=visit.notices)
    visit.post(row.id)
    row.state, row.why, row.line, row.line_hash = "done", "", line["n"], line["hash"]
    after_letters(room)


def _close(visit: Visit, row: MailIn) -> None:
    """A mail that made no line: its answer, and what it says to others."""
    row.state = "done"
    if row.why == NOTHING_CAME and _said_before(visit):
        row.state, row.why = "silent", "echo"
    else:
        propose_zone(visit)
        finish(visit.room, visit.letter, visit.seat, visit.player)
        queue(visit.house, visit.session, visit.letter, f"answer/{row.id}")
    visit.post(row.id)


def _to_what_end(visit: Visit, commands: list[Command], orders: str) -> str:
    """Whether there is a word in it that means anything here, be it refused; if not, its writer may be a machine."""
    book = visit.room.rules.book
    for line in orders.splitlines():
        try:
            if not visit.room.begun and line.split()[0].casefold() in book.by_verb:
                return ""
            if visit.room.begun:
                book.read(line, visit.table.reading(visit.side))
                return ""
        except Unclear:
            continue
        except Refusal:
            return ""
    return "" if commands else NOTHING_CAME


def _said_before(visit: Visit) -> bool:
    """Whether two machines have met often enough; before the last answer the writer is told what will be."""
    times = echo.times_before(Arrival(visit.mail, visit.house, visit.session))
    if times == echo.MOST - 1:
        visit.letter.say("Please note", echo.LAST)
    return times >= echo.MOST


def _run(visit: Visit, commands: Sequence[Command], *heard: Heard) -> None:
    for command in commands:
        verb = VERBS[command.verb]
        if verb.heard in heard:
            visit.above = command.above
            verb.hear(visit, command.rest)
