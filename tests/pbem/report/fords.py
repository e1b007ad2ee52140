"""A short campaign with secrets in it: what one side sees is the same whatever the other chose."""

from __future__ import annotations

from dataclasses import replace

from engine.campaign import Campaign
from engine.drawer import CAREFUL
from engine.hexset import members
from tests.engine.toy import toy


def ford(bid: str, scouted: str) -> Campaign:
    """Red bids and scouts in secret, then attacks."""
    game = toy(options={"P1": "0103"})
    meadow = dict.fromkeys(members(game.board.grid.everything), "clear")
    campaign = Campaign.new(None, replace(game, board=replace(game.board, kinds=meadow)), seed=1944, pace=CAREFUL)
    for side, text in (
        ("red", bid),
        ("blue", "bid 0"),
        ("red", f"move T-34 0202\nscout\nlook {scouted}\nattack 0103 with G1"),
        ("blue", "retreat P1 0104"),
        ("red", "advance G1\ndig G2\nface 0101\nend"),
        ("blue", "move P2 0306 0406\nend"),
    ):
        campaign.submit(side, text, at="1944-01-28")
    return campaign
