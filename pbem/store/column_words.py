"""Columns written as words, for migrations: a table in a line or two, whatever the tables are by now."""

import re
from typing import Any

import sqlalchemy as sa

# `name:kind`, or `name>table` for one that points at a row there; a kind that is not said is text. Behind that `#` for
# a key, `*` for an index, `!` for one that is unique, `?` for one that may be empty, and `=` what it begins with.
_WORD = re.compile(r"(?P<name>\w+)(?:>(?P<points_at>\w+)|:(?P<kind>\w+))?(?P<marks>[#*!?]*)(?:=(?P<begins>-?\d+))?")
# What a column begins with in rows that were there before it.
_KINDS: dict[str, tuple[Any, Any]] = {
    "text": (sa.String, ""),
    "number": (sa.Integer, 0),
    "real": (sa.Float, 0.0),
    "flag": (sa.Boolean, False),
    "moment": (sa.DateTime(timezone=True), ""),
    "data": (sa.JSON, ""),
    "octets": (sa.LargeBinary, ""),
}
_NAMED = ("game",)  # tables whose keys are names; all others are numbered


def columns(words: str) -> list[sa.Column[Any]]:
    """The columns of a table, in their order."""
    return [_column(word) for word in words.split()]


def _column(word: str) -> sa.Column[Any]:
    found = _WORD.fullmatch(word)
    assert found is not None, word
    there, marks = found["points_at"], found["marks"]
    kind, begins = _KINDS[found["kind"] or ("number" if there and there not in _NAMED else "text")]
    if found["begins"]:
        begins = int(found["begins"])
    elif kind is sa.Integer and "#" in marks and not there:
        begins = None  # it is numbered by the database
    return sa.Column(
        found["name"],
        kind,
        *([sa.ForeignKey(f"{there}.id")] if there else []),
        primary_key="#" in marks,
        index="*" in marks or None,
        unique="!" in marks or None,
        nullable="?" in marks,
        default=begins,
    )
