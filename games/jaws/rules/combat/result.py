"""The Combat Results Table (12.12): what two dice bring, read singly for armor and summed for everybody."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.rules.ground import is_a, place
from games.jaws.data import SOVIET, Table
from games.jaws.rules.barrage.markers import under_fire
from games.jaws.rules.combat.battle import COMBAT, Battle, could_step, dots
from games.jaws.rules.combat.odds import Odds
from games.jaws.rules.partisans import lone

_PART = re.compile(r"(?P<steps>\d?)(?P<shaken>D?)(?P<retreat>R?)(?P<through>>?)")


@dataclass(frozen=True)
class Part:
    """One side's part of a result (12.12.2)."""

    steps: int = 0
    disorganized: bool = False
    retreat: int = 0  # hexes
    breakthrough: bool = False


@dataclass(frozen=True)
class Result:
    """Both parts, and what armor does to armor."""

    text: str
    attacker: Part
    defender: Part
    attacker_hit: bool = False  # 12.12.1-D: an attacking armor unit loses a step
    defender_hit: bool = False  # 12.12.1-A
    shelled: bool = False  # 17.1.3-5: a barrage alone disorganizes the defenders


def read_part(text: str) -> Part:
    """As `1DR`, `2DR>` or `-`."""
    if text == "-":
        return Part()
    found = _PART.fullmatch(text)
    assert found, text
    through = bool(found["through"])
    retreat = (2 if through else 1) if found["retreat"] else 0
    return Part(int(found["steps"] or 0), bool(found["shaken"]), retreat, through)


def guns_and_tanks(table: Table, unit: str) -> bool:
    """Armor and anti-armor."""
    return any(is_a(table, unit, kind) for kind in ("armor", "antiarmor", "antiair"))


def tanks_only(table: Table, battle: Battle) -> bool:
    """12.12.1-c2: nobody but armor and anti-armor on both sides, a brigade's own infantry apart (4.5.3-c1)."""
    return all(guns_and_tanks(table, unit) for unit in (*battle.units, *battle.defenders))


def striking(table: Table, battle: Battle) -> list[str]:
    """12.12.1: the attacking armor with white dots that could advance into the hex."""
    return [
        unit
        for unit in battle.units
        if is_a(table, unit, "armor") and dots(table, unit)[0]
        and any(could_step(table, unit, place(table, unit), h) for h in battle.targets)
    ]  # fmt: skip


def best_dots(table: Table, battle: Battle) -> tuple[int, int]:
    """12.12.1: the most dots of one attacking armor unit, and of one defender; nought for both if armor has no part."""
    ours = max((dots(table, unit)[0] for unit in striking(table, battle)), default=0)
    theirs = max((sum(dots(table, unit)) for unit in battle.defenders), default=0)
    return (ours, theirs) if ours and theirs else (0, 0)


def by_dice(table: Table, battle: Battle, odds: Odds) -> Callable[[int, int], Result]:
    """12.12: what red and black bring: their sum on the column; each side's own die against its best dots (12.12.1);
    off the table (12.11)."""
    dice, attack, defence = table.data.tables["combat_results"]["dice"], *best_dots(table, battle)
    shelled = under_fire(table, battle.targets) and battle.segment == COMBAT  # 17.1.3-5
    unhurt = tanks_only(table, battle)

    def came(red: int, black: int) -> Result:
        text = dice[str(red + black)][odds.column]
        ours, theirs = (read_part(part) for part in text.split("/"))
        if odds.beyond:
            shaken = theirs if odds.beyond > 0 else ours
            shaken = replace(shaken, disorganized=True)
            ours, theirs = (ours, shaken) if odds.beyond > 0 else (shaken, theirs)
        alone = shelled and not theirs.disorganized
        if alone:
            theirs = replace(theirs, disorganized=True)
        if unhurt:
            ours, theirs = replace(ours, steps=0), replace(theirs, steps=0)
        own, other = (red, black) if battle.side == SOVIET else (black, red)
        whole = Result(text, ours, theirs, attacker_hit=other <= defence, defender_hit=own <= attack, shelled=alone)
        return softened(table, battle, whole)

    return came


def softened(table: Table, battle: Battle, came: Result) -> Result:
    """18.1.4-1: Germans who fight partisans lose no steps and do not retreat."""
    if not lone(table, (*battle.units, *battle.defenders)):
        return came
    if battle.side == SOVIET:
        return replace(came, defender=replace(came.defender, steps=0, retreat=0, breakthrough=False))
    return replace(came, attacker=replace(came.attacker, steps=0, retreat=0, breakthrough=False))


def most(table: Table, units: Sequence[str], worth: Sequence[int]) -> list[str]:
    """Those of the units that have the most of something."""
    best = max(worth, default=0)
    return [unit for unit, value in zip(units, worth, strict=True) if value == best]
