"""The tally: how many answers there were, as each side may know it, so that what is asked can be numbered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.asks import Ask


@dataclass(frozen=True)
class Tally:
    """The answers that all may read, and each side's hidden ones, which nobody else can count."""

    open: int = 0
    hidden: Mapping[str, int] = field(default_factory=dict)

    def number(self, ask: Ask, among: int = 0) -> str:
        """An ask's number among those that its readers know of; `among` those asked at once it is not the first."""
        return f"{self.open}.{ask.side}.{self.hidden.get(ask.side, 0)}" if ask.hidden else str(self.open + among)

    def after(self, answers: Iterable[tuple[str, bool]]) -> Tally:
        """One more answer for each side named, hidden or not."""
        open_, hidden = self.open, dict(self.hidden)
        for side, is_hidden in answers:
            if is_hidden:
                hidden[side] = hidden.get(side, 0) + 1
            else:
                open_ += 1
        return Tally(open_, hidden)


NO_ANSWERS = Tally()
