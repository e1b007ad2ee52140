"""Armour superiority (7.5): stars against stars, a die, columns and perhaps a loss."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Told
from engine.hexes import Hex
from engine.rules.ground import number
from games.korsun_vv.data import Table
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.defence import Side
from games.korsun_vv.rules.losses import lose
from games.korsun_vv.rules.odds import armour_met, stars


def worth(table: Table, side: Side) -> int:
    """7.5-d: the named unit's stars, and what Tiger or Antitank add, up to a limit."""
    most = table.data.tables["armour_superiority"]["most_stars"]["stars"]
    return min(most, stars(table, side.armour) + markers.stars(table, side.supports))


def superiority(table: Table, own: Side, theirs: Side, target: Hex) -> Generator[Step, Any, int]:
    """7.5-a, 7.5-b: the attacker's die; a loss falls on the named unit at once."""
    if not armour_met(table, own.units, theirs.units, target):
        return 0
    spot = number(table, target)
    die = yield Roll(f"armour superiority at {spot}")
    difference = worth(table, own) - worth(table, theirs)
    shift, loser = table.data.armour(difference, die)
    named = {"A": own.armour, "D": theirs.armour}.get(loser, "")
    told = f", and {named} loses a step" if named else ""
    stars_ = f"{own.armour} {worth(table, own)} against {theirs.armour} {worth(table, theirs)}"
    yield Told(text=f"Armour superiority at {spot}: {stars_}, die {die}, {shift:+} columns{told}.", because="7.5-a")
    if named:
        yield from lose(table, named, 1, "7.5-b")
    return shift
