"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from collections import Counter
from collections.abc import Collection, Sequence

from engine import audit, hexset
from engine.rules.ground import held, number
from engine.rules.pools import in_pool
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules import cards
from games.kharkov.rules.activation import OF_AN_ACTIVATION
from games.kharkov.rules.combat.chits import CUP, DRAWN, HERE
from games.kharkov.rules.ground import (
    CALENDAR,
    FORWARD,
    GARRISON,
    IP,
    ISOLATED,
    LOST,
    RESERVE,
    bearing,
    crowded,
    on_map,
    supply_state,
)

BOXES = (CALENDAR, *LOST.values(), *RESERVE.values(), "eliminated", "unused")
UNSETTLED = ("german.moves", "german.attacks", "soviet.moves", "soviet.attacks")  # 10.4: looked at when they are over
ACTING = (*UNSETTLED, "german.dig", "soviet.rest")


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    checks = (_boxes, _stacks, _marks, _owners, _points, _cards, _chits, _markers, _supply)
    found = audit.pieces(table, keep_losses=(*LOST.values(), *RESERVE.values(), "unused"))
    found += audit.ground(table, table.board.land)
    return found + [fault for check in checks for fault in check(table)]


def _boxes(table: Table) -> list[str]:
    """2.1-m: boxes are each side's own."""
    found = []
    for unit in table.roster:
        where, other = table.position.where.get(unit.id, ""), SOVIET if unit.side == GERMAN else GERMAN
        if where in (RESERVE[other], LOST[other]):
            found.append(f"{unit.id} lies in the box {where!r} of the other side")
        elif not table.grid.has(where) and where not in BOXES:
            found.append(f"{unit.id} lies in {where!r}, which is no box")
    return found


def _stacks(table: Table) -> list[str]:
    """10.4: once movement, or a combat, is over."""
    if table.position.stage in UNSETTLED:
        return []
    return [f"{side} are overstacked in {number(table, h)}" for side in (GERMAN, SOVIET) for h in crowded(table, side)]


def _marks(table: Table) -> list[str]:
    """Marks of an activation last as long as it does, and then reserves may bear them too (9.5, 12.2)."""
    acting, found = table.position.stage in ACTING or bool(table.position.ended), []
    for subject, marks in table.position.marks.items():
        known = subject in table.roster or subject == "game" or subject.startswith("@")
        found += [] if known else [f"a mark on {subject}, which is nothing"]
        off_map = subject in table.roster and table.position.hex_of(subject) is None
        for mark in marks:
            if mark in OF_AN_ACTIVATION and not acting:
                found.append(f"{subject} is marked {mark!r} outside an activation")
            elif mark not in OF_AN_ACTIVATION and off_map:
                found.append(f"{subject} is marked {mark!r}, and is not on the map")
    return found


def _owners(table: Table) -> list[str]:
    """14.1: a town belongs to whoever stands in it."""
    found = []
    for h in hexset.members(table.data.towns):
        spot = number(table, h)
        for side in (GERMAN, SOVIET):
            if held(table, side) >> h & 1 and table.position.owners.get(spot) != side:
                found.append(f"{side} stand in {spot} and do not own it")
    return found


def _points(table: Table) -> list[str]:
    """17.1: the track shows what the Soviets own."""
    owned = (spot for spot, side in table.position.owners.items() if side == SOVIET)
    worth = sum(table.data.points.get(table.grid.hex(spot), 0) for spot in owned)
    track = table.position.tracks["vp"]
    found = [] if worth == track else [f"the Soviets own {worth} victory points, and the track shows {track}"]
    for h in hexset.members(table.data.edge_vp):
        if table.position.owners.get(number(table, h)) == SOVIET and not held(table, SOVIET) >> h & 1:
            found.append(f"no Soviets stand in {number(table, h)}, which scores")
    return found


def _cards(table: Table) -> list[str]:
    """2.3: every card is somewhere, and only there."""
    if table.position.stage in ("", "setup"):
        return []
    german = [card for card in in_pool(table, cards.PILE) if not card.startswith(cards.BLANK)]
    german += [card for pool in (cards.HAND, cards.AVAILABLE, cards.USED) for card in in_pool(table, pool)]
    soviet = [card for pool in cards.SOVIET_POOLS for card in in_pool(table, pool)]
    found = []
    for lying, rows in ((german, table.data.tables["german_cards"]), (soviet, table.data.tables["soviet_cards"])):
        due = [card for card, row in rows.items() if row["turn"] <= cards.since(table)]
        found += _misplaced("card", lying, due)
    return found


def _misplaced(what: str, lying: Sequence[str], due: Collection[str]) -> list[str]:
    """Things that lie in two places, in none though due, or somewhere too early."""
    count = Counter(lying)
    found = [f"the {what} {thing} lies in {number_} places" for thing, number_ in count.items() if number_ > 1]
    found += [f"the {what} {thing} is nowhere" for thing in due if thing not in count]
    return found + [f"the {what} {thing} is there, and should not be" for thing in count if thing not in due]


def _chits(table: Table) -> list[str]:
    """3.0-c: all sixty are in the cup or drawn."""
    if table.position.stage in ("", "setup"):
        return []
    lying = [chit for pool in (CUP, DRAWN, HERE) for chit in in_pool(table, pool)]
    return _misplaced("chit", lying, table.data.tables["chits"])


def _markers(table: Table) -> list[str]:
    """14.2, 15.0, 13.53: where improved positions, garrisons and support markers may lie."""
    data, everybody = table.data, held(table, GERMAN) | held(table, SOVIET)
    garrisons, dug, support = (bearing(table, mark) for mark in (GARRISON, IP, FORWARD))
    places = {
        "a garrison outside villages and VP hexes": garrisons & ~(data.villages | data.vp_hexes),
        "a garrison under a unit": garrisons & everybody,
        "an improved position in a town": dug & data.towns,
        "an improved position without a unit": dug & ~everybody,
    }
    found = [f"{what}: {number(table, h)}" for what, hexes in places.items() for h in hexset.members(hexes)]
    if garrisons and not data.on("garrisons", table.position.turn):
        found.append("there are garrisons before turn 4")
    if hexset.count(support) > data.tables["supply"]["support_markers"]:
        found.append("there are more forward support markers than the game has")
    return found


def _supply(table: Table) -> list[str]:
    """13.0: nobody is out of supply before the first check, nor isolated before the second."""
    found = []
    turn, on = table.position.turn, table.data.on
    for side in (GERMAN, SOVIET):
        for unit in on_map(table, side):
            state = supply_state(table, unit)
            if state and not on(f"{side}_supply", turn - (state == ISOLATED)):
                found.append(f"{unit} is {state} on turn {turn}")
    return found
