"""Choices: what may be said now, as objects. Text, bots, help and pages are all made from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.orders.order import Order
from engine.refusals import passes

Given = Mapping[str, Any]


def nothing() -> tuple[()]:
    return ()


@dataclass(eq=False)
class Choice:
    """A legal answer, or the beginning of one: an order, what is said of it, and what may be said next.

    A value said for a field of several things (units, hexes, ways, losses) joins those said already.
    """

    kind: type[Order]
    given: Given = field(default_factory=dict)
    field: str = ""  # what to say next, by one of `values`; empty: nothing
    reach: Callable[[], Iterable[Any]] = nothing  # the values, worked out only when somebody looks
    complete: bool = True  # it may be given as it stands
    onward: Callable[[Given], Choice] | None = None  # what a value leads to; None: to a whole order
    also: Callable[[], Sequence[Choice]] = nothing  # longer ones that the field does not lead to

    @property
    def more(self) -> bool:
        """Whether it can be made longer."""
        return bool(self.field) or self.also is not nothing

    @cached_property
    def values(self) -> tuple[Any, ...]:
        return tuple(self.reach())

    def saying(self, value: Any) -> Choice:
        """The choice with one more value said."""
        if self.kind.shape.fields[self.field].plural:
            value = (*self.given.get(self.field, ()), value)
        given = {**self.given, self.field: value}
        return self.onward(given) if self.onward is not None else Choice(self.kind, given)

    def following(self) -> list[Choice]:
        """Every choice that is one step longer."""
        if self.onward is None and self.values and not self.kind.shape.fields[self.field].plural:
            kind, given, name = self.kind, self.given, self.field
            return [*(Choice(kind, {**given, name: value}) for value in self.values), *self.also()]
        return [*map(self.saying, self.values), *self.also()]

    def order(self) -> Order:
        """The order as far as it is said; whole if the choice is complete."""
        return self.kind(**self.given)

    def line(self) -> str:
        """The text of it: an order, or its beginning up to the word that opens the next field."""
        return self.order().line() if self.complete else self.kind.shape.begun(self.given, self.field)

    @property
    def key(self) -> Hashable:
        """The same for two choices that say the same."""
        return (self.kind, *self.given.items())


def whole(order: Order) -> Choice:
    """An order that may be given as it stands."""
    said = ((name, getattr(order, name)) for name in order.shape.fields if name in order.model_fields_set)
    return Choice(type(order), {name: value for name, value in said if value != ()})


def pick(kind: type[Order], field: str, reach: Callable[[], Iterable[Any]], **given: Any) -> Choice:
    """One value is still to be chosen; any of them makes the order whole."""
    return Choice(kind, given, field, reach, complete=False)


def gather(
    kind: type[Order],
    field: str,
    candidates: Callable[[Given], Iterable[Any]],
    check: Callable[[Any], object] | None = None,
    also: Callable[[Given], Sequence[Choice]] | None = None,
    **given: Any,
) -> Choice:
    """Values named one after another; whole wherever the check, if the candidates need one, lets it pass."""

    def onward(said: Given) -> Choice:
        begun = bool(said.get(field))
        return Choice(
            kind,
            said,
            field,
            lambda: candidates(said),
            complete=begun and (check is None or passes(check, kind(**said))),
            onward=onward,
            also=(lambda: also(said)) if also is not None and begun else nothing,
        )

    return onward(given)
