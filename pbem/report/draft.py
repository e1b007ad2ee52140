"""An order template ready to edit: everything stands behind a #, so that sending it back as it is does nothing."""

import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from engine.asks import Ask, apart
from engine.game import Game
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.position import Position
from pbem.wording.naming import gathered

MOST = 30  # whole lines shown for a verb
FEW = 12  # continuations told beside a line begun
HOW = "Take the # off what you want, finish the line, mail it back. What stays behind a # is not read."


def draft(game: Game, seen: Position, side: str, ask: Ask | None) -> str:
    """The template for what a side is asked now, or for what it may write ahead."""
    lines = [*_asked(seen, side, ask)] if ask is not None else [*_ahead(game, seen, side)]
    return "\n".join(lines) + "\n"


def _asked(seen: Position, side: str, ask: Ask) -> Iterator[str]:
    yield from remark(f"For {side}: {ask.prompt}")
    yield from remark(HOW)
    choices = ask.choices()
    own = {verb: [choice for choice in choices if choice.kind is verb] for verb in ask.offered}
    for verb in filter(own.get, own):
        yield "#"
        yield from remark(verb.shape.printed(verb.usage) + (f" -- {verb.about}" if verb.about else ""))
        yield from _lines(seen, ask, own[verb])
    if idle := [verb for verb in own if not own[verb]]:
        yield "#"
        yield "# Also read here, though nothing is open to it just now:"
        yield from (line for verb in idle for line in remark(verb.shape.printed(verb.usage), "#   "))


def _lines(seen: Position, ask: Ask, choices: Sequence[Choice]) -> Iterator[str]:
    """Whole lines as they are; lines begun with a unit are told by hex, with all that stand there."""
    by_hex: dict[tuple[str, str], tuple[Choice, dict[str, None]]] = {}
    whole = [line for choice in choices if choice.complete for line in in_lines(ask, choice.order())]
    longer = {choice.line(): more for choice in choices if choice.complete and (more := _follow(choice))}
    for choice in choices:
        if choice.complete:
            continue
        named = own_units(seen, ask.side, choice)
        spots = {seen.where.get(unit, "") for unit in named}
        if len(spots) == 1:
            spot = spots.pop()
            together = spot if seen.setting.grid.has(spot) else named[0]  # in a box units are not
            by_hex.setdefault((_of(choice, ("...",)), together), (choice, {}))[1].update(dict.fromkeys(named))
        elif _is_nearly_whole(choice):
            whole += [following.line() for following in choice.following()]
        else:
            yield from _begun(choice.line(), _follow(choice))
    for (_, spot), (choice, units) in by_hex.items():
        yield from _begun(_of(choice, tuple(units)), f"from {spot}" if seen.setting.grid.has(spot) else "")
    for line in whole[:MOST]:
        yield f"#{line}"
        if line in longer:
            yield from remark(f"or with {longer[line]}", "#      ")
    if len(whole) > MOST:
        yield f"# ... and {len(whole) - MOST} more"


def _is_nearly_whole(choice: Choice) -> bool:
    """Whether one word of a few makes it whole; of several things that may be named, only if there is but one."""
    few = 1 if choice.field and choice.kind.shape.fields[choice.field].plural else FEW
    return 0 < len(choice.values) <= few and all(longer.complete for longer in choice.following())


def unit_field(choice: Choice) -> str:
    """The field that names units, as far as it is said."""
    return next((name for name in choice.given if choice.kind.shape.fields[name].kind in ("unit", "units")), "")


def own_units(seen: Position, side: str, choice: Choice) -> list[str]:
    """The side's own units that a line names so far."""
    said = choice.given.get(unit_field(choice), ())
    units = [said] if isinstance(said, str) else list(said)
    roster = seen.setting.roster
    return [unit for unit in units if unit in roster and roster.get(unit).side == side]


def said_of(choice: Choice, units: tuple[str, ...]) -> dict[str, Any]:
    """What the line says, of other units."""
    name = unit_field(choice)
    return {**choice.given, name: units if choice.kind.shape.fields[name].plural else ", ".join(units)}


def _of(choice: Choice, units: tuple[str, ...]) -> str:
    """The line begun with other units."""
    return choice.kind.shape.begun(said_of(choice, units), choice.field)


def _begun(line: str, beside: str) -> Iterator[str]:
    """A line to be finished, with what helps to finish it."""
    text = f"#{line} ..."
    if not beside:
        yield text
    elif len(text) + len(beside) + 4 <= WIDTH:
        yield f"{text:<26}  # {beside}"
    else:
        yield text
        yield from remark(beside, "#      ")


def _follow(choice: Choice) -> str:
    """What can stand next in a line begun, if that is not too much to tell."""
    if not choice.field or not 0 < len(choice.values) <= FEW:
        return ""
    field = choice.kind.shape.fields[choice.field]
    return ", ".join(field.write((value,) if field.plural else value) for value in choice.values)


def _ahead(game: Game, seen: Position, side: str) -> Iterator[str]:
    """Nothing is asked of the side: his units by hex, and how orders are written."""
    yield from remark(f"Nothing is asked of {side} now; what you mail ahead waits in your drawer.")
    yield "#"
    stacks = gathered((seen.where[unit], unit) for unit in seen.on_map(side))
    for spot in sorted(stacks):
        yield from remark(f"{spot}  {', '.join(stacks[spot])}")
    yield "#"
    for verb in game.book.of(side):
        yield from remark(verb.shape.printed(verb.usage))


@lru_cache(maxsize=512)  # how verbs are written stands in every letter
def remark(text: str, indent: str = "# ") -> Sequence[str]:
    """A sentence behind a #, in as many lines as it needs."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)


WIDTH = 66  # what a mail reader shows of a fixed-width line without breaking it


def in_lines(ask: Ask, order: Order) -> list[str]:
    """The order as it is written; where the ask joins lines and it is too long for one, in as few as it needs."""
    line = order.line()
    if len(line) < WIDTH or ask.join is apart:
        return [line]
    for name, field in order.shape.fields.items():
        if field.plural and len(getattr(order, name)) > 1:
            first, *rest = parts = list(_parts(order, name))
            read: Order | None = first
            for part in rest:
                read = ask.join(read, part)
            if read == order:
                return [part.line() for part in parts]
    return [line]


def _parts(order: Order, name: str) -> Iterator[Order]:
    """The order cut by the values of a field, each part as long as fits."""
    part: Order | None = None
    for value in getattr(order, name):
        longer = order.model_copy(update={name: (*(getattr(part, name) if part else ()), value)})
        if part is not None and len(longer.line()) >= WIDTH:
            yield part
            longer = order.model_copy(update={name: (value,)})
        part = longer
    if part is not None:
        yield part
