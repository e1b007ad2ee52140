"""Players who are no people: they take what they may say, and give it as an order."""

from engine.bots.idle import Idle
from engine.bots.play import ASK_ME, Bot, Endless, Result, Stuck, play
from engine.bots.random_legal import RandomLegal
from engine.bots.sensible import Sensible

__all__ = ["ASK_ME", "BOTS", "Bot", "Endless", "Idle", "RandomLegal", "Result", "Sensible", "Stuck", "play"]

BOTS: dict[str, type[RandomLegal] | type[Sensible] | type[Idle]] = {
    "random": RandomLegal,
    "sensible": Sensible,
    "idle": Idle,
}
