"""A dispatch: of all that a report tells, what stands in the letter, in the order in which it is needed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import facts as f
from engine.drawer import Prospect
from engine.game import Game
from engine.hexes import Grid, Hex
from pbem.report.fights import FightCard, fight_card
from pbem.report.making import Moment
from pbem.report.report import LetterPicture, Note, Phase, Report, ShownHand
from pbem.report.summary import HEAD, Summary, summary
from pbem.tale.marches import FoughtAt, marches, walked_back, went_on
from pbem.wording.naming import gathered, side_title
from pbem.wording.rulings import Refused
from pbem.wording.words import fight_title, place

WIDE, HIGH = 4.5, 4.2  # hexes that the attackers and targets of one picture may take up
MOST_PICTURES = 3


@dataclass(frozen=True)
class Cluster:
    """Some fights, and where they were fought."""

    cards: tuple[FightCard, ...]
    hexes: tuple[Hex, ...]  # of attackers and targets
    fights: tuple[tuple[int, FoughtAt], ...]  # by the number of their card
    picture: LetterPicture | None = None


def clustered(grid: Grid, cards: Sequence[FightCard], fights: Sequence[FoughtAt]) -> tuple[Cluster, ...]:
    """Each fight joins the first cluster that it fits into."""
    where = {id(fight.fact): fight for fight in fights}
    found: list[Cluster] = []
    for card in cards:
        fight = where.get(id(card.battle.fought))
        places = (*fight.sources, *fight.fact.targets) if fight is not None else card.battle.fought.targets
        hexes = tuple(h for spot in dict.fromkeys(places) if (h := grid.find(spot)) is not None)
        drawn = ((card.number, fight),) if fight is not None else ()
        at = next((n for n, one in enumerate(found) if fits(grid, (*one.hexes, *hexes))), len(found))
        near = found[at] if at < len(found) else Cluster((), (), ())
        both = tuple(dict.fromkeys((*near.hexes, *hexes)))
        found[at : at + 1] = [Cluster((*near.cards, card), both, (*near.fights, *drawn))]
    return tuple(sorted(found, key=lambda cluster: -sum(card.stake for card in cluster.cards)))


def fits(grid: Grid, hexes: Sequence[Hex]) -> bool:
    """Whether hexes lie within one picture."""
    if not hexes:
        return True
    centres = [grid.centre(h) for h in hexes]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    return max(xs) - min(xs) <= WIDE - 1 and max(ys) - min(ys) <= HIGH - 1


def newcomers(now: Moment, facts: Sequence[f.Fact]) -> tuple[list[tuple[str, str, str]], str]:
    """Enemies by hex, where they came from, and whom they touch, and all other moves in a line.

    A unit that went on is told where it stands now.
    """
    game, seen, reader = now.game, now.seen, now.side
    grid, own = seen.setting.grid, seen.held(reader) if reader in seen.setting.sides else 0
    came = [m for m in marches(facts, game.setting.roster) if m.side != reader and m.how != "retreat"]
    origin = gathered((unit, march.path[0]) for march in came for unit in march.units)
    there = gathered((seen.hex_of(unit), unit) for unit in origin)
    found, told = [], set[str]()
    for spot, h in sorted((grid.number_of(h), h) for h in there if h is not None):
        touched = [grid.number_of(n) for n in grid.neighbours(h) if own >> n & 1]
        if touched:
            starts = ((unit, origin[unit][0]) for unit in there[h])
            units = [f"{unit} from {start}" if grid.has(start) else unit for unit, start in starts]
            found.append((place(game, spot), ", ".join(units), ", ".join(touched)))
            told.update(there[h])
    return found, _others(game, reader, facts, told)


def _others(game: Game, reader: str, facts: Sequence[f.Fact], told: set[str]) -> str:
    """How many moved besides."""
    moved = dict.fromkeys(move.unit for move in went_on(facts) if move.unit not in told)
    counts = Counter(game.setting.roster.get(unit).side for unit in moved)
    sides = sorted(counts, key=lambda side: side == reader)
    return " and ".join(f"{counts[side]} {'of yours' if side == reader else side_title(side)}" for side in sides)


MOST_LEFT = 6  # of those that a preference left: the report has all


def moves_of_rules(game: Game, phases: Sequence[Phase]) -> Iterator[tuple[str, str, str]]:
    """Who did what, and why, of sides that nobody sits for, in their order; fights by the number of their card.

    What happened to nobody in particular has no `who`.
    """
    number = 0
    for phase in phases:
        numbered = [*enumerate(phase.fought, number + 1)]
        number += len(numbered)
        if phase.side not in game.setting.played:
            continue
        for one in phase.reasons:
            trace = f" ({one.traced(MOST_LEFT)})" if one.trace else ""
            yield ", ".join(one.who), one.what, f"{one.by}{trace}{f' [{one.case}]' if one.case else ''}"
        yield from (("", note.text, "") for note in phase.notes if note.case and not note.count)
        yield from (("", f"{fight_title(game, battle.fought)}: fight {n}.", "") for n, battle in numbered)


MOST_NOTES = 6  # of what happened besides fights and marches


@dataclass(frozen=True)
class Button:
    """A mail ready to be sent: what it says, and where the tap leads."""

    label: str
    link: str


@dataclass(frozen=True)
class AskBox:
    """What is asked, of whom, by when, and what happens if nothing is said."""

    yours: bool
    deadline: str = ""  # By Friday 20 November, 20:00
    left: str = ""  # in 2 days 5 hours, your time (Europe/Kyiv)
    silence: str = ""  # what is ordered if nothing is said
    prompt: str = ""
    verbs: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()  # lines that were not carried out, and why
    advice: str = ""  # what to do about them
    write: Button | None = None
    answers: tuple[Button, ...] = ()
    every: bool = False  # the answers are all there are
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dispatch:
    """What one reader is told on the first screens."""

    head: tuple[str, ...]  # turn, date, weather
    short: Summary
    fights: int
    clusters: tuple[Cluster, ...]
    near: tuple[tuple[str, str, str], ...]  # where enemies stand now, who, and beside whom
    others: str  # who moved besides, counted
    notes: tuple[Note, ...]
    map: LetterPicture | None = None
    prospects: tuple[Prospect, ...] = ()
    moves: tuple[tuple[str, str, str], ...] = ()  # of a side that the rules play: who, what, and why
    hand: ShownHand | None = None

    @property
    def pictures(self) -> tuple[LetterPicture, ...]:
        crops = [cluster.picture for cluster in self.clusters if cluster.picture is not None]
        hand = self.hand.picture if self.hand is not None else None
        return (*crops, *(picture for picture in (self.map, hand) if picture is not None))


def dispatch(now: Moment, report: Report, prospects: Sequence[Prospect] = ()) -> Dispatch:
    """The letter's part of a report."""
    game = now.game
    fought = [battle for phase in report.phases for battle in phase.fought]
    begun = [battle.fought for battle in fought if not battle.told]  # in an earlier letter
    past = walked_back(now.seen.where, [*begun, *report.facts], game.setting.roster)
    waits = any(not ask.top for ask in now.asks)
    cards = [
        fight_card(game, battle, now.side, number, undecided=waits and number == len(fought))
        for number, battle in enumerate(fought, 1)
    ]
    notes = [note for phase in report.phases if phase.side not in game.setting.played for note in phase.notes]
    near, others = newcomers(now, report.facts)
    return Dispatch(
        head=head_line(report.standing),
        short=summary(now, report, past),
        fights=len(cards),
        clusters=clustered(game.board.grid, cards, past.fights),
        near=tuple(near),
        others=others,
        notes=tuple(note for note in notes if note.case and not note.slight)[-MOST_NOTES:],
        prospects=tuple(prospects),
        moves=tuple(moves_of_rules(game, report.phases)),
        hand=report.hand,
    )


def head_line(standing: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Turn, date and weather, as far as the game has them."""
    found = {label.casefold(): value for label, value in standing}
    return tuple(f"turn {found[name]}" if name == "turn" else found[name] for name in HEAD if name in found)
