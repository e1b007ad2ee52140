"""A log verified in parts, each from where the facts before it lead: the same is found as from end to end."""

import json
import os
import random
from typing import Any

import pytest

from engine import log
from engine.campaign import Campaign, verify_lines, walking
from engine.campaign.walking import rules_faults
from engine.canonical import canonical
from engine.log.lines import line_hash
from tests.engine.ford import NEAR, any_answer
from tests.engine.test_verify import sealed_again, tampered
from tests.engine.toy import toy


def played(seed: int = 8) -> Campaign:
    """Played to its end, with an undo, a rewind to an earlier line and a rewind behind that one."""
    campaign, rng = Campaign.new(None, NEAR, seed=seed), random.Random(seed)
    for answers, back in ((5, 3), (6, 4), (4, 2)):
        for _ in range(answers):
            if not campaign.over:
                campaign.submit(*any_answer(campaign, rng))
        if not campaign.over:
            campaign.rewind(max(0, campaign.count - back))
    while not campaign.over:
        campaign.submit(*any_answer(campaign, rng))
    return campaign


def in_spans(lines: list[log.Line], secret: bytes, number: int) -> list[log.Fault]:
    """What is found in so many parts, each entered anew, in this process."""
    spans = walking._parts(lines, number)
    assert [n for span in spans for n in span] == list(range(len(lines)))
    found = [fault for span in spans for fault in walking._Walk(NEAR, lines, secret).faults_in(span)]
    return sorted(found, key=lambda fault: fault.line)[:1]


@pytest.mark.parametrize("seed", range(6))
def test_a_log_can_be_entered_before_every_line(seed: int) -> None:
    campaign = played(seed)
    lines = campaign.lines()
    assert any("back" in line for line in lines)
    assert in_spans(lines, campaign.secret, len(lines)) == []


def test_what_was_changed_is_found_where_it_stands() -> None:
    campaign = Campaign.new(None, NEAR, seed=6)
    rng = random.Random(6)
    for _ in range(8):
        campaign.submit(*any_answer(campaign, rng))
    lines, found = campaign.lines(), 0
    for copy in tampered(lines):
        changed = sealed_again(copy, campaign.secret)
        alone = rules_faults(changed, NEAR, campaign.secret)
        parts = in_spans(changed, campaign.secret, 4)
        assert bool(parts) == bool(alone)
        if alone:
            assert parts[0].line <= alone[0].line
            found += 1
    assert found > 60


def test_processes_find_what_one_finds_and_count_what_they_do() -> None:
    campaign = played()
    lines, seen = campaign.lines(), list[tuple[int, int]]()
    assert rules_faults(lines, NEAR, campaign.secret, lambda *done: seen.append(done), workers=2) == []
    assert seen[-1] == (len(lines), len(lines))
    copy = json.loads(canonical(lines))
    copy[-2]["position"] = "0" * 64
    copy[-2]["hash"] = line_hash(copy[-2])
    assert [fault.line for fault in rules_faults(copy, NEAR, campaign.secret, workers=2)] == [len(lines) - 2]


def test_a_short_log_is_left_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "_side_by_side", lambda *_: pytest.fail("nobody should be forked for so little"))
    campaign = played()
    assert verify_lines(campaign.lines(), campaign.secret, toy, workers=8).ok


def test_what_a_killed_process_left_is_gone_through_here(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, here, through = played(), os.getpid(), walking._Walk.faults_in

    def killed(walk: walking._Walk, *given: Any) -> list[log.Fault]:
        if os.getpid() != here:
            os._exit(9)
        return through(walk, *given)

    monkeypatch.setattr(walking._Walk, "faults_in", killed)
    lines = campaign.lines()
    assert rules_faults(lines, NEAR, campaign.secret, workers=2) == []
    lines[-2] = {**lines[-2], "position": "0" * 64}
    assert [fault.line for fault in rules_faults(lines, NEAR, campaign.secret, workers=2)] == [len(lines) - 2]


def test_whoever_is_through_with_a_part_takes_the_next_or_enters_where_both_are_through_at_once() -> None:
    taken = [0] * 8
    entering = [0.1 * n for n in range(8)]
    for last, then in ((None, 0), (None, 4), (0, 1), (4, 5), (1, 2), (2, 3), (3, 7), (5, 6), (6, None), (7, None)):
        part = walking._next_part(taken, last, entering)
        assert part == then
        if part is not None:
            taken[part] = 1
    assert walking._next_part([0, 0, 1, 1], 3, entering) == 0, "nobody comes along to the beginning"


def test_nobody_enters_where_another_is_through_sooner_by_himself() -> None:
    assert walking._next_part([1, 1, 1, 0], None, [0.0, 0.2, 0.3, 0.4]) == 3
    assert walking._next_part([1, 1, 1, 0], None, [0.0, 0.2, 0.3, 0.6]) is None
    assert walking._next_part([1, 0, 0, 0], None, [0.0, 3.0, 3.0, 3.0]) is None


def test_what_is_done_meanwhile_is_done_once() -> None:
    campaign, done = played(), list[int]()
    for workers in (1, 2):
        assert rules_faults(campaign.lines(), NEAR, campaign.secret, None, workers, lambda: done.append(1)) == []
    assert done == [1, 1]


def test_of_two_faults_the_first_is_told_whoever_finds_it() -> None:
    campaign = played()
    for first in range(1, campaign.count - 1):
        lines = json.loads(canonical(campaign.lines()))
        for n in (first, campaign.count - 1):
            lines[n]["position"] = "0" * 64
        assert rules_faults(lines, NEAR, campaign.secret, workers=3)[0].line == first
