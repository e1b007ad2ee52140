"""A combat from the dice to the last advance (12.1.3-D): the same in every segment."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Fact, Fought, Marked, Noted
from engine.rules.ground import is_a
from games.jaws.data import Table
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.barrage.markers import SHELTERED, lifted, under_fire
from games.jaws.rules.collapse import attacked_over
from games.jaws.rules.combat.artillery import Row
from games.jaws.rules.combat.battle import ALARM, HIT, LATER, Battle
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.combat.result import by_dice
from games.jaws.rules.combat.results import Struck, settle, strike
from games.jaws.rules.extension import chits, halves
from games.jaws.rules.losses import disorganize
from games.jaws.rules.parts import on_map_as
from games.jaws.rules.sight import closed, forgotten, identified, shown
from games.jaws.rules.units import OOS, REGROUP, STORMED, units_in


def met(table: Table, battle: Battle) -> Iterator[Fact]:
    """12.1.3: the attackers are named; 12.17.3: who attacks in Regroup is Disorganized; 4.8.2-c: Alarm units flip."""
    yield from identified(table, (*battle.units, *battle.held_back), table.enemy(battle.side))
    for unit in battle.units:
        if table.position.mark(unit, REGROUP) is not None:
            yield from disorganize(table, unit, "12.17.3")
    for unit in battle.units:
        if is_a(table, unit, "engineer"):
            yield Noted(subject=unit, mark=STORMED, because="15.1.1-a")
    for unit in battle.defenders:
        if table.position.mark(unit, ALARM_UP) is not None:
            yield Marked(subject=unit, mark=ALARM_UP, value=None, because="4.8.2-c")


def _revealed(table: Table, battle: Battle) -> Iterator[Fact]:
    """12.1.3-B1: both sides see the strengths of who takes part, and the stacks that are attacked."""
    enemy = table.enemy(battle.side)
    yield from shown(table, chits(table, (*battle.units, *battle.held_back)), enemy)
    for h in battle.targets:
        there = units_in(table, h, enemy)
        yield from forgotten(table, h, enemy, there)
        yield from shown(table, chits(table, there), battle.side)
    for unit in battle.defenders if battle.segment != ALARM else ():
        yield Noted(subject=unit, mark=HIT, value=battle.segment, because="12.3.3")


def fought(table: Table, battle: Battle, rows: Sequence[Row] = ()) -> Generator[Step, Any, None]:
    """12.1.3-B to D: strengths are shown; two dice, and what they bring."""
    yield from ended(table, [(yield from struck(table, battle, rows))])


def struck(table: Table, battle: Battle, rows: Sequence[Row] = ()) -> Generator[Step, Any, Struck]:
    """12.1.3-B, D1, D2: strengths are shown, bridges tried; the dice, losses and disorder, before any retreat."""
    shelled = _shelled(table, battle)
    there = tuple(unit for h in battle.targets for unit in units_in(table, h, table.enemy(battle.side)))
    yield from _revealed(table, battle)
    yield from attacked_over(table, battle.units, battle.targets)
    found, spots = odds(table, battle, tuple(rows)), battle.spots(table)
    red: int = yield Roll(f"attack on {' '.join(spots)}, red")
    black: int = yield Roll(f"attack on {' '.join(spots)}, black")
    came = by_dice(table, battle, found)(red, black)
    yield Fought(
        kind="attack", attackers=battle.units, defenders=battle.defenders, targets=spots, column=found.name,
        decided=(("red", str(red)), ("black", str(black))), result=came.text,
        working=tuple(line.noted for line in found.working), because="12.12",
    )  # fmt: skip
    fight = yield from strike(table, battle, came)
    return replace(fight, there=there, shelled=shelled)


def ended(table: Table, fights: Sequence[Struck]) -> Generator[Step, Any, None]:
    """12.1.3-D2c to e, and what it has cost those without supply; then chits and stacks are covered again."""
    yield from settle(table, fights)
    for fight in fights:
        for unit in fight.shelled:
            for each in on_map_as(table, unit):
                yield from disorganize(table, each, "17.1.3-7")
        if fight.fought.segment != ALARM:  # 17.1.3-5: a storm is no combat of the Combat Phase
            yield from lifted(table, fight.fought.targets)
        yield from starved(table, fight.fought)
        battle = fight.fought
        yield from closed(table, chits(table, (*battle.units, *battle.held_back)), table.enemy(battle.side))
        yield from closed(table, chits(table, fight.there), battle.side)


def _shelled(table: Table, battle: Battle) -> tuple[str, ...]:
    """17.1.3-7: whom a barrage disorders when a combat of a later segment is over; 17.1.3-9: nobody who had retreated
    under it."""
    if battle.segment not in LATER or not under_fire(table, battle.targets):
        return ()
    return tuple(unit for unit in battle.defenders if table.position.mark(unit, SHELTERED) is None)


def starved(table: Table, battle: Battle) -> Iterator[Fact]:
    """13.5.1-b, 13.5.1-c: whoever fought at OOS1 is at OOS2, as the counters that he is on the map with now (4.6-4,
    4.7.4)."""
    for unit in (*battle.units, *battle.defenders):
        for each in halves(table, on_map_as(table, unit)):
            if table.position.mark(each, OOS) == 1:
                case = "13.5.1-c" if unit in battle.units else "13.5.1-b"
                yield Marked(subject=each, mark=OOS, value=2, because=case)
