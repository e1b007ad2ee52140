"""The orders a player may write: one small class each, a module a chapter."""

from engine.orders.order import Order
from games.jaws.orders import (
    breakout,
    combat,
    engineering,
    events,
    forming,
    interception,
    movement,
    optional,
    reserves,
    sight,
    supply,
    turn,
)

ORDERS: tuple[type[Order], ...] = (
    *supply.ORDERS,
    *events.ORDERS,
    *breakout.ORDERS,
    *movement.ORDERS,
    *engineering.ORDERS,
    *forming.ORDERS,
    *reserves.ORDERS,
    *interception.ORDERS,
    *sight.ORDERS,
    *combat.ORDERS,
    *optional.ORDERS,
    *turn.ORDERS,
)
