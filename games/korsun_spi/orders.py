"""The orders a player may write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from engine.orders.fields import (
    Flag,
    Hexes,
    HexNumber,
    Paths,
    Reading,
    UnitName,
    Units,
    unit_at,
)
from engine.orders.order import Order
from engine.refusals import Unclear


class _Losses:
    """Units and how many steps each loses: `RD6, GTC5 2`."""

    label = "UNIT [STEPS], UNIT..."

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, int], ...], int]:
        losses: dict[str, int] = {}
        used = 0
        while used < len(words):
            if words[used].casefold() in {",", "and", "+", "&", "from", "step", "steps", "in"}:
                used += 1
                continue
            named = unit_at(words[used:], reading)
            if named is None:
                break
            used += named[1]
            steps = 1
            if used < len(words) and words[used] in {"1", "2", "3", "4"}:
                steps = int(words[used])
                used += 1
            losses[named[0]] = losses.get(named[0], 0) + steps
        if not losses:
            raise Unclear(f"there is no unit called {words[0]!r}" if words else "a unit is missing")
        return tuple(losses.items()), used

    def write(self, value: tuple[tuple[str, int], ...]) -> str:
        return ", ".join(unit if steps == 1 else f"{unit} {steps}" for unit, steps in value)


Losses = Annotated[tuple[tuple[str, int], ...], _Losses()]


# Setting up (18.0)


class Place(Order):
    usage = "place {units} at {at}"
    season = "18.0"
    about = "Set units up in a hex."
    example = "place 88 at 1504"
    units: Units
    at: HexNumber


class TakeBack(Order):
    usage = "take back {units}"
    about = "Take units off the map again while setting up."
    example = "take back 88"
    units: Units


class Historical(Order):
    usage = "historical"
    also = ("stock", "standard set-up")
    about = "Set everything up as it stood in history; you may still change it before `end`."
    example = "historical"


# Headquarters and corps (23.0, 24.0)


class Activate(Order):
    usage = "activate {units}"
    about = "Choose the HQs that are active this turn; all others become inactive."
    example = "activate HQ-5GdTk, HQ-2Tk, HQ-6Tk"
    units: Units


class Unsupport(Order):
    usage = "unsupport {units}"
    about = "Take Supported markers off corps."
    example = "unsupport GTC3, MC5"
    units: Units


# Movement (5.0), overrun (6.0), delay and disengagement (22.0)


class Move(Order):
    usage = "move {units} to {to} [via {via}]"
    season = "4.2"
    also = ("mv", "go")
    about = "Move units that stand together, by the cheapest way or by the hexes you name."
    example = "move GTB20 to 2713 via 2912, 2812"
    units: Units
    to: HexNumber
    via: Hexes = ()


class Overrun(Order):
    usage = "overrun {target} with {units} [via {via}] [by {by}]"
    season = "6.11"
    about = "Move next to an enemy hex if need be, then overrun it; Soviet overruns name the HQ that runs them."
    example = "overrun 2612 with GTC5 via 2712 by HQ-5GdTk; then move GTC5 to 2512"
    target: HexNumber
    units: Units
    via: Hexes = ()
    by: Units = ()

    @property
    def aim(self) -> str:
        return self.target


class Delay(Order):
    usage = "delay {units} to {to} [via {via}] [cover {cover}]"
    about = "Leave an enemy zone of control while one unit stays behind."
    example = "delay 80/34, 107/34 to 1012 cover 253/34"
    units: Units
    to: HexNumber
    via: Hexes = ()
    cover: UnitName = ""


class Disengage(Order):
    usage = "disengage {units} to {to} [via {via}]"
    about = "Leave an enemy zone of control and enter no other in this phase."
    example = "disengage 4/6 to 1215 via 1214"
    units: Units
    to: HexNumber
    via: Hexes = ()


class Enter(Order):
    usage = "enter {units} at {at}"
    season = "15.0-a"
    about = "Bring reinforcements on in a hex of their entry area."
    example = "enter TC18 at 3915"
    units: Units
    at: HexNumber


class Rail(Order):
    usage = "rail {units} to {to}"
    season = "5.34"
    about = "Move a unit along the railroad."
    example = "rail RD99 to 1004"
    units: Units
    to: HexNumber


class Discard(Order):
    usage = "discard {units}"
    about = "Eliminate units of your own that stand above the stacking limit."
    example = "discard RD6"
    units: Units


class End(Order):
    usage = "end"
    also = ("end phase", "done", "pass")
    about = "Close this phase."
    example = "end"


# Combat (9.0)


class Attack(Order):
    usage = "attack {targets} with {units} [by {by}] [air]"
    season = "5.26"
    about = "Attack one hex, or several that all attackers touch; an HQ among them leads, `by` names who coordinates."
    example = "attack 2612 with GTC5, GRD14, HQ-4Gd by HQ-4Gd air; lose GRD14; advance GTC5"
    targets: Hexes
    units: Units
    by: Units = ()
    air: Flag = False

    @property
    def aim(self) -> str:
        return self.targets[0]


class Lose(Order):
    usage = "lose {losses}"
    also = ("hold",)
    about = "Take a result as step losses."
    example = "lose GTC5 2, RD6"
    losses: Losses


class Retreat(Order):
    usage = "retreat [{paths}]"
    about = "Take a result as a retreat; units you name no way for take the safest one."
    example = "retreat RD6 2711, RD31 2810 2811"
    paths: Paths = ()


class Advance(Order):
    usage = "advance {paths}"
    about = "Advance after combat, one hex or along the way you name."
    example = "advance GTC5 2612 2512"
    paths: Paths


class NoAdvance(Order):
    usage = "no advance"
    also = ("stay",)
    about = "Do not advance after combat."
    example = "no advance"


class Air(Order):
    usage = "air"
    about = "Spend an Air Point on this combat."
    example = "air"


class NoAir(Order):
    usage = "no air"
    about = "Spend no Air Point on this combat."
    example = "no air"


# Air supply (25.2)


class AirSupply(Order):
    usage = "air supply {towns}"
    season = "25.21"
    also = ("airsupply",)
    about = "Fly supply to towns: one Air Point each."
    example = "air supply Korsun, 1708"
    towns: Hexes


ORDERS = (
    Place, TakeBack, Historical, Activate, Unsupport, Move, Overrun, Delay, Disengage, Enter, Rail, Discard, End,
    Attack, Lose, Retreat, Advance, NoAdvance, Air, NoAir, AirSupply,
)  # fmt: skip
