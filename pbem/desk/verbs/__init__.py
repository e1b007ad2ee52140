"""The service's own verbs: what a player may write besides the orders of his game."""

from collections.abc import Callable

from pbem.desk.verbs import (
    absence,
    ending,
    helping,
    joining,
    looking,
    resending,
    standing_orders,
    taking_back,
    talking,
    trying_out,
)
from pbem.desk.visit import Visit

Verb = Callable[[Visit, str], None]


def _heard(visit: Visit, rest: str) -> None:
    """Dealt with where the orders are."""


VERBS: dict[str, Verb] = {
    "check": _heard,
    "key": _heard,
    **joining.VERBS,
    **trying_out.VERBS,
    **standing_orders.VERBS,
    **looking.VERBS,
    **talking.VERBS,
    **taking_back.VERBS,
    **absence.VERBS,
    **ending.VERBS,
    **resending.VERBS,
    **helping.VERBS,
}
FIRST = frozenset({"standing", "withdraw"})  # heard before the orders of the same mail
