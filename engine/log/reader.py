"""A log as a player may have it: his parts with their salts, the others as seals only."""

from collections.abc import Iterable, Iterator, Sequence

from engine.log.chain import Fault, dice_faults, link_faults, read_lines, revealed, secret_faults
from engine.log.lines import RESERVED, Line, audiences, readable_by, salt, seal


def for_reader(line: Line, side: str | None, secret: bytes, game: str) -> Line:
    """The line as that side may be given it (None: an onlooker); raises ValueError for no such side."""
    if side is not None and (side in RESERVED or "+" in side or side not in line["seals"]):
        raise ValueError(f"no side is called {side!r}")
    own = [audience for audience in line["seals"] if readable_by(audience, side)]
    salts = {audience: salt(secret, game, line["n"], audience).hex() for audience in own}
    return line | {"parts": {audience: line["parts"][audience] for audience in own}, "salts": salts}


def export(lines: Sequence[Line], side: str | None, secret: bytes) -> list[Line]:
    """The whole log as that side may be given it; raises ValueError for no such side."""
    return [for_reader(line, side, secret, lines[0]["game"]) for line in lines]


def check_reader(lines: Iterable[Line | bytes]) -> list[Fault]:
    """Everything wrong with a reader's copy, found without the secret; dice too once it is revealed."""
    read, faults = read_lines(lines, reader=True)
    faults += link_faults(read)
    header = read[0] if read else None
    if header is None or "format" not in header:
        return [*faults, Fault(0, "there is no header")]
    names = audiences(header["sides"])
    for n, line in enumerate(read):
        if line is not None:
            faults += _part_faults(n, line, names, sorted(header["parts"]))
    faults += secret_faults(read, None)
    secret = revealed(read)
    if secret is not None:
        whole = [line for line in read if line is not None]
        faults += dice_faults(whole, header, secret, some_unseen=True)
    return sorted(faults, key=lambda fault: fault.line)


def _part_faults(n: int, line: Line, names: list[str], own: list[str]) -> Iterator[Fault]:
    if sorted(line["seals"]) != sorted(names):
        yield Fault(n, "it is not sealed for everyone in the game")
    if sorted(line["parts"]) != own:
        yield Fault(n, "it does not have the parts that the header has")
    for audience, part in line["parts"].items():
        if line["seals"][audience] != seal(bytes.fromhex(line["salts"][audience]), part):
            yield Fault(n, f"the part for {audience!r} is not the one sealed")
