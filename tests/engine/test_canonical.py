"""A long mapping written entry by entry has the bytes that it has when it is written whole."""

import random
from typing import Any

from engine.canonical import Entries, canonical

NAMES = ("", 'Ä"\\', "@2708", "z\n", *map(str, range(64)))


def test_a_mapping_that_changes_is_written_as_any_other() -> None:
    draw, mapping, entries = random.Random(7), dict[str, Any](), Entries()
    for _ in range(400):
        for name in draw.choices(NAMES, k=draw.choice((0, 1, 1, 2, 9))):
            entries.changed.add(name)
            if draw.random() < 0.3:
                mapping.pop(name, None)
            else:
                mapping[name] = draw.choice(("2708", "é\t", 3, {"spent": 4, "how": "move"}, {}))
        assert entries.canonical(mapping) == canonical(mapping)


def test_a_copy_goes_its_own_way() -> None:
    mapping, entries = {"a": "1", "b": "2"}, Entries()
    for value in ("2", "3", "4"):
        mapping["b"] = value
        entries.changed.add("b")
        other, twin = {**mapping, "b": "5", "c": "6"}, entries.copy()
        twin.changed |= {"b", "c"}
        assert twin.canonical(other) == canonical(other)
        assert entries.canonical(mapping) == canonical(mapping)
