"""A Soviet impulse (4.IV.1, 8.0): two cards, an event, and commands in the order of the card."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Noted, Told
from engine.hexes import Hex
from engine.rules.chooser import choose
from engine.rules.ground import number, place
from engine.rules.marks import set_game
from engine.rules.pools import in_pool, pour, put, take
from games.kharkov.data import FRONTS, SOVIET, Table, turn_in
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
    said += f" ({_why(table, first, others[0]) if others else 'the last card'})"
    return said + "".join(f", {card} {cards.soviet(table, card)['title']} is auxiliary" for card in others) + "."


def _why(table: Table, first: str, other: str) -> str:
    own, its = cards.soviet(table, first), cards.soviet(table, other)
    if own["primary"] != its["primary"]:
        return "the only Primary"
    return f"value {own['value']} against {its['value']}" if own["value"] != its["value"] else "the lower number"


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
            yield from _activated(table, card, row["do"], units)
            return "soviet.moves"
    else:
        yield Told(text=f"{card}: no command of it is possible.", because="8.1-c")
    return (yield from next_command(table))


def _activated(table: Table, card: str, do: str, units: Sequence[str]) -> Iterator[Fact]:
    """9.0: the set of active units is fixed."""
    yield Told(text=f"{card} activates {', '.join(units)}{_counts(table, card, do)}.", because="8.13")
    yield from set_game(table, CARD, card, "9.0", Noted)
    for unit in units:
        yield Noted(subject=unit, mark=ACTIVE, because="8.13")
    yield from place_army_marker(table, army(table, units[0]))  # of the army itself; units stacked with it come after


def next_command(table: Table) -> Stage:
    """8.1-e: the auxiliary card, if it is still there, becomes the command card; else the impulse ends."""
    for card in in_pool(table, cards.COMMAND):
        yield from used(table, card, cards.COMMAND, "8.1-c")
    if second := in_pool(table, cards.AUXILIARY):
        yield from pour(table, cards.AUXILIARY, cards.COMMAND, "8.1-e")
        yield Told(text=_said(table, second[0], ()), because="8.1-e")
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
    now, stacks = field(table), _own_stacks(table, of)
    found: list[str] = []
    for _ in range(table.data.tables["soviet"]["stacks"]):
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


def _own_stacks(table: Table, of: str) -> list[tuple[Hex, list[str]]]:
    """The units of an army outside VP hexes, by hex."""
    outside = hexset.members(field(table).soviet & ~table.data.vp_hexes)
    stacks = ((h, [unit for unit in soviets(table, h) if army(table, unit) == of]) for h in outside)
    return [(h, own) for h, own in stacks if own]


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
    if name := _named(table, of):
        return _with_stacked(table, _army(table, name))
    return _pressed_ones(table, of) or _largest(table, of)


def _pressed_ones(table: Table, of: str) -> list[str]:
    """8.13-c: from turn 8 on who is beyond the limit or nearly surrounded, unless all of them are isolated."""
    if not table.data.on("pressed_units", table.position.turn):
        return []
    pressed = [unit for unit in on_map(table, SOVIET) if front(table, unit) == of and _pressed(table, unit)]
    return pressed if any(not is_isolated(table, unit) for unit in pressed) else []


def _pressed(table: Table, unit: str) -> bool:
    """8.13-c: beyond the limit, or nearly surrounded."""
    return not within_limit(table, unit, place(table, unit)) or nearly_surrounded(table, unit)


def _stavka(table: Table) -> list[str]:
    """8.13-e"""
    name = _named(table, "")
    return _with_stacked(table, _army(table, name)) if name else _largest(table, "")


def _named(table: Table, of: str) -> str:
    """The army that the card of a front, or STAVKA's, names on this turn; none from turn 4 or 5 on."""
    turn, rules = table.position.turn, table.data.tables["soviet"]
    if not of:
        return rules["stavka_armies"].get(str(turn), "")
    return rules["front_armies"][of] if table.data.on("front_armies", turn) else ""


def _armies(table: Table, of: str) -> list[str]:
    """The armies of a front, or of both."""
    return [name for name in table.data.ranks if table.data.parents.get(name) in ((of,) if of else FRONTS)]


def _count(table: Table, name: str) -> int:
    """8.13-c: supplied units on the map, and reserves."""
    return sum(is_supplied(table, unit) for unit in _army(table, name))


def _counts(table: Table, card: str, do: str) -> str:
    """What the choice of units or of an army rests on."""
    of = cards.soviet(table, card)["formation"] if do != "stavka" else ""
    if do == "units":
        stacks = (f"{number(table, h)} of {strength(table, units)}" for h, units in _own_stacks(table, of))
        return f"; stacks outside VP hexes, with their strength: {', '.join(stacks)}"
    if do not in ("front", "stavka") or _named(table, of):
        return ""
    if do == "front" and _pressed_ones(table, of):
        return ": beyond the limit or nearly surrounded"
    found = (f"{name} {_count(table, name)}" for name in _armies(table, of))
    return f"; supplied and in reserve: {', '.join(found)}"


def _largest(table: Table, of: str) -> list[str]:
    """The army with most units, supplied ones on the map and reserves; ties by how far its supplied units have come."""

    def forward(name: str) -> float:
        spots = [place(table, u) for u in on_map(table, SOVIET) if army(table, u) == name and is_supplied(table, u)]
        if of == "VF":
            return max((int(table.grid.number_of(h)[2:]) for h in spots), default=0)
        if of == "SWF":
            return max((int(table.grid.number_of(h)[:2]) for h in spots), default=0)
        goal = table.grid.hex(table.data.tables["start"]["stavka_tie"])
        return -min((distance(table.data, h, goal) for h in spots), default=999)

    ranked = sorted(_armies(table, of), key=lambda name: table.data.ranks[name])
    best = choose(ranked, [("most units", lambda name: _count(table, name)), ("closest", forward)]).best
    return _with_stacked(table, _army(table, best))
