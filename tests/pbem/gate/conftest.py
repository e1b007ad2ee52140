"""A gate for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pbem.gate.gatehouse import Gatehouse

NewGate = Callable[..., Gatehouse]


@pytest.fixture
def new_gate(tmp_path: Path) -> Iterator[NewGate]:
    """Gates with settings of their own."""
    made: list[Gatehouse] = []

    def make(**limits: Any) -> Gatehouse:
        made.append(Gatehouse(tmp_path / str(len(made)), **limits))
        return made[-1]

    yield make
    for gate in made:
        gate.house.close()


@pytest.fixture
def gate(new_gate: NewGate) -> Gatehouse:
    return new_gate()
