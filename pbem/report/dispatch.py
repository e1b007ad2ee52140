"""A dispatch: of all that a report tells, what stands in the letter, in the order in which it is needed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.drawer import Prospect
from pbem.report.clusters import Cluster, clustered
from pbem.report.fights import fight_card
from pbem.report.making import Moment
from pbem.report.neighbours import Newcomers, newcomers
from pbem.report.report import LetterPicture, Note, Report, ShownHand
from pbem.report.rules_side import RulesMove, moves_of_rules
from pbem.report.summary import HEAD, Summary, summary
from pbem.tale.walked_back import walked_back

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
    refused: tuple[tuple[str, str], ...] = ()  # lines that were not carried out, and why
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
    near: tuple[Newcomers, ...]
    others: str  # who moved besides, counted
    notes: tuple[Note, ...]
    acts: tuple[Note, ...]
    ended: tuple[Note, ...]
    map: LetterPicture | None = None
    prospects: tuple[Prospect, ...] = ()
    moves: tuple[RulesMove, ...] = ()  # of a side that the rules play
    hand: ShownHand | None = None

    @property
    def preheader(self) -> str:
        return self.short.preheader

    @property
    def pictures(self) -> tuple[LetterPicture, ...]:
        crops = [cluster.picture for cluster in self.clusters if cluster.picture is not None]
        hand = self.hand.picture if self.hand is not None else None
        return (*crops, *(picture for picture in (self.map, hand) if picture is not None))

    def illustrated(
        self, crops: Sequence[LetterPicture | None], whole: LetterPicture | None, cards: LetterPicture | None
    ) -> "Dispatch":
        """The same with its pictures: one for each cluster that has any, the map, the hand."""
        found = [replace(cluster, picture=picture) for cluster, picture in zip(self.clusters, crops, strict=True)]
        hand = replace(self.hand, picture=cards) if self.hand is not None else None
        return replace(self, clusters=tuple(found), map=whole, hand=hand)


def dispatch(now: Moment, report: Report, prospects: Sequence[Prospect] = ()) -> Dispatch:
    """The letter's part of a report."""
    game, seen, reader = now.game, now.seen, now.side
    fought = [battle for phase in report.phases for battle in phase.fought]
    begun = [battle.fought for battle in fought if not battle.told]  # in an earlier letter
    past = walked_back(seen.where, [*begun, *report.facts], game.setting.roster)
    waits = any(not ask.top for ask in now.asks)
    cards = [
        fight_card(game, battle, reader, number, undecided=waits and number == len(fought))
        for number, battle in enumerate(fought, 1)
    ]
    near, others = newcomers(game, seen, reader, report.facts)
    return Dispatch(
        head=head_line(report.standing),
        short=summary(game, seen, reader, report.facts, past, report.standing),
        fights=len(cards),
        clusters=clustered(game.board.grid, cards, past.fights),
        near=tuple(near),
        others=others,
        notes=tuple(
            note
            for phase in report.phases
            if phase.side not in game.setting.played
            for note in phase.notes
            if note.case and not note.slight
        )[-MOST_NOTES:],
        acts=report.acts,
        ended=report.ended,
        prospects=tuple(prospects),
        moves=tuple(moves_of_rules(game, report.phases)),
        hand=report.hand,
    )


def head_line(standing: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Turn, date and weather, as far as the game has them."""
    found = {label.casefold(): value for label, value in standing}
    return tuple(f"turn {found[name]}" if name == "turn" else found[name] for name in HEAD if name in found)
