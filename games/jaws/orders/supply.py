"""Orders of the joint supply and the staff stages (13.2, 14.0)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from engine.orders.fields import Flag, HexNumber, Reading, UnitName, hexes_at, is_idle, nearest, unit_at
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


Depots = Annotated[tuple[tuple[str, tuple[str, ...]], ...], _Depots()]


class Sdm(Order):
    usage = "sdm {places}"
    season = "13.2.1"
    about = "Say where supply distribution markers lie this turn; those you do not name stay, if they can."
    example = "sdm 14Pz 4920, 47PzK-1 5225"
    places: Depots


class Keep(Order):
    usage = "keep"
    season = "13.2.1"
    about = "Leave every SDM where it lies, or as near to it as a legal road hex is."


class Extend(Order):
    usage = "supply {at} by {sdm}"
    season = "14.7"
    about = "Spend an SP to put up to three units in a hex in supply, at up to twice the range."
    example = "supply 3404 by SDM-5SS"
    at: HexNumber
    sdm: UnitName


class Resupply(Order):
    usage = "resupply {unit} [ammo]"
    season = "14.4"
    about = "Spend SPs to turn artillery to its front; `ammo` takes only the Out-of-Ammo off a German regiment."
    example = "resupply Art72"
    unit: UnitName
    ammo: Flag = False


ORDERS: tuple[type[Order], ...] = (
    Sdm,
    Keep,
    Extend,
    Resupply,
)
