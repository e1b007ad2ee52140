"""Enemy Action: Kharkov, the German solitaire game: one person against Soviets that the rules play."""

from games.kharkov.game import RULEBOOK

__all__ = ["RULEBOOK"]
