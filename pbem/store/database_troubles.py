"""What goes wrong with the disk or the database and is nobody's fault: told in a sentence, and tried again later."""

import errno
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy.engine.interfaces import ExceptionContext


class HouseTrouble(Exception):
    """The house cannot read or write: `what` is wrong, `was` so afterwards, and `remedy` says what to do about it."""

    what = "the disk or the database gives trouble"
    was = "the disk or the database gave trouble"
    remedy = "see to it, then try again"

    def __init__(self, said: str = "") -> None:
        super().__init__(said)
        self.said = said  # by the system, for who knows more of it

    def __str__(self) -> str:
        return f"{self.what}{f' ({self.said})' if self.said else ''}: {self.remedy}"


class DiskFull(HouseTrouble):
    what, was = "the disk is full", "the disk was full"
    remedy = "make room on it; nothing is lost, and all goes on as soon as there is some"


class NearlyFull(DiskFull):
    what, was = "the disk is nearly full", "the disk was nearly full"


class ReadOnly(HouseTrouble):
    what = "the home folder or the database cannot be opened for writing"
    was = "the home folder or the database could not be written"
    remedy = "see who owns it, and whether its disk is there and not mounted for reading only"


class Locked(HouseTrouble):
    what, was = "another program keeps the database locked", "another program kept the database locked"
    remedy = "let it finish (a backup, perhaps), or stop it, then try again"


class Damaged(HouseTrouble):
    what, was = "the database is damaged", "the database was damaged"
    remedy = (
        "stop the service, and type `pbem house rebuild`, which sets it aside and makes another from the games' "
        "folders; or put back the last backup, or what the command .recover of sqlite3 saves"
    )


class EmptyDatabase(HouseTrouble):
    what, was = "the database knows no game, though there are games in the home folder", "the database was empty"
    remedy = (
        "`pbem house rebuild` makes it again from them; or put back the last backup, or move them away to begin anew"
    )


class MovedAway(HouseTrouble):
    what, was = "this house has moved", "the house had moved"
    remedy = "name the new place in the settings, as `database` or as `home`; what lies here is no longer used"


class DiskFails(HouseTrouble):
    what, was = "the disk gives errors", "the disk gave errors"
    remedy = "see what the system says of it, and back up the home folder while it can be read"


class Unreachable(HouseTrouble):
    what, was = "the database cannot be reached", "the database could not be reached"
    remedy = "see that it runs, and that its URL in the settings is right"


FULL = 1_000_000  # bytes: nobody can work with less
# By SQLite's primary result codes, and by PostgreSQL's classes of errors.
IN_SQLITE: dict[int, type[HouseTrouble]] = {
    5: Locked, 6: Locked, 8: ReadOnly, 10: DiskFails, 11: Damaged, 13: DiskFull, 14: ReadOnly, 23: ReadOnly,
    26: Damaged,
}  # fmt: skip
IN_POSTGRES: dict[str, type[HouseTrouble]] = {
    "08": Unreachable, "25006": ReadOnly, "28": Unreachable, "3D": Unreachable, "40": Locked, "53": DiskFull,
    "53300": Unreachable, "55P03": Locked, "57P": Unreachable, "58": DiskFails, "XX": Damaged,
}  # fmt: skip
# Not EACCES and the like: a file that cannot be read is its own game's trouble, and all others go on.
IN_FILES: dict[int, type[HouseTrouble]] = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


def trouble_of(problem: BaseException) -> HouseTrouble | None:
    """The trouble that a problem is; None if it is none of the disk or the database, but of a mail or a game."""
    if isinstance(problem, HouseTrouble):
        return problem
    kind = IN_FILES.get(problem.errno or 0) if isinstance(problem, OSError) else None
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


def _kind(problem: Any, lost: bool) -> type[HouseTrouble] | None:
    code = getattr(problem, "sqlite_errorcode", None)
    if code is not None:
        return IN_SQLITE.get(code & 0xFF)
    state = getattr(problem, "sqlstate", None) or ""
    known = next((IN_POSTGRES[state[:size]] for size in (5, 3, 2) if state[:size] in IN_POSTGRES), None)
    return known or (Unreachable if lost else None)
