"""Waiting in a test: for something that must come, but not for ever."""

from __future__ import annotations

from collections.abc import Iterator


def patience(what: str, rounds: int = 500) -> Iterator[None]:
    """To be advanced by `next` in every round of a loop; fails when there were too many."""
    for _ in range(rounds):
        yield
    raise AssertionError(f"{what} did not come in {rounds} rounds: is something refused, or shunted?")
