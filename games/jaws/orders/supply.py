"""Orders of the joint supply and the staff stages (13.2, 14.0)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders.fields import (
    Count,
    Flag,
    HexNumber,
    Reading,
    UnitName,
    Units,
    hexes_at,
    is_idle,
    nearest,
    unit_at,
)
from engine.orders.order import Order
from engine.refusals import Ambiguous, Unclear


class _Depots:
    """SDMs and where each goes: `14Pz 2928, 47PzK-1 5225`; a command with one SDM names it."""

    label: str = "SDM HEX, SDM HEX..."
    kind: ClassVar[str] = "paths"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], int]:
        found: list[tuple[str, tuple[str, ...]]] = []
        used = 0
        while used < len(words):
            if is_idle(words[used:], reading) or words[used].casefold() == "sdm":
                used += 1
                continue
            sdm, more = _sdm_at(words[used:], reading)
            used += more
            while used < len(words) and is_idle(words[used:], reading):
                used += 1
            spots, more = hexes_at(words[used:], reading) if used < len(words) else ([], 0)
            if len(spots) != 1:
                raise Unclear(f"say one hex for {sdm}", usage="sdm 14Pz 2928, 47PzK-1 5225")
            used += more
            found.append((sdm, (spots[0],)))
        if not found:
            raise Unclear("an SDM is missing", usage="sdm 14Pz 2928, 47PzK-1 5225")
        return tuple(found), used

    def write(self, value: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
        return ", ".join(" ".join((sdm.removeprefix("SDM-"), *spot)) for sdm, spot in value)


def _sdm_at(words: Sequence[str], reading: Reading) -> tuple[str, int]:
    """The SDM that the first words name. Raises Unclear, Ambiguous."""
    named = unit_at(words, reading)
    roster = reading.setting.roster
    if named is not None and named[0].startswith("SDM-"):
        return named
    said = words[0].casefold()
    own = [unit.id for unit in roster.by_side(reading.side) if "sdm" in unit.classes]
    meant = [sdm for sdm in own if sdm.casefold() in (f"sdm-{said}", f"sdm-{said}-1", f"sdm-{said}-2")]
    if len(meant) > 1:
        raise Ambiguous(words[0], meant)
    if not meant:
        names = [sdm.removeprefix("SDM-") for sdm in own]
        raise Unclear(f"there is no SDM called {words[0]!r}", suggestions=nearest(said, names))
    return meant[0], 1


class _Relays:
    """SDMs that serve others as a source: `27A-1 for 27A-2`."""

    label: str = "SDM for SDM..."
    kind: ClassVar[str] = "units"
    plural: ClassVar[bool] = True

    def read(self, words: Sequence[str], reading: Reading) -> tuple[tuple[tuple[str, str], ...], int]:
        found: list[str] = []
        used = 0
        while used < len(words):
            if is_idle(words[used:], reading) or words[used].casefold() in ("for", "relay"):
                used += 1
                continue
            sdm, more = _sdm_at(words[used:], reading)
            found.append(sdm)
            used += more
        if not found or len(found) % 2:
            raise Unclear(
                "say which SDM is a relay for which", usage="sdm 27A-1 0713, 27A-2 1113 relay 27A-1 for 27A-2"
            )
        return tuple(zip(found[::2], found[1::2], strict=True)), used

    def write(self, value: tuple[tuple[str, str], ...]) -> str:
        return ", ".join(" for ".join(sdm.removeprefix("SDM-") for sdm in pair) for pair in value)


Relays = Annotated[tuple[tuple[str, str], ...], _Relays()]
Depots = Annotated[tuple[tuple[str, tuple[str, ...]], ...], _Depots()]


class _Command:
    """An army or a korps by its name: `11K`, `4th Guards Army`."""

    label: str = "ARMY|KORPS"
    kind: ClassVar[str] = "word"
    plural: ClassVar[bool] = False

    def read(self, words: Sequence[str], reading: Reading) -> tuple[str, int]:
        roster = reading.setting.roster
        kinds = ("army", "korps")
        for used in range(min(len(words), max(1, roster.longest_body)), 0, -1):
            for body in roster.formations_named(" ".join(words[:used])):
                if body.kind in kinds:
                    return body.id, used
        said = words[0] if words else ""
        own = {f.id for unit in roster.by_side(reading.side) for f in roster.levels(unit.formation) if f.kind in kinds}
        raise Unclear(f"there is no army or korps called {said!r}", suggestions=nearest(said, own) or sorted(own))

    def write(self, value: str) -> str:
        return value


Command = Annotated[str, _Command()]


class Sdm(Order):
    usage = "sdm {places} [relay {relays}] [draws {draws}]"
    season = "13.2.1"
    about = (
        "Say where supply distribution markers lie this turn; those you do not name stay, if they can. "
        "Behind `draws` name those that draw on Korsun's depot though another source feeds them too."
    )
    example = "sdm 14Pz 4920, 47PzK-1 5225"
    places: Depots
    relays: Relays = ()
    draws: Units = ()


class Keep(Order):
    usage = "keep"
    season = "13.2.1"
    about = "Leave every SDM where it lies, or as near to it as a legal road hex is."


class Displace(Order):
    usage = "displace [{hexes}] [to {to}]"
    season = "13.2.4"
    about = "Take an SDM that an enemy comes next to one or two hexes back along its road."
    example = "displace 2"
    hexes: Count = 0
    to: HexNumber = ""


class Extend(Order):
    usage = "supply {at} by {sdm} [for {units}]"
    season = "14.7"
    about = "Spend an SP to put up to three units in a hex in supply, at up to twice the range."
    example = "supply 3404 by SDM-5SS"
    at: HexNumber
    sdm: UnitName
    units: Units = ()


class Assign(Order):
    usage = "assign {units} to {sdm}"
    season = "14.3"
    about = "Say which SDM puts units in supply, and so pays for them, where several can."
    example = "assign 105/72, Pio72 to SDM-11K-2"
    units: Units
    sdm: UnitName


class Transfer(Order):
    usage = "transfer {units} to {command}"
    season = "13.4.3"
    about = "Let units that no path leads to be fed by another army or korps, from the next turn on."
    example = "transfer 417/168 to 11K"
    units: Units
    command: Command


class Resupply(Order):
    usage = "resupply {unit} [ammo]"
    season = "14.4"
    about = "Spend SPs to turn artillery to its front; `ammo` takes only the Out-of-Ammo off a German regiment."
    example = "resupply Art72"
    unit: UnitName
    ammo: Flag = False


# 14.6, 14.8: by air


class Drop(Order):
    usage = "drop [{at}] [to {sdm}] [depot]"
    season = "14.6.4"
    about = "Supply a hex with units out of supply from the air; the Germans may drop SPs to an SDM instead."
    example = "drop 2713"
    at: HexNumber = ""
    sdm: UnitName = ""
    depot: Flag = False


class NoDrop(Order):
    sides = ("german",)
    usage = "no drop"
    season = "14.6.4"
    about = "Let the missions that are left go by."


class Feed(Order):
    sides = ("german",)
    usage = "feed {units}"
    season = "14.6.4-p4b"
    about = "Say which units an Air-Drop puts in supply."
    example = "feed 248/KAB"
    units: Units


class Allocate(Order):
    sides = ("german",)
    usage = "allocate [drops {drops}] [korsun {korsun}] [airfield {airfield}]"
    season = "14.6.1"
    about = "Set next turn's missions from Uman: at most two Air-Drops, at most five in all."
    example = "allocate drops 1 korsun 4"
    drops: Count = 0
    korsun: Count = 0
    airfield: Count = 0


# 13.1.3, 14.5, 16.2: German declarations


class KorsunIsolated(Order):
    sides = ("german",)
    usage = "korsun isolated"
    season = "13.1.3"
    about = "Declare Korsun isolated: from the next turn its depot is a source; or open its airfield again."


class Isolate(Order):
    sides = ("german",)
    usage = "isolate {command} [sdm {places}]"
    season = "16.2"
    about = "Declare Korps Isolation, and say which SDMs go to which of the korps' three hexes."
    example = "isolate 11K sdm 11K-1 3821, 11K-2 4223"
    command: Command
    places: Depots = ()


class Stock(Order):
    sides = ("german",)
    usage = "stock {sdm} with {points}"
    season = "16.2-p1"
    about = "Move SPs from the Korsun Supply Track to an SDM of an isolated korps."
    example = "stock SDM-11K-1 with 3"
    sdm: UnitName
    points: Count


class FallBack(Order):
    sides = ("german",)
    usage = "fall back {units} to {to}"
    season = "16.2-p4"
    about = "Move units of an isolated korps up to two hexes toward its three hexes, whatever zones they are in."
    example = "fall back 105/72 to 4115"
    units: Units
    to: HexNumber


ORDERS: tuple[type[Order], ...] = (
    Sdm,
    Keep,
    Displace,
    Assign,
    Transfer,
    Extend,
    Resupply,
    Drop,
    NoDrop,
    Feed,
    Allocate,
    KorsunIsolated,
    Isolate,
    Stock,
    FallBack,
)
