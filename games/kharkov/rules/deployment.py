"""Reserves come on to the map (7.0)."""

from engine.asks import Procedure
from games.kharkov.data import Table


def deploy(table: Table) -> Procedure:
    raise NotImplementedError
    yield
