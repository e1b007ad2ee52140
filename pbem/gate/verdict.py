"""What the gate says about a mail: a verdict that stops it, or who is let in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from pbem.store import GameRow, Player, Seat

Action = Literal["silent", "answer", "shunt"]
MODERATOR = "moderator"


@dataclass(frozen=True)
class TurnedAway:
    """A mail that goes no further: no word to anybody, exactly one answer, or set aside for the moderator."""

    rule: str
    action: Action
    say: str = ""  # to the sender if it is answered, otherwise for the moderator's list
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Admitted:
    """Who speaks, and in which game; the rows are those of the session that was asked."""

    game: GameRow
    side: str  # of the game, or "moderator"
    seat: Seat | None  # the moderator has none
    player: Player | None  # a moderator need not be a player
