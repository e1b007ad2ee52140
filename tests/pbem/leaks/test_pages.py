"""Maps, replays, copies of the log and their proof show nothing that their reader may not know."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.canonical import canonical
from engine.log import Line, check_reader
from engine.view import view
from pbem.cli import app
from pbem.replay.copies import Copy, copy_for
from pbem.replay.page import page
from pbem.report.illustrating import illustrate
from pbem.report.making import Moment, make_report, span_of
from pbem.wording.situation import situation
from tests.pbem.leaks.worlds import World

READERS = pytest.mark.parametrize("reader", ["soviet", None])


def masked(world: World, lines: list[Line]) -> list[Line]:
    """A log whose hashes, which nobody can read anything from, are struck out."""
    found: list[Line] = json.loads(world.masked(canonical(lines)))
    return found


def copy_of(world: World, reader: str | None) -> Copy:
    campaign = world.campaign
    made = copy_for(campaign.lines(), reader, campaign.secret)
    return replace(made, lines=masked(world, made.lines))


@READERS
def test_a_copy_of_the_log_and_its_replay_are_the_same_whatever_is_held(later: list[World], reader: str | None) -> None:
    one, other = (copy_of(world, reader) for world in later)
    assert one.lines == other.lines
    assert page(later[0].campaign.game, one) == page(later[1].campaign.game, other)


def test_the_copies_of_the_side_itself_do_differ(later: list[World]) -> None:
    one, other = (copy_of(world, "axis") for world in later)
    assert one.lines != other.lines


@READERS
def test_a_players_own_copy_can_be_proved_and_says_no_more(
    later: list[World], reader: str | None, tmp_path: Path
) -> None:
    said = []
    for world in later:
        copy = tmp_path / "copy.jsonl"
        lines = world.campaign.export(reader)
        assert check_reader(lines) == []
        copy.write_bytes(b"".join(canonical(line) + b"\n" for line in lines))
        said.append([CliRunner().invoke(app, [verb, str(copy)]).output for verb in ("verify", "log", "replay")])
    assert said[0] == said[1]
    assert "verifies" in said[0][0]
    assert not re.search(r"Manstein|6A\b", said[0][2].partition("axis:")[0])


def test_no_pixel_of_a_map_depends_on_what_is_held(later: list[World]) -> None:
    drawn = []
    for world in later:
        campaign = world.campaign
        now = Moment(campaign.game, "soviet", view(campaign.position, "soviet"), campaign.asks)
        pictures = illustrate(now, make_report(span_of(campaign.lines(), 2), now))
        drawn.append([(picture, png) for picture, png in pictures if not picture.attached])
        assert situation(campaign.game, now.seen)
    assert drawn[0] == drawn[1]
