"""A Soviet attack under way: what of it the position keeps while the player is asked, so that it goes on from there."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial

from engine.canonical import canonical
from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.rules.marks import game_mark, set_game
from games.kharkov.data import Table
from games.kharkov.rules.combat.losses import Keep, Losses
from games.kharkov.rules.combat.retreat import Ways
from games.kharkov.rules.combat.situation import Combat

UNDER_WAY = "combat under way"
SETS = ("joined", "from_deck", "was_auxiliary")  # of a combat, which JSON has as lists
# What the player may be asked, in that order: cards, how he takes his hits, who loses, who pays, which Soviet loses.
ANSWER, HITS, LOSSES, RETREAT, ATTACKERS = "answer", "hits", "losses", "retreat", "attackers"


@dataclass
class Battle:
    """A Soviet attack, as far as it has come."""

    combat: Combat
    step: str = ANSWER
    units: list[str] = field(default_factory=list)  # that defend
    a: int = 0  # hits on the Soviets
    d: int = 0  # hits on the Germans
    over: int = 0  # that they could not take (12.55)
    ways: Ways = ()  # how they fall back
    gone: int = 0  # hexes that all of them have fallen back
    trail: list[Hex] = field(default_factory=list)  # the first hexes of their ways
    taken: Losses = field(default_factory=dict)  # steps that Soviets have lost
    more: int | None = None  # that they lose for the hits after the first, once it is known (12.54)
    dispersed: bool = False  # and whether they are dispersed

    @property
    def far(self) -> int:
        """How many hexes they fall back."""
        return len(self.ways[0][1]) if self.ways else 0

    def keeping(self, table: Table) -> Keep:
        """Notes it as it stands."""
        return partial(_kept, table, self)


def _kept(table: Table, battle: Battle) -> Iterator[Fact]:
    said = asdict(battle)
    said["combat"] |= {name: sorted(said["combat"][name]) for name in SETS}
    yield from set_game(table, UNDER_WAY, canonical(said).decode(), "12.0-S", Noted)


def under_way(table: Table) -> Battle | None:
    """The attack in the middle of which the game is entered, if it is."""
    said = game_mark(table, UNDER_WAY)
    if not said:
        return None
    known = json.loads(said)
    combat = known.pop("combat")
    combat |= {name: set(combat[name]) for name in SETS}
    ways = tuple((unit, tuple(way)) for unit, way in known.pop("ways"))
    return Battle(Combat(**combat), ways=ways, **known)


def over(table: Table) -> Iterator[Fact]:
    """It is fought out."""
    yield from set_game(table, UNDER_WAY, None, "12.0-S", Noted)
