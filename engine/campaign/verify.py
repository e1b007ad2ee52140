"""Verifying a log: the chain, the seals, the dice, and every answer through the rules again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import log
from engine.campaign.walking import Progress, rules_faults, said_of
from engine.game import Game
from engine.log.chain import chain_faults, read_lines, revealed
from engine.log.file import examine

FindGame = Callable[[str, str, Mapping[str, Any]], Game]
WORTH_A_WORKER = 1_000  # facts: below, setting one up takes longer than it saves


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


def verify(path: Path | str, find_game: FindGame, progress: Progress | None = None, workers: int = 1) -> Verdict:
    """A log file, with the secret and head that lie beside it; never raises for what is wrong with it."""
    path = Path(path)
    try:
        lines, secret, faults = examine(path)
    except OSError as problem:
        return Verdict(faults=[log.Fault(0, f"the log cannot be read ({problem.strerror or problem})")])
    return _verdict(lines, faults, secret, find_game, progress, workers)


def verify_lines(
    lines: Sequence[log.Line],
    secret: bytes | None,
    find_game: FindGame,
    progress: Progress | None = None,
    workers: int = 1,
) -> Verdict:
    """A log in memory."""
    read, faults = read_lines(lines)
    return _verdict(read, faults, secret, find_game, progress, workers)


def _verdict(
    lines: Sequence[log.Line | None],
    faults: list[log.Fault],
    secret: bytes | None,
    find_game: FindGame,
    progress: Progress | None,
    workers: int,
) -> Verdict:
    verdict = Verdict(len(lines), faults=list(faults))
    for line in lines:
        kinds = [kind for part in line["parts"].values() for _, kind, _ in part] if line is not None else []
        verdict.facts += kinds.count("fact")
        verdict.rolls += kinds.count("roll")

    def look_at_chain() -> None:
        verdict.faults += chain_faults(lines, secret)

    known, header = revealed(lines) or secret, lines[0] if lines else None
    if header is None or "format" not in header or known is None:
        look_at_chain()  # which says so
    else:
        try:
            game = find_game(header["game"], header["scenario"], header["options"])
        except Exception as problem:  # whatever a damaged header makes of it, it is a fault of the log
            look_at_chain()
            verdict.faults.append(log.Fault(0, f"its game cannot be set up ({said_of(problem)})"))
        else:
            workers = min(workers, verdict.facts // WORTH_A_WORKER)
            verdict.faults += rules_faults(lines, game, known, progress, workers, meanwhile=look_at_chain)
    verdict.faults.sort(key=lambda fault: fault.line)
    return verdict
