"""How a part of a phase ends (3.2): by its owner's `end`, or because its last order left nothing to do in it."""

from engine.asks import Ask, Procedure
from engine.orders.choice import Choice
from games.jaws.orders.turn import End


def to_its_end(procedure: Procedure, part: str, side: str) -> Procedure:
    """A part, and what closes it: an `end` written behind the order that left nothing to do is this part's own, and
    does not close the next one of the same side."""
    last, answer = None, None
    try:
        step = next(procedure)
        while True:
            said = yield step
            if isinstance(step, Ask) and step.top:
                last, answer = step, said
            step = procedure.send(said)
    except StopIteration:
        pass
    if last is not None and last.side == side and not isinstance(answer, End):
        yield _closed(last, part)


def _closed(last: Ask, part: str) -> Ask:
    return Ask(
        side=last.side,
        name="closing",
        subject=part,
        prompt=f"{part}: nothing is left to do",
        verbs=(End,),
        default=End,
        offers=lambda: [Choice(End)],
        case=last.case,
        passable=True,
        silent=True,
        course=last.course,
    )
