"""Victory (27.0)."""

from collections.abc import Iterator

from engine.facts import Fact, GameEnded
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.losses import german_kind, points, score
from games.korsun_spi.rules.supply import isolated


def end_bonus(table: Table) -> Iterator[tuple[str, int, str]]:
    """27.1-a: German units on the map that left their heavy equipment, or are isolated."""
    rows = table.data.tables["victory_points"]["soviet_at_end"]
    for unit in table.position.on_map(GERMAN):
        kind = german_kind(table, unit)
        if table.position.mark(unit, "heavy") == "under":
            yield unit, rows["heavy_equipment_under"][kind], "25.36"
        if isolated(table, unit):
            yield unit, rows["isolated"][kind], "27.1-a"


def level(table: Table, difference: int) -> tuple[str, str]:
    """27.3: the level of victory and the winner, by Soviet less German points."""
    rows = table.data.tables["victory_levels"]["levels"]
    row = next(row for row in rows if "from" not in row or difference >= row["from"])
    return row["level"], row["winner"]


def end_game(table: Table) -> Iterator[Fact]:
    yield from score(table, SOVIET, sum(worth for _, worth, _ in end_bonus(table)), "27.1-a")
    soviet, german = points(table, SOVIET), points(table, GERMAN)
    result, winner = level(table, soviet - german)
    yield GameEnded(result=result, winner=winner, points=((SOVIET, soviet), (GERMAN, german)), because="27.3")
