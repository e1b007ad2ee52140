"""The rules led along a log again, line by line, by one process or by several from one place each."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection

from engine import log
from engine.campaign.folding import opened, put_back, replay, units_by_side
from engine.dice import ForcedDice
from engine.drawer import Drawer
from engine.game import Game
from engine.log.lines import CORRECT
from engine.referee import Differs, Referee
from engine.referee.record import compare

Progress = Callable[[int, int], None]
ANSWER = 30  # facts: so much longer the rules take over an answer that is checked and carried out
LOOKS = 0.1  # seconds between two looks at how far the workers are


def rules_faults(
    lines: Sequence[log.Line | None], game: Game, secret: bytes, progress: Progress | None = None, workers: int = 1
) -> list[log.Fault]:
    """What the rules do not give again, up to the first thing: what follows from it would be noise."""
    whole = [line for line in lines if line is not None]
    readable = next((n for n, line in enumerate(lines) if line is None), len(lines))
    spans = _spans(whole[:readable], max(1, workers))
    faults = _side_by_side(whole, game, secret, spans, progress) if len(spans) > 1 else None
    if faults is None:
        done = (lambda n: progress(n, len(lines))) if progress is not None else None
        faults = list(_span_faults(whole, game, secret, range(readable), done))
    if not faults and readable < len(lines):
        faults = [log.Fault(readable, "the rules could not be followed beyond it")]
    return sorted(faults, key=lambda fault: fault.line)[:1] or list(_folding_faults(whole, game, secret))


def _spans(lines: Sequence[log.Line], number: int) -> list[range]:
    """The log in so many parts, each with about as much for the rules to do."""
    much = list(accumulate(map(_weight, lines)))
    cuts = {next(n for n, sum_ in enumerate(much) if sum_ * number >= much[-1] * part) for part in range(1, number)}
    borders = [0, *sorted(cuts - {0}), len(lines)]
    return [range(start, stop) for start, stop in pairwise(borders)]


def _weight(line: log.Line) -> int:
    kinds = [kind for part in line["parts"].values() for _, kind, _ in part]
    return len(kinds) + (ANSWER - 1) * kinds.count("answer")


def _span_faults(
    lines: Sequence[log.Line],
    game: Game,
    secret: bytes,
    span: range,
    done: Callable[[int], object] | None = None,
) -> Iterator[log.Fault]:
    """The first thing in a part of the log that the rules do not give again.

    A part in the middle is entered where the facts before it lead: that they do, another part shows, and the seal.
    """
    n = max(0, span.start - 1)
    try:
        walk = _Walk(game, lines)
        if span.start:
            walk.stand_after(lines[: span.start])
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

    def stand_after(self, lines: Sequence[log.Line]) -> None:
        """Where all that is in force after some lines leads."""
        happened = [item for _, item in log.items_in_force(lines)]
        self.referee = put_back(happened, self.game, ForcedDice([]), Drawer())

    def _correct(self, items: list[log.Item]) -> None:
        """Facts that no rule gives: taken as they stand, wherever a correction may be made."""
        other = next((item for item in items if item.kind != "fact"), None)
        if other is not None:
            raise Differs(items.index(other), other.body, "a correction has facts only")
        compare(items, self.referee.correct([item.fact for item in items]))


# By several processes


def _side_by_side(
    lines: Sequence[log.Line], game: Game, secret: bytes, spans: list[range], progress: Progress | None
) -> list[log.Fault] | None:
    """Every part's first fault: the first part is gone through here, each other by a process of its own.

    None where processes cannot be had by forking: only so is the game theirs at once.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        return None
    fork = multiprocessing.get_context("fork")
    counted = fork.Value("i", 0)

    def count(_: int) -> None:
        with counted.get_lock():
            counted.value += 1

    def tell(_: int) -> None:
        count(_)
        if progress is not None:
            progress(counted.value, len(lines))

    def faults_in(span: range, count: Callable[[int], object]) -> list[log.Fault]:
        return list(_span_faults(lines, game, secret, span, count))

    def work(span: range, answer: Connection) -> None:
        gc.freeze()  # what was there before is not litter
        answer.send(faults_in(span, count))

    others = []
    for span in spans[1:]:
        receives, sends = fork.Pipe(duplex=False)
        worker = fork.Process(target=work, args=(span, sends), daemon=True)
        worker.start()
        sends.close()
        others.append((span, receives, worker))
    faults = faults_in(spans[0], tell)
    for span, receives, worker in others:
        with receives:
            while not receives.poll(LOOKS):
                if progress is not None:
                    progress(counted.value, len(lines))
            try:
                faults += receives.recv()
            except EOFError:  # the process was killed: its part is gone through here
                faults += faults_in(span, tell)
        worker.join()
    if progress is not None:
        progress(len(lines), len(lines))
    return faults


def _other_rules(line: log.Line, game: Game) -> str:
    played = line["rules"]
    return "" if played == game.version else f" (it was played under rules {played}, these are {game.version})"


def said_of(problem: Exception) -> str:
    """What went wrong, for a fault's sentence."""
    return f"{type(problem).__name__}: {problem}"
