"""What terrain and positions add to German infantry by its size (18.10, an option)."""

from collections.abc import Sequence

from engine.rules.ground import is_a
from games.jaws.data import GERMAN, Table
from games.jaws.rules.combat.battle import infantry_type
from games.jaws.rules.strength import strength


def by_size(table: Table, units: Sequence[str], flat: int) -> int:
    """18.10: what German defenders get in place of a flat bonus, by the printed strength of their infantry."""
    if not table.data.switch["strengths_by_size"] or not flat or any(table.unit(u).side != GERMAN for u in units):
        return flat
    row = table.data.tables["options"]["strengths_by_size"]
    foot = sum(strength(table, u) for u in units if infantry_type(table, u) and not is_a(table, u, "alarm"))
    return max(bonus for least, bonus in zip(row["least"], row["bonus"], strict=True) if foot >= least)
