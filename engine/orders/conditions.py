"""Conditions on what the writer can see: `if 2708 is taken`, `if RD6 is not reduced and 2609 is empty`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.orders.fields import Reading, hexes_at, unit_at
from engine.refusals import Unclear

USAGE = (
    "if HEX is taken|empty|held|lost, or if UNIT is alive|dead|reduced|whole|in HEX|next to HEX, "
    "or if UNIT or HEX has [NUMBER or more|less] MARK; join them with and, or"
)
_NUMBER = re.compile(
    r"(?P<least>at least\s+)?(?P<number>\d+)(?:\s+or\s+(?P<way>more|less|fewer))?\s+(?P<mark>.+)", re.I
)


@dataclass(frozen=True)
class Condition:
    """A sentence about the position as one side sees it."""

    text: str
    holds: Callable[[Reading], bool]


def read_condition(text: str, reading: Reading) -> Condition:
    """The condition that a text means. Raises Unclear or Ambiguous."""
    ways = [
        [_one(part.strip(), reading) for part in re.split(r"\band\b", way, flags=re.I)]
        for way in re.split(r"\bor\b(?!\s+(?:more|less|fewer)\b)", text, flags=re.I)
    ]
    return Condition(text.strip(), lambda seen: any(all(part(seen) for part in parts) for parts in ways))


def _one(text: str, reading: Reading) -> Callable[[Reading], bool]:
    match = re.fullmatch(r"(.+?)\s+(is|has|are|have)\s+(not\s+|no\s+)?(.+)", text.strip(), flags=re.I)
    if not match:
        raise Unclear(f"the condition {text!r} was not understood", usage=USAGE)
    subject, link, negation, state = match.groups()
    words = subject.split()
    state = state.strip().casefold()
    test = _about_unit(words, link.casefold(), state, reading) or _about_hex(words, link.casefold(), state, reading)
    if test is None:
        raise Unclear(f"the condition {text!r} was not understood", usage=USAGE)
    return (lambda seen: not test(seen)) if negation else test


def _about_unit(words: list[str], link: str, state: str, reading: Reading) -> Callable[[Reading], bool] | None:
    named = unit_at(words, reading)
    if named is None or named[1] != len(words):
        return None
    unit = named[0]
    if link in ("has", "have"):
        return _about_mark(unit, state)
    if state in ("alive", "dead", "eliminated"):
        return lambda seen: seen.seen.alive(unit) == (state == "alive")
    if state in ("reduced", "whole", "full"):
        return lambda seen: (seen.seen.lost.get(unit, 0) > 0) == (state == "reduced")
    where = re.fullmatch(r"(?:in|at)\s+(.+)", state)
    if where:
        places, _ = hexes_at(where.group(1).split(), reading)
        if places:
            return lambda seen: seen.seen.where.get(unit) in places
    beside = re.fullmatch(r"(?:next|adjacent) to\s+(.+)", state)
    if beside:
        places, _ = hexes_at(beside.group(1).split(), reading)
        if places:
            return lambda seen: _touches(seen, unit, places)
    if " " not in state:
        return lambda seen: seen.seen.mark(unit, state) is not None
    return None


def _about_mark(subject: str, state: str) -> Callable[[Reading], bool]:
    """A mark that is there, or one whose number is as high or as low as said."""
    match = _NUMBER.fullmatch(state)
    if match is None:
        return lambda seen: seen.seen.mark(subject, state) is not None
    number, mark = int(match["number"]), match["mark"]
    way = "more" if match["least"] else (match["way"] or "").casefold()

    def compare(seen: Reading) -> bool:
        value = seen.seen.mark(subject, mark)
        amount = value if isinstance(value, int) else 0
        return amount >= number if way == "more" else amount <= number if way else amount == number

    return compare


def _touches(seen: Reading, unit: str, places: list[str]) -> bool:
    grid, here = seen.seen.setting.grid, seen.seen.hex_of(unit)
    return here is not None and any(grid.direction(here, grid.hex(place)) is not None for place in places)


def _about_hex(words: list[str], link: str, state: str, reading: Reading) -> Callable[[Reading], bool] | None:
    places, used = hexes_at(words, reading)
    if len(places) != 1 or used != len(words):
        return None
    if link in ("has", "have"):
        return _about_mark(f"@{places[0]}", state)
    grid = reading.seen.setting.grid
    bit = 1 << grid.hex(places[0])
    side = reading.side
    enemies = [other for other in reading.seen.setting.sides if other != side]

    def enemy(seen: Reading) -> bool:
        return any(seen.seen.held(other) & bit for other in enemies)

    def ours(seen: Reading) -> bool:
        return bool(seen.seen.held(side) & bit)

    tests: dict[str, Callable[[Reading], bool]] = {
        "taken": lambda seen: ours(seen),
        "ours": lambda seen: ours(seen),
        "held": lambda seen: enemy(seen),
        "theirs": lambda seen: enemy(seen),
        "lost": lambda seen: enemy(seen),
        "cleared": lambda seen: not enemy(seen),
        "empty": lambda seen: not enemy(seen) and not ours(seen),
        "vacant": lambda seen: not enemy(seen) and not ours(seen),
    }
    return tests.get(state)
