"""One way to write a value as JSON bytes: what is hashed here must hash the same everywhere."""

import json
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


def canonical(value: Any) -> bytes:
    """The value as UTF-8 JSON, keys sorted, no spaces; raises ValueError or TypeError if it has none."""
    return _ENCODER.encode(value).encode("utf-8")


class Entries:
    """A long mapping that is written again and again: put into words are the entries that `changed`, and no others.

    Whoever writes to the mapping says so there.
    """

    __slots__ = ("_texts", "changed")

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self._texts: dict[str, str] | None = None  # of every entry, in the order of their names; copies share it

    def copy(self) -> "Entries":
        twin = Entries()
        twin.changed, twin._texts = self.changed.copy(), self._texts
        return twin

    def canonical(self, mapping: Mapping[str, Any]) -> bytes:
        """The same bytes as of any other value."""
        if self._texts is None:  # whoever writes it only once has it written all at once
            self._texts = {}
            return canonical(mapping)
        changed, self.changed = self.changed if self._texts else set(mapping), set()
        texts = self._texts | {name: _entry(name, mapping[name]) for name in changed if name in mapping}
        gone = [name for name in changed if name not in mapping]
        for name in gone:
            texts.pop(name, None)
        if gone or len(texts) > len(self._texts):
            texts = {name: texts[name] for name in sorted(texts)}
        self._texts = texts
        return f"{{{','.join(texts.values())}}}".encode()


def _entry(name: str, value: Any) -> str:
    return f"{encode_basestring(name)}:{_said(value)}"


def _said(value: Any) -> str:
    """As the encoder writes it; what positions are full of without its help, longer to call than to give."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is int:
        return str(value)
    if type(value) is dict:
        return f"{{{','.join([_entry(name, value[name]) for name in sorted(value)])}}}"
    return _ENCODER.encode(value)
