"""To be written."""

from engine.asks import Procedure
from games.kharkov.data import Table


def attacks(table: Table) -> Procedure:
    raise NotImplementedError
    yield
