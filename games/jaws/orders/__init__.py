"""The orders a player may write: one small class each, a module a chapter."""

from engine.orders.order import Order
from games.jaws.orders.combat import (
    Advance,
    Air,
    Attack,
    Cas,
    Declare,
    Disorganize,
    Drive,
    Exploit,
    Fire,
    GiveWay,
    Lose,
    NoAdvance,
    NoAir,
    NoCas,
    NoFire,
    NoReaction,
    NoRetreat,
    React,
    Retreat,
)
from games.jaws.orders.movement import Blow, Enter, Move, Rail, Spare
from games.jaws.orders.sight import Flip, Top
from games.jaws.orders.supply import Extend, Keep, Resupply, Sdm
from games.jaws.orders.turn import End

__all__ = [
    "ORDERS",
    "Advance",
    "Air",
    "Attack",
    "Blow",
    "Cas",
    "Declare",
    "Disorganize",
    "Drive",
    "End",
    "Enter",
    "Exploit",
    "Extend",
    "Fire",
    "Flip",
    "GiveWay",
    "Keep",
    "Lose",
    "Move",
    "NoAdvance",
    "NoAir",
    "NoCas",
    "NoFire",
    "NoReaction",
    "NoRetreat",
    "Rail",
    "React",
    "Resupply",
    "Retreat",
    "Sdm",
    "Spare",
    "Top",
]

ORDERS: tuple[type[Order], ...] = (
    Sdm, Keep, Extend, Resupply, Enter, Move, Rail, Blow, Spare, Declare, Attack, Fire, NoFire, NoRetreat, GiveWay,
    Cas, NoCas, Air, NoAir, React, NoReaction, Lose, Disorganize, Retreat, Drive, Exploit, Advance, NoAdvance,
    Top, Flip, End,
)  # fmt: skip
