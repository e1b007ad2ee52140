"""Campaigns to look at again: a long one by random bots, and games with secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import games
from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.game import Game
from engine.log import Line, LogFile
from pbem.replay.copies import Copy, copy_for
from pbem.replay.page import page
from tests.engine.ford import played as toy_played
from tests.engine.toy import toy
from tests.stored import LOGS

SEED = 1944


@cache
def finished() -> Campaign:
    """A whole campaign with battles in it."""
    game = games.rulebook("korsun_spi").game()
    bots = {side: RandomLegal(SEED + number) for number, side in enumerate(game.sides)}
    campaign = Campaign.new(None, game, seed=SEED)
    play(game, bots, campaign=campaign)
    return campaign


@cache
def secretive() -> Campaign:
    """A finished game in which either side hid something from the other."""
    return toy_played(None, 7)


def running(bid: str = "bid 2", scouted: str = "0303") -> Campaign:
    """A game under way in which red has chosen in secret."""
    campaign = Campaign.new(None, toy(options={"P1": "0103"}), seed=SEED)
    for side, text in (
        ("red", bid),
        ("blue", "bid 0"),
        ("red", f"move T-34 0202\nscout\nlook {scouted}\nend"),
        ("blue", "move P2 0606"),
    ):
        campaign.submit(side, text, at="1944-01-28")
    return campaign


def longest() -> list[Path]:
    """Of every rulebook the stored campaign with the longest log."""
    found = {path.parent.name: path for path in sorted(LOGS, key=lambda path: path.stat().st_size)}
    return [found[name] for name in sorted(found)]


@cache
def stored_page(path: Path) -> tuple[Game, str]:
    """A stored campaign, and the page that shows all of it."""
    lines = LogFile(path).read().lines
    game = games.find_game(lines[0]["game"], lines[0]["scenario"], lines[0]["options"])
    return game, page(game, copy_for(lines, None, None))


def copy_of(campaign: Campaign, reader: str | None = None) -> Copy:
    return copy_for(campaign.lines(), reader, campaign.secret)


def doctored(copy: Copy, n: int, change: Callable[[Line], None]) -> Copy:
    """A copy in which somebody has changed a line."""
    line = json.loads(json.dumps(copy.lines[n]))
    change(line)
    return replace(copy, lines=[*copy.lines[:n], line, *copy.lines[n + 1 :]])
