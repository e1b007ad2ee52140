"""Why an order was not carried out: three families, each with fields, and the one place that makes the sentence."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any


class Refusal(Exception, ABC):
    """An order that comes back to its writer."""

    family = "refused"

    @abstractmethod
    def sentence(self) -> str:
        """What the writer reads."""

    def __str__(self) -> str:
        return self.sentence()


class Unclear(Refusal):
    """The line was not understood."""

    family = "not understood"

    def __init__(self, problem: str, *, usage: str = "", suggestions: Sequence[str] = ()) -> None:
        super().__init__(problem)
        self.problem, self.usage, self.suggestions = problem, usage, tuple(suggestions)

    def sentence(self) -> str:
        said = self.problem[:1].upper() + self.problem[1:] + "."
        if self.suggestions:
            said += f" Did you mean {either(self.suggestions)}?"
        if self.usage:
            said += f" Write: {self.usage}"
        return said


class Ambiguous(Refusal):
    """The line could mean more than one thing; nothing is guessed."""

    family = "ambiguous"

    def __init__(self, word: str, candidates: Sequence[str]) -> None:
        super().__init__(word)
        self.word, self.candidates = word, tuple(candidates)

    def sentence(self) -> str:
        return f"{self.word!r} could be {either(self.candidates)}. Write the one you mean."


class Illegal(Refusal):
    """The line was understood, and a rule forbids it."""

    family = "not allowed"

    def __init__(
        self,
        case: str,
        problem: str,
        *,
        unit: str = "",
        at: str = "",
        instead: str = "",
        alternatives: Sequence[str] | None = None,
    ) -> None:
        super().__init__(problem)
        self.case, self.problem, self.unit, self.at = case, problem, unit, at
        self.instead, self.alternatives = instead, None if alternatives is None else tuple(alternatives)

    def sentence(self) -> str:
        where = f" at {self.at}" if self.at and self.at not in self.problem else ""
        who = f"{self.unit}: " if self.unit and self.unit not in self.problem else ""
        said = f"{who}{self.problem}{where} (case {self.case})."
        said = said[:1].upper() + said[1:]
        if self.alternatives is not None:
            said += f" {self.instead or 'Legal instead'}: {listing(self.alternatives) or 'none'}."
        elif self.instead:
            said += f" {self.instead}."
        return said


class Unasked(Illegal):
    """An order that answers another question than the one that stands open."""

    def __init__(self, case: str, verb: str, prompt: str, alternatives: Sequence[str]) -> None:
        problem = f"{verb!r} does not answer what is asked now: {prompt}"
        super().__init__(case, problem, instead="Orders that do", alternatives=alternatives)
        self.prompt = prompt


class Unmeant(Illegal):
    """A closing line that was not written for what it would close: something has come in between."""


def passes(check: Callable[..., object], *given: Any) -> bool:
    """Whether a check has nothing against it."""
    try:
        check(*given)
    except Illegal:
        return False
    return True


class NotNow(Refusal):
    """The position cannot be corrected in the middle of something."""

    family = "not allowed"

    def __init__(self, prompt: str) -> None:
        super().__init__(prompt)
        self.prompt = prompt

    def sentence(self) -> str:
        if not self.prompt:
            return "The game is over, so nothing in it can be corrected."
        return f"A correction has to wait until this is answered: {self.prompt}."


def either(words: Sequence[str]) -> str:
    """Choices as people write them: a, b or c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def listing(words: Sequence[str], most: int = 12) -> str:
    """A list as people read it, cut where it grows too long."""
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
