"""Combat air support (6.2, 12.1.1-2, 12.1.3-A2): missions laid on combats, and what the counters prove to be."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Counted, Fact, Marked
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number
from engine.rules.pools import drawn, in_pool
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.combat import Air, Cas, NoAir, NoCas
from games.jaws.rules.combat.artillery import Row
from games.jaws.rules.combat.battle import Battle, defenders_in
from games.jaws.rules.combat.declaration import declared, origins, ready
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.strength import strength
from games.jaws.rules.units import front, shared
from games.jaws.rules.weather import cup, missions_track

CAS = "cas"  # a hex's mark: the Front whose mission is laid on it


def missions(table: Table, fleet: str) -> int:
    """6.2-1"""
    return table.position.tracks.get(missions_track(fleet), 0)


def spent(table: Table, fleet: str) -> Iterator[Fact]:
    yield Counted(track=missions_track(fleet), value=missions(table, fleet) - 1, because="6.2")


# The Soviets: after the declarations, by hex (12.1.1-2)


def fronts_at(table: Table, phasing: str, h: Hex) -> list[str]:
    """6.2-3: the Fronts whose units may fight there, attacking or defending."""
    if phasing == SOVIET:
        units = [unit for origin in origins(table, SOVIET, h) for unit in ready(table, SOVIET, origin)]
    else:
        units = defenders_in(table, SOVIET, h)
    return list(dict.fromkeys(front(table, table.unit(unit)) for unit in units))


def laid(table: Table, phasing: str, order: Cas) -> dict[str, str]:
    """6.2-1, 6.2-4: the Front that flies for each hex: the one that is named, else of those that could the one with
    more missions left. Raises Illegal."""
    left = {fleet: missions(table, fleet) for fleet in ("1Uk", "2Uk")}
    open_, found = declared(table), dict[str, str]()
    for spot in order.fleets:
        if spot not in order.hexes:
            raise Illegal("12.1.1-2", f"{spot} is not among the hexes", at=spot, alternatives=order.hexes)
    for spot in sorted(dict.fromkeys(order.hexes), key=lambda spot: _leeway(table, phasing, order, spot)):
        h = table.grid.hex(spot)
        if h not in open_:
            raise Illegal(
                "12.1.1-2", f"{spot} is not declared", at=spot, alternatives=[number(table, o) for o in open_]
            )
        if shared(table) >> h & 1:
            raise Illegal("16.5.4-4", f"nobody flies for {spot}, which both sides share", at=spot)
        able = [fleet for fleet in fronts_at(table, phasing, h) if left.get(fleet, 0)]
        if not able:
            raise Illegal("6.2-3", f"no Front with a unit that fights for {spot} has a mission left", at=spot)
        meant = order.fleets.get(spot)
        if meant is not None and meant not in able:
            raise Illegal("6.2-3", f"{meant} has no unit that fights for {spot}, or no mission left", at=spot,
                          alternatives=able)  # fmt: skip
        able = able if meant is None else [meant]
        found[spot] = max(able, key=lambda fleet: left[fleet])
        left[found[spot]] -= 1
    return found


def _leeway(table: Table, phasing: str, order: Cas, spot: str) -> int:
    """How many Fronts could fly for a hex: those with the fewest are served first."""
    return 1 if spot in order.fleets else len(fronts_at(table, phasing, table.grid.hex(spot)))


def soviet_air(table: Table, phasing: str) -> Generator[Step, Any, None]:
    """12.1.1-2: attacking or defending."""
    open_ = [h for h in declared(table) if not shared(table) >> h & 1]  # 16.5.4-4
    able = [h for h in open_ if any(missions(table, fleet) for fleet in fronts_at(table, phasing, h))]
    if not able:
        return
    order = yield _cas_ask(table, phasing, able)
    if isinstance(order, Cas):
        for spot, fleet in laid(table, phasing, order).items():
            yield from spent(table, fleet)
            yield Marked(subject=f"@{spot}", mark=CAS, value=fleet, because="12.1.1-2")


def _default_cas(table: Table, phasing: str, able: Sequence[Hex]) -> Order:
    """In defence the weakest hexes first, as far as the missions last; in attack nobody flies unasked."""
    if phasing == SOVIET:
        return NoCas()
    named: tuple[str, ...] = ()
    for h in sorted(able, key=lambda h: (sum(strength(table, u) for u in defenders_in(table, SOVIET, h)), h)):
        try:
            laid(table, phasing, Cas(hexes=(*named, number(table, h))))
        except Illegal:
            continue
        named = (*named, number(table, h))
    return Cas(hexes=named)


def _cas_ask(table: Table, phasing: str, able: Sequence[Hex]) -> Ask:
    seen = table.seen_by(SOVIET)

    def check(order: Order) -> None:
        if isinstance(order, Cas):
            laid(seen, phasing, order)

    def more(given: Given) -> Iterator[str]:
        named = given.get("hexes", ())
        for spot in (number(seen, h) for h in able):
            if spot > max(named, default=""):
                try:
                    laid(seen, phasing, Cas(hexes=(*named, spot)))
                except Illegal:
                    continue
                yield spot

    left = ", ".join(f"{fleet} {missions(table, fleet)}" for fleet in ("1Uk", "2Uk"))
    return Ask(
        side=SOVIET,
        name="cas",
        subject=" ".join(number(table, h) for h in able),
        prompt=f"which declared hexes get Soviet air support (missions: {left})",
        verbs=(Cas, NoCas),
        check=check,
        offers=lambda: [Choice(NoCas), gather(Cas, "hexes", more)],
        default=partial(_default_cas, seen, phasing, able),
        case="12.1.1-2",
        passable=phasing == SOVIET,
        reaction=phasing == GERMAN,
    )


def _soviets_fly(table: Table, battle: Battle) -> bool:
    """6.2-5: a mission is laid on the combat, and not for nothing: a supported unit of its Front attacks, or one
    defends."""
    fleets = [table.position.mark(f"@{spot}", CAS) for spot in battle.spots(table)]
    units = battle.supported if battle.side == SOVIET else battle.defenders
    return any(front(table, table.unit(unit)) in fleets for unit in units)


def soviet_shift(table: Table, battle: Battle) -> Generator[Step, Any, list[Row]]:
    """6.2: the counter on the combat is turned over."""
    if not _soviets_fly(table, battle):
        return []
    return (yield from _revealed(table, SOVIET, attack=battle.side == SOVIET))


def flights(table: Table, battle: Battle, *, ordered: bool) -> list[tuple[Row, ...]]:
    """6.2: what the missions that are laid or ordered may bring, each counter of a cup as likely as another."""
    flown = [SOVIET] if _soviets_fly(table, battle) else []
    flown += [GERMAN] if ordered else []
    cups = [[_row(side, c, attack=battle.side == side) for c in in_pool(table, cup(side))] for side in flown]
    return list(product(*(rows for rows in cups if rows)))


# The Germans: in every combat (12.1.3-A2)


def check_german(table: Table, battle: Battle) -> None:
    """6.2-1, 6.2-5: an attacker's mission needs a supported attack. Raises Illegal."""
    if battle.side != GERMAN:
        raise Illegal(
            "12.1.1-2", "Soviet air support is laid on hexes when they are declared", instead="Write `cas HEX`"
        )
    if not missions(table, GERMAN):
        raise Illegal("6.2-1", "you have no air missions left this turn")
    if not battle.supported:
        raise Illegal("6.2-5", "an attack without support has no air support")


