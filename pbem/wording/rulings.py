"""What the referee says to an order, for mail and terminal alike: what became of it, why not, what it would come to."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from engine.asks import Ask
from engine.drawer import Drawer
from engine.forecast import Forecast
from engine.orders.order import Order
from engine.referee import LineReply, Reply, in_order
from engine.refusals import Refusal, Unasked, Unmeant
from engine.table import Table
from pbem.wording.columns import columns
from pbem.wording.naming import WORDS

LONG = 20_000  # a denominator that tells nobody anything
MOST = 60  # ways to go on that are told unless all are wanted
SAME = "for the same reason"


class Refused(NamedTuple):
    """A line that was not carried out."""

    line: str
    why: str
    others: tuple[str, ...] = ()  # those behind it, for the same reason


def told_lines(lines: Sequence[LineReply], *, dry: bool = False) -> list[str]:
    """Every line of a mail, as understood, and what became of it."""
    said = list[str]()
    for line, why in _with_reasons(lines):
        state = "legal" if dry and line.state == "done" else WORDS["states"].get(line.state, line.state)
        said.append(f"{line.understood or line.text} -- {state}")
        if why:
            said.append(f"    {why}")
    return said


def refused_lines(lines: Sequence[LineReply]) -> Iterator[Refused]:
    """Those that were not carried out, each reason once."""
    found = None
    for line, why in _with_reasons(lines):
        text = line.understood or line.text
        if found is not None and why == SAME:
            found = found._replace(others=(*found.others, text))
            continue
        if found is not None:
            yield found
        found = Refused(text, why) if why else None
    if found is not None:
        yield found


def _with_reasons(lines: Sequence[LineReply]) -> Iterator[tuple[LineReply, str]]:
    """Lines in their order, with why they were refused, if they were; SAME behind another that says it."""
    before = None
    for line in in_order(lines):
        why = line.refusal
        if why is not None and before is not None and _says_no_more(why, before):
            yield line, SAME
            continue
        yield line, refusal_line(why) if why is not None else ""
        before = why


def _says_no_more(refusal: Refusal, before: Refusal) -> bool:
    """Whether it is told with the one before: its very words, or the same question that still stands open."""
    if isinstance(refusal, Unasked) and isinstance(before, Unasked):
        return refusal.prompt == before.prompt
    waits = isinstance(refusal, Unmeant) and isinstance(before, Unasked)
    return waits or refusal_line(refusal) == refusal_line(before)


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


def chance_words(chance: Fraction) -> str:
    """A chance in hundredths; one that is neither nothing nor certain never reads as if it were."""
    rounded = round(100 * chance)
    if rounded == 0 and chance:
        return "under 1 %"
    return "over 99 %" if rounded == 100 and chance < 1 else f"{rounded} %"


def span_words(least: Fraction, most: Fraction) -> str:
    """From what is certain to what hangs on the other side's choice."""
    if round(100 * least) == round(100 * most):
        return chance_words(most)
    return f"{round(100 * least)}-{round(100 * most)} %"


def outlook_phrase(found: Forecast) -> str:
    """Beside a line: `clears the hex 33-100 %, costs you 17 %`; empty where the game does not say."""
    seen = found.outlook
    if seen is None:
        return ""
    return f"clears {span_words(seen.cleared_at_least, seen.cleared_at_most)}, costs you {chance_words(seen.cost)}"


def outlook_sentence(found: Forecast) -> str:
    """The same as a sentence that names the choice that is the defender's."""
    seen = found.outlook
    if seen is None:
        return ""
    least, most = seen.cleared_at_least, seen.cleared_at_most
    cleared = f"{chance_words(most)}" if least == most else (
        f"certain {chance_words(least)}, and {chance_words(most)} if the defender falls back rather than lose steps"
    )  # fmt: skip
    return f"Hex cleared: {cleared}. Costs you: {chance_words(seen.cost)}."


HEADING = "While others play, the referee answers for you"


def pace_lines(pace: str) -> list[str]:
    """What a player is told of the pace when he is invited, when he asks, and when it changes."""
    return [
        f"The pace is {WORDS['paces'][pace]}",
        "`standing` shows every question that may come, and what will be answered.",
    ]


def prospect_lines(drawer: Drawer, table: Table, side: str) -> list[str]:
    """Each question that may come, what will be answered for the side as it stands, and the line that changes it."""
    told: list[str] = []
    for question, found in groupby(drawer.prospects(table, side), key=lambda prospect: prospect.question.name):
        told.append(f"{question} -- {table.game.questions[question].about}:")
        told += [f"    {one.answer} ({one.source}); to change it: {one.change}" for one in found]
    return told
