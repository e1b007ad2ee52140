"""Replay and verify: the log read without the rules, and with them; both must agree."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import log
from engine.campaign import (
    Campaign,
    replay,
    verify,
    verify_lines,
)
from engine.canonical import canonical
from engine.log.lines import line_hash, salt, seal
from engine.view import view
from tests.engine.ford import ATTACK, NEAR, any_answer, begun, played
from tests.engine.toy import toy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


def test_replay_gives_every_position_that_was_played() -> None:
    campaign, rng = Campaign.new(None, NEAR, seed=8), random.Random(8)
    positions = {0: campaign.position.hash()}
    while not campaign.over:
        campaign.submit(*any_answer(campaign, rng))
        positions[campaign.count - 1] = campaign.position.hash()
    lines = campaign.lines()
    for n, position in positions.items():
        assert replay(lines, NEAR, upto=n).hash() == position


def test_verify_counts_what_it_saw(path: Path) -> None:
    campaign = played(path, 9)
    seen: list[tuple[int, int]] = []
    verdict = verify(path, toy, lambda done, total: seen.append((done, total)))
    assert verdict.ok
    assert verdict.lines == campaign.count == len(path.read_bytes().splitlines())
    assert verdict.rolls >= 4
    assert seen[-1] == (campaign.count, campaign.count)


def test_verify_needs_the_secret_of_an_open_game(path: Path) -> None:
    begun(path)
    assert verify(path, toy).ok
    path.with_name("ford.jsonl.secret").write_text("nothing")
    assert not verify(path, toy).ok
    path.with_name("ford.jsonl.secret").unlink()
    assert ["the secret is not known" in fault.what for fault in verify(path, toy).faults] == [True]


def sealed_again(lines: list[log.Line], secret: bytes) -> list[log.Line]:
    """The log as a cheat with the secret would write it: every hash and seal in order."""
    before = lines[0]["prev"]
    for line in lines:
        line["prev"] = before
        line["seals"] = {a: seal(salt(secret, "toy", line["n"], a), p) for a, p in line["parts"].items()}
        before = line["hash"] = line_hash(line)
    return lines


def tampered(lines: list[log.Line]) -> Iterator[list[log.Line]]:
    """A log with one word of one fact or answer changed, for each that there is."""
    for n, line in enumerate(lines):
        for audience, part in line["parts"].items():
            for place, (_, kind, body) in enumerate(part):
                for name, value in body.items():
                    if kind != "roll" and name != "source":
                        copy = json.loads(canonical(lines))
                        other = value + 1 if isinstance(value, int) else "0606"
                        copy[n]["parts"][audience][place][2][name] = other
                        yield copy


def test_whoever_holds_the_secret_still_cannot_change_what_the_rules_decided() -> None:
    campaign = begun(seed=6)
    for side, text in (("red", "move T-34 0202"), ("red", ATTACK), ("red", "scout\nlook 0303\ndig G2\nface 0103")):
        campaign.submit(side, text)
    lines = campaign.lines()
    assert verify_lines(sealed_again(json.loads(canonical(lines)), campaign.secret), campaign.secret, toy).ok
    tried = 0
    for copy in tampered(lines):
        verdict = verify_lines(sealed_again(copy, campaign.secret), campaign.secret, toy)
        assert not verdict.ok
        tried += 1
    assert tried > 60


def test_damage_of_any_kind_is_a_fault_with_a_sentence_and_never_a_crash(path: Path) -> None:
    campaign = begun(path)
    campaign.submit("red", f"{ATTACK}; lose G1")
    content, rng = path.read_bytes(), random.Random(1)
    for _ in range(150):
        at = rng.randrange(len(content))
        match rng.randrange(3):
            case 0:
                damaged = content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]
            case 1:
                damaged = content[:at] + content[at + rng.randrange(1, 40) :]
            case _:
                damaged = content[:at] + content[rng.randrange(len(content)) :][:30] + content[at:]
        path.write_bytes(damaged)
        verdict = verify(path, toy)
        assert (damaged == content) == verdict.ok
        assert all(str(fault) for fault in verdict.faults)
    path.write_bytes(b"")
    assert not verify(path, toy).ok
    path.unlink()
    assert "cannot be read" in verify(path, toy).faults[0].what


def test_a_game_nobody_knows_is_a_fault(path: Path) -> None:
    played(path, 2)

    def unknown(rulebook: str, scenario: str, options: object) -> object:
        raise LookupError(f"no rulebook is called {rulebook}")

    verdict = verify(path, unknown)  # type: ignore[arg-type]
    assert [fault.what for fault in verdict.faults] == [
        "its game cannot be set up (LookupError: no rulebook is called toy)"
    ]


def test_a_line_dropped_from_the_end_is_missed(path: Path) -> None:
    campaign = begun(path)
    campaign.submit("red", "dig G1")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert [fault.what for fault in verify(path, toy).faults] == ["it was written once and is gone"]


def test_a_players_copy_of_the_log_folds_to_what_he_may_see() -> None:
    campaign = begun()
    campaign.submit("red", "scout\nlook 0303\nmove G1 0202")
    seen = replay(campaign.export("blue"), NEAR)
    assert view(seen, "blue").where == view(campaign.position, "blue").where
    assert seen.mark("@0303", "scouted") is None
    assert log.check_reader(campaign.export("blue")) == []
