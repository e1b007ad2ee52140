"""What the player says when he is attacked: cards as tactics (12.3), and how he takes his hits (12.52, 12.7)."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine.asks import Ask
from engine.facts import Fact
from engine.orders.choice import Choice, Given, gather, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, path_numbers, place
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules import cards
from games.kharkov.rules.combat.battle_report import column
from games.kharkov.rules.combat.retreat import Ways
from games.kharkov.rules.combat.situation import Combat, defenders, drawn, ratio
from games.kharkov.rules.combat.tactics import (
    applied,
    check_cards,
    join_battle,
    plays,
    reinforcers,
    tactics_of,
    useful,
)
from games.kharkov.rules.ground import IP, bears, fits, steps

# Cards (12.3).


def play_defence(table: Table, combat: Combat, order: o.Defend) -> Iterator[Fact]:
    """The cards are gone, whatever they give; who comes by Reinforce Battle moves into the hex."""
    found = useful(table, combat, GERMAN, [tactics_of(table, card, named) for card, named in order.cards])
    yield from cards.discard(table, [card for card, _ in order.cards], "12.3")
    for tactic in (tactic for tactics in found for tactic in tactics):
        if tactic != "reinforce battle" or order.helpers:
            yield from applied(table, combat, GERMAN, tactic)
    for unit in order.helpers:
        yield from join_battle(table, combat, unit, combat.target)


def check_defence(table: Table, combat: Combat, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, o.Defend):
        return
    if not order.cards:
        raise Illegal("12.3", "say which cards you play, or pass", alternatives=cards.in_hand(table))
    check_cards(table, combat, order.cards)
    tactics = [tactic for card, named in order.cards for tactic in tactics_of(table, card, named)]
    if order.helpers and "reinforce battle" not in tactics:
        raise Illegal("TAC.reinforce", f"{', '.join(order.helpers)} may come only by Reinforce Battle")
    can = reinforcers(table, combat, GERMAN) if "reinforce battle" in tactics else {}
    for unit in order.helpers:
        if unit not in can:
            raise Illegal("TAC.reinforce", f"{unit} cannot come to {number(table, combat.target)}", alternatives=[*can])
    if len({place(table, unit) for unit in order.helpers}) > 1:
        raise Illegal("TAC.reinforce", "one unit or stack comes by Reinforce Battle")
    if can and not order.helpers:
        raise Illegal("TAC.reinforce", "say who comes: `plus UNITS`", alternatives=[*can])
    if not fits(table, GERMAN, combat.target, order.helpers):
        raise Illegal("10.4", f"{', '.join(order.helpers)} have no room in {number(table, combat.target)}")


def defence_ask(table: Table, combat: Combat, spot: str) -> Ask:
    check = partial(check_defence, table, combat)
    number_, odds = drawn(table, combat), column(table, combat)

    def offers() -> list[Choice]:
        one = [order for card in cards.in_hand(table) for order in _with_one_card(table, combat, card)]
        found = [whole(order) for order in one if passes(check, order)]
        several = gather(o.Defend, "cards", partial(_playable, table, combat), check, partial(_helpers, table, combat))
        return [*found, *([several] if found else []), Choice(o.Pass)]

    return Ask(
        GERMAN, "attacked", spot, f"{spot} is attacked at {odds} with {number_} chits: cards, or pass",
        (o.Defend, o.Pass), default=o.Pass, offers=offers, check=check, case="12.3", passable=True, reaction=True,
        entry=True,
        amounts=(("ratio", int(ratio(table, combat))), ("chits", number_), ("cards", len(cards.in_hand(table)))),
        units=tuple(defenders(table, combat)),
    )  # fmt: skip


def _with_one_card(table: Table, combat: Combat, card: str) -> Iterator[o.Defend]:
    """A card as it may be played to some use, reinforcements one by one and as stacks."""
    for play in plays(table, card):
        tactics = tactics_of(table, *play)
        if not useful(table, combat, GERMAN, [tactics])[0]:
            continue
        if "reinforce battle" not in tactics:
            yield o.Defend(cards=(play,))
            continue
        stacks: dict[int, list[str]] = {}
        for unit in reinforcers(table, combat, GERMAN):
            stacks.setdefault(place(table, unit), []).append(unit)
            yield o.Defend(cards=(play,), helpers=(unit,))
        for stack in stacks.values():
            if len(stack) > 1:
                yield o.Defend(cards=(play,), helpers=tuple(stack))


def _playable(table: Table, combat: Combat, said: Given) -> Iterator[tuple[str, str]]:
    """The cards that are of use after those named."""
    before = tuple(said.get("cards", ()))
    for card in cards.in_hand(table):
        for play in plays(table, card) if card not in dict(before) else ():
            if all(useful(table, combat, GERMAN, [tactics_of(table, *each) for each in (*before, play)])):
                yield play


def _helpers(table: Table, combat: Combat, said: Given) -> list[Choice]:
    """Who may come by Reinforce Battle, one after another out of one stack."""
    tactics = [tactic for play in said["cards"] for tactic in tactics_of(table, *play)]
    can = reinforcers(table, combat, GERMAN) if "reinforce battle" in tactics else {}

    def longer(given: Given) -> list[str]:
        before = tuple(given.get("helpers", ()))
        spots = {place(table, unit) for unit in before}
        more = [unit for unit in can if unit not in before and spots <= {place(table, unit)}]
        return [unit for unit in more if fits(table, GERMAN, combat.target, (*before, unit))]

    return gather(o.Defend, "helpers", longer, partial(check_defence, table, combat), **said).following()


# Hits (12.52).


def way_meant(table: Table, ways: Sequence[Ways], order: o.Retreat) -> Ways:
    """The way that was named; with none named the longest; one that ends where a single hex says. Raises Illegal."""
    if not order.paths:
        return max(ways, key=_length)
    named = {unit: tuple(table.grid.hex(spot) for spot in spots) for unit, spots in order.paths}
    exact = [ways_ for ways_ in ways if dict(ways_) == named]
    ends = [ways_ for ways_ in ways if {unit: way[-1:] for unit, way in ways_} == named]
    found = exact or ends
    if not found:
        said = "; ".join(", ".join(spots) for _, spots in order.paths)
        allowed = [_line(table, ways_) for ways_ in ways]
        raise Illegal("12.7-a", f"they may not retreat so: {said or 'nowhere'}", alternatives=allowed)
    return found[0]


def _length(ways: Ways) -> int:
    return len(ways[0][1])


def _order(table: Table, ways: Ways) -> o.Retreat:
    return o.Retreat(paths=tuple((unit, path_numbers(table, way)) for unit, way in ways))


def _line(table: Table, ways: Ways) -> str:
    return _order(table, ways).line()


def hits_ask(table: Table, combat: Combat, units: Sequence[str], d: int, ways: Sequence[Ways], spot: str) -> Ask:
    """12.52: stand, or one of the ways back; a stack in a town or dug in stands while hits are few."""

    def check(order: Order) -> None:
        if isinstance(order, o.Retreat):
            way_meant(table, ways, order)

    def fit(order: Order) -> Order:
        """Said beforehand, or the verb alone: the way named if it is open, else the longest."""
        if isinstance(order, o.Retreat) and not passes(check, order):
            order = o.Retreat()
        return _order(table, way_meant(table, ways, order)) if isinstance(order, o.Retreat) else order

    own = steps(table, units)
    strong = bool(table.data.towns >> combat.target & 1) or bears(table, combat.target, IP)
    best = max(ways, key=lambda each: (_length(each), number(table, each[0][1][-1])))
    default: Order = o.Stand() if strong and 2 * d <= own else _order(table, best)

    def offers() -> list[Choice]:
        return [Choice(o.Stand), *(whole(_order(table, each)) for each in ways)]

    return Ask(
        GERMAN, "hits", spot, f"{d} hits at {spot}, {own} steps there: stand, or retreat", (o.Stand, o.Retreat),
        default=lambda: default, offers=offers, check=check, case="12.52",
        amounts=(("hits", d), ("steps", own)), units=tuple(units), fit=fit, entry=True,
    )  # fmt: skip
