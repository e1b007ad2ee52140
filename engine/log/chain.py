"""Whether a log is what was written: numbers, hashes, seals, dice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.dice import EVERY, Dice, check_roll, commitment
from engine.log.history import NoWayBack, effective
from engine.log.lines import (
    NO_LINE,
    Item,
    Line,
    audiences,
    is_canonical,
    items,
    line_hash,
    parse,
    salt,
    seal,
)
from engine.log.shape import shape_problem


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one line."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


def verify_chain(lines: Iterable[Line | bytes], secret: bytes | None = None) -> list[Fault]:
    """Everything wrong with a log (lines, or their bytes); a log that reveals its secret needs none."""
    read, faults = read_lines(lines)
    return sorted([*faults, *chain_faults(read, secret)], key=lambda fault: fault.line)


def chain_faults(read: Sequence[Line | None], secret: bytes | None = None) -> list[Fault]:
    """The same for lines whose form was looked at already."""
    faults = list(link_faults(read))
    header = read[0] if read else None
    if header is None or "format" not in header:
        return [*faults, Fault(0, "there is no header")]
    faults += _seal_name_faults(read, audiences(header["sides"]))
    faults += secret_faults(read, secret)
    secret = revealed(read) if secret is None else secret
    if secret is None:
        return [*faults, Fault(0, "the secret is not known, so seals and dice could not be checked")]
    if commitment(secret) == header["commit"]:  # with another secret every seal and die would be wrong
        whole = [line for line in read if line is not None]
        faults += _seal_faults(whole, header["game"], secret)
        faults += dice_faults(whole, header, secret)
    return faults


def read_lines(lines: Iterable[Line | bytes], *, reader: bool = False) -> tuple[list[Line | None], list[Fault]]:
    """The lines that have the right form, None where one has not, and why."""
    read: list[Line | None] = []
    faults: list[Fault] = []
    for n, given in enumerate(lines):
        try:
            line = parse(given) if isinstance(given, bytes) else given
            problem = shape_problem(line, reader=reader)
        except ValueError:
            line, problem = {}, "it is not JSON"
        if problem is None and isinstance(given, bytes) and not is_canonical(given, line):
            problem = "it is not written the one way a line is written"
        if problem is not None:
            faults.append(Fault(n, problem))
        read.append(line if problem is None else None)
    return read, faults


def link_problem(n: int, line: Line, before: str | None) -> str | None:
    """What is wrong with the line as the n-th, after the one of that hash (None if it is unknown)."""
    if line["n"] != n:
        return f"it is numbered {line['n']}"
    if ("format" in line) != (n == 0):
        return "only line 0 is a header"
    if before is not None and line["prev"] != before:
        return "it does not follow from the line before it"
    if line["hash"] != line_hash(line):
        return "it is not what its hash says"
    return None


def link_faults(read: Sequence[Line | None]) -> Iterator[Fault]:
    """Numbering, chain, hashes, and that undos go back to something."""
    before: str | None = NO_LINE
    for n, line in enumerate(read):
        problem = None if line is None else link_problem(n, line, before)
        if problem is not None:
            yield Fault(n, problem)
        before = None if line is None else line["hash"]
    try:
        effective(line for line in read if line is not None)
    except NoWayBack as no_way:
        yield Fault(no_way.line, str(no_way))


def secret_faults(read: Sequence[Line | None], secret: bytes | None) -> Iterator[Fault]:
    """Whether the secret, given or revealed, is the one committed to, and revealed at the end only."""
    header = read[0]
    commit = header["commit"] if header is not None else None
    if secret is not None and commitment(secret) != commit:
        yield Fault(0, "the secret is not the one committed to")
    for n, line in enumerate(read):
        if line is None or "secret" not in line:
            continue
        if commitment(bytes.fromhex(line["secret"])) != commit:
            yield Fault(n, "the secret revealed is not the one committed to")
        if n != len(read) - 1:
            yield Fault(n, "the secret is revealed before the end")


def revealed(read: Sequence[Line | None]) -> bytes | None:
    """The secret, if the last line reveals it."""
    last = read[-1] if read else None
    return bytes.fromhex(last["secret"]) if last is not None and "secret" in last else None


def dice_faults(lines: Iterable[Line], header: Line, secret: bytes, *, some_unseen: bool = False) -> Iterator[Fault]:
    """Rolls that the secret does not give, or that do not count up (a reader may not have them all)."""
    used: dict[str, int] = {}
    for line in lines:
        for stream, k in line.get("skip", {}).items():
            if k < (max(used.values(), default=0) if stream == EVERY else used.get(stream, 0)):
                yield Fault(line["n"], f"it skips to roll {k} of {stream or 'all'!r}, which was rolled before")
            used[stream] = max(k, used.get(stream, 0))
        for item in items(line) if _rolls(line) else ():
            if item.kind != "roll":
                continue
            if "of" in item.body:
                if not _is_dealt(item, header, secret, used):
                    yield Fault(line["n"], f"another card lay on top of {item.body.get('stream')!r}")
                continue
            if not _is_roll(item):
                yield Fault(line["n"], "a roll does not say what was rolled")
                continue
            stream, k, sides, value = (item.body[key] for key in ("stream", "k", "sides", "value"))
            due = max(used.get(stream, 0), used.get(EVERY, 0)) + 1
            if k < due or (k > due and not some_unseen):
                yield Fault(line["n"], f"roll {k} of {stream!r} should be roll {due}")
            used[stream] = max(k, due - 1)
            if not check_roll(secret, header["game"], header["nonces"], stream, k, sides, value):
                yield Fault(line["n"], f"roll {k} of {stream!r} was not {value}")


def _rolls(line: Line) -> bool:
    return any(kind == "roll" for part in line["parts"].values() for _, kind, _ in part)


def _is_dealt(item: Item, header: Line, secret: bytes, used: Mapping[str, int]) -> bool:
    """Whether the card is the one of lowest rank among those that were left of its shuffle."""
    try:
        stream, shuffle, cards, value = (item.body[key] for key in ("stream", "shuffle", "of", "value"))
        dice = Dice(secret, header["game"], header["nonces"], used)
        ranks = [dice.rank(f"{stream.removeprefix('pile ')}/{shuffle}", card) for card in cards]
        return type(value) is int and ranks.index(min(ranks)) == value - 1
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def _is_roll(item: Item) -> bool:
    wanted: dict[str, type[Any]] = {"stream": str, "k": int, "sides": int, "value": int, "purpose": str}
    return all(type(item.body.get(key)) is kind for key, kind in wanted.items())


def _seal_name_faults(read: Sequence[Line | None], names: list[str]) -> Iterator[Fault]:
    for n, line in enumerate(read):
        if line is not None and sorted(line["seals"]) != sorted(names):
            yield Fault(n, "it is not sealed for everyone in the game")


def _seal_faults(lines: Iterable[Line], game: str, secret: bytes) -> Iterator[Fault]:
    for line in lines:
        for audience, part in line["parts"].items():
            if line["seals"][audience] != seal(salt(secret, game, line["n"], audience), part):
                yield Fault(line["n"], f"the part for {audience!r} is not the one sealed")
