"""To be written."""

from collections.abc import Generator
from typing import Any

from engine.asks import Step
from games.kharkov.data import Table

Stage = Generator[Step, Any, str]


def draw(table: Table) -> Stage:
    raise NotImplementedError
    yield


def carry_out(table: Table) -> Stage:
    raise NotImplementedError
    yield


def next_command(table: Table) -> Stage:
    raise NotImplementedError
    yield
