"""Support declared step by step (12.1.3-A2 to A6): each side with what the other has said before it."""

from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import Choice, Given, gather, whole
from engine.orders.order import Order
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.combat import Attack, Bring, Engineer, Fire, NoEngineer, NoGuns
from games.jaws.rules.barrage.markers import under_fire
from games.jaws.rules.combat.air import german_air, german_shift, missions, soviet_shift
from games.jaws.rules.combat.artillery import (
    Row,
    able_to_attack,
    answer_ask,
    check_offensive,
    defensive,
    fired,
    mine_die,
    offensive,
    overlooking,
    shifts,
)
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.combat.engineers import check_engineer, cleared_by, engineers
from games.jaws.rules.combat.holding import declared_holding
from games.jaws.rules.combat.odds import odds
from games.jaws.rules.sight import identified
from games.jaws.rules.units import shared


def supports(table: Table, battle: Battle, order: Attack) -> Generator[Step, Any, tuple[list[Row], Battle]]:
    """12.1.3-A2 to A6: the Germans' air, the attacker's guns, the defender's, an engineer, No Retreat; then C1 and C2,
    what guns and air bring."""
    spot, enemy = " ".join(battle.spots(table)), table.enemy(battle.side)
    asked = battle.side == SOVIET and missions(table, GERMAN) > 0
    flown = yield from german_air(table, battle, ordered=order.air)
    guns = (yield from _brought(table, battle, order, flown=flown)) if asked else order.guns
    strong = sum(offensive(table, gun) for gun in guns)
    yield from identified(table, guns, enemy)
    for gun in guns:
        yield from fired(table, gun, attack=True)
    weak, rows = 0, list[Row]()
    answer: Order | None = None
    if not any(shared(table) >> h & 1 for h in battle.targets):  # 16.5.4-4: there everybody knows that none fires
        answer = yield answer_ask(table, battle, odds(table.seen_by(enemy), battle).start)
    if isinstance(answer, Fire):
        weak = defensive(table, answer.unit)
        rows += overlooking(table, battle, answer.unit)
        battle = replace(battle, answering=answer.unit)
        yield from identified(table, (answer.unit,), battle.side)
        yield from fired(table, answer.unit, attack=False)
    battle = yield from _engineer(table, battle, order, weak)
    mined = mine_die(table, battle)
    battle = yield from declared_holding(table, battle)
    battle = yield from cleared_by(table, battle)  # 15.3.2-C2: no die is cast before all is declared
    if not battle.units:
        return [], battle
    rows += yield from shifts(table, battle.side, strong, f"attack on {spot}", attack=True, worse=mined)
    worse = table.data.tables["combat"]["barrage"]["die"] if under_fire(table, battle.targets) else 0
    rows += yield from shifts(table, enemy, weak, f"defence of {spot}", attack=False, worse=worse)
    rows += yield from soviet_shift(table, battle)
    if flown:
        rows += yield from german_shift(table, battle)
    return rows, battle


# 12.1.3-A3, A5: what the line of an attack says stands, unless its writer says otherwise when he knows more


def _brought(table: Table, battle: Battle, order: Attack, *, flown: bool) -> Generator[Step, Any, tuple[str, ...]]:
    """12.1.3-A3: the guns of a Soviet attack, after the Germans have declared their air."""
    able = able_to_attack(table.seen_by(battle.side), battle) if battle.supported else []
    if not able:
        return order.guns
    said = yield _guns_ask(table, battle, order, able, flown=flown)
    return tuple(said.guns) if isinstance(said, Bring) else ()


def _guns_ask(table: Table, battle: Battle, order: Attack, able: list[str], *, flown: bool) -> Ask:
    seen, spot = table.seen_by(battle.side), " ".join(battle.spots(table))
    most = table.data.tables["combat"]["guns"]["offensive"]

    def check(said: Order) -> None:
        if isinstance(said, Bring):
            check_offensive(seen, battle, said.guns)

    def more(given: Given) -> list[str]:
        named = given.get("guns", ())
        return [gun for gun in able if gun not in named] if len(named) < most else []

    return Ask(
        side=battle.side,
        name="support",
        subject=spot,
        prompt=f"German air {'flies' if flown else 'does not fly'} for {spot}: which of {', '.join(able)} fire",
        verbs=(Bring, NoGuns),
        check=check,
        offers=lambda: [Choice(NoGuns), gather(Bring, "guns", more)],
        default=partial(Bring, guns=order.guns) if order.guns else NoGuns,
        case="12.1.3-A3",
        reaction=True,
        units=battle.units,
        amounts=(("air", int(flown)),),
    )


def _engineer(table: Table, battle: Battle, order: Attack, weak: int) -> Generator[Step, Any, Battle]:
    """12.1.3-A5: the engineer, after the defender has declared his guns."""
    able = engineers(table, battle)
    if not able:
        return battle
    said = yield _engineer_ask(table, battle, order, able, weak)
    return replace(battle, engineer=said.unit if isinstance(said, Engineer) else "")


def _engineer_ask(table: Table, battle: Battle, order: Attack, able: list[str], weak: int) -> Ask:
    seen, spot = table.seen_by(battle.side), " ".join(battle.spots(table))

    def check(said: Order) -> None:
        if isinstance(said, Engineer):
            check_engineer(seen, battle, said.unit)

    return Ask(
        side=battle.side,
        name="engineer",
        subject=spot,
        prompt=f"{spot} is defended with {weak} points of artillery: is the bonus of {' or '.join(able)} declared",
        verbs=(Engineer, NoEngineer),
        check=check,
        offers=lambda: [Choice(NoEngineer), *(whole(Engineer(unit=unit)) for unit in able)],
        default=partial(Engineer, unit=order.engineer) if order.engineer in able else NoEngineer,
        case="12.1.3-A5",
        reaction=True,
        units=tuple(able),
        amounts=(("guns", weak),),
    )
