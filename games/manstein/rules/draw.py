"""Drawing chits (7.1), and the Axis windows around every draw (6.1(1-2), 7.4)."""

from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

from engine.asks import Ask, Procedure, Step
from engine.facts import Counted, Fact, Pooled, Told
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.marks import set_game
from engine.rules.pools import drawn, put, take
from games.manstein.data import Table
from games.manstein.orders import EnterChits, Interrupt, Pass
from games.manstein.rules.activation import INTERRUPT, MANSTEIN
from games.manstein.rules.chits import COMMON, HAND, cup, cup_count, hand_count, in_hand
from games.manstein.rules.ground import AXIS, SOVIET

PLAYED = "played"


def draw(table: Table) -> Generator[Step, Any, str]:
    """One chit out of the cup; gives what is to be carried out: a chit, `interrupt`, or nothing more this turn."""
    yield from _before(table)
    if cup_count(table) == 0:
        return (yield from _cup_empty(table))
    chit = yield from _drawn(table)
    if (yield from _after(table, chit)):
        yield from _returned(table, chit)
        yield from _play_from_hand(table)
        return INTERRUPT
    yield from put(table, PLAYED, (chit,), "7.1")
    return chit


def _drawn(table: Table) -> Generator[Step, Any, str]:
    """7.1: at random from all that is in the cup; the number is sealed, for it would tell what else is there."""
    pools = [cup(side) for side in (COMMON, SOVIET, AXIS)]
    _, chit = yield from drawn(table, pools, "chit", "7.1", stream="cup", only=())
    yield Counted(track="cup", value=cup_count(table) - 1, because="7.1")
    yield from set_game(table, "drawn", chit, "7.1")
    return chit


def first_drawn(table: Table, chit: str) -> Iterator[Fact]:
    """16.1: one of the chits selected is carried out before any is drawn."""
    yield from take(table, cup(SOVIET), (chit,), "16.1", only=(SOVIET,))
    yield Counted(track="cup", value=cup_count(table) - 1, because="16.1")
    yield from put(table, PLAYED, (chit,), "16.1")
    yield from set_game(table, "drawn", chit, "16.1")


def _returned(table: Table, chit: str) -> Iterator[Fact]:
    """7.4(1): an interrupt sends the drawn chit back."""
    side = table.data.owner_of_chit[chit]
    yield from put(table, cup(side), (chit,), "7.4(1)", only=None if side == COMMON else (side,))
    yield Counted(track="cup", value=cup_count(table) + 1, because="7.4(1)")
    yield Told(text=f"Manstein interrupts: {chit} goes back into the cup.", because="7.4(1)")


def _play_from_hand(table: Table) -> Iterator[Fact]:
    yield from _out_of_hand(table, (MANSTEIN,))
    yield from put(table, PLAYED, (MANSTEIN,), "7.4")
    yield from set_game(table, "drawn", MANSTEIN, "7.4")


def _out_of_hand(table: Table, chits: tuple[str, ...]) -> Iterator[Fact]:
    yield from take(table, HAND, chits, "6.1(1-2)", only=(AXIS,))
    yield Counted(track=HAND, value=hand_count(table) - len(chits), because="6.1(1-2)")


# The windows: asked whenever the Axis hold any chit, whichever it is, so that the question tells nothing.


def _before(table: Table) -> Procedure:
    """6.1(1-2): before a draw held chits may be entered."""
    if hand_count(table) and cup_count(table):
        order = yield _ask(table, "holding", "", (EnterChits, Pass))
        if isinstance(order, EnterChits):
            yield from _enter(table, order.chits)
        elif not _late(table) and cup_count(table) == 1:
            yield from _last_chance(table)


def _after(table: Table, chit: str) -> Generator[Step, Any, bool]:
    """7.4(1), 6.1(1-2): between the draw and what it does; whether the Axis interrupt it."""
    verbs: tuple[type[Order], ...] = (EnterChits, Interrupt, Pass) if _late(table) else (Interrupt, Pass)
    while hand_count(table):
        order = yield _ask(table, "drawn", chit, verbs)
        if isinstance(order, EnterChits):
            yield from _enter(table, order.chits)
            continue
        if isinstance(order, Pass) and _late(table) and cup_count(table) == 0:
            yield from _last_chance(table)
        return isinstance(order, Interrupt)
    return False


def _late(table: Table) -> bool:
    """6.1(1-2): whether chits are entered between a draw and what it does, too."""
    return table.data.switch["late_entry"] == "until executed"


def _last_chance(table: Table) -> Iterator[Fact]:
    """6.1(1-2): whoever lets the last draw stand does not mean to lose his HQ chits: they go in."""
    chits = tuple(chit for chit in in_hand(table) if chit != MANSTEIN)
    if chits:
        yield from _enter(table, chits)


def _cup_empty(table: Table) -> Generator[Step, Any, str]:
    """7.4(4): Manstein chits still held may be played now; other held chits are lost."""
    if hand_count(table):
        order = yield _ask(table, "cup empty", "", (Interrupt, Pass))
        if isinstance(order, Interrupt):
            yield from _play_from_hand(table)
            return INTERRUPT
        yield Pooled(pool=HAND, items=(), only=(AXIS,), because="7.4(4)")
        yield Counted(track=HAND, value=0, because="7.4(4)")
    return ""


def _enter(table: Table, chits: tuple[str, ...]) -> Iterator[Fact]:
    yield from _out_of_hand(table, chits)
    yield from put(table, cup(AXIS), chits, "6.1(1-2)", only=(AXIS,))
    yield Counted(track="cup", value=cup_count(table) + len(chits), because="6.1(1-2)")


def _ask(table: Table, name: str, chit: str, verbs: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(AXIS)
    what = {"holding": "before the next draw", "cup empty": "the cup is empty"}.get(name, f"{chit} was drawn")
    can = " or ".join(verb.verb for verb in verbs)
    count = f"chits left in the cup {cup_count(table)}, in hand {hand_count(table)}"
    return Ask(
        side=AXIS,
        name=name,
        subject=chit or str(table.position.turn),
        prompt=f"{what}, {count}: {can}",
        verbs=verbs,
        check=lambda order: _check(seen, order),
        offers=lambda: _choices(seen, verbs),
        default=Pass,
        case={"drawn": "7.4(1)", "cup empty": "7.4(4)"}.get(name, "6.1(1-2)"),
        reaction=True,
        passable=name != "cup empty",
        hidden=True,
        window=True,
        amounts=(("cup", cup_count(table)), ("hand", hand_count(table)), ("manstein", in_hand(seen).count(MANSTEIN))),
    )


def _check(table: Table, order: Order) -> None:
    if isinstance(order, EnterChits) and Counter(order.chits) - Counter(in_hand(table)):
        raise Illegal("6.1(1-2)", "only held chits can be entered", instead="You hold", alternatives=in_hand(table))
    if isinstance(order, Interrupt) and MANSTEIN not in in_hand(table):
        raise Illegal("6.4(2)", "you hold no Manstein chit", instead="You hold", alternatives=in_hand(table))


def _choices(table: Table, verbs: tuple[type[Order], ...]) -> list[Choice]:
    found = [Choice(Pass)]
    held = in_hand(table)
    if EnterChits in verbs:
        sets = [*((chit,) for chit in dict.fromkeys(held)), *([held] if len(held) > 1 else [])]
        found += [Choice(EnterChits, {"chits": chits}) for chits in sets]
    if Interrupt in verbs and MANSTEIN in held:
        found.append(Choice(Interrupt))
    return found
