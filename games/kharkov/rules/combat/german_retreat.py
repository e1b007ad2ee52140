"""Hits on Germans who are attacked (12.52): they stand or fall back, and the rest are steps."""

from engine.asks import Procedure
from engine.facts import Marked
from engine.hexes import Hex
from engine.rules.ground import number, place
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.rules.combat.advance import FAR
from games.kharkov.rules.combat.german_defence import hits_ask, way_meant
from games.kharkov.rules.combat.losses import german_losses
from games.kharkov.rules.combat.retreat import fall_back, german_ways, most_hexes
from games.kharkov.rules.combat.soviet_defence import trampled
from games.kharkov.rules.combat.under_way import HITS, LOSSES, RETREAT, Battle
from games.kharkov.rules.ground import DISPERSED, steps


def germans_hit(table: Table, battle: Battle) -> Procedure:
    """The player stands, or falls back one or two hexes; the rest are steps. Hits may be left over (12.55)."""
    spot = number(table, battle.combat.target)
    if battle.step == HITS:
        yield from _said(table, battle, spot)
        battle.step = LOSSES
    if battle.step == LOSSES:
        more, keep = battle.d - battle.far, battle.keeping(table)
        yield from german_losses(table, battle.units, more, spot, "12.52", first=True, keep=keep)
        battle.step = RETREAT
    while battle.gone < battle.far:
        yield from _gone_back(table, battle)
        battle.gone += 1
    if battle.far == FAR:
        for unit in battle.units:
            if table.position.hex_of(unit) is not None:
                yield Marked(subject=unit, mark=DISPERSED, because="12.75")
    yield from trampled(table, battle.combat, GERMAN)
    if any(table.position.hex_of(unit) is not None for unit in battle.units):
        battle.over = 0


def _said(table: Table, battle: Battle, spot: str) -> Procedure:
    """12.52: where there is a way back, the player says whether they take it."""
    units, d = battle.units, battle.d
    ways = german_ways(table, units, battle.combat.target, min(d, most_hexes(table, units, ())), d)
    farthest = max((len(way) for each in ways for _, way in each), default=0)
    if ways:
        yield from battle.keeping(table)()
        order = yield hits_ask(table, battle.combat, units, d, ways, spot)
        battle.ways = way_meant(table, ways, order) if isinstance(order, o.Retreat) else ()
    battle.over = max(0, d - farthest - steps(table, units))


def _gone_back(table: Table, battle: Battle) -> Procedure:
    """One hex farther: those who go to one hex together, and pay together."""
    groups: dict[tuple[Hex, Hex], list[str]] = {}
    for unit, way in battle.ways:
        start = way[battle.gone - 1] if battle.gone else battle.combat.target
        if table.position.hex_of(unit) == start:  # neither lost, nor gone before the player was asked
            groups.setdefault((place(table, unit), way[battle.gone]), []).append(unit)
    for (_, to), units in groups.items():
        yield from fall_back(table, units, to, "12.7", battle.keeping(table))
        battle.trail += [] if battle.gone else [to]
