"""Telling the service's own verbs from a game's orders, line by line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.desk.verbs import VERBS

_PRESS_ENDS = re.compile(r"end press|end of press", re.I)


@dataclass(frozen=True)
class Command:
    """One thing said to the service."""

    verb: str
    rest: str
    above: int  # how many order lines stand before it


def split_lines(lines: Sequence[str]) -> tuple[list[Command], str]:
    """The commands in a mail, and its order lines, those to be tried out too; press runs to an empty line."""
    commands: list[Command] = []
    orders: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        verb, _, rest = line.partition(" ")
        verb = verb.casefold().rstrip(":,.")
        if verb not in VERBS:
            orders += [line] if line else []
            continue
        above = len(orders)
        rest = rest.strip()
        if verb == "press":
            said = [rest] if rest else []
            while number < len(lines) and lines[number].strip() and not _PRESS_ENDS.fullmatch(lines[number].strip()):
                said.append(lines[number].rstrip())
                number += 1
            if number < len(lines) and _PRESS_ENDS.fullmatch(lines[number].strip()):
                number += 1
            rest = "\n".join(said)
        elif verb == "check" and rest:
            orders.append(rest)
        commands.append(Command(verb, rest, above))
    return commands, "\n".join(orders)
