"""A German impulse (4.IV.2, 5.0): one card for one command, and who is next."""

from collections.abc import Generator
from typing import Any

from engine.asks import Step
from games.kharkov.data import Table

Stage = Generator[Step, Any, str]


def german_impulse(table: Table) -> Stage:
    raise NotImplementedError
    yield


def finish(table: Table) -> Stage:
    """After the command: the hand is refilled, and the next impulse follows."""
    raise NotImplementedError
    yield


def after(table: Table, side: str) -> str:
    """4.IV.3: whose impulse follows one of this side: `soviet.draw`, `german.impulse`, or `end`."""
    raise NotImplementedError
