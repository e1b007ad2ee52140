"""One way to write a value as JSON bytes: what is hashed here must hash the same everywhere."""

import json
from collections.abc import Mapping
from itertools import compress
from json.encoder import encode_basestring
from operator import is_not
from typing import Any

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


def canonical(value: Any) -> bytes:
    """The value as UTF-8 JSON, keys sorted, no spaces; raises ValueError or TypeError if it has none."""
    return _ENCODER.encode(value).encode("utf-8")


class Entries:
    """A long mapping that is written again and again: an entry is put into words when its value is another object.

    So no value may be changed in place. It rests on nothing else: whoever has a copy of the mapping may share it.
    """

    __slots__ = ("_known", "_texts")

    def __init__(self) -> None:
        self._known: dict[str, Any] | None = None  # the mapping when it was last written
        self._texts: dict[str, str] = {}

    def canonical(self, mapping: Mapping[str, Any]) -> bytes:
        """The same bytes as of any other value."""
        known, texts = self._known, self._texts
        if known is None:  # whoever writes it only once has it written all at once
            self._known = {}
            return canonical(mapping)
        for name in compress(mapping, map(is_not, map(known.get, mapping), mapping.values())):
            value = mapping[name]
            said = encode_basestring(value) if type(value) is str else _ENCODER.encode(value)
            texts[name] = f"{encode_basestring(name)}:{said}"
        self._known = dict(mapping)
        return f"{{{','.join(map(texts.__getitem__, sorted(mapping)))}}}".encode()
