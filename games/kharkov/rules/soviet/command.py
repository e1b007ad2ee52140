"""A Soviet impulse (4.IV.1, 8.0): two cards, an event, and commands in the order of the card."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Noted, Told
from engine.rules.chooser import choose
from engine.rules.ground import place
from engine.rules.marks import set_game
from engine.rules.pools import in_pool, pour, put, take
from games.kharkov.data import SOVIET, Table, turn_in
from games.kharkov.rules import cards, events, impulse, replacements
from games.kharkov.rules.activation import CARD
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    ACTIVE,
    army,
    front,
    in_reserve,
    is_isolated,
    is_supplied,
    on_map,
    selector,
    soviets,
    strength,
)
from games.kharkov.rules.soviet.objectives import place_army_marker
from games.kharkov.rules.soviet.terms import distance, nearly_surrounded, surrounded
from games.kharkov.rules.supply import within_limit
from games.kharkov.shapes import Command

Stage = Generator[Step, Any, str]
STACKS = 2  # 8.13-a


def draw(table: Table) -> Stage:
    """8.1: two cards, one of them commands; an event of the other is carried out first."""
    drawn = []
    for _ in range(min(2, cards.pile_left(table))):
        drawn.append((yield from cards.soviet_draw(table, cards.AUXILIARY, "8.1")))
    if not drawn:
        return impulse.after(table, SOVIET)  # 8.0: no card is left
    first = chosen(table, drawn)
    yield from _to_command(table, first)
    yield Told(text=_said(table, first, [card for card in drawn if card != first]), because="8.1")
    for card in in_pool(table, cards.AUXILIARY):
        yield from _auxiliary_event(table, card)
    return "soviet.command"


def _said(table: Table, first: str, others: Sequence[str]) -> str:
    said = f"The Soviets command with {first} {cards.soviet(table, first)['title']}"
    return said + "".join(f", {card} {cards.soviet(table, card)['title']} is auxiliary" for card in others) + "."


def chosen(table: Table, drawn: Sequence[str]) -> str:
    """8.1: the only Primary, else the higher command value, else the lower number."""
    primary = [card for card in drawn if cards.soviet(table, card)["primary"]]
    if len(primary) == 1:
        return primary[0]
    return min(drawn, key=lambda card: (-cards.soviet(table, card)["value"], card))


def _to_command(table: Table, card: str) -> Iterator[Fact]:
    yield from take(table, cards.AUXILIARY, [card], "8.1")
    yield from put(table, cards.COMMAND, [card], "8.1")


def _auxiliary_event(table: Table, card: str) -> Iterator[Fact]:
    """8.1-b: a command event that is valid and can be carried out; special events are not looked at."""
    for row in cards.soviet(table, card)["commands"]:
        event = row.get("event", "")
        if event and not row.get("special") and _valid(table, row) and events.applies(table, event, card):
            yield Told(text=f"{card}: {event}.", because="8.1-b")
            yield from events.soviet_event(table, event, card)
            yield from used(table, card, cards.AUXILIARY, "8.1-b")
            return


def _valid(table: Table, row: Command) -> bool:
    return turn_in(row.get("turns", ""), table.position.turn)


def carry_out(table: Table) -> Stage:
    """8.1-c: the first command that is possible now; then the card is discarded."""
    (card,) = in_pool(table, cards.COMMAND)
    for row in cards.soviet(table, card)["commands"]:
        if not _valid(table, row):
            continue
        if row["do"] == "event":
            if events.applies(table, row.get("event", ""), card):
                yield Told(text=f"{card}: {row.get('event', '')}.", because="8.11")
                yield from events.soviet_event(table, row.get("event", ""), card)
                break
        elif row["do"] == "replace":
            of = cards.soviet(table, card)["formation"]
            if table.data.on("soviet_replacements", table.position.turn) and replacements.army_has_any(table, of):
                yield from replacements.army_replacement(table, of)
                break
        elif units := activated(table, card, row["do"]):
            yield from _activated(table, card, units)
            return "soviet.moves"
    return (yield from next_command(table))


def _activated(table: Table, card: str, units: Sequence[str]) -> Iterator[Fact]:
    """9.0: the set of active units is fixed."""
    yield from set_game(table, CARD, card, "9.0", Noted)
    for unit in units:
        yield Noted(subject=unit, mark=ACTIVE, because="8.13")
    yield from place_army_marker(table, army(table, units[0]))  # of the army itself; units stacked with it come after


def next_command(table: Table) -> Stage:
    """8.1-e: the auxiliary card, if it is still there, becomes the command card; else the impulse ends."""
    for card in in_pool(table, cards.COMMAND):
        yield from used(table, card, cards.COMMAND, "8.1-c")
    if in_pool(table, cards.AUXILIARY):
        yield from pour(table, cards.AUXILIARY, cards.COMMAND, "8.1-e")
        return "soviet.command"
    return impulse.after(table, SOVIET)


def used(table: Table, card: str, box: str, case: str) -> Iterator[Fact]:
    """8.2: STAVKA leaves the game once it is used on turn 7; other cards are discarded."""
    if card == cards.STAVKA and table.data.on("stavka_leaves", table.position.turn):
        yield from cards.remove(table, card, "8.2")
    else:
        yield from cards.spent(table, box, case)


# Who is activated (8.13).


def activated(table: Table, card: str, do: str) -> list[str]:
    """The units on the map and in reserve that a card activates; nobody unless one of them is not isolated."""
    of = cards.soviet(table, card)["formation"]
    match do:
        case "activate":
            found = _army(table, of)
        case "units":
            found = _stacks(table, of)
        case "front":
            found = _front_card(table, of)
        case _:
            found = _stavka(table)
    ready = _army(table, of) if do == "units" else found
    return found if any(not is_isolated(table, unit) for unit in ready) else []


def _army(table: Table, of: str) -> list[str]:
    """8.13-b"""
    return [unit for unit in (*on_map(table, SOVIET), *in_reserve(table, SOVIET)) if army(table, unit) == of]


def _stacks(table: Table, of: str) -> list[str]:
    """8.13-a: up to two units or stacks of the army not in a VP hex, and all its reserves."""
    now = field(table)
    stacks = []
    for h in hexset.members(now.soviet & ~table.data.vp_hexes):
        own = [unit for unit in soviets(table, h) if army(table, unit) == of]
        if own:
            stacks.append((h, own))
    found: list[str] = []
    for _ in range(STACKS):
        if not stacks:
            break
        best = choose(
            sorted(stacks),
            [
                ("supplied", lambda s: any(is_supplied(table, unit) for unit in s[1])),
                ("not surrounded", lambda s: not surrounded(table.data, now, s[0], SOVIET)),
                ("highest strength", lambda s: strength(table, s[1])),
                ("most units", lambda s: len(s[1])),
                ("lowest selector", lambda s: -min(selector(table, unit)[0] for unit in s[1])),
            ],
        ).best
        stacks.remove(best)
        found += best[1]
    reserves = [unit for unit in in_reserve(table, SOVIET) if army(table, unit) == of]
    return found + reserves


def _with_stacked(table: Table, units: Sequence[str]) -> list[str]:
    """8.13-f: and every unit of the same front that is stacked with one of them."""
    found = list(units)
    for unit in units:
        h = table.position.hex_of(unit)
        for other in soviets(table, h) if h is not None else ():
            if other not in found and front(table, other) == front(table, unit):
                found.append(other)
    return found


def _front_card(table: Table, of: str) -> list[str]:
    """8.13-c, 8.13-d"""
    turn = table.position.turn
    if turn <= 3:
        return _with_stacked(table, _army(table, "3T" if of == "VF" else "MGP"))
    if turn >= 8:
        pressed = [unit for unit in on_map(table, SOVIET) if front(table, unit) == of and _pressed(table, unit)]
        if any(not is_isolated(table, unit) for unit in pressed):
            return pressed
    return _largest(table, [name for name in table.data.ranks if table.data.parents.get(name) == of], of)


def _pressed(table: Table, unit: str) -> bool:
    """8.13-c: beyond the limit, or nearly surrounded."""
    return not within_limit(table, unit, place(table, unit)) or nearly_surrounded(table, unit)


def _stavka(table: Table) -> list[str]:
    """8.13-e"""
    turn = table.position.turn
    if turn in (1, 3):
        return _with_stacked(table, _army(table, "MGP"))
    if turn in (2, 4):
        return _with_stacked(table, _army(table, "3T"))
    armies = [name for name in table.data.ranks if table.data.parents.get(name) in ("VF", "SWF")]
    return _largest(table, armies, "")


def _largest(table: Table, armies: Sequence[str], of: str) -> list[str]:
    """The army with most units, supplied ones on the map and reserves; ties by how far its supplied units have come."""

    def count(name: str) -> int:
        return sum(is_supplied(table, unit) for unit in _army(table, name))

    def forward(name: str) -> float:
        spots = [place(table, u) for u in on_map(table, SOVIET) if army(table, u) == name and is_supplied(table, u)]
        if of == "VF":
            return max((int(table.grid.number_of(h)[2:]) for h in spots), default=0)
        if of == "SWF":
            return max((int(table.grid.number_of(h)[:2]) for h in spots), default=0)
        goal = table.grid.hex(table.data.tables["start"]["stavka_tie"])
        return -min((distance(table.data, h, goal) for h in spots), default=999)

    ranked = sorted(armies, key=lambda name: table.data.ranks[name])
    best = choose(ranked, [("most units", count), ("closest", forward)]).best
    return _with_stacked(table, _army(table, best))
