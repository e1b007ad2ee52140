"""A fight from the die to the last step lost (9.4 to 9.7): attacks and overruns alike."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Roll, Step
from engine.facts import Fought, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, path_numbers
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import zoc
from games.korsun_spi.rules.losses import eliminate
from games.korsun_spi.rules.odds import Odds, halves, written
from games.korsun_spi.rules.results import Outcome, Suffering, eliminated, suffer
from games.korsun_spi.rules.retreat import shut_in_split
from games.korsun_spi.rules.supply import isolated

PURPOSES = {"attack": "attack on", "overrun": "overrun of"}
CASES = {"attack": "9.5", "overrun": "6.0"}


@dataclass(frozen=True)
class Fight:
    """Who fights whom, where."""

    kind: str  # "attack" or "overrun"
    side: str
    units: Sequence[str]
    defenders: Sequence[str]
    targets: Sequence[Hex]
    sharing: Sequence[str] = ()  # 6.17: HQs in the launch hex, on whom the overrunners' result falls too
    fallen_back: Sequence[str] = ()  # 9.76: who came back into an attacked hex in this phase


def fought(table: Table, fight: Fight, odds: Odds) -> Generator[Step, Any, tuple[str, Outcome, Outcome]]:
    """9.68: the die, then the defender, then the attacker; gives the defender's result and what became of both."""
    enemy = table.enemy(fight.side)
    # What counts is true just before the die falls.
    cut_off = {unit for unit in (*fight.defenders, *fight.units, *fight.fallen_back) if isolated(table, unit)}
    zones = zoc(table, enemy) | held(table, enemy)
    spots = path_numbers(table, fight.targets)
    die = yield Roll(f"{PURPOSES[fight.kind]} {' '.join(spots)}")
    result = table.data.result(odds.column, die)
    yield Fought(
        kind=fight.kind, attackers=tuple(fight.units), defenders=tuple(fight.defenders), targets=spots,
        column=odds.name, decided=(("die", str(die)),), result=result, working=written(odds), because=CASES[fight.kind],
    )  # fmt: skip
    if fight.kind == "attack":
        for unit in fight.defenders:
            yield Noted(subject=unit, mark="hit", because="9.14")
    ours, theirs = halves(result)
    defended = yield from _take(table, fight, "defender", theirs, cut_off)
    for unit in fight.fallen_back if defended.hurt else ():
        yield from eliminate(table, unit, cut_off, "9.76")
    shut = shut_in_split(table, fight.side, zones) if theirs != "-" else 0  # 9.77
    attacked = yield from _take(table, fight, "attacker", ours, cut_off, shut)
    return theirs, defended, attacked


def _take(
    table: Table, fight: Fight, role: str, result: str, cut_off: set[str], shut: HexSet = 0
) -> Generator[Step, Any, Outcome]:
    """One side's half of the result; 9.69: engaged is a step each, and nobody goes anywhere."""
    if result == "-":
        return Outcome()
    attacks, engaged = role == "attacker", result == "eng"
    side = fight.side if attacks else table.enemy(fight.side)
    units = (*fight.units, *fight.sharing) if attacks else fight.defenders
    count = 0 if result == "E" else 1 if engaged else int(result)
    case = "9.69" if engaged else "9.66"
    suffering = Suffering(side, units, count, fight.kind, role, cut_off, shut, may_retreat=not engaged, case=case)
    return (yield from (eliminated if result == "E" else suffer)(table, suffering))
