"""What goes wrong with the disk or the database and is nobody's fault: told in a sentence, and tried again later."""

import errno
import shutil
import tomllib
from pathlib import Path
from typing import Any

from sqlalchemy.engine.interfaces import ExceptionContext


class HouseTrouble(Exception):
    """The house cannot read or write: `what` is wrong, `was` so afterwards, and `remedy` says what to do about it."""

    what = "the disk or the database gives trouble"
    was = "the disk or the database gave trouble"
    remedy = "see to it, then try again"
    sqlite: tuple[int, ...] = ()  # result codes,
    postgres: tuple[str, ...] = ()  # and classes of errors, by which it is known

    def __init__(self, said: str = "") -> None:
        super().__init__(said)
        self.said = said  # by the system, for who knows more of it

    def __str__(self) -> str:
        return f"{self.what}{f' ({self.said})' if self.said else ''}: {self.remedy}"


_KINDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("troubles.toml").read_text("utf-8"))


def _class(name: str) -> type[HouseTrouble]:
    return type(name, (HouseTrouble,), _KINDS[name])


DiskFull, NearlyFull, ReadOnly, Locked, Damaged, EmptyDatabase, MovedAway, DiskFails, Unreachable, NotAllowed = map(
    _class, _KINDS
)
IN_SQLITE = {code: kind for kind in HouseTrouble.__subclasses__() for code in kind.sqlite}
IN_POSTGRES = {state: kind for kind in HouseTrouble.__subclasses__() for state in kind.postgres}
FULL = 1_000_000  # bytes: nobody can work with less
# Not EACCES and the like: a file that cannot be read is its own game's trouble, and all others go on.
IN_FILES: dict[int, type[HouseTrouble]] = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


def trouble_of(problem: BaseException) -> HouseTrouble | None:
    """The trouble that a problem is; None if it is none of the disk or the database, but of a mail or a game."""
    if isinstance(problem, HouseTrouble):
        return problem
    kind = IN_FILES.get(problem.errno or 0) if isinstance(problem, OSError) else _kind(problem)
    return kind(str(problem)) if kind is not None else None


def in_a_sentence(context: ExceptionContext) -> None:
    """For SQLAlchemy's `handle_error`: whatever the database itself cannot do is raised as a trouble of the house."""
    kind = _kind(context.original_exception, context.is_disconnect or context.connection is None)
    if kind is DiskFails and _is_full(context):
        kind = DiskFull
    if kind is not None:
        raise kind(" ".join(str(context.original_exception).split())[:200]) from context.original_exception


def _is_full(context: ExceptionContext) -> bool:
    """On a full disk SQLite may fail to make the file by which its users take turns, and calls that an error."""
    file = context.engine.url.database if context.engine is not None else None
    return file is not None and shutil.disk_usage(Path(file).parent).free < FULL


def _kind(problem: Any, lost: bool = False) -> type[HouseTrouble] | None:
    code = getattr(problem, "sqlite_errorcode", None)
    if code is not None:
        return IN_SQLITE.get(code & 0xFF)
    state = getattr(problem, "sqlstate", None) or ""
    known = next((IN_POSTGRES[state[:size]] for size in (5, 3, 2) if state[:size] in IN_POSTGRES), None)
    return known or (Unreachable if lost else None)
