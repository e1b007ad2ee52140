"""The cup (2.22, 12.42): chits drawn, which side of each applies, and when they go back."""

from engine.asks import Procedure
from engine.facts import Pooled
from engine.rules.pools import shuffled
from games.kharkov.data import Table

CUP, DRAWN, HERE = "cup", "drawn chits", "chits here"  # DRAWN: of earlier combats; HERE: of this one


def all_back(table: Table, case: str) -> Procedure:
    """12.42: all chits go back to the cup."""
    yield Pooled(pool=DRAWN, items=(), because=case)
    yield Pooled(pool=HERE, items=(), because=case)
    yield from shuffled(table, CUP, list(table.data.tables["chits"]), case)
