"""Orders of the Event and Replacement Phases (8.0, 17.1, 22.1.4, 22.11)."""

from typing import Annotated

from engine.orders.fields import Count, Hexes, HexNumber, OneOf, Paths, UnitName, Units
from engine.orders.order import Order

Korps = Annotated[str, OneOf(("7K", "11K", "42K", "47PzK", "3PzK"))]

# Barrage units (17.1) and the boundary between the Fronts (22.11)


class Deploy(Order):
    sides = ("soviet",)
    usage = "deploy {paths}"
    season = "17.1.5"
    about = "Say where the guns of a Barrage unit that has fired come back: three in its hex, the others beside it."
    example = "deploy 14Mor-16AD 5719, 61Gun-16AD 5719"
    paths: Paths


class Form(Order):
    sides = ("soviet",)
    usage = "form {unit} at {at}"
    season = "17.1.1-1"
    about = "Form a Barrage unit of its five loaded components, in a clear hex that all of them touch."
    example = "form Barrage53 at 5718"
    unit: UnitName
    at: HexNumber


class Barrage(Order):
    sides = ("soviet",)
    usage = "barrage {hexes} by {unit}"
    season = "17.1.3-1"
    about = "Fire the barrage of a Barrage unit on up to three German hexes within three of it."
    example = "barrage 5519, 5418 by Barrage53"
    hexes: Hexes
    unit: UnitName


class Boundary(Order):
    sides = ("soviet",)
    usage = "boundary {hexes}"
    season = "22.11"
    about = "Give hexes along the boundary to the other Front, whose units hold them; one in each row."
    example = "boundary 3125, 3126"
    hexes: Hexes


# Replacements (8.0)


class Replace(Order):
    usage = "replace {unit} [by {steps}] [at {at}]"
    season = "8.4"
    about = "Spend replacement points on a unit, a step each; one that was eliminated comes back on or beside its SDM."
    example = "replace 62GRD by 2"
    unit: UnitName
    steps: Count = 1
    at: HexNumber = ""


class Refit(Order):
    sides = ("german",)
    usage = "refit {korps}"
    season = "8.5.2"
    about = "Spend an armor point of a korps: two dice say what kind of tank comes."
    example = "refit 47PzK"
    korps: Korps


class Again(Order):
    sides = ("german",)
    usage = "roll again"
    season = "8.5.2-c1"
    about = "Roll once more for the kind of tank."


class Save(Order):
    sides = ("german",)
    usage = "save"
    season = "8.5.2-c1"
    about = "Keep the armor point for a later turn."


class Absorb(Order):
    sides = ("german",)
    usage = "absorb {cadre} into {unit}"
    season = "8.6.1"
    about = "Break up a cadre and give its men to a unit within three hexes."
    example = "absorb 545/389 into 544/389"
    cadre: UnitName
    unit: UnitName


class Convert(Order):
    sides = ("german",)
    usage = "convert {gun} to {units}"
    season = "8.6.2"
    about = "Make infantry of an artillery unit: a regiment gives two steps, a battalion one, within three hexes."
    example = "convert Art389 to 544/389, 546/389"
    gun: UnitName
    units: Units


class Abandon(Order):
    sides = ("german",)
    usage = "abandon {sdm} for {unit}"
    season = "8.6.5-p1"
    about = "Give up an SDM for good, for a step of a unit that it feeds."
    example = "abandon SDM-47PzK-2 for 3/3Pz"
    sdm: UnitName
    unit: UnitName


class AirfieldAbandoned(Order):
    sides = ("german",)
    usage = "airfield abandoned"
    season = "8.6.4"
    about = "Give up the airfield of Korsun: three Alarm units, and its stock for the SDMs near it."


class Disband(Order):
    sides = ("german",)
    usage = "disband {unit} for {korps}"
    season = "8.6.3"
    about = "Break up an Alarm unit that another unit has come to, for an infantry point of a korps it can trace to."
    example = "disband Alarm3 for 11K"
    unit: UnitName
    korps: Korps


# The continuous front (22.1)


class Release(Order):
    sides = ("german",)
    usage = "release [{korps}]"
    season = "22.1.4"
    about = "Roll for the release of a korps from the continuous front, or of all that are bound."
    example = "release 42K"
    korps: Korps = ""


class NoRelease(Order):
    sides = ("german",)
    usage = "no release"
    season = "22.1.4"
    about = "Do not roll: the line stays bound."


ORDERS: tuple[type[Order], ...] = (
    Release, NoRelease, Deploy, Form, Barrage, Boundary, Replace, Refit, Again, Save, Absorb, Convert, Abandon,
    AirfieldAbandoned, Disband,
)  # fmt: skip
