"""Verifying a log: the chain, the seals, the dice, and every answer through the rules again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import log
from engine.campaign.folding import opened, replay, units_by_side
from engine.dice import ForcedDice
from engine.game import Game
from engine.log.chain import chain_faults, read_lines, revealed
from engine.log.file import examine
from engine.log.lines import CORRECT
from engine.position import Position
from engine.referee import Differs, Referee, Tally
from engine.referee.record import compare

Progress = Callable[[int, int], None]
FindGame = Callable[[str, str, Mapping[str, Any]], Game]


@dataclass
class Verdict:
    """How many lines, facts and rolls a log has, and everything wrong with it."""

    lines: int = 0
    facts: int = 0
    rolls: int = 0
    faults: list[log.Fault] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.faults


def verify(path: Path | str, find_game: FindGame, progress: Progress | None = None) -> Verdict:
    """A log file, with the secret and head that lie beside it; never raises for what is wrong with it."""
    path = Path(path)
    try:
        lines, faults = examine(path)
        secret = revealed(lines)
        if secret is None:
            try:
                secret = log.read_secret(path)
            except ValueError:
                secret = None  # the fault is among the chain's
    except OSError as problem:
        return Verdict(faults=[log.Fault(0, f"the log cannot be read ({problem.strerror or problem})")])
    return _verdict(lines, faults, secret, find_game, progress)


def verify_lines(
    lines: Sequence[log.Line], secret: bytes | None, find_game: FindGame, progress: Progress | None = None
) -> Verdict:
    """A log in memory."""
    read, faults = read_lines(lines)
    faults = sorted([*faults, *chain_faults(read, secret)], key=lambda fault: fault.line)
    return _verdict(read, faults, revealed(read) or secret, find_game, progress)


def _verdict(
    lines: Sequence[log.Line | None],
    faults: list[log.Fault],
    secret: bytes | None,
    find_game: FindGame,
    progress: Progress | None,
) -> Verdict:
    verdict = Verdict(len(lines), faults=list(faults))
    for line in lines:
        kinds = [kind for part in line["parts"].values() for _, kind, _ in part] if line is not None else []
        verdict.facts += kinds.count("fact")
        verdict.rolls += kinds.count("roll")
    header = lines[0] if lines else None
    if header is None or "format" not in header or secret is None:
        return verdict  # the chain has said so
    try:
        game = find_game(header["game"], header["scenario"], header["options"])
    except Exception as problem:  # whatever a damaged header makes of it, it is a fault of the log
        verdict.faults.append(log.Fault(0, f"its game cannot be set up ({_said(problem)})"))
        return verdict
    verdict.faults += _rules_faults(lines, game, secret, progress)
    verdict.faults.sort(key=lambda fault: fault.line)
    return verdict


def _rules_faults(
    lines: Sequence[log.Line | None], game: Game, secret: bytes, progress: Progress | None
) -> Iterator[log.Fault]:
    """What the rules do not give again, up to the first thing: what follows from it would be noise."""
    whole = [line for line in lines if line is not None]
    walk = _Walk(game, whole)
    for n, line in enumerate(lines):
        if line is None:
            yield log.Fault(n, "the rules could not be followed beyond it")
            return
        try:
            walk.go(line)
            position = walk.referee.position.hash()
        except Differs as differs:
            yield log.Fault(n, f"the rules do not give it again{_other_rules(line, game)}: {differs}")
            return
        except Exception as problem:  # damaged data may break the rules anywhere
            yield log.Fault(n, f"the rules cannot follow it{_other_rules(line, game)} ({_said(problem)})")
            return
        if log.position_seal(secret, whole[0]["game"], n, position) != line["position"]:
            yield log.Fault(n, "the position after it is not the one it seals")
            return
        if progress is not None:
            progress(n + 1, len(lines))
    if not any("back" in line for line in whole):
        return  # the rules gave every fact again, in its order: folding them would do the same once more
    try:
        folded = replay(whole, game).hash()
    except Exception as problem:
        yield log.Fault(len(lines) - 1, f"the facts cannot be folded ({_said(problem)})")
        return
    if folded != walk.referee.position.hash():
        yield log.Fault(len(lines) - 1, "its facts and the rules lead to different positions")


class _Walk:
    """A referee led along the log."""

    def __init__(self, game: Game, lines: Sequence[log.Line]) -> None:
        self.game = game
        self.referee: Referee
        self._lines = {line["n"]: line for line in lines}
        backs = [line["back"] for line in lines if "back" in line]
        self._kept_after = {back["line"] for back in backs} | {
            back["line"] - 1 for back in backs if back["point"] is not None
        }
        self._states: dict[int, tuple[Position, Tally, list[log.Item]]] = {}

    def go(self, line: log.Line) -> None:
        """One line further; raises Differs."""
        n = line["n"]
        items = log.items(line)
        if "format" in line:
            listed = [list(self.game.setting.chairs), units_by_side(self.game)]
            if [line["chairs"], line["units"]] != listed:
                raise Differs(0, [line["chairs"], line["units"]], listed)
            self._open(items)
        else:
            if "back" in line:
                self._go_back(line["back"]["line"], line["back"]["point"])
            if line["act"] == CORRECT:
                self._correct(items)
            elif items or "back" not in line:
                self.referee.feed(items, strict=True)
        if n in self._kept_after:
            self._keep(n)

    def _open(self, items: list[log.Item]) -> None:
        position, set_up = opened(self.game)
        for index, item in enumerate(set_up):
            if index >= len(items) or (items[index].kind, items[index].body) != (item.kind, item.body):
                raise Differs(index, items[index].body if index < len(items) else "nothing more", item.body)
        self.referee = Referee(self.game, position, ForcedDice([]))
        self.referee.feed(items[len(set_up) :], strict=True)

    def _correct(self, items: list[log.Item]) -> None:
        """Facts that no rule gives: taken as they stand, wherever a correction may be made."""
        other = next((item for item in items if item.kind != "fact"), None)
        if other is not None:
            raise Differs(items.index(other), other.body, "a correction has facts only")
        compare(items, self.referee.correct([item.fact for item in items]))

    def _keep(self, n: int) -> None:
        position, tally = self.referee.top
        self._states[n] = position, tally, list(self.referee.since)

    def _go_back(self, to: int, point: int | None) -> None:
        if point is not None and to == 0:
            self._open(log.items(self._lines[0])[:point])
        else:
            position, tally, since = self._states[to if point is None else to - 1]
            self.referee = Referee(self.game, position.copy(), ForcedDice([]), tally=tally)
            self.referee.feed(since)
            if point is not None:
                self.referee.feed(log.items(self._lines[to])[:point], strict=True)
        self._keep(to)  # all of that line that is still in force


def _other_rules(line: log.Line, game: Game) -> str:
    played = line["rules"]
    return "" if played == game.version else f" (it was played under rules {played}, these are {game.version})"


def _said(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"
