"""What may be written at the ford."""

from __future__ import annotations

from typing import Annotated

from engine.orders import usual
from engine.orders.book import Book
from engine.orders.fields import Count, Flag, Hexes, HexNumber, OneOf, Paths, UnitName, Units
from engine.orders.order import Order

Flare = Annotated[str, OneOf(("white", "green", "red"))]


class Bid(Order):
    usage = "bid {points}"
    points: Count


class Move(Order):
    usage = "move {unit} {path}"
    also = ("go",)
    unit: UnitName
    path: Hexes


class March(Order):
    usage = "march {paths}"
    paths: Paths


class Dig(Order):
    usage = "dig {unit}"
    unit: UnitName


class Face(Order):
    usage = "face {way}"
    way: HexNumber


class Scout(Order):
    usage = "scout"


class Look(Order):
    usage = "look {at}"
    at: HexNumber


class Attack(Order):
    usage = "attack {target} with {units} [from {where}] [hard]"
    target: HexNumber
    units: Units
    where: HexNumber = ""
    hard: Flag = False


class Support(Order):
    usage = "support {unit}"
    unit: UnitName


class NoSupport(Order):
    usage = "no support"


class Lose(Order):
    usage = "lose {unit}"
    unit: UnitName


class Retreat(Order):
    usage = "retreat {unit} {to}"
    unit: UnitName
    to: HexNumber


class Advance(Order):
    usage = "advance {unit}"
    unit: UnitName


class Stay(Order):
    usage = "stay"


class Signal(Order):
    usage = "signal {flare}"
    flare: Flare


class End(usual.End):
    """The usual one."""


ORDERS = (Move, March, Dig, Scout, Attack, Signal, End)
BOOK = Book((*ORDERS, Bid, Face, Look, Support, NoSupport, Lose, Retreat, Advance, Stay))
