"""The order sheet of a letter: what may be done now, ready to edit, attacks with odds; answers ready to be sent."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from engine.asks import Ask
from engine.forecast import Forecast
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.orders.usual import ClosingOrder
from engine.refusals import Refusal, passes
from engine.table import Table
from pbem.report.draft import WIDTH, in_lines, own_units, remark, said_of, unit_field
from pbem.wording.words import plural

LINES = 30
ODDS = 6  # attacks told with their odds
LOOKED_AT = 24  # targets worked out to find the best of them
JOINERS = 24  # who may be named in one attack
FEW = 8  # whole lines of a verb
MORE = "# ... `orders` sends all of it"


Attack = tuple[Order, Forecast]


def _worth(attack: Attack) -> float:
    seen = attack[1].outlook
    return (float(seen.cleared_at_least + seen.cleared_at_most) - float(seen.cost)) / 2 if seen is not None else 0.0


def order_sheet(table: Table, ask: Ask) -> str:
    """What a side is asked, as lines behind a #; sent back as it is, it does nothing."""
    choices = ask.choices()
    lines = [line for attack in _attacks(table, ask, choices) for line in _with_odds(table, ask.side, *attack)]
    closing, other = list[str](), list[str]()
    for number, verb in enumerate(ask.offered):
        own = [choice for choice in choices if choice.kind is verb and not (verb.forecastable and lines)]
        if not own:
            continue
        if issubclass(verb, ClosingOrder) or (len(own) == 1 and own[0].complete and not own[0].given):
            closing += [f"#{choice.line()}" for choice in own if choice.complete]
        else:
            other += _verb(table, ask, own, main=number == 0 or not other)
    room = LINES - len(lines) - len(closing)
    if len(other) > room:
        other = [*other[: room - 1], MORE]
    return "\n".join([*lines, *other, *closing]) + "\n"


# Attacks.


def _attacks(table: Table, ask: Ask, choices: Sequence[Choice]) -> list[Attack]:
    """The best attacks with everybody who can join, one for each target."""
    found: dict[str, list[Attack]] = {}
    wanted = [choice for choice in choices if choice.kind.forecastable][:LOOKED_AT]
    for order in filter(None, map(_with_all, wanted)):
        with suppress(Refusal):
            ask.check(order)
            attack = order, table.game.forecast(table, ask.side, order)
            found.setdefault(order.aim or order.line(), []).append(attack)
    best = [max(attacks, key=_worth) for attacks in found.values()]
    return sorted(best, key=_worth, reverse=True)[:ODDS]


def _with_all(choice: Choice) -> Order | None:
    """The order with everybody who can join it, as far as that is legal."""
    best = choice.order() if choice.complete else None
    for _ in range(JOINERS):
        if not choice.field or not choice.values:
            break
        plural = choice.kind.shape.fields[choice.field].plural
        choice = choice.saying(choice.values[0])
        best = choice.order() if choice.complete else best
        if not plural:
            break
    return best


def _with_odds(table: Table, side: str, order: Order, forecast: Forecast) -> Iterator[str]:
    """The line, with its odds beside it if they fit, else below it."""
    line, odds = f"#{_by_hex(table, side, order)}", odds_in_words(forecast)
    if len(line) + len(odds) + 4 <= WIDTH:
        yield f"{line}  # {odds}"
    else:
        yield from (line, *remark(odds, "#    "))


def _by_hex(table: Table, side: str, order: Order) -> str:
    """The order as it is written; if that is too long for a line, whole stacks by their hexes."""
    line = order.line()
    if len(line) < WIDTH:
        return line
    position = table.position
    for name, field in order.shape.fields.items():
        units = getattr(order, name) if field.kind == "units" else ()
        spots = dict.fromkeys(position.where.get(unit, "") for unit in units)
        short = line.replace(field.write(units), ", ".join(spots)) if units else line
        try:
            if len(short) < WIDTH and table.game.book.read(short, table.reading(side)) == order:
                return short
        except Refusal:
            continue
    return line


