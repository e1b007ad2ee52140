"""Fights that lie close enough for one picture, those with most at stake for the reader first."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexes import Grid, Hex
from pbem.report.fights import FightCard
from pbem.report.report import LetterPicture
from pbem.tale.walked_back import FoughtAt

WIDE, HIGH = 4.5, 4.2  # hexes that the attackers and targets of one picture may take up
MOST_PICTURES = 3


@dataclass(frozen=True)
class Cluster:
    """Some fights, and where they were fought."""

    cards: tuple[FightCard, ...]
    hexes: tuple[Hex, ...]  # of attackers and targets
    fights: tuple[tuple[int, FoughtAt], ...]  # by the number of their card
    picture: LetterPicture | None = None

    @property
    def stake(self) -> int:
        return sum(card.stake for card in self.cards)


def clustered(grid: Grid, cards: Sequence[FightCard], fights: Sequence[FoughtAt]) -> tuple[Cluster, ...]:
    """Each fight joins the first cluster that it fits into."""
    where = {id(fight.fact): fight for fight in fights}
    found: list[Cluster] = []
    for card in cards:
        fight = where.get(id(card.battle.fought))
        places = (*fight.sources, *fight.fact.targets) if fight is not None else card.battle.fought.targets
        hexes = tuple(h for spot in dict.fromkeys(places) if (h := grid.find(spot)) is not None)
        drawn = ((card.number, fight),) if fight is not None else ()
        for number, cluster in enumerate(found):
            if fits(grid, (*cluster.hexes, *hexes)):
                both = tuple(dict.fromkeys((*cluster.hexes, *hexes)))
                found[number] = Cluster((*cluster.cards, card), both, (*cluster.fights, *drawn))
                break
        else:
            found.append(Cluster((card,), hexes, drawn))
    return tuple(sorted(found, key=lambda cluster: -cluster.stake))


def fits(grid: Grid, hexes: Sequence[Hex]) -> bool:
    """Whether hexes lie within one picture."""
    if not hexes:
        return True
    centres = [grid.centre(h) for h in hexes]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    return max(xs) - min(xs) <= WIDE - 1 and max(ys) - min(ys) <= HIGH - 1
