"""Events of both sides (5.4, 8.11, EVT): when each may be played, and what it does."""

from collections.abc import Callable, Iterator, Sequence

from engine import hexset
from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather
from engine.refusals import Illegal
from engine.rules.chooser import choose
from engine.rules.ground import held, number, numbers
from engine.rules.marks import marked
from engine.table import kept
from games.kharkov.data import GERMAN, SOVIET, Table, turn_in
from games.kharkov.orders import PlayEvent
from games.kharkov.rules import cards
from games.kharkov.rules.activation import may_dig
from games.kharkov.rules.fields import field, zone
from games.kharkov.rules.garrisons import any_to_place, place_garrisons
from games.kharkov.rules.ground import (
    DISPERSED,
    FORWARD,
    IP,
    bearing,
    front,
    germans,
    is_dispersed,
    is_ready,
    is_supplied,
    on_map,
    soviets,
    strength,
)
from games.kharkov.rules.soviet.terms import westward
from games.kharkov.rules.supply import supported
from games.kharkov.rules.towns import off

FRONT_OF = {"garrison voronezh": "VF", "garrison southwest": "SWF"}


# German


@kept
def targets(table: Table, event: str) -> list[str]:
    """The hexes that an event may be played for."""
    match event:
        case "airpower":
            return numbers(table, _where(table, GERMAN, lambda unit: not is_supplied(table, unit)))
        case "air interdiction":
            return numbers(table, bearing(table, FORWARD))
        case "engineers":
            ready = _where(table, GERMAN, lambda unit: is_ready(table, unit))
            return [spot for spot in numbers(table, ready) if may_dig(table, table.grid.hex(spot))]
    return numbers(table, hexset.of(h for h in hexset.members(_soviet(table)) if _over_extended(table, h)))


def _where(table: Table, side: str, is_so: Callable[[str], bool]) -> HexSet:
    spots = (table.position.hex_of(unit) for unit in on_map(table, side) if is_so(unit))
    return hexset.of(h for h in spots if h is not None)


def _soviet(table: Table) -> HexSet:
    return held(table, SOVIET) & table.board.land


def _over_extended(table: Table, h: Hex) -> bool:
    """EVT.overextended: out of support, or with no other Soviets within two hexes."""
    if all(is_dispersed(table, unit) for unit in soviets(table, h)):
        return False
    others = hexset.within(table.grid, 1 << h, table.data.tables["event_figures"]["lone"]) & _soviet(table) & ~(1 << h)
    return not supported(table) >> h & 1 or not others


def check_german(table: Table, order: PlayEvent) -> None:
    """Raises Illegal."""
    event, row = order.event, table.data.tables["german_events"][order.event]
    case, most = row["case"], row["most"]
    if not turn_in(row["turns"], table.position.turn):
        raise Illegal(case, f"{event} is played from turn {row['turns'].rstrip('+')} on")
    can = targets(table, event)
    if not can:
        raise Illegal(case, f"there is nothing that {event} could be played for")
    if not order.at:
        raise Illegal(case, f"say where: `event {event} at HEX`", alternatives=can)
    if len(set(order.at)) > most:
        raise Illegal(case, f"{event} is for {most} at the most, not {len(set(order.at))}", alternatives=can)
    for spot in order.at:
        if spot not in can:
            raise Illegal(case, f"{event} cannot be played for {spot}", at=spot, alternatives=can)


def german_event(table: Table, order: PlayEvent) -> Iterator[Fact]:
    case = table.data.tables["german_events"][order.event]["case"]
    for spot in dict.fromkeys(order.at):
        h = table.grid.hex(spot)
        match order.event:
            case "airpower":
                yield from _resupplied(table, germans(table, h), "13.4")
            case "air interdiction":
                yield off(table, h, FORWARD, "13.54")
            case "engineers":
                yield Marked(subject=f"@{spot}", mark=IP, because="14.21-d")
            case "over extended":
                yield from _dispersed(soviets(table, h), case)


def offers(table: Table, event: str, card: str, ok: Callable[[PlayEvent], None]) -> list[Choice]:
    """An event with the hexes it may be for, if the card can be played for it."""
    row, rules = cards.german(table, card), table.data.tables["german_events"][event]
    own = row.get("event", "")
    if own not in (event, "any") or not turn_in(rules["turns"], table.position.turn):
        return []
    if own == event and not turn_in(row.get("event_turns", ""), table.position.turn):
        return []
    can = targets(table, event)

    def candidates(said: Given) -> list[str]:
        named = said.get("at", ())
        return [spot for spot in can if spot not in named] if len(named) < rules["most"] else []

    return [gather(PlayEvent, "at", candidates, ok, event=event, card=card)] if can else []


# Soviet


