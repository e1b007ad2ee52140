"""German 88s that intercept armor (18.11, an option)."""

from engine.rules.ground import is_a
from games.jaws.data import GERMAN, Table
from games.jaws.rules.combat.battle import dots


def flak_dots(table: Table, unit: str) -> int:
    """18.11: the black dots by which an 88 intercepts, one less at OOS2 (13.5.2-d); 0 for everybody else."""
    if not table.data.switch["flak_intercepts"] or table.unit(unit).side != GERMAN or not is_a(table, unit, "antiair"):
        return 0
    missing = table.position.value(unit, "black") - dots(table, unit)[1]
    return max(0, table.data.tables["options"]["flak_intercepts"]["dots"] - missing)
