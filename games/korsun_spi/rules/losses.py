"""Step losses and eliminations, with the victory points they give (9.6, 27.1, 27.2)."""

from collections.abc import Collection, Iterator

from engine.facts import Counted, Eliminated, Fact, StepLost
from engine.rules.ground import is_a
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET, is_hq


def points(table: Table, side: str) -> int:
    return table.position.tracks.get(f"vp_{side}", 0)


def score(table: Table, side: str, more: int, case: str) -> Iterator[Fact]:
    if more:
        yield Counted(track=f"vp_{side}", value=points(table, side) + more, because=case)


def worth(table: Table, unit: str, *, isolated: bool) -> tuple[str, int, str]:
    """Who gains how much when a unit is destroyed, by which case; a corps less the steps it has paid for already."""
    tables = table.data.tables["victory_points"]
    if table.unit(unit).side == GERMAN:
        row = tables["soviet"]["destroyed_isolated"] if isolated else tables["soviet"]["destroyed"]
        return SOVIET, row[german_kind(table, unit)], "25.12" if isolated else "27.1"
    points = tables["german"]
    if is_hq(table, unit):
        return GERMAN, points["hq"], "27.2"
    if is_a(table, unit, "corps"):
        return GERMAN, points["corps"] - points["corps_step"] * table.position.lost.get(unit, 0), "27.2-a"
    return GERMAN, points["brigade"] if is_a(table, unit, "brigade") else points["division"], "27.2"


def german_kind(table: Table, unit: str) -> str:
    """27.1: infantry regiments and Divisionsgruppen are worth less than anything else."""
    classes = table.unit(unit).classes
    return "infantry regiment" if {"infantry", "regiment"} <= classes else "other"


def eliminate(table: Table, unit: str, isolated: Collection[str] = (), case: str = "9.6") -> Iterator[Fact]:
    side, gained, why = worth(table, unit, isolated=unit in isolated)
    at = table.position.where[unit]
    yield Eliminated(unit=unit, at=at, because=case)
    yield from score(table, side, gained, why)


def lose_steps(
    table: Table, unit: str, steps: int, isolated: Collection[str] = (), case: str = "9.66"
) -> Iterator[Fact]:
    """9.6: down so many levels; with none left the unit is eliminated."""
    if steps >= table.position.steps_left(unit):
        yield from eliminate(table, unit, isolated, case)
        return
    yield StepLost(unit=unit, steps=steps, because=case)
    if is_a(table, unit, "corps"):
        each = table.data.tables["victory_points"]["german"]["corps_step"]
        yield from score(table, GERMAN, each * steps, "27.2")
