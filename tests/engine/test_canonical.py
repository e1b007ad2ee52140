"""A long mapping written entry by entry has the bytes that it has when it is written whole."""

import random
from typing import Any

from engine.canonical import Entries, canonical


def test_a_mapping_that_changes_is_written_as_any_other() -> None:
    draw, mapping, entries = random.Random(7), dict[str, Any](), Entries()
    for _ in range(300):
        name = draw.choice(("1/2", 'Ä"\\', "@2708", "", "z\n"))
        if draw.random() < 0.3:
            mapping.pop(name, None)
        else:
            mapping[name] = draw.choice(("2708", "é\t", 3, {"spent": 4, "how": "move"}, {}))
        assert entries.canonical(mapping) == canonical(mapping)


def test_copies_that_part_may_share_what_is_in_words() -> None:
    one, entries = {"a": "1", "b": "2"}, Entries()
    other = {**one, "b": "3"}
    for _ in range(3):
        assert entries.canonical(one) == canonical(one)
        assert entries.canonical(other) == canonical(other)


def test_an_entry_that_went_and_came_back_is_written_as_it_is_now() -> None:
    mapping, entries = {"a": "1", "b": "2"}, Entries()
    for value in ("2", None, "4", None, "2"):
        mapping = {"a": "1"} if value is None else {"a": "1", "b": value}
        assert entries.canonical(mapping) == canonical(mapping)
