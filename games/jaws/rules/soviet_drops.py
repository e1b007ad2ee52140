"""Soviet Air-Drops (14.8): one try a Front and turn, into a hex with units of that Front out of supply."""

from collections.abc import Iterator

from engine import hexset
from engine.asks import Procedure, Roll
from engine.facts import Fact, Marked, Noted, Told
from engine.refusals import Illegal
from engine.rules.ground import numbers, place
from engine.rules.marks import game_mark, set_game
from games.jaws.data import SOVIET, Table
from games.jaws.orders.supply import Drop
from games.jaws.rules.extension import halves
from games.jaws.rules.spending import BY_AIR, SUPPLIED
from games.jaws.rules.units import OOS, front, hungry, units_in

FLOWN = "soviet drops"  # the game's mark: the Fronts whose try was made


def begun(table: Table) -> bool:
    """3.2-C6: whether the Soviet Air-Drop Phase has begun."""
    return bool(game_mark(table, FLOWN))


def over(table: Table) -> Iterator[Fact]:
    yield from set_game(table, FLOWN, None, "14.8", Noted)


def _fronts(table: Table, spot: str) -> list[str]:
    """The Fronts with units out of supply in a hex that have not flown."""
    units = units_in(table, table.grid.hex(spot), SOVIET)
    out = {front(table, table.unit(unit)) for unit in units if table.position.mark(unit, OOS) is not None}
    return sorted(out - set(game_mark(table, FLOWN).split()))


def targets(table: Table, side: str) -> list[str]:
    """14.8: the hexes that may be supplied from the air now."""
    if side != SOVIET:
        return []
    spots = numbers(table, hexset.of(place(table, unit) for unit in hungry(table, SOVIET)))
    return [spot for spot in spots if _fronts(table, spot)]


def _flier(table: Table, spot: str) -> str:
    """Whose try it is: of two Fronts the one with fewer hexes to supply."""
    needs = [who for each in targets(table, SOVIET) for who in _fronts(table, each)]
    return min(_fronts(table, spot), key=needs.count)


def usual(table: Table, side: str) -> Drop | None:
    """A try costs nothing: one that feeds most; None if there is none to make."""
    out = hungry(table, side)
    spots = {spot: table.grid.hex(spot) for spot in targets(table, side)}
    best = max(spots, key=lambda spot: sum(place(table, unit) == spots[spot] for unit in out), default="")
    return Drop(at=best) if best else None


def check_drop(table: Table, side: str, order: Drop) -> None:
    """Raises Illegal."""
    able = targets(table, side)
    if order.sdm or not order.at:
        raise Illegal("14.8", "Soviet aircraft supply a hex", instead="Say which", alternatives=able)
    if order.at not in able:
        raise Illegal("14.8", f"no units out of supply of a Front that has not flown are in {order.at}", at=order.at,
                      instead="They are in", alternatives=able)  # fmt: skip


def drop(table: Table, order: Drop) -> Procedure:
    """14.8: a one or a two puts all units of the hex in supply, of whatever Front."""
    who = _flier(table, order.at)
    yield from set_game(table, FLOWN, f"{game_mark(table, FLOWN)} {who}".strip(), "14.8", Noted)
    die: int = yield Roll(f"Air-Drop, {order.at}")
    if die > table.data.tables["supply"]["soviet_drop"]["works"]:
        yield Told(text=f"The Air-Drop to {order.at} fails.", because="14.8")
        return
    for unit in halves(table, units_in(table, table.grid.hex(order.at), SOVIET)):
        if table.position.mark(unit, OOS) is not None:
            yield Marked(subject=unit, mark=OOS, value=None, because="14.8")
            yield Noted(subject=unit, mark=SUPPLIED, value=BY_AIR, because="14.8")
