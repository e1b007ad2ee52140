"""Every fact and every die that a reader may know is told exactly once, and printed exactly once in both twins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import count
from typing import Any

import pytest

from engine import facts as f
from engine import log
from engine.campaign import Campaign
from engine.log.lines import readable_by
from pbem.report.making import make_report, moment, span_of
from pbem.report.printing import as_html, as_text
from pbem.report.report import Report


def entries(part: Any) -> Iterator[Any]:
    """Everything in a report that tells something."""
    if isinstance(part, tuple):
        for inner in part:
            yield from entries(inner)
    elif is_dataclass(part):
        if getattr(part, "told", ()):
            yield part
        for field in fields(part):
            if field.name != "fought":  # the battles once more, in fields
                yield from entries(getattr(part, field.name))


def told(report: Report) -> Counter[str]:
    return Counter(one for entry in entries(report) for one in entry.told)


def known(campaign: Campaign, side: str, since: int, last: int) -> dict[str, log.Item]:
    """What the log lets a side know of a span, counted independently of the report."""
    found: dict[str, log.Item] = {}
    for line in campaign.lines()[since + 1 : last + 1]:
        seen = [item for item in log.items(line) if readable_by(item.audience, side)]
        found |= {f"{line['n']}.{k}": item for k, item in enumerate(seen) if item.kind != "answer"}
    return found


def report(campaign: Campaign, side: str, since: int, last: int) -> Report:
    lines = campaign.lines()[: last + 1]
    return make_report(span_of(lines, since), moment(lines, campaign.game, side))


def spans(campaign: Campaign) -> Iterator[tuple[str, int, int]]:
    last = campaign.count - 1
    for side in campaign.game.sides:
        yield from ((side, n - 1, n) for n in range(last + 1))
        yield from ((side, n, last) for n in range(-1, last, 5))


@pytest.mark.parametrize("which", ["campaign", "fords"])
def test_every_visible_fact_and_die_is_told_exactly_once(which: str, request: pytest.FixtureRequest) -> None:
    campaign: Campaign = request.getfixturevalue(which)
    for side, since, last in spans(campaign):
        wanted = known(campaign, side, since, last)
        assert told(report(campaign, side, since, last)) == Counter(wanted.keys()), (side, since, last)


def test_what_tells_a_fact_names_its_unit(campaign: Campaign) -> None:
    last = campaign.count - 1
    side = campaign.game.sides[0]
    wanted = known(campaign, side, -1, last)
    said = {one: str(entry) for entry in entries(report(campaign, side, -1, last)) for one in entry.told}
    for one, item in wanted.items():
        fact = f.load(item.body) if item.kind == "fact" else None
        if isinstance(fact, f.Moved | f.Placed | f.StepLost | f.Eliminated):
            assert fact.unit in said[one]
        elif isinstance(fact, f.Fought):
            assert all(unit in said[one] for unit in (*fact.attackers, *fact.defenders, fact.result))


def test_what_was_undone_is_not_told_and_the_undoing_is(fords: Campaign) -> None:
    last = fords.count - 1
    fords.undo(last - 1, by="blue")
    found = report(fords, "red", last - 1, last + 1)
    assert told(found) == Counter()
    assert "took back what came after line" in found.acts[0].text
    assert "took back" in as_text(found)


def numbered(part: Any, numbers: Iterator[int]) -> Any:
    """The same part with every text in it replaced by one of its own."""
    if isinstance(part, str):
        return f"T{next(numbers)}x" if part else part
    if isinstance(part, tuple):
        return tuple(numbered(inner, numbers) for inner in part)
    if is_dataclass(part) and not isinstance(part, type):
        kept = {"told", "fought", "reasons", "side"}  # told by what else stands in the phase
        return replace(part, **{x.name: numbered(getattr(part, x.name), numbers)
                                for x in fields(part) if x.name not in kept})  # fmt: skip
    return part


@pytest.mark.parametrize("printed", [as_text, as_html])
def test_everything_in_the_view_is_printed_exactly_once(campaign: Campaign, printed: Any) -> None:
    found = report(campaign, campaign.game.sides[0], 2, campaign.count - 1)
    numbers = count()
    parts = {
        name: numbered(getattr(found, name), numbers)
        for name in ("standing", "acts", "ended", "phases", "bookkeeping", "draft", "head")
    }
    text = printed(replace(found, **parts))
    wrong = {n: text.count(f"T{n}x") for n in range(next(numbers)) if text.count(f"T{n}x") != 1}
    assert not wrong
