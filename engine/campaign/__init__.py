"""A game under way: its log, its referee, its drawer, and what lies beside them."""

from engine.campaign.campaign import Campaign, FindGame
from engine.campaign.errors import CannotResume, GameClosed, LogExists, NoSecret, NoUndo
from engine.campaign.folding import replay
from engine.campaign.lately import Span
from engine.campaign.verify import Verdict, verify, verify_lines
from engine.log import Fault

__all__ = [
    "Campaign",
    "CannotResume",
    "Fault",
    "FindGame",
    "GameClosed",
    "LogExists",
    "NoSecret",
    "NoUndo",
    "Span",
    "Verdict",
    "replay",
    "verify",
    "verify_lines",
]
