"""One way to write a value as JSON bytes: what is hashed here must hash the same everywhere."""

import json
from bisect import bisect_left
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)

CHUNK = 32  # entries of a long mapping that are joined again when one of them changes


def canonical(value: Any) -> bytes:
    """The value as UTF-8 JSON, keys sorted, no spaces; raises ValueError or TypeError if it has none."""
    return _ENCODER.encode(value).encode("utf-8")


class Entries:
    """A long mapping that is written again and again: put into words are the entries that `changed`, and no others.

    Whoever writes to the mapping says so there; who cannot, that it is not `known` any more.
    """

    __slots__ = ("_chunks", "_names", "_texts", "changed", "known")

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self.known = False
        self._texts: dict[str, str] = {}
        self._names: list[str] = []  # in their order
        self._chunks: list[str] = []  # the texts of so many names at a time

    def canonical(self, mapping: Mapping[str, Any]) -> bytes:
        """The same bytes as of any other value."""
        changed, self.changed = self.changed, set()
        if not self.known:  # whoever writes it only once has it written all at once
            self.known, self._texts, self._names = True, {}, []
            return canonical(mapping)
        for name in changed if self._names else mapping:
            if name in mapping:
                self._texts[name] = _entry(name, mapping[name])
            else:
                self._texts.pop(name, None)
        if len(self._names) == len(self._texts) == len(mapping) and self._texts.keys() >= changed:
            stale = {bisect_left(self._names, name) // CHUNK for name in changed}
        else:
            self._names = sorted(self._texts)
            self._chunks = [""] * -(-len(self._names) // CHUNK)
            stale = set(range(len(self._chunks)))
        for n in stale:
            names = self._names[n * CHUNK : (n + 1) * CHUNK]
            self._chunks[n] = ",".join([self._texts[name] for name in names])
        return f"{{{','.join(self._chunks)}}}".encode()


def _entry(name: str, value: Any) -> str:
    said = encode_basestring(value) if type(value) is str else _ENCODER.encode(value)
    return f"{encode_basestring(name)}:{said}"
