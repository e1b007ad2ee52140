"""What came after a line: read from the end of the log, the same as if all of it had been read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import log
from engine.campaign import Campaign, Span
from engine.campaign import lately as module
from engine.log.lines import readable_by
from tests.engine.ford import ATTACK, NEAR, any_answer, begun
from tests.engine.toy import toy

READERS = (None, "red", "blue")

Begun = list[dict[str, Any]]
Told = list[tuple[int, dict[str, Any]]]


def begun_for(reader: str | None, happened: Sequence[log.Item]) -> Begun:
    """The stage and the fight that a reader saw begin and not yet end."""
    stage: Begun = []
    fought: Begun = []
    for item in happened:
        if readable_by(item.audience, reader):
            name = item.body.get("fact")
            if name == "StageBegan" or "top" in item.body:
                fought = []
            if name == "StageBegan":
                stage = [item.body]
            if name == "Fought":
                fought = [item.body]
    return stage + fought


def by_span(span: Span, reader: str | None) -> tuple[Begun, Told]:
    return begun_for(reader, span.under_way), [(n, item.body) for n, item in span.items]


def by_reading_all(lines: Sequence[log.Line], since: int, reader: str | None) -> tuple[Begun, Told]:
    in_force = log.items_in_force(lines)
    before = [item for n, item in in_force if n <= since]
    return begun_for(reader, before), [(n, item.body) for n, item in in_force if n > since]


def wild_play(path: Path, seed: int, steps: int = 24) -> Campaign:
    """Random answers, and every now and then a rewind to a line or into one."""
    campaign, rng = Campaign.new(path, NEAR, seed=seed), random.Random(seed)
    for step in range(steps):
        if campaign.over:
            break
        campaign.submit(*any_answer(campaign, rng))
        if step % 7 == 6 and not campaign.over:
            line, count = rng.choice(log.effective(campaign.lines())[-5:])
            own = log.items(line)[:count]
            points = [
                i for i, item in enumerate(own) if line["n"] and item.kind == "answer" and item.audience == log.ALL
            ]
            campaign.rewind(line["n"], point=rng.choice([None, *points]))
    return campaign


@pytest.mark.parametrize("seed", range(4))
def test_every_span_is_what_the_whole_log_says(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = wild_play(tmp_path / "ford.jsonl", seed)
    lines = campaign.lines()
    assert any("back" in line for line in lines)
    cold = Campaign.open(tmp_path / "ford.jsonl", toy)
    monkeypatch.setattr(log.LogFile, "read", None)  # whoever reads the whole log fails
    for since in range(len(lines) - 1):
        for last in lines[since + 1 :: 3]:
            for reader in READERS:
                wanted = by_reading_all(lines[: last["n"] + 1], since, reader)
                assert by_span(cold.span(since, last), reader) == wanted, (since, last["n"], reader)
    for since in range(-1, len(lines) - 1):
        assert by_span(Span.of(lines, since), "red") == by_reading_all(lines, since, "red")


def test_a_line_is_told_with_what_came_before_it() -> None:
    campaign = begun()
    since = campaign.count - 1
    for act in (lambda: campaign.submit("red", ATTACK), lambda: campaign.rewind(since)):
        assert act().line == campaign.last
        assert by_span(campaign.span(since, campaign.last), "blue") == by_reading_all(campaign.lines(), since, "blue")


def test_what_lies_too_far_back_is_read_from_the_whole_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    campaign = wild_play(tmp_path / "ford.jsonl", 1)
    lines = campaign.lines()
    for since in range(len(lines) - 1):
        assert by_span(campaign.span(since, lines[-1]), "red") == by_reading_all(lines, since, "red")


def test_the_checkpoint_does_not_grow_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ford.jsonl"
    campaign = begun(path)
    sizes = []
    monkeypatch.setattr(module, "MOST", 8)
    for _ in range(3 * module.MOST):
        since = campaign.count - 1
        campaign.submit("red", ATTACK)
        campaign.rewind(since)
        sizes.append(path.with_name("ford.jsonl.checkpoint").stat().st_size)
    assert max(sizes[2 * module.MOST :]) <= 1.1 * max(sizes[: module.MOST])
