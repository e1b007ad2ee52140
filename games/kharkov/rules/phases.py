"""The phases of a turn around the Command Phase (4.I to 4.III, 4.V)."""

from engine.asks import Procedure
from games.kharkov.data import Table


def reserve_phase(table: Table) -> Procedure:
    raise NotImplementedError
    yield


def card_phase(table: Table) -> Procedure:
    raise NotImplementedError
    yield


def supply_phase(table: Table) -> Procedure:
    raise NotImplementedError
    yield


def after_supply(table: Table) -> str:
    raise NotImplementedError


def end_phase(table: Table) -> Procedure:
    raise NotImplementedError
    yield
