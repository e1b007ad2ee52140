"""Somebody else's words taken out: quoted lines, the lines over them, and mails quoted without any mark."""

import re
from collections.abc import Sequence

from pbem.reading.phrases import header_line, phrase

_QUOTED = re.compile(r"\s*(?:>|[A-Za-z]{1,3}> )")  # also the old way, with the writer's initials
_RULE = re.compile(r"\s*_{20,}\s*")
_END = re.compile(r"[\s*#=-]*end of orders[\s*#=.!-]*", re.I)
MOST_OF_AN_ATTRIBUTION = 4  # lines that `On ... wrote:` may be wrapped into


def quoted(line: str) -> bool:
    return bool(_QUOTED.match(line))


def end_mark(line: str) -> bool:
    return bool(_END.fullmatch(line))


def cut_end_mark(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines above `END OF ORDERS`; one inside a quote is not the writer's."""
    for number, line in enumerate(lines):
        if end_mark(line):
            below = any(rest.strip() and not quoted(rest) for rest in lines[number + 1 :])
            return list(lines[:number]), ["nothing below END OF ORDERS was read"] if below else []
    return list(lines), []


def cut_quotes(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The writer's own lines. Marked quotes go line by line, so that answers between them stay.

    Under a header, or an `On ... wrote:` with no marked quote after it, all the rest is quoted.
    """
    own: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        if quoted(line):
            own.append("")  # what stood on both sides of a quote is two paragraphs
            number += 1
            continue
        over = attribution(lines, number)
        if over and _quote_follows(lines, number + over):
            number += over
        elif over or phrase("original").fullmatch(line) or _header(lines, number):
            return own, _unmarked(lines[number:])
        else:
            own.append(line)
            number += 1
    return own, []


def attribution(lines: Sequence[str], number: int) -> int:
    """How many lines from here say who wrote what follows; 0 if none do."""
    if not lines[number].strip():
        return 0
    for span in range(1, MOST_OF_AN_ATTRIBUTION + 1):
        some = lines[number : number + span]
        if len(some) < span or not some[-1].strip() or quoted(some[-1]):
            return 0
        if phrase("wrote").fullmatch(" ".join(some).replace("< ", "<")):
            return span
        if span == 1 and phrase("wrote_at_the_end").fullmatch(some[0]):
            return 1
    return 0


def _quote_follows(lines: Sequence[str], number: int) -> bool:
    following = next((line for line in lines[number:] if line.strip()), "")
    return quoted(following)


def _header(lines: Sequence[str], number: int) -> bool:
    """Whether a quoted mail's header stands here: two of its lines or more, maybe under a rule."""
    if _RULE.fullmatch(lines[number]):
        after = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), None)
        return after is not None and _header(lines, after)
    first = header_line().fullmatch(lines[number])
    if not first:
        return False
    names = {first["name"].casefold()}
    for line in [line for line in lines[number + 1 : number + 7] if line.strip()][:4]:
        match = header_line().fullmatch(line)
        if match:
            names.add(match["name"].casefold())
    return len(names) > 1


def _unmarked(rest: Sequence[str]) -> list[str]:
    if not any(line.strip() and not quoted(line) for line in rest[1:]):
        return []
    return [taken_for_quote(next(line for line in rest if line.strip("_ ")))]


def taken_for_quote(first: str) -> str:
    """The note about a quote that had no mark; without the address, which may hold a seat's token."""
    return f"everything from `{first.split('<')[0].strip()[:60]}` down was taken for a quoted mail and left out"
