"""Combat in the Breakout (16.5.3-p4): a stack against the Soviets in the hex that it has entered."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Fact, Fought, Noted
from engine.forecast import Working
from engine.hexes import Hex
from engine.rules.ground import is_a, number
from engine.rules.marks import game_mark, set_game
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.combat.battle import Battle, alive, defenders_in
from games.jaws.rules.combat.casualties import Payment, attackers_first, defenders_first, defenders_last, suffer
from games.jaws.rules.combat.defenders import chosen
from games.jaws.rules.combat.fight import starved
from games.jaws.rules.combat.odds import Odds, defence_strength, out_of_supply, reckoned
from games.jaws.rules.combat.result import Part, read_part
from games.jaws.rules.extension import chits
from games.jaws.rules.losses import disorganize
from games.jaws.rules.sight import closed, forgotten, identified, shown
from games.jaws.rules.units import DISORGANIZED, REGROUP, attack_capable, units_in

SEGMENT = "breakout"
STACKS = "breakout attacks"  # 16.5.3-p4e: the game's mark: how many stacks have attacked
ASSAULTED = "assaulted"  # 16.5.3-p4e: a hex's mark: attacked in this phase; a unit's: it has attacked

Row = tuple[str, int, str]


def battle_in(table: Table, units: Sequence[str], h: Hex) -> Battle:
    """16.5.3-p4b: all who can attack, and all of them supported."""
    able = tuple(unit for unit in units if attack_capable(table, unit))
    return Battle(GERMAN, able, (h,), tuple(defenders_in(table, SOVIET, h)), frozenset(able), segment=SEGMENT)


def surprise(table: Table, battle: Battle, wave: int) -> int:
    """16.5.3-p4e: in the first wave, for the first combat of each of the first two stacks; for the second not against
    a hex that was attacked before."""
    row = table.data.tables["breakout"]
    again = any(table.position.mark(unit, ASSAULTED) is not None for unit in battle.units)
    before = int(game_mark(table, STACKS) or 0)
    known = table.position.mark(f"@{battle.spots(table)[0]}", ASSAULTED) is not None
    return row["surprise"] if wave == 1 and not again and before < row["stacks"] and not known else 0


def shifts(table: Table, battle: Battle, wave: int) -> list[Row]:
    """16.5.3-p4c, -p4e: armor, surprise, and what the case does not take away (13.5.2)."""
    armor = any(is_a(table, unit, "armor") for unit in battle.units)
    found = [
        ("armor in the stack", table.data.tables["breakout"]["armor"] if armor else 0, "16.5.3-p4c"),
        ("surprise", surprise(table, battle, wave), "16.5.3-p4e"),
        ("attackers out of supply", -out_of_supply(table, battle.units), "13.5.2-a"),
        ("defenders out of supply", out_of_supply(table, battle.defenders), "13.5.2-a"),
    ]
    return [row for row in found if row[1]]


def odds(table: Table, battle: Battle, wave: int) -> Odds:
    """16.5.3-p4a, -p4b: no zones, no terrain, no halving but for Disorganized and Regroup."""
    attack = sum(defence_strength(table, unit) for unit in battle.units)
    defence = sum(defence_strength(table, unit) for unit in battle.defenders)
    working = [
        Working(f"attack of {', '.join(battle.units)}", str(attack), "16.5.3-p4b"),
        Working(f"defence of {', '.join(battle.defenders)}", str(defence), "16.5.3-p4b"),
    ]
    return reckoned(table, (max(1, attack), max(1, defence)), shifts(table, battle, wave), working)


def result(table: Table, found: Odds, dice: int) -> tuple[str, Part, Part]:
    """16.5.3-p4f: steps and disorder; nobody retreats or breaks through, and armor duels are no part of it."""
    text = table.data.tables["combat_results"]["dice"][str(dice)][found.column]
    ours, theirs = (replace(read_part(part), retreat=0, breakthrough=False) for part in text.split("/"))
    if found.beyond > 0:
        theirs = replace(theirs, disorganized=True)
    elif found.beyond < 0:
        ours = replace(ours, disorganized=True)
    return text, ours, theirs


def _met(table: Table, battle: Battle) -> Iterator[Fact]:
    """12.17.3: who attacks in Regroup is Disorganized; both sides see what fights (12.1.3-B1)."""
    yield from identified(table, battle.units, SOVIET)
    for unit in battle.units:
        if table.position.mark(unit, REGROUP) is not None:
            yield from disorganize(table, unit, "12.17.3")
    yield from shown(table, chits(table, battle.units), SOVIET)
    there = units_in(table, battle.targets[0], SOVIET)
    yield from forgotten(table, battle.targets[0], SOVIET, there)
    yield from shown(table, chits(table, there), GERMAN)


def _noted(table: Table, battle: Battle) -> Iterator[Fact]:
    """16.5.3-p4e: which hexes and how many stacks."""
    if not any(table.position.mark(unit, ASSAULTED) is not None for unit in battle.units):
        yield from set_game(table, STACKS, str(int(game_mark(table, STACKS) or 0) + 1), "16.5.3-p4e", Noted)
    yield Noted(subject=f"@{battle.spots(table)[0]}", mark=ASSAULTED, because="16.5.3-p4e")
    for unit in battle.units:
        yield Noted(subject=unit, mark=ASSAULTED, because="16.5.3-p4e")


def assault(table: Table, units: Sequence[str], h: Hex, wave: int) -> Generator[Step, Any, None]:
    """16.5.3-p3, -p4: the Soviets in a hex are attacked; they stay there unless they are eliminated."""
    battle, spot = (yield from chosen(table, battle_in(table, units, h))), number(table, h)
    there = tuple(units_in(table, h, SOVIET))
    yield from _met(table, battle)
    found = odds(table, battle, wave)
    yield from _noted(table, battle)
    red: int = yield Roll(f"breakout in {spot}, red")
    black: int = yield Roll(f"breakout in {spot}, black")
    text, ours, theirs = result(table, found, red + black)
    yield Fought(
        kind="breakout", attackers=battle.units, defenders=battle.defenders, targets=(spot,), column=found.name,
        decided=(("red", str(red)), ("black", str(black))), result=text,
        working=tuple(line.noted for line in found.working), because="16.5.3-p4f",
    )  # fmt: skip
    yield from _suffered(table, battle, there, (ours, theirs))
    yield from starved(table, battle)
    yield from closed(table, chits(table, battle.units), SOVIET)
    yield from closed(table, chits(table, there), GERMAN)


def _suffered(
    table: Table, battle: Battle, there: tuple[str, ...], parts: tuple[Part, Part]
) -> Generator[Step, Any, None]:
    """12.12.3, 12.12.4, 12.17.1: losses by their owners' choice; then disorder, the attackers' unless all defenders
    were Disorganized before."""
    (ours, theirs), spot = parts, battle.spots(table)[0]
    shaken = all(table.position.mark(unit, DISORGANIZED) is not None for unit in battle.defenders)
    guests = tuple(unit for unit in there if unit not in battle.defenders)
    last = defenders_last(table, there, guests)
    first = defenders_first(table, there, last)
    yield from suffer(table, Payment(SOVIET, there, theirs.steps, first, last, spot, "12.12.4", active=False))
    first = attackers_first(table, battle.units, "")
    yield from suffer(table, Payment(GERMAN, battle.units, ours.steps, first, (), spot, "12.12.3-b", active=True))
    hit = alive(table, battle.defenders) if theirs.disorganized else []
    hit += alive(table, battle.units) if ours.disorganized and not shaken else []
    for unit in hit:
        yield from disorganize(table, unit, "16.5.3-p4f")
