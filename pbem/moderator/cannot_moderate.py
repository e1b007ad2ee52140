"""Why the moderator cannot have what he asks for: one sentence each."""

from collections.abc import Sequence

from engine.refusals import either


class CannotModerate(Exception):
    """Nothing was done; the sentence says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NoCommand(CannotModerate):
    """There is no word of the moderator's in it: a machine may have written it."""


class UnknownGame(CannotModerate):
    """No game has this name."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        known = f"; did you mean {either(near)}?" if near else "; `game list --all` shows all there are"
        super().__init__(f"there is no game {name!r}{known}")
        self.name, self.near = name, tuple(near)


class WrongState(CannotModerate):
    """The game is not where that could be done."""

    def __init__(self, game: str, state: str, what: str) -> None:
        super().__init__(f"{game} is {state}, so {what}")
        self.game, self.state = game, state


class NoSuchChair(CannotModerate):
    """The game has no such side."""

    def __init__(self, game: str, side: str, sides: Sequence[str]) -> None:
        super().__init__(f"{game} has no side {side!r}; it has {either(list(sides))}")
        self.game, self.side, self.sides = game, side, tuple(sides)


class BadAddress(CannotModerate):
    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no mail address, and no bot such as bot:sensible")
        self.text = text


class NoSuchMail(CannotModerate):
    def __init__(self, name: str) -> None:
        super().__init__(f"no mail that was set aside has the number {name!r}; `game shunted` lists them")
        self.name = name
