"""What is still in force after undos and rewinds; nothing is ever deleted."""

from collections.abc import Iterable

from engine.log.lines import Item, Line, items


class NoWayBack(Exception):
    """An undo or rewind names a place that is not in force when it happens."""

    def __init__(self, line: int, to: int, point: int | None) -> None:
        place = f"line {to}" if point is None else f"item {point} of line {to}"
        super().__init__(f"line {line} goes back to {place}, which is not in force there")
        self.line, self.to, self.point = line, to, point


def effective(lines: Iterable[Line], since: int | None = None) -> list[tuple[Line, int | None]]:
    """The lines in force, each with how many of its items are (None: all); raises NoWayBack.

    Of the lines after one: going back to that one, or beyond it, leaves none of those that came before.
    """
    in_force: list[tuple[Line, int | None]] = []
    for line in lines:
        if since is not None and goes_beyond(line, since):
            in_force.clear()
        elif "back" in line:
            _go_back(in_force, line)
        in_force.append((line, None))
    return in_force


def goes_beyond(line: Line, since: int) -> bool:
    """Whether the line takes back all that came after another."""
    return "back" in line and line["back"]["line"] <= since


def items_in_force(lines: Iterable[Line], since: int | None = None) -> list[tuple[int, Item]]:
    """Every item in force in the order it happened, with its line's number; raises NoWayBack."""
    return [(line["n"], item) for line, count in effective(lines, since) for item in items(line)[:count]]


def dice_used(lines: Iterable[Line]) -> dict[str, int]:
    """How many rolls each stream has made, undone and skipped ones too, so that none is ever rolled again."""
    used: dict[str, int] = {}
    for line in lines:
        used |= line.get("skip", {})
        rolls = (item.body for item in items(line) if item.kind == "roll")
        used |= {body["stream"]: body["k"] for body in rolls if "of" not in body}  # a card dealt is none of its own
    return used


def _go_back(in_force: list[tuple[Line, int | None]], line: Line) -> None:
    to, point = line["back"]["line"], line["back"]["point"]
    while in_force and in_force[-1][0]["n"] > to:
        in_force.pop()
    if not in_force or in_force[-1][0]["n"] != to:
        raise NoWayBack(line["n"], to, point)
    if point is not None:
        kept, count = in_force[-1]
        if not 0 <= point <= (len(items(kept)) if count is None else count):
            raise NoWayBack(line["n"], to, point)
        in_force[-1] = (kept, point)