def applies(table: Table, event: str, card: str) -> bool:
    """8.11: whether an event can be carried out now; its turn is the card's business."""
    of = _front(table, card)
    match event:
        case "command delay":
            return True
        case "air supply":
            return bool(_unsupplied(table))
        case "forward support":
            few = len(marked(table, FORWARD)) < table.data.tables["supply"]["support_markers"]
            return few and bool(_helped(table, of))
        case "partisan uprising":
            return bool(_exposed(table))
        case "combat engineers":
            return bool(_engineered(table, of))
        case "nkvd operations":
            return len(_scattered(table, "VF")) >= table.data.tables["event_figures"]["scattered"]
    return any_to_place(table, FRONT_OF[event])


def soviet_event(table: Table, event: str, card: str) -> Iterator[Fact]:
    """What it does, each choice with its trace."""
    of = _front(table, card)
    match event:
        case "air supply":
            h = _chosen(
                table,
                _unsupplied(table),
                [("most strength", lambda h: _weight(table, h)), ("VP hex", lambda h: table.data.vp_hexes >> h & 1)],
            )
            yield from _resupplied(table, soviets(table, h), "13.4")
        case "forward support":
            gains = _helped(table, of)
            h = _chosen(
                table,
                list(gains),
                [("most units helped", gains.__getitem__), ("westernmost", lambda h: westward(table.data, h))],
            )
            yield Marked(subject=f"@{number(table, h)}", mark=FORWARD, because="EVT.forward")
        case "partisan uprising":
            h = _chosen(
                table,
                _exposed(table),
                [
                    ("nearest to woods", lambda h: table.data.woods >> h & 1),
                    ("least strength", lambda h: -strength(table, germans(table, h))),
                ],
            )
            yield from _dispersed(germans(table, h), "EVT.uprising")
        case "combat engineers":
            for h in _engineered(table, of)[: table.data.tables["event_figures"]["engineered"]]:
                yield Marked(subject=f"@{number(table, h)}", mark=IP, because="14.21-d")
        case "nkvd operations":
            for unit in _scattered(table, "VF"):
                yield Marked(subject=unit, mark=DISPERSED, value=None, because="EVT.nkvdops")
        case "garrison voronezh" | "garrison southwest":
            yield from place_garrisons(table, FRONT_OF[event])


def _front(table: Table, card: str) -> str:
    """The front of a card; STAVKA's is any."""
    formation = cards.soviet(table, card)["formation"]
    return formation if formation in ("VF", "SWF") else table.data.parents.get(formation, "")


def _chosen(table: Table, hexes: Sequence[Hex], preferences: Sequence[tuple[str, Callable[[Hex], float]]]) -> Hex:
    """8.3, ties by the highest hex number."""
    ordered = sorted(hexes, key=lambda h: number(table, h), reverse=True)
    return choose(ordered, preferences, name=lambda h: number(table, h)).best


def _resupplied(table: Table, units: Sequence[str], case: str) -> Iterator[Fact]:
    for unit in units:
        if not is_supplied(table, unit):
            yield Marked(subject=unit, mark="supply", value=None, because=case)


def _dispersed(units: Sequence[str], case: str) -> Iterator[Fact]:
    yield from (Marked(subject=unit, mark=DISPERSED, because=case) for unit in units)


def _unsupplied(table: Table) -> list[Hex]:
    return list(hexset.members(_where(table, SOVIET, lambda unit: not is_supplied(table, unit))))


def _weight(table: Table, h: Hex) -> int:
    return strength(table, [unit for unit in soviets(table, h) if not is_supplied(table, unit)])


def _helped(table: Table, of: str) -> dict[Hex, int]:
    """EVT.forward: the hexes of supplied units of the front out of support, and whom a marker there would help."""
    now = supported(table)
    lacking = [u for u in on_map(table, SOVIET) if not of or front(table, u) == of]
    spots = {u: h for u in lacking if (h := table.position.hex_of(u)) is not None and not now >> h & 1}
    reach = table.data.tables["supply"]["support_marker"]
    return {
        h: sum(hexset.within(table.grid, 1 << h, reach) >> other & 1 for other in spots.values())
        for unit, h in spots.items()
        if is_supplied(table, unit)
    }


def _exposed(table: Table) -> list[Hex]:
    """EVT.uprising: undispersed German stacks in or next to woods, with no Soviets beside them."""
    now, grid = field(table), table.grid
    near = hexset.spread(grid, table.data.woods)
    hexes = now.german & near & ~zone(grid, now.soviet)
    return [h for h in hexset.members(hexes) if not all(is_dispersed(table, unit) for unit in germans(table, h))]


def _engineered(table: Table, of: str) -> list[Hex]:
    """EVT.combateng: hexes of the front in support, by the preferences of 9.7."""
    now = field(table)
    spots = [h for h in hexset.members(now.soviet & supported(table)) if may_dig(table, h)]
    own = [h for h in spots if any(front(table, u) == of and is_ready(table, u) for u in soviets(table, h))]
    beside = zone(table.grid, _where(table, GERMAN, lambda unit: is_supplied(table, unit)))
    return sorted(own, key=lambda h: (not beside >> h & 1, strength(table, soviets(table, h)), number(table, h)))


def _scattered(table: Table, of: str) -> list[str]:
    return [unit for unit in on_map(table, SOVIET) if front(table, unit) == of and is_dispersed(table, unit)]
