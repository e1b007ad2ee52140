"""A German impulse (4.IV.2, 5.0): one card for one command, and who is next."""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import combinations
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Noted, Told
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import numbers, place
from engine.rules.marks import game_mark, set_game
from engine.rules.pools import in_pool
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table, turn_in
from games.kharkov.rules import cards, events, replacements
from games.kharkov.rules.activation import activate
from games.kharkov.rules.deployment import deployable, of_corps
from games.kharkov.rules.ground import army, in_reserve, on_map
from games.kharkov.rules.supply import can_trace
from games.kharkov.shapes import CommandKind

Stage = Generator[Step, Any, str]
BARRED, SINGLE = "last activated", "single used"
COMMANDS = o.COMMANDS


def german_impulse(table: Table) -> Stage:
    """5.1: a card for one command, a pass, or a card given up when none allows anything."""
    if not cards.in_hand(table):  # 4.IV.2-c: all were spent as tactics
        yield Told(text="No card is in hand: the Germans pass.", because="4.IV.2-c")
        return (yield from _passed(table))
    order = yield _ask(table)
    if isinstance(order, o.Pass):
        if not cards.pile_left(table):  # 4.IV.3: nobody else is left to play
            yield from cards.discard(table, cards.in_hand(table), "4.IV.3")
        return (yield from _passed(table))
    if isinstance(order, o.Discard):
        yield from cards.discard(table, [order.card], "4.IV.2-d")
        return (yield from _passed(table))
    return (yield from _commanded(table, order))


def _passed(table: Table) -> Stage:
    """6.3: an impulse in which nobody was activated bars nobody in the next."""
    yield from set_game(table, BARRED, None, "6.3", Noted)
    return (yield from finish(table))


def _commanded(table: Table, order: Any) -> Stage:
    """4.IV.2: the card is played, and what it commands is done or begins."""
    yield from cards.discard(table, [order.card])
    match order:
        case o.Activate() | o.Kampfgruppe() | o.Single():
            units = activated_by(table, order)
            corps = sorted({army(table, unit) for unit in units})
            yield from set_game(table, BARRED, ",".join(corps), "6.3", Noted)
            if isinstance(order, o.Single):
                yield Noted(subject="game", mark=SINGLE, because="6.1")
            yield from activate(table, units, order.card, attack=not isinstance(order, o.Single))
            return "german.moves"
        case o.Deploy():
            yield from set_game(table, BARRED, None, "6.3", Noted)
            yield from set_game(table, "deploying", ",".join(order.corps), "5.3", Noted)
            return "german.place"
        case o.Replace():
            for unit in order.units:
                yield from replacements.replaced(table, unit, "16.1")
        case o.PlayEvent():
            yield from events.german_event(table, order)
    yield from set_game(table, BARRED, None, "6.3", Noted)
    return (yield from finish(table))


def finish(table: Table) -> Stage:
    """After the command: the hand is refilled, and the next impulse follows."""
    yield from set_game(table, "deploying", None, "5.3", Noted)
    yield from cards.refill(table)
    return after(table, GERMAN)


def after(table: Table, side: str) -> str:
    """4.IV.3: whose impulse follows one of this side; a side out of cards is skipped, and with both out it is over."""
    german = bool(in_pool(table, cards.HAND) or in_pool(table, cards.PILE))
    soviet = bool(cards.pile_left(table))
    if side == GERMAN:
        return "soviet.draw" if soviet else "german.impulse" if german else "end"
    return "german.impulse" if german else "soviet.draw" if soviet else "end"


# What a card may command.


def barred(table: Table) -> set[str]:
    """6.3: the corps of which any unit was activated in the impulse just before."""
    return set(filter(None, game_mark(table, BARRED).split(",")))


def under(table: Table, card: str) -> list[str]:
    """5.2: the corps that a card may name."""
    row = cards.german(table, card)
    return [corps for corps in table.data.german_corps if row["formation"] in (corps, table.data.parents[corps], "AGS")]


def activated_by(table: Table, order: Order) -> list[str]:
    """5.2, 6.1, 6.2: the units that a command activates; those barred by 6.3 are left out of a Kampfgruppe."""
    if isinstance(order, o.Single):
        return [order.unit]
    if isinstance(order, o.Activate):
        return [unit for unit in on_map(table, GERMAN) if army(table, unit) == order.corps]
    assert isinstance(order, o.Kampfgruppe)
    near = hexset.within(table.grid, 1 << table.grid.hex(order.at), _kind(table, order.card)["range"])
    return [unit for unit in in_group(table, order.card) if near >> place(table, unit) & 1]


