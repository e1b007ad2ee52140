"""Fights as cards: odds, die, result, what it means to the reader, one sentence, and the sum in a line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from engine import facts as f
from engine.game import Game
from pbem.tale.deeds import Battle, reasons
from pbem.tale.entries import Entry, facts_of
from pbem.tale.marches import March, marches
from pbem.wording import words
from pbem.wording.marks_and_tracks import mark_name, subject_name
from pbem.wording.naming import gathered

Tone = Literal["bad", "worn", "shaken", "good", "calm"]

# In sentences of their own, or not at all: who fought is named, and the sum has their strengths.
_TOLD = (f.Moved, f.StepLost, f.Eliminated, f.Marked, f.StageBegan, f.Counted, f.Chose, f.Sighted, f.Doubted)
BEFOREHAND = ("standing", "default")  # whence answers come that nobody wrote just then
FEW = 2  # dice or chits that are told beside the odds
ASKED_ABOUT = 1000  # what is being asked about comes first
_TIMES = re.compile(r"^x(?=\d)")
_BY = re.compile(r"^/(?=\d)")


@dataclass(frozen=True)
class FightCard:
    """A fight as one reader sees it."""

    number: int
    title: str
    decided: str
    verdict: str
    tone: Tone
    sentence: str
    drawn: str  # what was drawn for it, where that is much
    why: str  # the reasons of a side that the rules play
    answered: str  # what was answered for the reader
    sums: str
    stake: int  # what hung on it for the reader: those with most are told first
    battle: Battle

    @property
    def outcome(self) -> str:
        """For whoever cannot see the picture: the fight in a line."""
        fought = self.battle.fought
        return f"{self.number}. {self.title}: {fought.column}, {fought.result}. {self.verdict}"


@dataclass(frozen=True)
class _Outcome:
    """Who marched after a battle: those who fell back, those who went in, and who of them stand there now."""

    back: list[March]
    into: list[March]
    stayed: list[str]

    def left(self, units: Iterable[str]) -> bool:
        gone = {unit for march in self.back for unit in march.units}
        return any(unit in gone for unit in units)


def fight_card(game: Game, battle: Battle, reader: str, number: int, *, undecided: bool = False) -> FightCard:
    """A battle for a reader; one that still waits for an answer says so."""
    fought = battle.fought
    came = _outcome(game, battle)
    verdict, tone, stake = _verdict(game, battle, came, reader)
    if undecided:
        verdict, tone, stake = "Undecided", "calm", stake + ASKED_ABOUT
    title, (decided, drawn) = words.fight_title(game, fought), _decided(fought)
    chosen = reasons((*facts_of(battle.before), *facts_of(battle.after)))
    return FightCard(
        number=number,
        title=title if battle.told else f"{title}, continued",
        decided=decided,
        verdict=verdict,
        tone=tone,
        sentence=" ".join(_sentences(game, battle, came, reader)),
        drawn=drawn if battle.told else "",
        answered="; ".join(_answered_for(game, (*battle.before, *battle.after), reader)),
        why="; ".join(f"{', '.join(one.who)} {one.what}: {one.by}" for one in chosen),
        sums=" · ".join(_sums(fought)) if battle.told else "",
        stake=stake,
        battle=battle,
    )


def _outcome(game: Game, battle: Battle) -> _Outcome:
    gone = marches(facts_of(battle.after), game.setting.roster)
    attackers, targets = set(battle.fought.attackers), set(battle.fought.targets)
    into = [march for march in gone if attackers.intersection(march.units) and targets.intersection(march.path[1:])]
    stayed = [unit for march in into if march.path[-1] in targets for unit in march.units]
    return _Outcome([march for march in gone if march.how == "retreat"], into, stayed)


def _verdict(game: Game, battle: Battle, came: _Outcome, reader: str) -> tuple[str, Tone, int]:
    """A word for the reader, how grave it is, and what hung on it."""
    ours, theirs = battle.fought.attackers, battle.fought.defenders
    fell, hit, left = battle.fell, battle.hit, came.left
    own = [unit for unit in (*ours, *theirs) if game.setting.roster.get(unit).side == reader]
    stake = 4 * fell(own) + 2 * hit(own) + fell((*ours, *theirs)) + hit((*ours, *theirs))
    defended: list[tuple[object, str, Tone, int]] = [
        (fell(theirs), "Unit lost", "bad", 4),
        (came.stayed, "Hex lost", "bad", 4),
        (left(theirs), "Fell back", "shaken", 2),
        (hit(theirs), "Hit, held", "worn", 1),
        (True, "Held", "good", 1),
    ]
    attacked: list[tuple[object, str, Tone, int]] = [
        (came.stayed, "Took it", "good", 2),
        (left(theirs) or fell(theirs), "Drove them off", "good", 2),
        (left(ours) or fell(ours), "Thrown back", "bad", 1),
        (hit(theirs), "Hit them", "good", 2),
        (hit(ours), "Cost us", "worn", 1),
        (True, "No effect", "calm", 1),
    ]
    found = defended if any(unit in theirs for unit in own) else attacked
    return next((word, tone, stake + more) for holds, word, tone, more in found if holds)


def _sentences(game: Game, battle: Battle, came: _Outcome, reader: str) -> Iterator[str]:
    """Who fought whom, and all that came of it, what is alike told together."""
    fought = battle.fought
    yield f"{', '.join(fought.attackers) or 'Nobody'} against {', '.join(fought.defenders) or 'nobody'}."
    steps = gathered((lost, unit) for unit, lost in battle.lost.items())
    losses = [f"{', '.join(units)} lost {words.steps(lost)}" for lost, units in steps.items()]
    if losses:
        yield f"{', '.join(losses)}."
    if battle.fallen:
        yield f"{', '.join(battle.fallen)} eliminated."
    for march in came.back:
        yield f"{', '.join(march.units)} fell back to {march.path[-1]}."
    if came.stayed:
        yield f"{', '.join(came.stayed)} went in."
    for march in came.into:
        if march.path[-1] not in fought.targets:
            yield f"{', '.join(march.units)} went in and on to {march.path[-1]}."
    after = facts_of(battle.after)
    marked = gathered(
        (mark_name(game, fact.mark, fact.value), subject_name(fact.subject))
        for fact in after
        if isinstance(fact, f.Marked) and not game.keeps_quiet(fact) and fact.value is not None
    )
    yield from (f"{words.capital(mark)}: {', '.join(dict.fromkeys(who))}." for mark, who in marked.items())
    rest = [fact for fact in (*facts_of(battle.before), *after) if not (game.keeps_quiet(fact) or _told(fact, battle))]
    yield from (one.text for one in words.said(game, rest, reader))


def _answered_for(game: Game, entries: Iterable[Entry], reader: str) -> list[str]:
    """The reader's answers that his standing orders or the defaults gave."""
    return [
        words.order_line(game, entry.item.body)
        for entry in entries
        if entry.item.kind == "answer"
        and entry.item.body.get("source") in BEFOREHAND
        and entry.item.body["side"] == reader
    ]


