"""Reading logs: for people, and as a proof."""

import os
from pathlib import Path

import typer

import games
from engine.campaign import verify as judge
from engine.game import Game
from engine.log import DamagedLog, Line, LogFile, check_reader, content_of, items, read_secret, verify_chain
from engine.log.chain import revealed
from engine.log.lines import ALL, parse, readable_by
from pbem.cli.terminal import NOT_ALL, CannotDo, existing, named_side, progress, say
from pbem.wording.option_values import shown_terms
from pbem.wording.words import SKIPPED, told


def log(file: Path, side: str = "", start: int = 0, end: int | None = None, everything: bool = False) -> None:
    """Print a log for people: one paragraph a line, what was said and what came of it.

    Example: pbem log first.jsonl --from 1
    """
    lines, game = read_log(file)
    reader = reader_of(lines, game, side)
    for line in lines[start : None if end is None else end + 1]:
        say(_head(line))
        known = [item for item in items(line) if reader is None or readable_by(item.audience, reader)]
        for sentence in told(game, known, reader or "", everything=everything):
            say(f"  {sentence}")
        say()


def verify(file: Path) -> None:
    """Judge the whole game again: chain, seals, dice, and every fact by the rules.

    Says exactly what differs and where; exit status 1 if anything does.

    Example: pbem verify first.jsonl
    """
    if _is_readers_copy(existing(file)):
        # Its chain and his own parts now, and the dice once their secret is out.
        lines = [line for line in content_of(file).split(b"\n") if line]
        faults = check_reader(lines)
        bad = f"{file}, a player's copy of {len(lines)} lines, does not verify."
        good = f"{file}, a player's copy, verifies: the chain of {len(lines)} lines and every part he was given."
    else:
        with progress("verifying") as bar:
            verdict = judge(file, games.find_game, bar, os.cpu_count() or 1)
        faults, number = verdict.faults, len(verdict.faults)
        counted = f"{verdict.lines} lines, {verdict.facts} facts, {verdict.rolls} rolls"
        bad = f"{file} does not verify ({counted}): {number} {'fault' if number == 1 else 'faults'}."
        good = f"{file} verifies: {counted}."
    for fault in faults:
        say(str(fault))
    say(bad if faults else good)
    if faults:
        raise typer.Exit(NOT_ALL)


def _is_readers_copy(file: Path) -> bool:
    """Whether this is the log as one player was given it: his parts with their salts, the others as seals."""
    try:
        return "salts" in parse(content_of(file).partition(b"\n")[0])
    except ValueError:
        return False


def read_log(file: Path) -> tuple[list[Line], Game]:
    """The lines of a log and the game it is of; a torn end is told on stderr. Raises DamagedLog."""
    read = LogFile(existing(file)).read()
    secret = revealed(read.lines) or log_secret(file)
    if secret is not None:  # else nobody can tell, and what is shown is only what is written
        for fault in verify_chain(read.lines, secret):
            raise DamagedLog(file, fault.line, fault.what)
    if read.torn is not None:
        typer.echo(f"Line {read.torn.line} was not written whole, and so never happened.", err=True)
    header = read.lines[0]
    return read.lines, games.find_game(header["game"], header["scenario"], header["options"])


def reader_of(lines: list[Line], game: Game, side: str) -> str | None:
    """The side whose knowledge is shown; of a game under way that has secrets one must be named. Raises CannotDo."""
    hidden = any(part and audience != ALL for line in lines for audience, part in line["parts"].items())
    if not side and hidden and not revealed(lines):
        raise CannotDo(f"the game has secrets and is not over: say who reads it, with --side {' or '.join(game.sides)}")
    return named_side(game, side) if side else None


def log_secret(file: Path) -> bytes | None:
    """The secret kept beside a log, if any. Raises CannotDo."""
    try:
        return read_secret(file)
    except ValueError:
        raise CannotDo(f"the secret beside {file} is damaged") from None


def _head(line: Line) -> str:
    when = f", {line['at']}" if line["at"] else ""
    if line["n"] == 0:
        return f"Line 0{when}: {line['game']}, scenario {line['scenario']}, rules {line['rules']}"
    what = {
        "orders": f"orders of {line['by']}",
        "undo": f"undo by {line['by']}",
        "rewind": f"rewind by {line['by']}",
        "correct": f"correction by {line['by']}",
        "terms": f"terms changed by {line['by']}: {shown_terms(line.get('terms', {}))}",
        "deadline": "the deadline passed",
        "window": "the time for a hidden answer was up",
        "skip": SKIPPED,
        "secret": "the secret of the dice is revealed",
    }.get(line["act"], line["act"])
    back = f", back to line {line['back']['line']}" if "back" in line else ""
    return f"Line {line['n']}{when}: {what}{back}"
