"""A game led by idleness to the chits of turn 2, where Manstein may be held."""

from __future__ import annotations

from engine.asks import Ask
from engine.campaign import Campaign
from engine.drawer import CAREFUL
from games.manstein.game import RULEBOOK

SOVIET = "select Vrnz, Vrnz, Step, SW, Sth, Reinf"
IDLE = ("mode", "movement", "combat", "command", "negotiation")


def second_turn(axis: str, *standing: str, seed: int = 1) -> Campaign:
    """Both sides have selected, the Axis as said; their standing orders hold from the beginning."""
    campaign = Campaign.new(None, RULEBOOK.game("race"), seed=seed, pace=CAREFUL)
    for line in standing:
        campaign.stand("axis", line)
    while campaign.position.turn < 2:
        answer_one(campaign)
    campaign.submit("soviet", SOVIET)
    campaign.submit("axis", axis)
    return campaign


def answer_one(campaign: Campaign) -> tuple[str, str]:
    """Whoever is asked gives up his activation, or says what the ask would; who that was, and about what."""
    ask = next(a for a in campaign.asks if campaign.drawer.sealed(a.key) is None)
    campaign.submit(ask.side, idle_answer(ask))
    return ask.side, ask.name


def idle_answer(ask: Ask) -> str:
    return "end" if ask.name in IDLE else ask.default().line()
