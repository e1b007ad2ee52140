"""The box at the head of a letter: what is asked, by when, what happens in silence, and answers ready to be sent."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from engine.asks import Ask
from engine.standing import ASK
from engine.table import Table
from pbem.desk.standing_of import by_then, deadline_of, left_until, name_of
from pbem.house import Room
from pbem.letters import Letter
from pbem.letters.subjects import ORDERS
from pbem.report.dispatch import AskBox, Button, head_line
from pbem.report.order_sheet import answers, order_sheet
from pbem.store import Player, Seat
from pbem.wording.naming import ask_title, prompt_sentence, side_title, titled
from pbem.wording.rulings import forecast_of, outlook_phrase

QUESTION = "question"  # behind a key: meant for this question and no other
WITH_SHEET = ("move", "question", "refused", "reminder", "deadline", "invitation")  # who asks for a word gets that


def mailto(letter: Letter, *lines: str) -> str:
    """A link that opens a mail to the reader's chair with these lines in it."""
    subject, body = f"[{letter.game}] {ORDERS}", "\r\n".join(lines) + "\r\n"
    return f"mailto:{letter.reply_to}?subject={quote(subject)}&body={quote(body)}"


def ask_box(room: Room, letter: Letter, seat: Seat, player: Player, ask: Ask | None) -> AskBox:
    """What a reader sees first; refused lines come before all else."""
    if ask is None:
        return AskBox(False, prompt=_nothing_asked(room, seat), refused=letter.refused, advice=letter.advice)
    table = room.campaign.referee.table.seen_by(seat.side)
    deadline = deadline_of(room, seat.side)
    ready: tuple[Button, ...] = ()
    every, key = False, f"key {ask.key}" if ask.top else f"key {ask.key} {QUESTION}"
    if not ask.top:
        lines, every = answers(table, ask)
        ready = tuple(Button(line, mailto(letter, key, line)) for line in lines)
    if not every and letter.kind in WITH_SHEET:
        letter.template = letter.template or order_sheet(table, ask)
    return AskBox(
        True,
        deadline=by_then(deadline, player) if deadline is not None else "",
        left=left_until(deadline, player, room.now) if deadline is not None else "",
        silence=ask.default().line(),
        prompt=titled(prompt_sentence(ask), letter.sides),
        verbs=tuple(verb.verb for verb in ask.offered) if ask.top else (),
        refused=letter.refused,
        advice=letter.advice,
        write=Button("Write orders", mailto(letter, key)) if ask.top else None,
        answers=ready,
        every=every,
        notes=(*_odds(table, ask, ready), *_notes(room, ask, seat)),
    )


def _odds(table: Table, ask: Ask, ready: Sequence[Button]) -> Iterator[str]:
    """What each answer comes to, where that can be told."""
    reading = table.reading(ask.side)
    for line in [button.label for button in ready] if ask.odds is not None else []:
        found = forecast_of(table, ask, ask.side, ask.meant(table.game.book.read(line, reading)))
        yield f"`{line}`: {outlook_phrase(found)}."


def _notes(room: Room, ask: Ask, seat: Seat) -> tuple[str, ...]:
    """Below a question: the standing order that would have answered it."""
    question = room.campaign.game.questions.get(ask.name)
    if ask.top or question is None or (question.of and seat.side not in question.of):
        return ()
    answer = next((said for said in question.answers if said != ASK), "") or ask.default().line()
    return (f"`when {question.name}: {answer}` would have answered it for you.",)


def _nothing_asked(room: Room, seat: Seat) -> str:
    campaign = room.campaign
    if campaign.over:
        return titled(f"The game is over: {campaign.position.ended}.", campaign.game.sides)
    return f"Nothing is asked of you now. {who_is_asked(room, but=seat.side)}"


def who_is_asked(room: Room, but: str = "") -> str:
    """For whom the game waits, in words that anybody may read."""
    campaign, told = room.campaign, list[str]()
    for asked in campaign.asks:
        if asked.side == but:
            continue
        what = f"is {'to move' if asked.top else 'asked'}: {ask_title(asked, campaign.game.board.grid)}"
        who = next((name_of(room, other) for other in room.seats() if other.side == asked.side), "")
        title = f"{who} ({side_title(asked.side)})" if who else side_title(asked.side)
        told.append(f"{title} {'must answer what is hidden from you' if asked.hidden else what}.")
    return " ".join(dict.fromkeys(told)) or "The game goes on when its time comes."


def when_of(room: Room, letter: Letter, side: str) -> str:
    """Turn, date and weather, as the reader knows them."""
    if letter.dispatch is not None:
        return ", ".join(letter.dispatch.head)
    table = room.campaign.referee.table.seen_by(side)
    return ", ".join(head_line(room.campaign.game.standing(table)))
