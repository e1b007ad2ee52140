"""Facts, rolls and answers in words: one sentence for each, whatever the game."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine import facts as f
from engine.game import Game
from engine.log import Item
from engine.refusals import listing
from pbem.wording.marks_and_tracks import counted, marked, track_name
from pbem.wording.naming import WORDS, gathered

_PARTED = re.compile(r"(.*): ((?:[^()]|\([^()]*\))*)")
SKIPPED = WORDS["acts"]["skip"]
SUPPOSED = "Where the other side could have stepped in, it was taken to let it pass."  # in a dry run


def order_line(game: Game, body: dict[str, Any]) -> str:
    """The order that was given, as a player would write it, and where it came from if he did not write it just then."""
    return game.book.load(body["order"]).line() + WORDS["sources"].get(body.get("source", ""), "")


def answer_line(game: Game, body: dict[str, Any]) -> str:
    """An order with the side that gave it."""
    return f"{body['side']}: {order_line(game, body)}"


def roll_sentence(body: dict[str, Any]) -> str:
    """A die, a shuffle or a card dealt in words, with its place in its stream, so that it can be proved."""
    if "of" in body:
        return f"{capital(body['purpose'])}: {body['of'][body['value'] - 1]} (of {len(body['of'])}, {die_name(body)})."
    if body["sides"] == 1:
        return f"{capital(body['purpose'])} ({die_name(body)})."
    return f"Die for {body['purpose']}: {body['value']} of {body['sides']} ({die_name(body)})."


def die_name(body: dict[str, Any]) -> str:
    """The place of a die in its stream."""
    stream = body.get("stream", "dice")
    return f"no. {body.get('k', body.get('shuffle'))}" + ("" if stream == "dice" else f" of {stream}")


def place(game: Game, number: str) -> str:
    """A hex by its number and the name of what lies there."""
    found = game.board.grid.find(number)
    there = game.board.places.get(found) if found is not None else None
    return f"{number} {there.name}" if there is not None else number


@dataclass(frozen=True)
class ToldFacts:
    """A sentence, the case it rests on, and the facts that it tells."""

    text: str
    case: str
    facts: tuple[f.Fact, ...]

    def __str__(self) -> str:
        return f"{self.text} [{self.case}]" if self.case else self.text


def said(game: Game, facts: Iterable[f.Fact], reader: str = "") -> Iterator[ToldFacts]:
    """The facts in words; runs of facts of one kind and case are told in one sentence; the reader is you."""
    for (kind, case, _), run in groupby(facts, key=lambda fact: (type(fact), fact.because, getattr(fact, "side", ""))):
        same = tuple(run)
        together = _RUNS.get(kind)
        if together is not None and (len(same) > 1 or kind not in _SENTENCES):
            yield ToldFacts(capital(together(game, same)), case, same)
        else:
            yield from (ToldFacts(capital(_sentence(fact, reader)), case, (fact,)) for fact in same)


def _sentence(fact: f.Fact, reader: str) -> str:
    kind = type(fact)
    sentences = _YOURS if kind in _YOURS and getattr(fact, "by", "") == reader else _SENTENCES
    return sentences[kind](fact)


def fact_sentence(game: Game, fact: f.Fact) -> str:
    """One fact in words, without its case."""
    return next(said(game, [fact])).text


def stage_title(began: f.StageBegan | None) -> str:
    """A stage with its turn, and whose it is if its name does not say so."""
    if began is None:
        return "Before the first turn"
    whose = f", {began.side}" if began.side and began.side not in began.stage else ""
    return f"Turn {began.turn}: {stage_name(began.stage)}{whose}"


def stage_name(stage: str) -> str:
    """`soviet.combat` as people say it."""
    return stage.replace(".", " ").replace("_", " ") or "before the first turn"


def _placed(fact: f.Placed) -> str:
    lost = f", {steps(fact.lost)} lost" if fact.lost else ""
    return f"{fact.unit} placed at {fact.at}{lost}."


def _by_place(facts: Iterable[f.Placed]) -> list[str]:
    return [f"{at} {', '.join(units)}" for at, units in gathered((x.at, x.unit) for x in facts).items()]


def _moved(fact: f.Moved) -> str:
    return f"{WORDS['went'].get(fact.how, f'moved ({fact.how})')} {'-'.join(fact.path)}"


def _alike(pairs: Iterable[tuple[str, str]]) -> str:
    """Those who went the same way, or lost the same, together."""
    return "; ".join(f"{', '.join(units)} {what}" for what, units in gathered(pairs).items()) + "."


def steps(number: int) -> str:
    """Steps, counted in words."""
    return "a step" if number == 1 else f"{number} steps"


def _seen(fact: f.Sighted) -> str:
    """What is known of a unit that a side has seen."""
    lost = ", strength not known" if fact.lost is None else f", {steps(fact.lost)} lost" if fact.lost else ""
    return f"{fact.unit} at {fact.at}{lost}"


def _wiped(fact: f.Wiped) -> str:
    return f"Off {f'all of {fact.side}' if fact.side else 'everything'}: {', '.join(map(track_name, fact.marks))}."


def _chose(fact: f.Chose) -> str:
    """With its trace, each preference and whom it left: so that a player can audit a side that the rules play."""
    trace = "; ".join(f"{preference}: {', '.join(left)}" for preference, left in fact.trace)
    return f"{fact.who} {fact.what}: {fact.by}{f' ({trace})' if trace else ''}."


def decided(fought: f.Fought) -> str:
    """What decided a fight: a die, several, chits."""
    found = gathered(fought.decided).items()
    return ", ".join(f"{plural(what, len(values))} {' and '.join(values)}" for what, values in found)


def plural(what: str, number: int) -> str:
    """A word for one or for many."""
    return what if number == 1 else "dice" if what == "die" else f"{what}s"


def how_many(sorts: Iterable[str]) -> list[str]:
    """`3 attacks`, `1 overrun`: how many there are of each sort."""
    return [f"{number} {plural(sort, number)}" for sort, number in Counter(sorts).items()]


def fight_title(game: Game, fought: f.Fought) -> str:
    """What was attacked, and how."""
    return f"{capital(fought.kind)} on {', '.join(place(game, spot) for spot in fought.targets)}"


def fight_line(game: Game, fought: f.Fought) -> str:
    """A battle in one line of an index or under a picture."""
    return f"{fight_title(game, fought)}: {fought.column}, {fought.result}"


def parted(line: str) -> tuple[str, str]:
    """What a line of working names, and how much: by the last colon that stands in no brackets."""
    found = _PARTED.fullmatch(line)
    return (found[1], found[2]) if found else (line, "")


def working_lines(fought: f.Fought) -> list[str]:
    """How a battle was worked out, line by line."""
    return [f"{what} [{case}]" if case else what for what, case in fought.working]


def _fought(fact: f.Fought) -> str:
    against = f"{', '.join(fact.defenders) or 'nobody'} in {', '.join(fact.targets)}"
    how = f" ({'; '.join(working_lines(fact))})" if fact.working else ""
    by = ", ".join(part for part in (f"{fact.column}{how}", decided(fact)) if part)
    return f"{capital(fact.kind)} by {', '.join(fact.attackers)} on {against}: {by}: {fact.result}."


def _ended(fact: f.GameEnded) -> str:
    points = ", ".join(f"{side} {number}" for side, number in fact.points)
    return (
        f"The game ended: {fact.result}"
        + (f", won by {fact.winner}" if fact.winner and fact.winner not in fact.result else "")
        + (f" ({points})" if points else "")
        + "."
    )


_SENTENCES: dict[type[f.Fact], Callable[[Any], str]] = {
    f.StageBegan: lambda fact: f"{stage_title(fact)}.",
    f.Placed: _placed,
    f.StepGained: lambda fact: f"{fact.unit} regained {steps(fact.steps)}.",
    f.Eliminated: lambda fact: f"{fact.unit} was eliminated at {fact.at}.",
    f.Turned: lambda fact: f"{fact.unit} at {fact.at} proved to be {fact.into}.",
    f.Wiped: _wiped,
    f.TookHex: lambda fact: f"{fact.side} took {fact.hex}.",
    f.Pooled: lambda fact: f"{track_name(fact.pool)}: {listing(fact.items) or 'empty'}.",
    f.Drew: lambda fact: f"{fact.item} was drawn from {track_name(fact.pool)}.",
    f.Sighted: lambda fact: f"{fact.by} sighted {_seen(fact)}.",
    f.LostSight: lambda fact: f"{fact.by} lost sight of {fact.unit}.",
    f.Doubted: lambda fact: f"{fact.by} no longer knows the strength of {fact.unit}.",
    f.SeatTaken: lambda fact: f"Whoever was {fact.seat} plays {fact.side} from now on.",
    f.Fought: _fought,
    f.Chose: _chose,
    f.Halted: lambda fact: f"{fact.unit} halted at {fact.at}: {fact.why}.",
    f.Told: lambda fact: fact.text if fact.text.endswith((".", "!", "?")) else f"{fact.text}.",
    f.GameEnded: _ended,
}

# What a side comes to know and forgets, as it reads it itself.
_YOURS: dict[type[f.Fact], Callable[[Any], str]] = {
    f.Sighted: lambda fact: f"You see {_seen(fact)}.",
    f.LostSight: lambda fact: f"You lost sight of {fact.unit}.",
    f.Doubted: lambda fact: f"You no longer know the strength of {fact.unit}.",
}

_RUNS: dict[type[f.Fact], Callable[[Game, Sequence[Any]], str]] = {
    f.Placed: lambda game, facts: f"Placed: {'; '.join(_by_place(facts))}.",
    f.Moved: lambda game, facts: _alike((_moved(x), x.unit) for x in facts),
    f.StepLost: lambda game, facts: _alike((f"lost {steps(x.steps)}", x.unit) for x in facts),
    f.Marked: marked,
    f.Noted: marked,
    f.Counted: counted,
    f.TookHex: lambda game, facts: f"{facts[0].side} took {', '.join(place(game, x.hex) for x in facts)}.",
}


def told(game: Game, items: Iterable[Item], reader: str = "", *, everything: bool = False) -> Iterator[str]:
    """Answers, rolls and facts in words, one line each; what the rules note for themselves only if it is wanted."""
    for kind, run in groupby(items, key=lambda item: item.kind):
        same = list(run)
        if kind == "fact":
            facts = [item.fact for item in same]
            loud = (fact for fact in facts if everything or not game.keeps_quiet(fact))
            yield from map(str, said(game, loud, reader))
        elif kind == "roll":
            yield from (roll_sentence(item.body) for item in same)
        else:
            yield from (f"> {answer_line(game, item.body)}" for item in same)


def capital(sentence: str) -> str:
    """A sentence as it begins; names of units keep their own spelling."""
    first = sentence.split()[0].rstrip(":")
    return sentence[:1].upper() + sentence[1:] if first.isalpha() and first.islower() else sentence