def _kind(table: Table, card: str) -> CommandKind:
    """5.2, 5.3: what a card of its kind may command."""
    return table.data.tables["german_commands"][cards.german(table, card)["kind"]]


def in_group(table: Table, card: str) -> list[str]:
    """6.2, 6.3: the units that a Kampfgruppe of a card may have."""
    named = set(under(table, card)) - _barred_to(table, card)
    return [unit for unit in on_map(table, GERMAN) if army(table, unit) in named]


def _barred_to(table: Table, card: str) -> set[str]:
    """6.3: the corps that a card may not activate; Von Manstein may all."""
    return set() if cards.german(table, card)["kind"] == "manstein" else barred(table)


def check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, o.Pass):
        _check_pass(table)
        return
    assert isinstance(order, (*COMMANDS, o.Discard))
    if not order.card:
        raise Illegal("5.1", "a card must be played for it", alternatives=cards.in_hand(table))
    if order.card not in cards.in_hand(table):
        raise Illegal("5.1", f"{order.card} is not in your hand", alternatives=cards.in_hand(table))
    _CHECKS[type(order)](table, order)


def _check_pass(table: Table) -> None:
    hand, pile = cards.in_hand(table), in_pool(table, cards.PILE)
    if hand and (pile or len(hand) != 1):
        raise Illegal("4.IV.2-c", "you may pass only with one card in hand and an empty draw pile")


def _check_corps(table: Table, order: o.Activate) -> None:
    row = cards.german(table, order.card)
    if row["kind"] == "kg":
        raise Illegal("5.2", f"{order.card} activates a Kampfgruppe, not a corps", instead="Write `kampfgruppe HEX`")
    if order.corps not in under(table, order.card):
        raise Illegal("5.2", f"{order.card} does not command {order.corps}", alternatives=under(table, order.card))
    if order.corps in _barred_to(table, order.card):
        raise Illegal("6.3", f"units of {order.corps} were activated in your last impulse")
    if not activated_by(table, order):
        raise Illegal("5.2", f"{order.corps} has no unit on the map")


def _check_group(table: Table, order: o.Kampfgruppe) -> None:
    if not _kind(table, order.card)["range"]:
        raise Illegal("5.2", f"{order.card} activates a whole corps", instead="Write `activate CORPS`")
    if not activated_by(table, order):
        raise Illegal("6.2", f"no unit that {order.card} names, and that may be activated, is near {order.at}")


def _check_single(table: Table, order: o.Single) -> None:
    unit = order.unit
    if table.unit(unit).side != GERMAN or table.position.hex_of(unit) is None:
        raise Illegal("6.1", f"{unit} is not a unit of yours on the map")
    if table.position.mark("game", SINGLE):
        raise Illegal("6.1", "one unit has been activated by itself this turn already")
    if army(table, unit) in _barred_to(table, order.card):
        raise Illegal("6.3", f"units of {army(table, unit)} were activated in your last impulse")
    if not can_trace(table, unit):
        raise Illegal("6.1", f"{unit} cannot trace supply now")


def _check_deploy(table: Table, order: o.Deploy) -> None:
    most = _kind(table, order.card)["deploys"]
    named = under(table, order.card)
    if not most:
        raise Illegal("5.3", f"{order.card} deploys no reserves")
    if len(order.corps) > most:
        raise Illegal("5.3", f"{order.card} deploys the reserves of {most} corps, not of {len(order.corps)}")
    for corps in order.corps:
        if corps not in named:
            raise Illegal("5.3", f"{order.card} does not command {corps}", alternatives=named)
    if not deployable(table, of_corps(table, order.corps)):
        raise Illegal("5.3", f"no reserve of {', '.join(order.corps)} can be placed")


def _check_replace(table: Table, order: o.Replace) -> None:
    row = cards.german(table, order.card)
    if row["kind"] != "corps" or not row["replace"]:
        raise Illegal("5.5", f"{order.card} assigns no replacements")
    if not table.data.on("replacements", table.position.turn):
        raise Illegal("16.0", "replacements come from turn 3 on")
    replacements.check_replace(table, order.units, row["replace"], partial(_of_corps, table, row["formation"]), "16.1")


