"""A German activation (6.0): who is active, movement, improved positions, and what comes off at its end."""

from engine.asks import Procedure
from games.kharkov.data import Table


def movement(table: Table) -> Procedure:
    raise NotImplementedError
    yield


def may_attack(table: Table) -> bool:
    raise NotImplementedError


def dig(table: Table) -> Procedure:
    raise NotImplementedError
    yield


def stand_down(table: Table) -> Procedure:
    raise NotImplementedError
    yield
