"""The rules led along a log again, line by line, by one process or by several from one place each."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, groupby, pairwise
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
PARTS_EACH = 12  # for every process: how long the rules take over a part is only guessed at beforehand
HALFWAY = 0.5  # through the part that he is at, for all that others know
FOLDED = 0.5  # of what the rules take over a fact: to fold it, which is how a log is entered
LOOKS = 0.1  # seconds between two looks at how far the workers are


def rules_faults(
    lines: Sequence[log.Line | None],
    game: Game,
    secret: bytes,
    progress: Progress | None = None,
    workers: int = 1,
    meanwhile: Callable[[], object] = lambda: None,
) -> list[log.Fault]:
    """What the rules do not give again, up to the first thing: what follows from it would be noise.

    `meanwhile` is done here before anything else, while the others are at it already.
    """
    whole = [line for line in lines if line is not None]
    readable = next((n for n, line in enumerate(lines) if line is None), len(lines))
    parts = _parts(whole[:readable], PARTS_EACH * workers if workers > 1 else 1)
    side_by_side = len(parts) > 1 and "fork" in multiprocessing.get_all_start_methods()
    if side_by_side:  # only who is forked has the game at once
        faults = _side_by_side(_Walk(game, whole, secret), parts, workers, progress, meanwhile)
    else:
        meanwhile()
        done = (lambda n: progress(n, len(lines))) if progress is not None else None
        faults = _Walk(game, whole, secret).faults_in(range(readable), done)
    if not faults and readable < len(lines):
        faults = [log.Fault(readable, "the rules could not be followed beyond it")]
    return sorted(faults, key=lambda fault: fault.line)[:1] or list(_folding_faults(whole, game, secret))


def _parts(lines: Sequence[log.Line], number: int) -> list[range]:
    """The log in so many parts, each with about as much for the rules to do."""
    much = list(accumulate(map(weight, lines)))
    cuts = {next(n for n, sum_ in enumerate(much) if sum_ * number >= much[-1] * part) for part in range(1, number)}
    borders = [0, *sorted(cuts - {0}), len(lines)]
    return [range(start, stop) for start, stop in pairwise(borders)]


def weight(line: log.Line) -> int:
    """How much the rules have to do for a line, in facts."""
    kinds = _kinds(line)
    return len(kinds) + (ANSWER - 1) * kinds.count("answer")


def _entering(lines: Sequence[log.Line], parts: Sequence[range]) -> list[float]:
    """For each part how many parts could be gone through in the time that it takes to enter it."""
    facts = list(accumulate((_kinds(line).count("fact") for line in lines), initial=0))
    usual = sum(map(weight, lines)) / len(parts)
    return [FOLDED * facts[part.start] / usual for part in parts]


def _kinds(line: log.Line) -> list[str]:
    return [kind for part in line["parts"].values() for _, kind, _ in part]


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

    def __init__(self, game: Game, lines: Sequence[log.Line], secret: bytes) -> None:
        self.game, self.lines, self.secret = game, lines, secret
        self.ahead = 0  # the line that comes next
        self.referee: Referee

    def faults_in(self, span: range, done: Callable[[int], object] | None = None) -> list[log.Fault]:
        """The first thing in a part of the log that the rules do not give again.

        A part in the middle is entered where the facts before it lead: that they do, another part shows, and the seal.
        """
        n = max(0, span.start - 1)
        try:
            if span.start and self.ahead != span.start:
                self.stand_after(self.lines[: span.start])
                if not self._sealed(self.lines[n]):
                    return [log.Fault(n, "its facts lead to another position than the one it seals")]
            self.ahead = -1  # until it is through
            for n in span:
                self.go(self.lines[n])
                if not self._sealed(self.lines[n]):
                    return [log.Fault(n, "the position after it is not the one it seals")]
                if done is not None:
                    done(n + 1)
        except Differs as differs:
            return [log.Fault(n, f"the rules do not give it again{self._other_rules(n)}: {differs}")]
        except Exception as problem:  # damaged data may break the rules anywhere
            return [log.Fault(n, f"the rules cannot follow it{self._other_rules(n)} ({said_of(problem)})")]
        self.ahead = span.stop
        return []

    def _sealed(self, line: log.Line) -> bool:
        position = self.referee.position.hash()
        return bool(log.position_seal(self.secret, self.lines[0]["game"], line["n"], position) == line["position"])

    def _other_rules(self, n: int) -> str:
        played, these = self.lines[n]["rules"], self.game.version
        return "" if played == these else f" (it was played under rules {played}, these are {these})"

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
    walk: _Walk, parts: Sequence[range], workers: int, progress: Progress | None, meanwhile: Callable[[], object]
) -> list[log.Fault]:
    """The faults that several find, this process among them: whoever is through with a part takes the next."""
    fork = multiprocessing.get_context("fork")
    counted, taken, of = fork.Value("i", 0), fork.Array("b", len(parts)), parts[-1].stop
    entering = _entering(walk.lines[:of], parts)

    def count(_: int) -> None:
        with counted.get_lock():
            counted.value += 1

    def tell(_: int) -> None:
        count(_)
        if progress is not None:
            progress(counted.value, of)

    def work(count: Callable[[int], object]) -> tuple[list[int], list[log.Fault]]:
        """Which parts were gone through, and what is wrong with them."""
        through, faults = list[int](), list[log.Fault]()
        while True:
            with taken.get_lock():
                part = _next_part(taken[:], through[-1] if through else None, entering)
                if part is not None:
                    taken[part] = True
            if part is None:
                return through, faults
            faults += walk.faults_in(parts[part], count)
            through.append(part)
            if faults:  # what comes behind the first is not asked for
                return through, faults

    def send(answer: Connection) -> None:
        gc.freeze()  # what was there before is not litter
        answer.send(work(count))

    others = []
    for _ in range(workers - 1):
        receives, sends = fork.Pipe(duplex=False)
        worker = fork.Process(target=send, args=(sends,), daemon=True)
        worker.start()
        sends.close()
        others.append((receives, worker))
    meanwhile()
    through, faults = work(tell)
    for receives, worker in others:
        with receives:
            while not receives.poll(LOOKS):
                if progress is not None:
                    progress(counted.value, of)
            with suppress(EOFError):  # it was killed
                also, found = receives.recv()
                through, faults = through + also, faults + found
        worker.join()
    for part in sorted({*range(len(parts))}.difference(through)):  # what a fault or a death has left
        if not any(fault.line < parts[part].start for fault in faults):
            faults += walk.faults_in(parts[part], tell)
    if progress is not None:
        progress(of, of)
    return faults


def _next_part(taken: Sequence[int], last: int | None, entering: Sequence[float]) -> int | None:
    """What somebody takes who is through with a part, or has not begun; None where others are through sooner alone.

    The next part, if it is free: he stands there. Else he enters where both are through at the same time, he and
    whoever comes along to there: entering costs as much as so many parts.
    """
    if last is not None and last + 1 < len(taken) and not taken[last + 1]:
        return last + 1
    free = [n for n, gone in enumerate(taken) if not gone]
    runs = [[n for _, n in run] for _, run in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0])]
    longest = max(runs, key=len, default=[])
    if not longest or longest[0] == 0:
        return longest[0] if longest else None

    def until_through(part: int) -> float:
        return max(HALFWAY + part - longest[0], entering[part] + longest[-1] + 1 - part)

    best = min(longest, key=until_through)
    return best if until_through(best) < HALFWAY + len(longest) else None


def said_of(problem: Exception) -> str:
    """What went wrong, for a fault's sentence."""
    return f"{type(problem).__name__}: {problem}"
