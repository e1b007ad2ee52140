"""A phase of attacks: one after another, in the order the player chooses as he goes."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.orders.usual import End


def attacks(ask: Callable[[], Ask], resolve: Callable[[Any], Generator[Step, Any, None]]) -> Generator[Step, Any, None]:
    """Asks for the next attack and carries it out, until the phase is closed."""
    while True:
        order = yield ask()
        if isinstance(order, End):
            return
        yield from resolve(order)


def attack_ask(
    side: str,
    prompt: str,
    case: str,
    attack: type[Order],
    end: type[End],
    check: Callable[[Any], object],
    offers: Callable[[], Sequence[Choice]],
    *,
    owed: Callable[[], Order] | None = None,
) -> Ask:
    """The next attack, or the end of the phase; check and choices are those of the attack.

    `owed`: the attack that is made unasked, where the phase may not be closed yet; then `check` looks at that, too.
    """

    def checked(order: Order) -> None:
        if isinstance(order, attack) or owed is not None:
            check(order)

    return Ask(
        side=side,
        name="combat",
        subject=side,
        prompt=prompt,
        verbs=(attack, end),
        check=checked,
        offers=lambda: [*offers(), *([Choice(end)] if owed is None else [])],
        default=owed or end,
        case=case,
        top=True,
        barred=(end,) if owed is not None else (),
    )
