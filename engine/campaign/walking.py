"""The rules led along a log again, line by line, by one process or by several from one place each."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from itertools import accumulate, pairwise
from typing import Any

from engine import log
from engine.campaign.folding import Folded, opened, put_back, replay, units_by_side
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.game import Game
from engine.log.lines import CORRECT
from engine.referee import Differs, Referee
from engine.referee.record import compare

Progress = Callable[[int, int], None]
SPANS = 4  # for each worker: whoever has a quick one takes the next
LOOKS = 0.1  # seconds between two looks at how far the workers are


def rules_faults(
    lines: Sequence[log.Line | None], game: Game, secret: bytes, progress: Progress | None = None, workers: int = 1
) -> list[log.Fault]:
    """What the rules do not give again, up to the first thing: what follows from it would be noise."""
    whole = [line for line in lines if line is not None]
    readable = next((n for n, line in enumerate(lines) if line is None), len(lines))
    spans = _spans(whole[:readable], SPANS * workers if workers > 1 else 1)
    faults = _side_by_side(whole, game, secret, spans, progress, workers) if len(spans) > 1 else None
    if faults is None:
        done = (lambda n: progress(n, len(lines))) if progress is not None else None
        faults = list(_span_faults(whole, game, secret, range(readable), done))
    if not faults and readable < len(lines):
        faults = [log.Fault(readable, "the rules could not be followed beyond it")]
    return sorted(faults, key=lambda fault: fault.line)[:1] or list(_folding_faults(whole, game, secret))


def _spans(lines: Sequence[log.Line], number: int) -> list[range]:
    """The log in so many parts, each with about as much in it."""
    much = list(accumulate(sum(map(len, line["parts"].values())) for line in lines))
    cuts = {next(n for n, sum_ in enumerate(much) if sum_ * number >= much[-1] * part) for part in range(1, number)}
    borders = [0, *sorted(cuts - {0}), len(lines)]
    return [range(start, stop) for start, stop in pairwise(borders)]


def _span_faults(
    lines: Sequence[log.Line],
    game: Game,
    secret: bytes,
    span: range,
    done: Callable[[int], object] | None = None,
    folded: Folded | None = None,
) -> Iterator[log.Fault]:
    """The first thing in a part of the log that the rules do not give again.

    A part in the middle is entered where the facts before it lead: that they do, another part shows, and the seal.
    """
    n = max(0, span.start - 1)
    try:
        walk = _Walk(game, lines)
        if span.start:
            walk.stand_after(lines[: span.start], folded)
        if span.start and not _sealed(walk, secret, lines[n]):
            yield log.Fault(n, "its facts lead to another position than the one it seals")
            return
        for n in span:
            walk.go(lines[n])
            if not _sealed(walk, secret, lines[n]):
                yield log.Fault(n, "the position after it is not the one it seals")
                return
            if done is not None:
                done(n + 1)
    except Differs as differs:
        yield log.Fault(n, f"the rules do not give it again{_other_rules(lines[n], game)}: {differs}")
    except Exception as problem:  # damaged data may break the rules anywhere
        yield log.Fault(n, f"the rules cannot follow it{_other_rules(lines[n], game)} ({said_of(problem)})")


def _sealed(walk: _Walk, secret: bytes, line: log.Line) -> bool:
    position = walk.referee.position.hash()
    return bool(log.position_seal(secret, walk.lines[0]["game"], line["n"], position) == line["position"])


def _folding_faults(lines: Sequence[log.Line], game: Game, secret: bytes) -> Iterator[log.Fault]:
    """Whether the facts in force lead to the last position. Where nothing was taken back the rules have shown it."""
    if not lines or not any("back" in line for line in lines):
        return
    last = lines[-1]
    try:
        folded = log.position_seal(secret, lines[0]["game"], last["n"], replay(lines, game).hash())
    except Exception as problem:
        yield log.Fault(last["n"], f"the facts cannot be folded ({said_of(problem)})")
        return
    if folded != last["position"]:
        yield log.Fault(last["n"], "its facts and the rules lead to different positions")


class _Walk:
    """A referee led along the log, from its beginning or from the end of some lines."""

    def __init__(self, game: Game, lines: Sequence[log.Line]) -> None:
        self.game, self.lines = game, lines
        self.referee: Referee

    def go(self, line: log.Line) -> None:
        """One line further; raises Differs."""
        items = log.items(line)
        if "format" in line:
            listed = [list(self.game.setting.chairs), units_by_side(self.game)]
            if [line["chairs"], line["units"]] != listed:
                raise Differs(0, [line["chairs"], line["units"]], listed)
            self._open(items)
            return
        if "back" in line:
            self.stand_after([*self.lines[: line["n"]], {**line, "parts": {}}])
        if line["act"] == CORRECT:
            self._correct(items)
        elif items or "back" not in line:
            self.referee.feed(items, strict=True)

    def _open(self, items: list[log.Item]) -> None:
        position, set_up = opened(self.game)
        for index, item in enumerate(set_up):
            if index >= len(items) or (items[index].kind, items[index].body) != (item.kind, item.body):
                raise Differs(index, items[index].body if index < len(items) else "nothing more", item.body)
        self.referee = Referee(self.game, position, ForcedDice([]))
        self.referee.feed(items[len(set_up) :], strict=True)

    def stand_after(self, lines: Sequence[log.Line], folded: Folded | None = None) -> None:
        """Where all that is in force after some lines leads; of lines that take nothing back some may be `folded`."""
        happened = [item for _, item in log.items_in_force(lines)]
        folded = None if any("back" in line for line in lines) else folded
        self.referee = put_back(happened, self.game, ForcedDice([]), Drawer(), folded=folded)

    def _correct(self, items: list[log.Item]) -> None:
        """Facts that no rule gives: taken as they stand, wherever a correction may be made."""
        other = next((item for item in items if item.kind != "fact"), None)
        if other is not None:
            raise Differs(items.index(other), other.body, "a correction has facts only")
        compare(items, self.referee.correct([item.fact for item in items]))


# By several processes


_here: dict[str, Any] = {}  # what a worker is given when it is forked, and what it counts


def _side_by_side(
    lines: Sequence[log.Line], game: Game, secret: bytes, spans: list[range], progress: Progress | None, workers: int
) -> list[log.Fault] | None:
    """Every part's first fault; None where processes cannot be had by forking: only so is the game theirs at once."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return None
    fork = multiprocessing.get_context("fork")
    counted = fork.Value("i", 0)
    given = {"lines": lines, "game": game, "secret": secret, "counted": counted}
    with ProcessPoolExecutor(workers, mp_context=fork, initializer=_sit_down, initargs=(given,)) as pool:
        pending = futures = {pool.submit(_faults_here, span) for span in spans}
        while pending:
            pending = wait(pending, timeout=LOOKS).not_done
            if progress is not None:
                progress(counted.value, len(lines))
        return [fault for future in futures for fault in future.result()]


def _sit_down(given: dict[str, Any]) -> None:
    gc.freeze()  # what was there before is not litter
    _here.update(given, folded=Folded(given["game"]))


def _faults_here(span: range) -> list[log.Fault]:
    return list(_span_faults(_here["lines"], _here["game"], _here["secret"], span, _count, _here["folded"]))


def _count(_: int) -> None:
    with _here["counted"].get_lock():
        _here["counted"].value += 1


def _other_rules(line: log.Line, game: Game) -> str:
    played = line["rules"]
    return "" if played == game.version else f" (it was played under rules {played}, these are {game.version})"


def said_of(problem: Exception) -> str:
    """What went wrong, for a fault's sentence."""
    return f"{type(problem).__name__}: {problem}"
