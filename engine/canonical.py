"""One way to write a value as JSON bytes: what is hashed here must hash the same everywhere."""

import json
from typing import Any

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


def canonical(value: Any) -> bytes:
    """The value as UTF-8 JSON, keys sorted, no spaces; raises ValueError or TypeError if it has none."""
    return _ENCODER.encode(value).encode("utf-8")
