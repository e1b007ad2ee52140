"""What the referee says to an order, for mail and terminal alike: what became of it, why not, what it would come to."""

from collections.abc import Iterator, Sequence

from engine.asks import Ask
from engine.forecast import Forecast
from engine.orders.order import Order
from engine.referee import LineReply, Reply, in_order
from engine.refusals import Refusal
from engine.table import Table
from pbem.wording.columns import columns

LONG = 20_000  # a denominator that tells nobody anything
MOST = 60  # ways to go on that are told unless all are wanted

_STATES = {
    "done": "done",
    "refused": "refused",
    "returned": "not carried out",
    "unused": "not called for",
    "kept": "waits in your drawer",
    "sealed": "taken down; it is opened when its time comes",
    "holds": "it holds",
    "does not hold": "it does not hold",
    "read": "understood",
}


def told_lines(lines: Sequence[LineReply], *, dry: bool = False) -> list[str]:
    """Every line of a mail, as understood, and what became of it."""
    said, before = list[str](), ""
    for line in in_order(lines):
        state = "legal" if dry and line.state == "done" else _STATES.get(line.state, line.state)
        said.append(f"{line.understood or line.text} -- {state}")
        why = refusal_line(line.refusal) if line.refusal is not None else ""
        if why:
            said.append("    for the same reason" if why == before else f"    {why}")
        before = why
    return said


def notes(reply: Reply) -> list[str]:
    """What a refusal in the middle of things does to what stands behind it."""
    if not reply.refused or not reply.items:
        return []
    if reply.stopped == "refused":
        return ["What was done before the refused line stands; what follows it was not carried out."]
    return ["The orders behind a refused line were carried out; no line behind it closes anything."]


def refusal_line(refusal: Refusal) -> str:
    """Which of the three refusals it is, and why."""
    return f"{refusal.family}: {' '.join(refusal.sentence().split())}"


def going_on(ask: Ask, begun: str = "", most: int | None = MOST) -> list[str]:
    """The lines that may be written, or that a line begun leads to; nothing if it leads nowhere."""
    given = ask.begun_as(begun) if begun else None
    if begun and given is None:
        return []
    choices = ask.choices(given)
    lines = [choice.line() + (" ..." if choice.more else "") for choice in choices[:most]]
    return [*lines, *([f"and {len(choices) - len(lines)} more"] if len(choices) > len(lines) else [])]


def forecast_of(table: Table, ask: Ask | None, side: str, order: Order) -> Forecast:
    """What an order comes to: as the game says, or in mid-play as whoever asks can tell. Raises Illegal."""
    if ask is None or ask.odds is None or not isinstance(order, ask.verbs):
        return table.game.forecast(table, side, order)
    ask.check(order)
    return ask.odds(order)


def forecast_lines(found: Forecast) -> Iterator[str]:
    """The arithmetic with its cases, then the chance of each result, then what it means for who attacks."""
    working = [(step.what, step.amount, f"[{step.case}]" if step.case else "") for step in found.working]
    yield from columns(working).splitlines()
    yield f"Odds {found.column}, and then{f' {found.also[0][0]}' if found.also else f' {found.counted}'.rstrip()}:"
    for number, (counted, chances) in enumerate((*found.also, (found.counted, found.chances))):
        if number:
            yield f"and {counted}:"
        exact = all(chance.denominator < LONG for _, chance in chances)
        rows = [(result, f"{float(chance):6.1%}", str(chance) if exact else "") for result, chance in chances]
        yield from columns(rows, 2).splitlines()
    if found.outlook is not None:
        least, most = found.outlook.cleared_at_least, found.outlook.cleared_at_most
        span = f"{float(least):.0%}" if least == most else f"{float(least):.0%} to {float(most):.0%}"
        yield f"Clears the hex {span}, costs the attacker something {float(found.outlook.cost):.0%}."
