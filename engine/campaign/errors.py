"""Why a campaign cannot be begun, resumed or taken back."""

from pathlib import Path

from engine.refusals import Refusal


class LogExists(FileExistsError):
    """There is a game there already."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"there is a game at {path.name} already, and it stays")
        self.path = path


class NoSecret(Exception):
    """The secret of an open game is gone, so nothing can be rolled or sealed."""

    def __init__(self, log: str) -> None:
        super().__init__(f"the secret of {log} is not beside it, and the game has not ended")
        self.log = log


class CannotResume(Exception):
    """The log is whole, but these rules do not lead to the position it ends in."""

    def __init__(self, line: int, rules: str, why: str) -> None:
        super().__init__(f"the game cannot go on from line {line}, written under rules {rules}: {why}")
        self.line, self.rules, self.why = line, rules, why


class NoUndo(Refusal):
    """What was done cannot be taken back by a player."""

    family = "not allowed"

    def __init__(self, to: int, line: int, why: str) -> None:
        super().__init__(why)
        self.to, self.line, self.why = to, line, why

    def sentence(self) -> str:
        rest = f"Only the moderator can go back to line {self.to}"
        return f"Line {self.line} cannot be taken back: {self.why}. {rest}."


class GameClosed(Refusal):
    """The game has ended and its secret is out: nothing can follow."""

    family = "not allowed"

    def sentence(self) -> str:
        return "The game is over and its secret is out, so nothing can be added to its log."
