"""Marks told together: by heading, by mark, with those who have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine import facts as f
from engine.reference import Mark
from pbem.report.report import Note, NoteGroup
from pbem.report.seen import Seen
from pbem.wording.words import subject_name, track_name


def is_quiet(fact: f.Marked, known: Mapping[str, Mark]) -> bool:
    """Whether only the rules care: bookkeeping, and what comes off by itself."""
    mark = known.get(fact.mark)
    return mark is not None and (mark.quiet or (fact.value is None and bool(mark.lasts)))


def mark_groups(marked: Iterable[tuple[Seen, f.Marked]], known: Mapping[str, Mark]) -> tuple[NoteGroup, ...]:
    """What a phase left marked, under the headings that the game gives its marks; a mark to and fro is told once."""
    last: dict[tuple[str, str], tuple[f.Marked, list[str]]] = {}
    for item, fact in marked:
        _, told = last.pop((fact.subject, fact.mark), (fact, []))
        last[fact.subject, fact.mark] = fact, [*told, item.id]
    notes: dict[str, dict[tuple[str, str], tuple[list[str], list[str]]]] = {}
    for fact, told in last.values():
        heading = known.get(fact.mark, Mark(fact.mark)).heading
        subjects, ids = notes.setdefault(heading, {}).setdefault((_said(fact), fact.because), ([], []))
        subjects.append(subject_name(fact.subject))
        ids += told
    return tuple(
        NoteGroup(heading, tuple(Note(_one(said, who), case, tuple(ids)) for (said, case), (who, ids) in found.items()))
        for heading, found in notes.items()
    )


def _one(said: str, subjects: list[str]) -> str:
    said = f"{said[:1].upper()}{said[1:]}"
    return said if subjects == ["game"] else f"{said}: {', '.join(dict.fromkeys(subjects))}"


def _said(fact: f.Marked) -> str:
    if fact.value is None:
        return f"no longer {track_name(fact.mark)}"
    value = "" if fact.value == 1 else f" {fact.value}"
    return f"{track_name(fact.mark)}{value}"


def bookkeeping(marked: Iterable[tuple[Seen, f.Marked]]) -> tuple[Note, ...]:
    """What only the rules care for, in as few words as can be: a note for each mark."""
    kept: dict[str, list[tuple[Seen, f.Marked]]] = {}
    for item, fact in marked:
        kept.setdefault(fact.mark, []).append((item, fact))
    return tuple(
        Note(_kept(mark, [fact for _, fact in own]), "", tuple(item.id for item, _ in own))
        for mark, own in kept.items()
    )


def _kept(mark: str, facts: list[f.Marked]) -> str:
    on = {subject_name(fact.subject): None for fact in facts if fact.value is not None}
    off = {subject_name(fact.subject): None for fact in facts if fact.value is None}
    if not on:
        return f"{track_name(mark)}: off {', '.join(off)}"
    said = f"{track_name(mark)}: {'; '.join(_by_value(facts))}"
    if not off:
        return said
    return f"{said}; off again" if set(on) == set(off) else f"{said}; off {', '.join(off)}"


def _by_value(facts: list[f.Marked]) -> Iterator[str]:
    """Those with the same value together, those with one of their own in a row."""
    who: dict[str, dict[str, None]] = {}
    for fact in facts:
        if fact.value is not None:
            who.setdefault("" if fact.value == 1 else str(fact.value), {})[subject_name(fact.subject)] = None
    alone = [_alone(next(iter(own)), value) for value, own in who.items() if len(own) == 1]
    if alone:
        yield ", ".join(alone)
    for value, own in who.items():
        if len(own) > 1:
            yield f"{value}: {', '.join(own)}" if value else ", ".join(own)


def _alone(subject: str, value: str) -> str:
    return value or subject if subject == "game" else f"{subject} {value}".strip()
