"""A position kept beside the log so that it need not be folded again: only a cache, never the truth."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.canonical import canonical
from engine.log.history import effective
from engine.log.lines import Line
from engine.log.sidecar import beside, replace_cache


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after a line."""

    line: int
    state: dict[str, Any]


def store_checkpoint(log: Path, line: Line, state: dict[str, Any]) -> None:
    """Keep the state as it is after the line."""
    content = {"line": line["n"], "hash": line["hash"], "state": state, "sum": _sum(state)}
    replace_cache(beside(log, "checkpoint"), canonical(content))


def load_checkpoint(log: Path, lines: Iterable[Line]) -> Checkpoint | None:
    """The state kept, if the line it follows is still in force whole; None for any doubt at all."""
    try:
        kept = json.loads(beside(log, "checkpoint").read_bytes())
        line, hash_, state, sum_ = (kept[key] for key in ("line", "hash", "state", "sum"))
        sound = isinstance(state, dict) and sum_ == _sum(state)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if sound and any((known["n"], known["hash"], count) == (line, hash_, None) for known, count in effective(lines)):
        return Checkpoint(line, state)
    return None


def _sum(state: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(state)).hexdigest()
