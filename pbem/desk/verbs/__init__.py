"""The service's own verbs: what a player may write besides the orders of his game."""

from collections.abc import Callable

from pbem.desk.verbs import joining
from pbem.desk.visit import Visit

Verb = Callable[[Visit, str], None]


def _heard(visit: Visit, rest: str) -> None:
    """Dealt with where the orders are."""


VERBS: dict[str, Verb] = {"key": _heard, "check": _heard, **joining.VERBS}
FIRST = frozenset({"standing", "withdraw"})  # heard before the orders of the same mail
