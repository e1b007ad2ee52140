"""Fights as cards: odds, die, result, what it means to the reader, one sentence, and the sum in a line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    odds: str
    decided: str
    result: str
    verdict: str
    tone: Tone
    sentence: str
    drawn: str  # what was drawn for it, where that is much
    why: str  # the reasons of a side that the rules play
    answered: str  # what was answered for the reader
    sums: str
    stake: int  # what hung on it for the reader: those with most are told first
    battle: Battle


@dataclass(frozen=True)
class _Outcome:
    """What came of a battle, counted for who attacked and who defended."""

    lost: dict[str, int]
    fallen: tuple[str, ...]
    back: tuple[March, ...]
    into: tuple[March, ...]
    stayed: tuple[str, ...]  # those of them who stand there now

    def fell(self, units: Iterable[str]) -> int:
        return sum(unit in self.fallen for unit in units)

    def hit(self, units: Iterable[str]) -> int:
        return sum(self.lost.get(unit, 0) for unit in units)

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
        odds=fought.column,
        decided=decided,
        result=fought.result,
        verdict=verdict,
        tone=tone,
        sentence=" ".join(_sentences(game, battle, came)),
        drawn=drawn if battle.told else "",
        answered="; ".join(answered_for(game, (*battle.before, *battle.after), reader)),
        why="; ".join(f"{', '.join(one.who)} {one.what}: {one.by}" for one in chosen),
        sums=sum_line(fought) if battle.told else "",
        stake=stake,
        battle=battle,
    )


def _outcome(game: Game, battle: Battle) -> _Outcome:
    gone = marches(facts_of(battle.after), game.setting.roster)
    attackers, targets = set(battle.fought.attackers), set(battle.fought.targets)
    into = [march for march in gone if attackers.intersection(march.units) and targets.intersection(march.path[1:])]
    back = [march for march in gone if march.how == "retreat"]
    stayed = [unit for march in into if march.path[-1] in targets for unit in march.units]
    return _Outcome(battle.lost, tuple(battle.fallen), tuple(back), tuple(into), tuple(stayed))


def _verdict(game: Game, battle: Battle, came: _Outcome, reader: str) -> tuple[str, Tone, int]:
    """A word for the reader, how grave it is, and what hung on it."""
    roster, fought = game.setting.roster, battle.fought
    units = (*fought.attackers, *fought.defenders)
    own = [unit for unit in units if roster.get(unit).side == reader]
    stake = 4 * came.fell(own) + 2 * came.hit(own) + came.fell(units) + came.hit(units)
    if any(roster.get(unit).side == reader for unit in fought.defenders):
        found = _defended(fought, came)
        return *found, stake + {"bad": 4, "shaken": 2}.get(found[1], 1)
    found = _attacked(fought, came)
    return *found, stake + (2 if found[1] == "good" else 1)


def _defended(fought: f.Fought, came: _Outcome) -> tuple[str, Tone]:
    if came.fell(fought.defenders):
        return "Unit lost", "bad"
    if came.stayed:
        return "Hex lost", "bad"
    if came.left(fought.defenders):
        return "Fell back", "shaken"
    return ("Hit, held", "worn") if came.hit(fought.defenders) else ("Held", "good")


def _attacked(fought: f.Fought, came: _Outcome) -> tuple[str, Tone]:
    if came.stayed:
        return "Took it", "good"
    if came.left(fought.defenders) or came.fell(fought.defenders):
        return "Drove them off", "good"
    if came.left(fought.attackers) or came.fell(fought.attackers):
        return "Thrown back", "bad"
    if came.hit(fought.defenders):
        return "Hit them", "good"
    return ("Cost us", "worn") if came.hit(fought.attackers) else ("No effect", "calm")


def _sentences(game: Game, battle: Battle, came: _Outcome) -> Iterator[str]:
    """Who fought whom, and all that came of it, what is alike told together."""
    fought = battle.fought
    yield f"{', '.join(fought.attackers) or 'Nobody'} against {', '.join(fought.defenders) or 'nobody'}."
    steps = gathered((lost, unit) for unit, lost in came.lost.items())
    losses = [f"{', '.join(units)} lost {words.steps(lost)}" for lost, units in steps.items()]
    if losses:
        yield f"{', '.join(losses)}."
    if came.fallen:
        yield f"{', '.join(came.fallen)} eliminated."
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
    told = [fact for fact in (*facts_of(battle.before), *after) if not (game.keeps_quiet(fact) or _is_told(fact, came))]
    # What else was taken was taken on somebody's way to or from the fight.
    rest = [fact for fact in told if not (isinstance(fact, f.TookHex) and fact.hex not in fought.targets)]
    yield from (one.text for one in words.said(game, rest))


def answered_for(game: Game, entries: Iterable[Entry], reader: str) -> list[str]:
    """The reader's answers that his standing orders or the defaults gave."""
    return [
        words.order_line(game, entry.item.body)
        for entry in entries
        if entry.item.kind == "answer"
        and entry.item.body.get("source") in BEFOREHAND
        and entry.item.body["side"] == reader
    ]


def _is_told(fact: f.Fact, came: _Outcome) -> bool:
    """Whether a fact has a sentence of its own, or needs none; where the fallen are laid needs none."""
    return isinstance(fact, _TOLD) or (isinstance(fact, f.Placed) and fact.unit in came.fallen)


def _decided(fought: f.Fought) -> tuple[str, str]:
    """What decided it: beside the odds there is room for a die or two; more is counted there, and told below."""
    if len(fought.decided) <= FEW:
        return words.decided(fought), ""
    counted = words.how_many(what for what, _ in fought.decided)
    return ", ".join(counted), " · ".join(value for _, value in fought.decided)


# The sum.


def sum_line(fought: f.Fought) -> str:
    """How it was worked out; units with the same modifiers share them."""
    parts: list[str] = []
    group: list[tuple[str, list[str]]] = []  # units with their strength, and what modifies each
    named = {*fought.attackers, *fought.defenders}

    def close() -> None:
        parts.extend(_shared(group))
        group.clear()

    for what, amount in map(_split, (what for what, _ in fought.working)):
        of = group[-1][0].partition(" ")[0] if group else ""
        if what in named:
            group.append((f"{what} {amount}", []))
        elif of and what.startswith(f"{of} "):
            group[-1][1].append(f"{amount} {what.removeprefix(of).strip()}")
        else:
            close()
            parts.append(f"{what} {amount}".strip())
    close()
    return " · ".join(parts)


def _split(line: str) -> tuple[str, str]:
    what, amount = words.parted(line)
    return what, _BY.sub("\u00f7", _TIMES.sub("\u00d7", amount))


def _shared(group: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    found: list[tuple[list[str], list[str]]] = []
    for unit, modifiers in group:
        if found and found[-1][1] == modifiers and modifiers:
            found[-1][0].append(unit)
        else:
            found.append(([unit], modifiers))
    for units, modifiers in found:
        each = "each " if len(units) > 1 else ""
        yield f"{', '.join(units)}, {each}{' '.join(modifiers)}" if modifiers else units[0]


def outcome_line(card: FightCard) -> str:
    """For whoever cannot see the picture: a fight in a line."""
    return f"{card.number}. {card.title}: {card.odds}, {card.result}. {card.verdict}"
