"""The replay page before a browser has it: what is in it, for whom, how large, how fast."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import facts as f
from engine import log
from engine.campaign import Campaign
from engine.log import items_in_force
from engine.view import view
from pbem.replay.copies import Copy, copy_for
from pbem.replay.page import page
from pbem.replay.steps import course, sentences, steps_of
from tests.engine.toy import toy
from tests.pbem.replay.campaigns import copy_of, finished, longest, running, secretive, stored_page

MOST_BYTES = 3_000_000


PACKED = re.compile(r'<script type="text/plain" id="(\w+)">(.*?)</script>', re.DOTALL)


def parts_of(html: str) -> dict[str, bytes]:
    """What is packed in the page, by name."""
    return {name: zlib.decompress(base64.b64decode(text), wbits=-zlib.MAX_WBITS) for name, text in PACKED.findall(html)}


def data_of(html: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(parts_of(html)["data"])
    return data


def log_of(html: str) -> list[bytes]:
    return parts_of(html)["log"].split(b"\n")


def without_hashes(html: str) -> str:
    """The page with all that is packed unpacked, and of hashes only that they are there."""
    unpacked = PACKED.sub("", html) + b"\n".join(parts_of(html).values()).decode()
    return re.sub(r"[0-9a-f]{64}", "", unpacked)


@pytest.fixture(scope="module")
def whole() -> str:
    campaign = finished()
    return page(campaign.game, copy_of(campaign))


def test_a_campaign_of_thirteen_turns_fits_a_mail(whole: str) -> None:
    assert finished().position.turn == 13
    assert len(whole.encode()) < MOST_BYTES


@pytest.mark.parametrize("path", longest(), ids=lambda path: path.stem)
def test_the_longest_campaign_of_every_rulebook_fits_a_mail(path: Path) -> None:
    assert len(stored_page(path)[1].encode()) < MOST_BYTES


def test_the_page_is_the_same_every_time(whole: str) -> None:
    campaign = finished()
    assert page(campaign.game, copy_of(campaign)) == whole


def test_nothing_is_fetched_from_anywhere(whole: str) -> None:
    assert not re.search(r'(?:src|href)="(?!#|data:)', whole)
    assert not re.search(r"url\((?!#|`?#)", whole)
    assert "@import" not in whole


def test_everything_in_force_is_in_exactly_one_step(whole: str) -> None:
    campaign = finished()
    shown = [
        (line, place) for step in data_of(whole)["steps"] for line, first, end in step[0] for place in range(first, end)
    ]
    happened = [(e.line, e.place) for e in copy_of(campaign).entries()]
    assert shown == happened
    assert len(happened) == len(items_in_force(campaign.lines()))


@pytest.mark.parametrize("campaign", [finished, secretive])
def test_the_steps_lead_where_the_game_ended(campaign: Any) -> None:
    played: Campaign = campaign()
    steps = steps_of(copy_of(played).entries())
    assert course(played.game, steps).position.to_json() == played.position.to_json() | {"views": {}}
    for side in played.game.sides:
        seen = view(played.position, side).to_json() | {"views": {}}
        assert course(played.game, steps, side).position.to_json() == seen


def test_losses_are_those_of_the_units_that_are_gone() -> None:
    campaign = finished()
    found = course(campaign.game, steps_of(copy_of(campaign).entries()))
    lost = dict.fromkeys(campaign.game.sides, 0)
    for unit in campaign.game.setting.roster:
        if campaign.position.where.get(unit.id) == "eliminated":
            lost[unit.side] += len(unit.steps)
        else:
            lost[unit.side] += campaign.position.lost.get(unit.id, 0)
    assert found.losses[-1][1] == list(lost.values())
    assert found.score[-1][1] == [points for _, points in campaign.position.points]


def test_a_battle_is_told_with_its_odds_line_by_line(whole: str) -> None:
    campaign = finished()
    fought = next(step for step in steps_of(copy_of(campaign).entries()) if step.kind == "battle")
    told = sentences(campaign.game, fought)
    styles = [sentence.style for sentence in told]
    assert {"order", "roll", "fact", "work"} <= set(styles)
    body = next(entry.item.body for entry in fought.entries if isinstance(entry.fact, f.Fought))
    assert styles.count("work") == len(body["working"])


def test_whoever_only_closes_a_phase_is_told_with_the_next_one() -> None:
    steps = steps_of(copy_of(finished()).entries())
    openings = [step for step in steps if any(isinstance(entry.fact, f.StageBegan) for entry in step.entries)]
    assert any(step.entries[0].item.kind == "answer" for step in openings)
    assert not any(
        step.bare
        and all(e.item.body["order"]["verb"] == "end" for e in step.entries if e.item.kind == "answer")
        and step.entries[0].item.kind == "answer"
        for step in steps
    )


def test_what_was_taken_back_is_not_shown() -> None:
    campaign = Campaign.new(None, toy(), seed=3)
    campaign.submit("red", "bid 1")
    campaign.submit("blue", "bid 0")
    before = len(list(copy_of(campaign, "red").entries()))
    campaign.submit("red", "move T-34 0202")
    assert len(list(copy_of(campaign, "red").entries())) > before
    campaign.undo(campaign.count - 2, by="red")
    assert len(list(copy_of(campaign, "red").entries())) == before
    assert len(copy_of(campaign, "red").lines) == campaign.count


# Who may see what.


def test_a_page_of_a_running_game_holds_the_readers_copy_and_no_more() -> None:
    campaign = running()
    for reader in (*campaign.game.sides, None):
        html = page(campaign.game, copy_of(campaign, reader))
        assert [json.loads(line) for line in log_of(html)] == campaign.export(reader)
        assert log.check_reader(log_of(html)) == []
        assert [name for name, _ in data_of(html)["readers"]] == [reader or ""]


def test_no_byte_of_a_sides_page_depends_on_what_is_hidden_from_it() -> None:
    choices = [(bid, scouted) for bid in ("bid 0", "bid 1", "bid 3") for scouted in ("0303", "0606")]
    games_played = [running(*choice) for choice in choices]
    for reader in ("blue", None):
        pages = {without_hashes(page(c.game, copy_of(c, reader))) for c in games_played}
        assert len(pages) == 1
    own = {without_hashes(page(c.game, copy_of(c, "red"))) for c in games_played}
    assert len(own) == len(choices)


def test_a_finished_game_shows_every_view() -> None:
    campaign = secretive()
    data = data_of(page(campaign.game, copy_of(campaign)))
    assert [name for name, _ in data["readers"]] == ["*", *campaign.game.sides]
    assert data["reader"] == "*"
    assert data_of(page(campaign.game, copy_of(campaign, "blue")))["reader"] == "blue"


def test_a_running_game_is_not_handed_out_without_its_secret() -> None:
    with pytest.raises(ValueError, match="without its secret"):
        copy_for(running().lines(), "red", None)


def test_names_cannot_break_out_of_the_page() -> None:
    campaign = running()
    game = replace(campaign.game, title='</script><script>alert("x")</script>')
    html = page(game, copy_of(campaign, "red"))
    assert "<script>alert" not in html
    assert data_of(html)["scenario"] == game.title


def test_a_game_that_has_only_been_opened_has_a_page() -> None:
    campaign = Campaign.new(None, toy(), seed=3)
    copy: Copy = copy_of(campaign)
    assert len(data_of(page(campaign.game, copy))["steps"]) >= 1
