"""Marks and tracks in words: as their game says them, or by their names."""

import re
from collections.abc import Iterable, Sequence

from engine import facts as f
from engine.game import Game
from engine.reference import Track
from pbem.wording.naming import gathered

MOST_OF_A_MARK = 60  # letters of a value that is told
_BRACKETS = re.compile(r"\[([^]]*)\]")


def subject_name(subject: str) -> str:
    """Who or what a mark is on."""
    if not subject.startswith("@"):
        return subject or "the game"
    return f"{'hexside' if '/' in subject else 'hex'} {subject[1:]}"


def track_name(track: str) -> str:
    """A track's name as people read it."""
    return track.replace("_", " ")


def mark_words(game: Game, mark: str, value: int | str | None) -> str:
    """What is said of who bears a mark of this value, or bears it no longer."""
    known = game.marks.get(mark)
    if known is None or not known.says:
        return f"{'no longer ' if value is None else ''}{track_name(mark)}{_shown(value)}"
    own = known.values.get("gone" if value is None else str(value))
    if own is not None:
        return own
    more = r"\1" if _shown(value) else ""
    said = _BRACKETS.sub(more, known.says).replace("{value}", str(value))
    return f"no longer {said}" if value is None else said


def mark_name(game: Game, mark: str, value: int | str) -> str:
    """The same where there is little room: without a value of which the game does not say what it means."""
    known = game.marks.get(mark)
    return mark_words(game, mark, value if known is not None and known.says else 1)


def marked(game: Game, facts: Sequence[f.Marked]) -> str:
    """One mark as a sentence; several by mark, with those who have it."""
    if len(facts) == 1:
        borne = mark_words(game, facts[0].mark, facts[0].value)
        return f"{borne if _speaks_for_itself(game, facts[0]) else f'{subject_name(facts[0].subject)} {borne}'}."
    who = gathered((mark_words(game, fact.mark, fact.value), subject_name(fact.subject)) for fact in facts)
    return "Marked " + "; ".join(f"{mark}: {', '.join(subjects)}" for mark, subjects in who.items()) + "."


def _speaks_for_itself(game: Game, fact: f.Marked) -> bool:
    """Whether the words are about the game, so that it need not be named."""
    known = game.marks.get(fact.mark)
    return fact.subject == "game" and known is not None and bool(known.says)


def counted(game: Game, facts: Sequence[f.Counted]) -> str:
    """Tracks as a sentence, those of one kind together."""
    if len(facts) == 1 and _track(game, facts[0].track) is None:
        return f"{track_name(facts[0].track)}: {facts[0].value}."
    return " ".join(f"{heading}: {', '.join(items)}." for heading, items in told_tracks(game, facts))


def told_tracks(game: Game, facts: Iterable[f.Counted]) -> Iterable[tuple[str, list[str]]]:
    """Tracks under their headings; those of which the game says nothing under their own names."""
    return gathered(_told_track(game, fact) for fact in facts).items()


def _told_track(game: Game, fact: f.Counted) -> tuple[str, str]:
    known = _track(game, fact.track)
    if known is None:
        return "Tracks", f"{track_name(fact.track)} {fact.value}"
    name, track = known
    of = fact.track.removeprefix(name.removesuffix("*"))
    item = track.item.replace("{of}", of).replace("{value}", str(fact.value))
    return f"{track.heading[:1].upper()}{track.heading[1:]}", item


def _track(game: Game, track: str) -> tuple[str, Track] | None:
    if track in game.tracks:
        return track, game.tracks[track]
    starred = (one for one in game.tracks.items() if one[0].endswith("*") and track.startswith(one[0][:-1]))
    return next(starred, None)


def _shown(value: int | str | None) -> str:
    """A mark's value where it tells a person something: not where the rules keep a whole state in it."""
    return "" if value in (1, None) or len(str(value)) > MOST_OF_A_MARK else f" {value}"
