"""An order template ready to edit: everything stands behind a #, so that sending it back as it is does nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from engine.asks import Ask, Option
from engine.game import Game
from engine.orders.order import Order
from engine.position import Position

MOST = 30  # whole lines shown for a verb
FEW = 12  # continuations told beside a line begun
HOW = "Take the # off what you want, finish the line, mail it back. What stays behind a # is not read."
WIDTH = 66  # what a mail reader shows of a fixed-width line without breaking it


def draft(game: Game, seen: Position, side: str, ask: Ask | None) -> str:
    """The template for what a side is asked now, or for what it may write ahead."""
    lines = [*_asked(game, seen, side, ask)] if ask is not None else [*_ahead(game, seen, side)]
    return "\n".join(lines) + "\n"


def _asked(game: Game, seen: Position, side: str, ask: Ask) -> Iterator[str]:
    yield from _remark(f"For {side}: {ask.prompt}")
    yield from _remark(
        "Take the # off what you want, finish the line, mail it back. What stays behind a # is not read."
    )
    options = ask.options("")
    idle: list[type[Order]] = []
    for verb in ask.verbs:
        own = [option for option in options if _verb(ask, option.line) is verb]
        if not own:
            idle.append(verb)
            continue
        yield "#"
        yield from _usage(verb)
        yield from _lines(seen, side, ask, own)
    if idle:
        yield "#"
        yield "# Also read here, though nothing is open to it just now:"
        yield from (line for verb in idle for line in _remark(verb.shape.printed(verb.usage), "#   "))


def _verb(ask: Ask, line: str) -> type[Order] | None:
    """The verb that a line begins with: the longest, for one may begin with another."""
    fits = [verb for verb in ask.verbs if f"{line} ".startswith(f"{verb.verb} ")]
    return max(fits, key=lambda verb: len(verb.verb), default=None)


def _usage(verb: type[Order]) -> Iterator[str]:
    yield from _remark(verb.shape.printed(verb.usage) + (f" -- {verb.about}" if verb.about else ""))


def _lines(seen: Position, side: str, ask: Ask, options: Sequence[Option]) -> Iterator[str]:
    """Whole lines as they are; lines begun with a unit are told by hex, with all that stand there."""
    by_hex: dict[tuple[str, str, str], dict[str, None]] = {}
    whole: list[str] = []
    for option in options:
        words = option.line.replace(",", " ").split()
        named = [i for i, word in enumerate(words) if _is_own(seen, side, word)]
        spots = {seen.where.get(words[i], "") for i in named}
        if option.complete:
            whole.append(option.line)
        elif len(spots) == 1:
            spot = spots.pop()
            together = spot if seen.setting.grid.has(spot) else words[named[0]]  # in a box units are not
            head, tail = " ".join(words[: named[0]]), " ".join(words[named[-1] + 1 :])
            by_hex.setdefault((head, tail, together), {}).update(dict.fromkeys(words[i] for i in named))
        else:
            yield from _begun(option.line, _follow(ask, option.line))
    for (head, tail, spot), units in by_hex.items():
        line = " ".join(part for part in (head, ", ".join(units), tail) if part)
        yield from _begun(line, f"from {spot}" if seen.setting.grid.has(spot) else "")
    yield from (f"#{line}" for line in whole[:MOST])
    if len(whole) > MOST:
        yield f"# ... and {len(whole) - MOST} more"


def _begun(line: str, beside: str) -> Iterator[str]:
    """A line to be finished, with what helps to finish it."""
    text = f"#{line} ..."
    if not beside:
        yield text
    elif len(text) + len(beside) + 4 <= WIDTH:
        yield f"{text:<26}  # {beside}"
    else:
        yield text
        yield from _remark(beside, "#      ")


def _follow(ask: Ask, line: str) -> str:
    """What can stand next in a line begun, if that is not too much to tell."""
    longer = [option.line.removeprefix(line).strip() for option in ask.options(line)]
    return ", ".join(longer) if 0 < len(longer) <= FEW else ""


def _is_own(seen: Position, side: str, word: str) -> bool:
    roster = seen.setting.roster
    return word in roster and roster.get(word).side == side


def _ahead(game: Game, seen: Position, side: str) -> Iterator[str]:
    """Nothing is asked of the side: his units by hex, and how orders are written."""
    yield from _remark(f"Nothing is asked of {side} now; what you mail ahead waits in your drawer.")
    yield "#"
    stacks: dict[str, list[str]] = {}
    for unit in seen.on_map(side):
        stacks.setdefault(seen.where[unit], []).append(unit)
    for spot in sorted(stacks):
        yield from _remark(f"{spot}  {', '.join(stacks[spot])}")
    yield "#"
    for verb in game.book.orders:
        yield from _remark(verb.shape.printed(verb.usage))


def _remark(text: str, indent: str = "# ") -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
