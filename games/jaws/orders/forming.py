"""Orders by which units come apart and together (4.6), and divisions extend (4.7)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders.fields import Flag, HexNumber, Reading, UnitName
from engine.orders.order import Order
from engine.refusals import Unclear


class _Split:
    """How many steps each part has: `3+2`."""

    label: str = "N+N"
    kind: ClassVar[str] = "count"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[int, ...], int]:
        found, used = list[int](), 0
        while used < len(words) and (words[used].isdigit() or (found and words[used] in "+,")):
            if words[used].isdigit():
                found.append(int(words[used]))
            used += 1
        if not found:
            said = f", not {words[0]!r}" if words else ""
            raise Unclear(f"say the steps of each part{said}", usage="break down 105/72 into 3+2")
        return tuple(found), used

    def write(self, value: tuple[int, ...]) -> str:
        return "+".join(map(str, value))


class BreakDown(Order):
    usage = "break down [{unit}] [into {split}] [dot {dot}]"
    also = ("breakdown",)
    season = "4.6-1"
    about = "Break a division, brigade or regiment down; say the steps of its parts, and which keeps the black dot."
    example = "break down 105/72 into 3+2 dot 105/72-A"
    unit: UnitName = ""
    split: Annotated[tuple[int, ...], _Split()] = ()
    dot: UnitName = ""


class StayWhole(Order):
    usage = "stay whole"
    sides = ("german",)
    season = "4.6-6"
    about = "Do not break the regiment down before it retreats."


class Recombine(Order):
    usage = "recombine {unit} [at {at}]"
    season = "4.6-1"
    about = "Put the parts of a unit together again, or draw an extended division's marker in."
    example = "recombine 105/72"
    unit: UnitName
    at: HexNumber = ""


class ExtendDivision(Order):
    sides = ("soviet",)
    usage = "extend {unit} to {to} [itself]"
    season = "4.7"
    about = "Extend a division into the hex beside it: its marker goes there, or the division itself, and leaves it."
    example = "extend 62GRD to 5215"
    unit: UnitName
    to: HexNumber
    itself: Flag = False


ORDERS: tuple[type[Order], ...] = (
    BreakDown,
    StayWhole,
    Recombine,
    ExtendDivision,
)
