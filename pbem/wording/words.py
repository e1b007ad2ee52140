"""Facts, rolls and answers in words: one sentence for each, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from engine import facts as f
from engine.game import Game
from engine.refusals import listing

_WENT = {
    "move": "moved",
    "retreat": "retreated",
    "advance": "advanced",
    "enter": "entered the map",
    "rail": "went by rail",
}


_SOURCES = {
    "clause": " (tied to an order)",
    "drawer": " (from the drawer)",
    "standing": " (standing order)",
    "default": " (by default)",
}
SUPPOSED = "Where the other side could have stepped in, it was taken to let it pass."  # in a dry run


def order_line(game: Game, body: dict[str, Any]) -> str:
    """The order that was given, as a player would write it, and where it came from if he did not write it just then."""
    return game.book.load(body["order"]).line() + _SOURCES.get(body.get("source", ""), "")


def answer_line(game: Game, body: dict[str, Any]) -> str:
    """An order with the side that gave it."""
    return f"{body['side']}: {order_line(game, body)}"


def roll_sentence(body: dict[str, Any]) -> str:
    """A die in words."""
    return f"Die for {body['purpose']}: {body['value']} (of {body['sides']})."


def fact_sentences(facts: Iterable[f.Fact]) -> Iterator[str]:
    """The facts in words; runs of small bookkeeping facts are told in one sentence."""
    for kind, run in groupby(facts, key=type):
        together = _RUNS.get(kind)
        same = list(run)
        if together is not None and len(same) > 1:
            yield together(same)
        else:
            for fact in same:
                yield fact_sentence(fact) + case_note(fact)


def fact_sentence(fact: f.Fact) -> str:
    """One fact in words, without its case."""
    return _SENTENCES[type(fact)](fact)


def case_note(fact: f.Fact) -> str:
    """Why, where a fact says so: a case by its number, anything else as it stands."""
    if not fact.because:
        return ""
    return f" [{fact.because}]"


def _stage(fact: f.StageBegan) -> str:
    whose = f", {fact.side}" if fact.side and fact.side not in fact.stage else ""
    return f"Turn {fact.turn}: {stage_name(fact.stage)}{whose}."


def stage_name(stage: str) -> str:
    """`soviet.combat` as people say it."""
    return stage.replace(".", " ").replace("_", " ") or "before the first turn"


def _placed(fact: f.Placed) -> str:
    lost = f", {steps(fact.lost)} lost" if fact.lost else ""
    return f"{fact.unit} placed at {fact.at}{lost}."


def _all_placed(facts: list[f.Placed]) -> str:
    where: dict[str, list[str]] = {}
    for fact in facts:
        where.setdefault(fact.at, []).append(fact.unit)
    return "Placed: " + "; ".join(f"{at} {', '.join(units)}" for at, units in where.items()) + "."


def _moved(fact: f.Moved) -> str:
    went = _WENT.get(fact.how, f"moved ({fact.how})")
    return f"{fact.unit} {went} {'-'.join(fact.path)}."


def steps(number: int) -> str:
    """Steps, counted in words."""
    return "a step" if number == 1 else f"{number} steps"


def _turned(fact: f.Turned) -> str:
    return f"{fact.unit} proved to be {fact.into}."


def subject_name(subject: str) -> str:
    """Who or what a mark is on."""
    return f"hex {subject[1:]}" if subject.startswith("@") else subject or "the game"


def _mark(fact: f.Marked) -> str:
    subject = subject_name(fact.subject)
    if fact.value is None:
        return f"{subject} no longer {fact.mark}"
    return f"{subject} {fact.mark}" if fact.value == 1 else f"{subject} {fact.mark} {fact.value}"


def _all_marked(facts: list[f.Marked]) -> str:
    """By mark, with those who have it."""
    who: dict[str, list[str]] = {}
    for fact in facts:
        value = "" if fact.value in (1, None) else f" {fact.value}"
        mark = f"{'no longer ' if fact.value is None else ''}{fact.mark}{value}"
        who.setdefault(mark, []).append(subject_name(fact.subject))
    return "Marked " + "; ".join(f"{mark}: {', '.join(subjects)}" for mark, subjects in who.items()) + "."


def _all_counted(facts: list[f.Counted]) -> str:
    return f"Tracks: {', '.join(f'{track_name(fact.track)} {fact.value}' for fact in facts)}."


def track_name(track: str) -> str:
    """A track's name as people read it."""
    return track.replace("_", " ")


