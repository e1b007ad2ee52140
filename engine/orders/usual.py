"""The orders that most rulebooks have: how they are written. A game adds its own words about them, and the case."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders.fields import Hexes, HexNumber, Paths, Reading, Units, is_idle, units_at, unknown_unit
from engine.orders.order import Order

STEPS = ("step", "steps")


class _Losses:
    """Units and how many steps each loses: `RD6, GTC5 2`."""

    label: str = "UNIT [STEPS], UNIT..."
    kind: ClassVar[str] = "losses"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, int], ...], int]:
        losses: dict[str, int] = {}
        used = 0
        while used < len(words):
            found, more = units_at(words[used:], reading)
            if not found:
                if not is_idle(words[used:], reading):
                    break
                used += 1
                continue
            used += more
            steps = 1
            if used < len(words) and words[used] in {"1", "2", "3", "4"}:  # a higher number is a unit's
                steps = int(words[used])
                used += 2 if words[used + 1 : used + 2] and words[used + 1].casefold() in STEPS else 1
            losses |= {unit: losses.get(unit, 0) + steps for unit in found}
        if not losses:
            raise unknown_unit(words, reading)
        return tuple(losses.items()), used

    def write(self, value: tuple[tuple[str, int], ...]) -> str:
        return ", ".join(unit if steps == 1 else f"{unit} {steps}" for unit, steps in value)


Losses = Annotated[tuple[tuple[str, int], ...], _Losses()]


class Place(Order):
    usage = "place {units} at {at}"
    about = "Put units on the map."
    units: Units
    at: HexNumber


class Move(Order):
    usage = "move {units} to {to} [via {via}]"
    also: ClassVar[tuple[str, ...]] = ("mv", "go")
    about = "Move units, by the cheapest way or by the hexes you name."
    units: Units
    to: HexNumber
    via: Hexes = ()


class _Stage:
    """The name of a phase, or the beginning of it: `end combat`."""

    label: str = "PHASE"
    kind: ClassVar[str] = "word"
    plural: ClassVar[bool] = False

    def read(self, words: Sequence[str], reading: Reading) -> tuple[str, int]:
        return " ".join(word for word in map(str.casefold, words) if word not in _ANY_STAGE), len(words)

    def write(self, value: str) -> str:
        return value


_ANY_STAGE = frozenset({"the", "this", "of", "phase", "segment", "stage"})


class ClosingOrder(Order):
    """It gives up the rest of a stage, and may name it."""

    stage: Annotated[str, _Stage()] = ""

    def means(self, stage: str) -> bool:
        """Whether what was named, if anything was, is the stage of that name."""
        parts = stage.casefold().replace("_", ".").split(".")
        return all(any(a.startswith(b) or a[:4] == b[:4] for a in parts) for b in self.stage.split())


class End(ClosingOrder):
    usage = "end [{stage}]"
    also: ClassVar[tuple[str, ...]] = ("done",)
    about = "Close this phase."


class Pass(ClosingOrder):
    usage = "pass [{stage}]"
    about = "Do nothing now."


class Default(Order):
    """In every game, whatever is asked."""

    usage = "default"
    about = "Give the answer that would be given for you."


class Lose(Order):
    usage = "lose [{losses}]"
    also: ClassVar[tuple[str, ...]] = ("hold",)
    about = "Say which units lose the steps; if you name none, those that would lose them by default."
    losses: Losses = ()


class Retreat(Order):
    usage = "retreat [{paths}]"
    about = "Say which way a unit retreats; without a way it takes the safest one."
    paths: Paths = ()


class Advance(Order):
    usage = "advance {paths}"
    about = "Advance after combat, one hex or along the way you name."
    paths: Paths


class NoAdvance(Order):
    usage = "no advance"
    also: ClassVar[tuple[str, ...]] = ("stay",)
    about = "Do not advance after combat."
