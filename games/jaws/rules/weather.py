"""Weather (5.0) and the air missions of the turn (6.1): dice before anybody is asked."""

from engine.asks import Procedure, Roll
from engine.facts import Counted, Told
from engine.rules.marks import set_game
from engine.rules.pools import in_pool, put
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.ground import ground, visibility
from games.jaws.shapes import Visibility

FLEETS = (GERMAN, "1Uk", "2Uk")


def missions_track(fleet: str) -> str:
    """6.1: how many missions the Germans, or a Front, have left."""
    return f"air {fleet}"


def cup(side: str) -> str:
    """6.2: the pool of a side's air counters."""
    return f"cas {side}"


# What no letter tells: the counters in the cups, and the missions, which stand in the head of every report.
QUIET = frozenset(map(cup, (GERMAN, SOVIET))) | frozenset(map(missions_track, FLEETS))


def weather_stage(table: Table) -> Procedure:
    """5.1, 5.2: the ground, then the visibility."""
    row = table.data.tables["weather"]
    die: int = yield Roll("ground")
    modified = die + table.data.turn(table.position.turn)["ground"]
    yield from set_game(table, "ground", "frozen" if modified <= row["frozen"] else "mud", "5.1-p4")
    seen: Visibility = "clear"
    first: int = yield Roll("visibility")
    if first > row["clear"]:
        second: int = yield Roll("visibility, overcast or storm")
        seen = "overcast" if second <= row["overcast"] else "storm"
    yield from set_game(table, "visibility", seen, "5.2-p5")
    yield Told(text=f"The ground is {ground(table)}, the sky {visibility(table)}.", because="5.0")


def missions(table: Table, fleet: str, modified: int) -> int:
    """2.4-d, 2.4-e: missions by the modified die; beyond the table its ends."""
    row = table.data.tables["air"]["missions"][fleet]
    column = row[ground(table)]
    return column[max(0, min(modified, len(column) - 1))]


def air_stage(table: Table, german: int = 0) -> Procedure:
    """6.1: one die for the Germans and for each Front, the Germans' raised by so much (16.3-p3); 6.2: every counter is
    back in its cup."""
    modifier = table.data.tables["air"]["visibility"][visibility(table)]  # type: ignore[index]
    for fleet in FLEETS:
        die: int = yield Roll(f"air missions, {fleet}")
        die += german if fleet == GERMAN else 0  # 6.1.1-p2
        case = "6.1.1-p4" if fleet == GERMAN else "6.1.2-p4"
        yield Counted(track=missions_track(fleet), value=missions(table, fleet, die + modifier), because=case)
    for side in (GERMAN, SOVIET):
        counters = table.data.tables["air"]["counters"]["german" if side == GERMAN else "soviet"]
        missing = list(counters)
        for counter in in_pool(table, cup(side)):
            missing.remove(counter)
        yield from put(table, cup(side), missing, "6.2")