def _pooled(fact: f.Pooled) -> str:
    return f"{track_name(fact.pool)}: {listing(fact.items) or 'empty'}."


def _fought(fact: f.Fought) -> str:
    against = f"{', '.join(fact.defenders) or 'nobody'} in {', '.join(fact.targets)}"
    working = "; ".join(f"{what} [{case}]" if case else what for what, case in fact.working)
    how = f" ({working})" if working else ""
    what = f"{fact.kind[:1].upper()}{fact.kind[1:]} by {', '.join(fact.attackers)} on {against}"
    return f"{what}: {fact.column}{how}, die {fact.die}: {fact.result}."


def _ended(fact: f.GameEnded) -> str:
    points = ", ".join(f"{side} {number}" for side, number in fact.points)
    return (
        f"The game ended: {fact.result}"
        + (f", won by {fact.winner}" if fact.winner and fact.winner not in fact.result else "")
        + (f" ({points})" if points else "")
        + "."
    )


_SENTENCES: dict[type[f.Fact], Callable[[Any], str]] = {
    f.StageBegan: _stage,
    f.Placed: _placed,
    f.Moved: _moved,
    f.StepLost: lambda fact: f"{fact.unit} lost {steps(fact.steps)}.",
    f.StepGained: lambda fact: f"{fact.unit} regained {steps(fact.steps)}.",
    f.Eliminated: lambda fact: f"{fact.unit} was eliminated at {fact.at}.",
    f.Turned: _turned,
    f.Marked: lambda fact: f"{_mark(fact)}.",
    f.Counted: lambda fact: f"{track_name(fact.track)}: {fact.value}.",
    f.TookHex: lambda fact: f"{fact.side} took {fact.hex}.",
    f.Pooled: _pooled,
    f.Drew: lambda fact: f"{fact.item} was drawn from {track_name(fact.pool)}.",
    f.Sighted: lambda fact: f"{fact.by} sighted {fact.unit}.",
    f.LostSight: lambda fact: f"{fact.by} lost sight of {fact.unit}.",
    f.SeatTaken: lambda fact: f"Whoever was {fact.seat} plays {fact.side} from now on.",
    f.Fought: _fought,
    f.Halted: lambda fact: f"{fact.unit} halted at {fact.at}: {fact.why}.",
    f.Told: lambda fact: fact.text if fact.text.endswith((".", "!", "?")) else f"{fact.text}.",
    f.GameEnded: _ended,
}

_RUNS: dict[type[f.Fact], Callable[[Any], str]] = {
    f.Placed: _all_placed,
    f.Marked: _all_marked,
    f.Counted: _all_counted,
}


def told(game: Game, items: Iterable[Any], *, everything: bool = False) -> Iterator[str]:
    """Answers, rolls and facts (anything with `kind` and `body`) in words, one line each.

    Marks that come off are left out unless everything is wanted: the end of a phase takes off dozens.
    """
    wanted = [item for item in items if everything or not _comes_off(item.body)]
    for kind, run in groupby(wanted, key=lambda item: item.kind):
        bodies = [item.body for item in run]
        if kind == "fact":
            for sentence in fact_sentences(f.load(body) for body in bodies):
                yield capital(sentence)
        elif kind == "roll":
            yield from map(roll_sentence, bodies)
        else:
            yield from (f"> {answer_line(game, body)}" for body in bodies)


def _comes_off(body: dict[str, Any]) -> bool:
    return body.get("fact") == "Marked" and body.get("value", 1) is None


def capital(sentence: str) -> str:
    """A sentence as it begins; names of units keep their own spelling."""
    first = sentence.split()[0].rstrip(":")
    return sentence[:1].upper() + sentence[1:] if first.isalpha() and first.islower() else sentence