def _of_corps(table: Table, corps: str, unit: str) -> bool:
    return army(table, unit) == corps


def _check_event(table: Table, order: o.PlayEvent) -> None:
    row = cards.german(table, order.card)
    own = row.get("event", "")
    if order.event != own and own != "any":
        raise Illegal("5.4", f"{order.card} is not played for {order.event}", alternatives=[own] if own else [])
    if order.event == own and not turn_in(row.get("event_turns", ""), table.position.turn):
        raise Illegal("5.4", f"{order.event} on {order.card} is valid on turns {row.get('event_turns', '')}")
    events.check_german(table, order)


def _check_discard(table: Table, order: o.Discard) -> None:
    if any(True for card in cards.in_hand(table) for _ in commands(table, card)):
        raise Illegal("4.IV.2-d", "a card is given up only when none in your hand allows any command")


_CHECKS: dict[type[Order], Callable[[Table, Any], None]] = {
    o.Activate: _check_corps, o.Kampfgruppe: _check_group, o.Single: _check_single, o.Deploy: _check_deploy,
    o.Replace: _check_replace, o.PlayEvent: _check_event, o.Discard: _check_discard,
}  # fmt: skip


# The ask.


def commands(table: Table, card: str) -> Iterator[Choice]:
    """Everything that a card may be played for now."""
    row, ok = cards.german(table, card), partial(check, table)
    for corps in under(table, card):
        if passes(ok, order := o.Activate(corps=corps, card=card)):
            yield whole(order)
    yield from _deployments(table, card)
    if spots := _centres(table, card):
        yield pick(o.Kampfgruppe, "at", lambda: spots, card=card)
    if single := _singles(table, card):
        yield pick(o.Single, "unit", lambda: single, card=card)
    if row["kind"] == "corps" and row["replace"] and table.data.on("replacements", table.position.turn):
        among = partial(_of_corps, table, row["formation"])
        yield from replacements.offers(table, row["replace"], among, ok, card)
    for event in table.data.tables["german_events"]:
        yield from events.offers(table, event, card, ok)


def _deployments(table: Table, card: str) -> Iterator[Choice]:
    """5.3: the corps, or pairs of corps, whose reserves a card may deploy."""
    ok, waiting = partial(check, table), {army(table, unit) for unit in in_reserve(table, GERMAN)}
    able = [corps for corps in under(table, card) if corps in waiting]
    for count in range(1, _kind(table, card)["deploys"] + 1):
        for corps in combinations(able, count):  # one of two may be placed only once the other is there (7.2)
            if passes(ok, order := o.Deploy(corps=corps, card=card)):
                yield whole(order)


def _singles(table: Table, card: str) -> list[str]:
    """6.1: the units that a card may activate by themselves."""
    if table.position.mark("game", SINGLE):
        return []
    shut = _barred_to(table, card)
    return [unit for unit in on_map(table, GERMAN) if army(table, unit) not in shut and can_trace(table, unit)]


def _centres(table: Table, card: str) -> list[str]:
    """The hexes around which a Kampfgruppe would activate somebody."""
    far = _kind(table, card)["range"]
    named = hexset.of(place(table, unit) for unit in in_group(table, card)) if far else 0
    return numbers(table, hexset.within(table.grid, named, far) & table.board.land)


@kept
def _offers(table: Table) -> list[Choice]:
    hand = cards.in_hand(table)
    found = [choice for card in hand for choice in commands(table, card)]
    if not found and hand:
        found = [whole(o.Discard(card=card)) for card in hand]
    if passes(partial(check, table), o.Pass()):
        found.append(Choice(o.Pass))
    return found


def _default(table: Table) -> Order:
    """A pass if one may, else the first command of the first card."""
    found = _offers(table)
    choice = found[0] if found and not passes(partial(check, table), o.Pass()) else Choice(o.Pass)
    while not choice.complete:
        choice = choice.following()[0]
    return choice.order()


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    return Ask(
        GERMAN, "impulse", "impulse", "a card for one command", (*COMMANDS, o.Discard, o.Pass),
        default=partial(_default, seen), offers=partial(_offers, seen), check=partial(check, seen), case="5.1",
        top=True,
    )  # fmt: skip
