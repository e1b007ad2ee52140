"""What may be written at the outpost, and what may be asked there in the raiders' play."""

from __future__ import annotations

from typing import ClassVar

from engine.orders.book import Book
from engine.orders.fields import HexNumber, HexsideName, UnitName, Units
from engine.orders.order import Order
from engine.orders.usual import End, Lose
from engine.standing import Question


class Move(Order):
    usage = "move {units} to {to}"
    units: Units
    to: HexNumber


class Attack(Order):
    usage = "attack {target} with {units}"
    forecastable: ClassVar[bool] = True
    target: HexNumber
    units: Units


class Blow(Order):
    usage = "blow {bridge}"
    bridge: HexsideName


class Scout(Order):
    usage = "scout {unit}"
    unit: UnitName


class GiveWay(Order):
    usage = "give way"


class Advance(Order):
    usage = "advance {unit}"
    unit: UnitName


class Stay(Order):
    usage = "stay"


class Yes(Order):
    usage = "yes"


class No(Order):
    usage = "no"


ORDERS = (Move, Attack, Blow, Scout, End)
BOOK = Book((*ORDERS, Lose, GiveWay, Advance, Stay, Yes, No))
QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "loss", "your units were hit", (Lose, GiveWay), amounts=("losses",), default="the first of them lose steps"
        ),
        Question("blow", "raiders come to a bridge beside you", (Yes, No), reaction=True, default="it stays"),
    )
}
