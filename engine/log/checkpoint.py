"""A state kept beside the log so that it need not be folded again: only a cache, never the truth."""

import hashlib
import json
from pathlib import Path
from typing import Any

from engine.canonical import canonical
from engine.log.lines import Line
from engine.log.sidecar import beside, replace_cache

State = dict[str, Any]


def store_checkpoint(log: Path, line: Line, state: State, name: str = "checkpoint") -> None:
    """Keep the state as it is after the line: a row that says what it is, then the state."""
    kept = canonical(state)
    replace_cache(beside(log, name), canonical(_label(line, kept)) + b"\n" + kept)


def load_checkpoint(log: Path, line: Line, name: str = "checkpoint") -> State | None:
    """The state kept after that line; None for any doubt at all."""
    try:
        label, _, kept = beside(log, name).read_bytes().partition(b"\n")
        state = json.loads(kept) if json.loads(label) == _label(line, kept) else None
    except (OSError, ValueError, RecursionError):
        return None
    return state if isinstance(state, dict) else None


def _label(line: Line, kept: bytes) -> dict[str, Any]:
    return {"line": line["n"], "hash": line["hash"], "sum": hashlib.sha256(kept).hexdigest()}
