"""What a side that the rules play did, row by row, with its reasons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.game import Game
from pbem.report.report import Phase
from pbem.tale.reasons import Reason
from pbem.wording.words import fight_title

MOST_LEFT = 6  # of those that a preference left: the report has all


@dataclass(frozen=True)
class RulesMove:
    """Who did what, and why; what happened to nobody in particular has no `who`."""

    what: str
    who: str = ""
    why: str = ""


def moves_of_rules(game: Game, phases: Sequence[Phase]) -> Iterator[RulesMove]:
    """The impulses of sides that nobody sits for, in their order; fights by the number of their card."""
    number = 0
    for phase in phases:
        numbered = [*enumerate(phase.fought, number + 1)]
        number += len(numbered)
        if phase.side not in game.setting.played:
            continue
        yield from map(_chosen, phase.reasons)
        yield from (RulesMove(note.text) for note in phase.notes if note.case and not note.count)
        yield from (RulesMove(f"{fight_title(game, battle.fought)}: fight {n}.") for n, battle in numbered)


def _chosen(reason: Reason) -> RulesMove:
    trace = f" ({reason.traced(MOST_LEFT)})" if reason.trace else ""
    case = f" [{reason.case}]" if reason.case else ""
    return RulesMove(reason.what, ", ".join(reason.who), f"{reason.by}{trace}{case}")
