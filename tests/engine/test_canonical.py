"""A long mapping written entry by entry has the bytes that it has when it is written whole."""

import random
from typing import Any

from engine.canonical import CHUNK, Entries, canonical

NAMES = ("", 'Ä"\\', "@2708", "z\n", *map(str, range(2 * CHUNK)))


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


def test_what_nobody_has_told_of_is_written_when_it_is_known_no_more() -> None:
    mapping, entries = {"a": "1", "b": "2"}, Entries()
    for value in ("2", "3", "4"):
        mapping["b"], entries.known = value, False
        assert entries.canonical(mapping) == canonical(mapping)