def odds_in_words(found: Forecast) -> str:
    """The column, and what it means: one number where nothing is left to the defender, else from and to."""
    seen = found.outlook
    if seen is None:
        best = max(found.chances, key=lambda pair: pair[1], default=None)
        return f"{found.column}: {best[0]} {float(best[1]):.0%}" if best else found.column
    least, most = round(float(seen.cleared_at_least) * 100), round(float(seen.cleared_at_most) * 100)
    clears = f"clears the hex {least}-{most} %" if least != most else f"{least} % clears the hex"
    cost = round(float(seen.cost) * 100)
    return f"{found.column}: {clears}, costs you {cost} %" if cost else f"{found.column}: {clears}"


# Everything else.


def _verb(table: Table, ask: Ask, choices: Sequence[Choice], *, main: bool) -> Iterator[str]:
    """A line for each stack of the first verb, the stacks of others in a remark; whole lines if they are few."""
    verb = choices[0].kind.verb
    stacks: dict[str, tuple[Choice, dict[str, None]]] = {}
    rest: list[Choice] = []
    for choice in choices:
        spot, named = _stack(table, ask.side, choice)
        if spot and not choice.complete:
            stacks.setdefault(spot, (choice, {}))[1].update(dict.fromkeys(named))
        else:
            rest.append(choice)
    if main:
        for spot, (choice, units) in stacks.items():
            yield _stack_line(choice, tuple(units), spot)
    elif stacks:
        found = remark(f"{len(stacks)} {plural('stack', len(stacks))} may {verb}: {', '.join(stacks)}")
        yield found[0]
        yield from found[1:] if len(found) <= 2 else [f"{found[1][: WIDTH - 4].rsplit(',', 1)[0]}, ..."]
    for choice in rest[:FEW]:
        if choice.complete:
            yield from (f"#{line}" for line in in_lines(ask, choice.order()))
        else:
            yield f"#{choice.kind.shape.gapped(choice.given, choice.field, '...')}"
    if len(rest) > FEW:
        yield f"# ... and {len(rest) - FEW} more for `{verb}`; `ask {verb}` tells them"


def _stack(table: Table, side: str, choice: Choice) -> tuple[str, list[str]]:
    """Where the units stand that a line begins with, if they stand together."""
    position, own = table.position, own_units(table.position, side, choice)
    spots = {position.where.get(unit, "") for unit in own}
    spot = spots.pop() if len(spots) == 1 else ""
    return (spot if position.setting.grid.has(spot) else ""), own


def _stack_line(choice: Choice, units: tuple[str, ...], spot: str) -> str:
    line, beside = f"#{_begun(choice, units)}", f"# from {spot}"
    if len(line) + len(beside) + 2 <= WIDTH:
        return f"{line}  {beside}"
    return f"#{_begun(choice, (spot,))}  # all {len(units)} of them"


def _begun(choice: Choice, units: tuple[str, ...]) -> str:
    """The line up to what is to follow; with a gap for it, where that stands before the units."""
    shape, given = choice.kind.shape, said_of(choice, units)
    order = [*shape.positional, *shape.groups.values()]
    before = choice.field in order and order.index(choice.field) < order.index(unit_field(choice))
    return shape.gapped(given, choice.field, "...") if before else shape.begun(given, choice.field)


BUTTONS = 6  # answers that have a button each
MOST_LOOKED_AT = 60  # answers weighed to find the best
DEEP = 6  # steps in one answer


def answers(table: Table, ask: Ask) -> tuple[list[str], bool]:
    """The answers to offer, and whether they are all there are: up to six, or the six that look best."""
    default = ask.default().line()
    tried = islice(_whole(ask.choices(), DEEP), MOST_LOOKED_AT)
    found = [choice for choice in tried if passes(ask.check, choice.order())]
    whole = dict.fromkeys([default, *(choice.line() for choice in found)])
    if len(whole) <= BUTTONS:
        return list(whole), True
    seen = table.seen_by(ask.side)
    worth = {choice.line(): table.game.appraise(seen, ask, choice.order()) for choice in found}
    best = sorted(worth, key=lambda line: -worth[line])[:BUTTONS]
    return (best if default in best else [*best[: BUTTONS - 1], default]), False


def _whole(choices: list[Choice], deep: int) -> Iterator[Choice]:
    """Whole answers, the shortest first; where naming more units only makes an answer longer, it is left at one."""
    yield from (choice for choice in choices if choice.complete)
    for choice in choices if deep else ():
        if not choice.complete:
            yield from _whole(choice.following(), deep - 1)