def german_air(table: Table, battle: Battle, *, ordered: bool) -> Generator[Step, Any, bool]:
    """12.1.3-A2: the attacker has said so in his order; the defender is asked."""
    flies = ordered
    apart = not any(shared(table) >> h & 1 for h in battle.targets)  # 16.5.4-4
    if battle.side == SOVIET and missions(table, GERMAN) and apart:
        order = yield _air_ask(table, battle)
        flies = isinstance(order, Air)
    if flies:
        yield from spent(table, GERMAN)
    return flies


def _air_ask(table: Table, battle: Battle) -> Ask:
    left, spots = missions(table, GERMAN), " ".join(battle.spots(table))
    column = odds(table.seen_by(GERMAN), battle).start
    level = table.data.tables["combat_results"]["columns"].index("1-1")
    return Ask(
        side=GERMAN,
        name="air",
        subject=spots,
        prompt=f"air support for the defence of {spots} ({left} missions left)",
        verbs=(Air, NoAir),
        offers=lambda: [Choice(NoAir), Choice(Air)],
        default=lambda: Air() if left > 1 and column >= level else NoAir(),
        case="12.1.3-A2",
        reaction=True,
        units=battle.defenders,
        amounts=(("column", column), ("missions", left)),
    )


def _revealed(table: Table, side: str, *, attack: bool) -> Generator[Step, Any, list[Row]]:
    """6.2: drawn when it is shown, for nobody knows it before."""
    _, counter = yield from drawn(table, [cup(side)], f"air support, {side}", "6.2")
    return [_row(side, counter, attack=attack)]


def _row(side: str, counter: str, *, attack: bool) -> Row:
    ours, theirs = map(int, counter.split("/"))
    name = "German" if side == GERMAN else "Soviet"
    return f"{name} air support {counter}", ours if attack else -theirs, "6.2"


def german_shift(table: Table, battle: Battle) -> Generator[Step, Any, list[Row]]:
    return (yield from _revealed(table, GERMAN, attack=battle.side == GERMAN))
