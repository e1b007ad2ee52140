"""The film for the mail: how it is cut, how large it is, and that it shows no more than it may."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from engine.campaign import Campaign
from pbem.replay.film import MOST_BYTES, NothingToFilm, caption, film, scenes
from pbem.replay.steps import steps_of
from tests.engine.toy import toy
from tests.pbem.replay.campaigns import copy_of, finished, running, secretive


def test_every_step_is_in_one_scene_and_every_battle_has_its_own() -> None:
    steps = steps_of(copy_of(finished()).entries())
    cut = scenes(steps)
    assert [step for scene in cut for step in scene.steps] == steps
    assert sum(scene.kind == "battle" for scene in cut) >= sum(step.kind == "battle" for step in steps) - 1
    assert cut[-1].kind == "end"


def test_a_long_campaign_is_cut_by_phases() -> None:
    steps = steps_of(copy_of(finished()).entries())
    short = scenes(steps, most=20)
    assert len(short) < len(scenes(steps))
    assert [step for scene in short for step in scene.steps] == steps


def test_captions_name_the_battle_and_the_end() -> None:
    cut = scenes(steps_of(copy_of(finished()).entries()))
    battle = next(scene for scene in cut if scene.kind == "battle")
    game = finished().game
    assert caption(game, battle).startswith("Turn 1, ")
    assert " on " in caption(game, battle)
    assert finished().position.ended in caption(game, cut[-1])


@pytest.mark.parametrize("campaign", [secretive, running])
def test_a_film_has_a_picture_for_each_scene(campaign: object) -> None:
    played: Campaign = campaign()  # type: ignore[operator]
    copy = copy_of(played, "blue")
    made = film(played.game, copy, width=300)
    with Image.open(io.BytesIO(made)) as image:
        assert image.format == "WEBP"
        assert image.size[0] == 300
        frames = getattr(image, "n_frames", 1)
    assert 1 <= frames <= len(scenes(steps_of(copy.entries())))  # pictures that are alike become one
    assert len(made) < MOST_BYTES


def test_a_film_is_made_to_fit() -> None:
    campaign = secretive()
    large = film(campaign.game, copy_of(campaign), width=300)
    assert len(film(campaign.game, copy_of(campaign), width=300, most=len(large) - 1)) < len(large)


def test_no_byte_of_a_sides_film_depends_on_what_is_hidden_from_it() -> None:
    chosen = [running(bid, scouted) for bid in ("bid 1", "bid 3") for scouted in ("0303", "0606")]
    for reader in ("blue", None):
        assert len({film(c.game, copy_of(c, reader), width=200) for c in chosen}) == 1


def test_a_log_without_anything_in_it_makes_no_film() -> None:
    campaign = Campaign.new(None, toy(), seed=3)
    copy = copy_of(campaign)
    for line in (*copy.lines, *copy.whole):
        line["parts"] = {audience: [] for audience in line["parts"]}
    with pytest.raises(NothingToFilm):
        film(campaign.game, copy)
