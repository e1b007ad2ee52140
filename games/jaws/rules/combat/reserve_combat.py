"""The Reserve Segments (12.1.5, 12.1.6): reserves move, hexes are declared, and each combat is fought."""

from collections.abc import Generator
from functools import partial
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Noted
from engine.refusals import Illegal
from engine.rules.marks import game_mark, set_game, wipe
from games.jaws.data import Table
from games.jaws.orders.combat import Attack
from games.jaws.rules.allowance import RESERVE
from games.jaws.rules.combat.attack import (
    SEGMENT_MARKS,
    attack_choices,
    battle_of,
    begun,
    broken_off,
    declared_ask,
    fightable,
    nothing_more,
)
from games.jaws.rules.combat.battle import RESERVES, Battle
from games.jaws.rules.combat.declaration import declaration_segment
from games.jaws.rules.combat.defenders import chosen
from games.jaws.rules.combat.fight import struck
from games.jaws.rules.combat.holding import declared_holding
from games.jaws.rules.combat.results import Struck
from games.jaws.rules.combat.two_combats import Combats, fought_out, frozen
from games.jaws.rules.reserve_movement import reserve_movement

SEGMENT = "reserve segment"  # how far the stage has come
DECLARING, FIGHTING = "declaring", "fighting"


def reserve_segments(table: Table, side: str) -> Procedure:
    """3.2-E4E, E4F: one after another; what is over is noted, so that each can be entered."""
    if not game_mark(table, SEGMENT):
        yield from reserve_movement(table, side)
        yield from set_game(table, SEGMENT, DECLARING, "12.1.6", Noted)
    if game_mark(table, SEGMENT) == DECLARING:
        yield from declaration_segment(table, side)
        yield from set_game(table, SEGMENT, FIGHTING, "12.1.6", Noted)
    while fightable(table.seen_by(side), side):
        order = yield declared_ask(table, side, "declared for the reserves are", "12.1.6", COMBATS)
        yield from fought_out(table, side, order.alone(), COMBATS)
    yield from wipe(table, (RESERVE, SEGMENT, *SEGMENT_MARKS), "12.1.6-5")


def reserve_battle(table: Table, side: str, order: Attack) -> Battle:
    """12.1.6-3: with no guns, no air and no engineer. Raises Illegal."""
    if order.guns or order.engineer or order.air:
        raise Illegal("12.1.6-3", "neither artillery nor air nor engineers support a reserve combat")
    return battle_of(table, side, order, RESERVES)


def _resolve(table: Table, side: str, order: Attack) -> Generator[Step, Any, Struck | None]:
    try:
        battle = reserve_battle(table, side, order)
    except Illegal as refusal:  # what only the truth forbids
        yield from broken_off(table, reserve_battle(table.seen_by(side), side, order), refusal)
        return None
    battle = yield from chosen(table, battle)
    yield from frozen(table, battle, fightable(table, side))
    yield from begun(table, battle, order)
    battle = yield from declared_holding(table, battle)
    return (yield from struck(table, battle))


COMBATS = Combats(fightable, _resolve, reserve_battle, partial(attack_choices, support=nothing_more))
