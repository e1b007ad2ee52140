"""Assault engineers (12.9.1)."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from engine.asks import Roll, Step
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from games.jaws.data import Table
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.losses import lose
from games.jaws.rules.mines import attacked_across
from games.jaws.rules.stalin import bodies, under
from games.jaws.rules.units import attack_capable, units_in, upset


def check_engineer(table: Table, battle: Battle, unit: str) -> None:
    """12.9.1-c1, -c3: in a supported attack, with attack-capable units of its own division, korps or army in its hex.
    Raises Illegal."""
    if unit not in battle.units or not is_a(table, unit, "assault"):
        raise Illegal("12.9.1-c1", f"{unit} is no assault engineer in this attack", unit=unit)
    if unit not in battle.supported:
        raise Illegal("12.9.1-c1", f"{unit} is not supported", unit=unit)
    if upset(table, unit):
        raise Illegal("12.17.2-3", f"{unit} is Disorganized or in Regroup", unit=unit)
    body = bodies(table, unit)[0][1]
    near = units_in(table, place(table, unit), battle.side)
    mates = [u for u in near if u != unit and attack_capable(table, u)]
    if not any(under(table, u, body) for u in mates):
        raise Illegal("12.9.1-c3", f"nobody of {body} who can attack is in the hex of {unit}", unit=unit)


def cleared_by(table: Table, battle: Battle) -> Generator[Step, Any, Battle]:
    """15.3.2-C2: a declared engineer clears the way through a minefield instead of its bonus, at a risk; the combat
    goes on without it if it is lost."""
    unit = battle.engineer
    if not unit or not attacked_across(table, battle.side, battle.units, battle.targets):
        return battle
    die: int = yield Roll(f"minefield, {unit}")
    if die <= table.data.tables["minefields"]["loss"]:
        yield from lose(table, unit, 1, "15.3.2-C2")
    if table.position.hex_of(unit) is not None:
        return battle
    left = tuple(other for other in battle.units if other != unit)
    return replace(battle, units=left, supported=battle.supported - {unit}, engineer="")


def engineers(table: Table, battle: Battle) -> list[str]:
    """Those whose bonus may be declared."""
    return [unit for unit in battle.units if passes(check_engineer, table, battle, unit)]
