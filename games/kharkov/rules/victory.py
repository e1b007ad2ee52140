"""Victory (17.0, 18.0): Soviet points, and how the three games end."""

from games.kharkov.data import Table


def points(table: Table) -> int:
    return table.position.tracks["vp"]
