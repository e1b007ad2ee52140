"""Victory points and who wins (17.0): partly what is, partly what was."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Counted, Fact, GameEnded, Told
from engine.rules.ground import held, is_a, units_at
from games.manstein.data import QUARTER, Table
from games.manstein.rules.ground import AXIS, SOVIET, is_hq, is_mech
from games.manstein.rules.lines import cities_of, lines


def worth(table: Table, unit: str) -> tuple[int, str]:
    """17.1(1)-b to -d: what the destruction of an Axis unit gives the Soviets, and by which case."""
    rows = table.data.tables["victory"]
    if not is_a(table, unit, "german"):
        row = rows["axis_ally"]
    else:
        row = rows["german_armour"] if is_mech(table, unit) else rows["german_other"]
    return row["points"], row["case"]


def tracked(table: Table, track: str) -> int:
    return table.position.tracks.get(track, 0)


def add(table: Table, track: str, more: int, case: str) -> Iterator[Fact]:
    if more:
        yield Counted(track=track, value=tracked(table, track) + more, because=case)


def breakdown(table: Table, *, at_end: bool = False) -> list[tuple[str, int]]:
    """17.1(1): the Soviet points as they stand, item by item."""
    rows = table.data.tables["victory"]
    found = [
        ("cities", cities_of(table, SOVIET).bit_count() * rows["major_city"]["points"]),
        ("units destroyed", tracked(table, "vp_destroyed")),
        ("HQs relocated", tracked(table, "vp_relocations")),
        ("breakthrough", _breakthrough(table)),
    ]
    if at_end or table.data.switch["cut_off"] == "every check":
        found.append(("units cut off", _cut_off(table)))
    return found


def _breakthrough(table: Table) -> int:
    if table.data.switch["breakthrough"] == "on entry":
        return tracked(table, "vp_breakthrough")
    return table.data.tables["victory"]["breakthrough"]["points"] * _breaking_through(table)


def _breaking_through(table: Table) -> int:
    """17.1(1)-g as the option reads it: the Soviet units that stand in breakthrough hexes, with a line (-h)."""
    there = table.data.area("breakthrough") & lines(table, SOVIET)
    return sum(len(units_at(table, h, SOVIET)) for h in hexset.members(there))


def _cut_off(table: Table) -> int:
    """17.1(1)-h: German units without a line, traced afresh, count as destroyed; HQs cannot be."""
    outside = hexset.members(held(table, AXIS) & ~lines(table, AXIS))
    return sum(worth(table, unit)[0] for h in outside for unit in units_at(table, h, AXIS) if not is_hq(table, unit))


def points(table: Table, *, at_end: bool = False) -> int:
    """17.1(1): the Soviet total."""
    return sum(number for _, number in breakdown(table, at_end=at_end))


def race_quarters(table: Table) -> int:
    """17.2(2): what the short scenario adds at its end, in quarter points."""
    row = table.data.tables["victory"]["race"]
    para = table.data.tables["airborne"]["unit"]
    total = 0.0
    for h in table.data.crossings:
        if any(unit != para for unit in units_at(table, h, SOVIET)):
            total += row["crossing_point"]
    west = table.data.west_bank & held(table, SOVIET)
    for h in hexset.members(west):
        mech, other = row["mech_without_line"], row["other_without_line"]
        if lines(table, SOVIET) >> h & 1:
            mech, other = row["mech_with_line"], row["other_with_line"]
        total += sum(mech if is_mech(table, unit) else other for unit in units_at(table, h, SOVIET))
    return int(total * QUARTER)


def target(table: Table) -> int:
    """17.1(3), 18.1(3): the points that win at the end of a turn."""
    return table.position.tracks.get("bid", table.data.tables["victory"]["win"]["points"])


def end_of_turn(table: Table) -> Iterator[Fact]:
    """17.1(3), 17.1(4), 17.2(3): whether the game ends here."""
    last = table.position.turn >= table.data.turns
    reached = points(table, at_end=last)
    if reached >= target(table):
        yield _ended(table, SOVIET, reached, "the points are reached", "17.1(3)")
    elif last and table.data.race:
        yield from _end_of_race(table, reached)
    elif last:
        yield _ended(table, AXIS, reached, "the Soviets fell short", "17.1(4)")


def _end_of_race(table: Table, reached: int) -> Iterator[Fact]:
    """17.2(2), 17.2(3): what is over the river counts too, to the quarter point."""
    row = table.data.tables["victory"]["race"]
    goal = table.position.tracks.get("bid", row["win"]["points"])
    quarters = reached * QUARTER + race_quarters(table)
    over = race_quarters(table) / QUARTER
    yield Told(text=f"Victory points: {reached}, and {over:g} over the Dnieper, of {goal}.", because=row["case"])
    if quarters >= goal * QUARTER:
        yield _ended(table, SOVIET, quarters // QUARTER, "the Dnieper is crossed", row["win"]["case"])
    else:
        yield _ended(table, AXIS, quarters // QUARTER, "the Dnieper line holds", row["win"]["case"])


def _ended(table: Table, winner: str, reached: int, how: str, case: str) -> GameEnded:
    """18.1(3): where the sides were bid for, the result says what became of the bid."""
    if "bid" in table.position.tracks:
        how, case = "the bid is made" if winner == SOVIET else "the bid is not made", "18.1(3)"
    side = "Soviet" if winner == SOVIET else "Axis"
    return GameEnded(result=f"{side} victory: {how}", winner=winner, points=((SOVIET, reached),), because=case)
