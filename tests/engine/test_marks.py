"""Marks that come off with their unit, and those that a box keeps."""

from __future__ import annotations

from engine import audit
from engine import facts as f
from engine.position import apply
from engine.rules.marks import unmark
from engine.table import Table
from tests.engine.toy import opening, toy


def off_the_map() -> Table:
    """A unit in a box that bears two marks."""
    game = toy()
    position = game.new_position()
    marked = [f.Marked(subject="G1", mark=mark, value=1) for mark in ("tired", "dry")]
    for fact in (*opening(game), *marked, f.Placed(unit="G1", at="depot")):
        apply(position, fact)
    return Table(game, position)


def test_a_mark_off_the_map_is_a_fault_unless_the_box_keeps_marks() -> None:
    table = off_the_map()
    assert audit.marks(table) == ["a mark on G1, which is not on the map"]
    assert audit.marks(table, keep_marks=("cellar",)) == audit.marks(table)
    assert audit.marks(table, keep_marks=("depot",)) == []


def test_all_that_a_unit_bears_comes_off() -> None:
    table = off_the_map()
    for fact in list(unmark(table, "G1", "1.1")):
        apply(table.position, fact)
    assert audit.marks(table) == []
    assert list(unmark(table, "G1", "1.1")) == []
