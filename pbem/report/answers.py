"""Answers to a question in mid-play, ready to be sent with one tap."""

from collections.abc import Iterator
from itertools import islice

from engine.asks import Ask
from engine.orders.choice import Choice
from engine.refusals import passes
from engine.table import Table

FEW = 6  # answers that have a button each
MOST_LOOKED_AT = 60  # answers weighed to find the best
DEEP = 6  # steps in one answer


def answers(table: Table, ask: Ask) -> tuple[list[str], bool]:
    """The answers to offer, and whether they are all there are: up to six, or the six that look best."""
    default = ask.default().line()
    whole = dict.fromkeys([default])
    begun = ask.choices()
    found = [choice for choice in islice(_whole(begun, DEEP), MOST_LOOKED_AT) if passes(ask.check, choice.order())]
    whole |= {choice.line(): None for choice in found}
    if len(whole) <= FEW:
        return list(whole), True
    seen = table.seen_by(ask.side)
    worth = {choice.line(): table.game.appraise(seen, ask, choice.order()) for choice in found}
    best = sorted(worth, key=lambda line: -worth[line])[:FEW]
    return (best if default in best else [*best[: FEW - 1], default]), False


def _whole(choices: list[Choice], deep: int) -> Iterator[Choice]:
    """Whole answers, the shortest first; where naming more units only makes an answer longer, it is left at one."""
    longer: list[Choice] = []
    for choice in choices:
        if choice.complete:
            yield choice
        elif deep:
            longer.append(choice)
    for choice in longer:
        yield from _whole(choice.following(), deep - 1)
