"""What can be wrong with a case file, or with the rules that it tries."""


class CaseFailed(AssertionError):
    """The rules did not do what a case file says."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(file, line, what)
        self.file, self.line, self.what = file, line, what

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class BadCase(CaseFailed):
    """The case file itself says something that cannot be understood."""


class Unmet(Exception):
    """Something expected is not so: in words."""


class Misspelt(Exception):
    """A statement that makes no sense: in words."""