def _told(fact: f.Fact, battle: Battle) -> bool:
    """Whether a fact has a sentence of its own, or needs none; where the fallen are laid needs none."""
    if isinstance(fact, f.TookHex):  # what else was taken was taken on somebody's way to or from the fight
        return fact.hex not in battle.fought.targets
    return isinstance(fact, _TOLD) or (isinstance(fact, f.Placed) and fact.unit in battle.fallen)


def _decided(fought: f.Fought) -> tuple[str, str]:
    """What decided it: beside the odds there is room for a die or two; more is counted there, and told below."""
    if len(fought.decided) <= FEW:
        return words.decided(fought), ""
    counted = words.how_many(what for what, _ in fought.decided)
    return ", ".join(counted), " · ".join(value for _, value in fought.decided)


def _sums(fought: f.Fought) -> Iterator[str]:
    """How it was worked out; units with the same modifiers share them."""
    rows: list[tuple[str, list[str] | None]] = []  # units with their strength, and what modifies each; all else alone
    for what, amount in (words.parted(what) for what, _ in fought.working):
        much = _BY.sub("\u00f7", _TIMES.sub("\u00d7", amount))
        of, modifiers = rows[-1] if rows else ("", None)
        unit = of.partition(" ")[0]
        if what in (*fought.attackers, *fought.defenders):
            rows.append((f"{what} {much}", []))
        elif modifiers is not None and what.startswith(f"{unit} "):
            modifiers.append(f"{much} {what.removeprefix(unit).strip()}")
        else:
            rows.append((f"{what} {much}".strip(), None))
    for shared, run in groupby(rows, key=lambda row: row[1]):
        names = [name for name, _ in run]
        each = "each " if len(names) > 1 else ""
        yield from [f"{', '.join(names)}, {each}{' '.join(shared)}"] if shared else names
