"""A log in a file: one line, one write; it is there or it is not."""

import contextlib
import errno
import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.canonical import canonical
from engine.log.chain import Fault, link_problem, read_lines
from engine.log.lines import NO_LINE, Line, parse
from engine.log.locking import hold
from engine.log.shape import shape_problem
from engine.log.sidecar import Head, open_new, read_head, read_secret, sync_folder, write_head

_PACKED = b"\x1f\x8b"  # how a file begins that gzip made


class DamagedLog(Exception):
    """A log file holds something that was never written to it, or lacks something that was."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"the log {path.name} is damaged at line {line}: {problem}")
        self.path, self.line, self.problem = path, line, problem


class LogMoved(Exception):
    """The log no longer ends where the writer of a line thought it did."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__(f"line {line} no longer fits the end of {path.name}: someone else has written to it")
        self.path, self.line = path, line


class PackedLog(Exception):
    """A line cannot be written to a log as it came in a letter."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"the log {path.name} is packed, and can only be read: unpack it (`gunzip {path.name}`) first")
        self.path = path


@dataclass(frozen=True, slots=True)
class TornTail:
    """A last line that was not written whole, and so never happened."""

    line: int
    size: int


@dataclass(frozen=True, slots=True)
class LogRead:
    """The lines of a log, and what was left over at its end."""

    lines: list[Line]
    torn: TornTail | None = None


@dataclass(frozen=True, slots=True)
class _End:
    n: int
    hash: str
    row: bytes  # the last whole line, its newline included
    at: int  # where it ends
    size: int  # of the file, a torn tail included


class LogFile:
    """One game's log; `append` refuses if anyone else has written since we looked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._end: _End | None = None

    def create(self, header: Line) -> None:
        """Begin the log; raises FileExistsError if there is one, ValueError if the line is no header."""
        row = _row(self.path, header, 0, NO_LINE)
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}.new")
        with open_new(new) as file:
            file.write(row)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(new, self.path)  # unlike a rename, it never takes the place of another log
        finally:
            new.unlink()
        sync_folder(self.path.parent)
        self._end = _End(0, header["hash"], row, len(row), len(row))
        self._note_head(header)

    def read(self) -> LogRead:
        """All whole lines; raises DamagedLog for anything but a torn end."""
        noted = _noted(self.path)  # before the lines: whoever writes meanwhile only makes the log longer
        content = content_of(self.path)
        rows, torn = split_rows(content)
        whole = linked(self.path, rows)
        if not whole:
            raise DamagedLog(self.path, 0, "there is no header")
        for gone in _head_faults(noted, rows):
            raise DamagedLog(self.path, gone.line, gone.what)
        at = len(content) - (torn.size if torn else 0)
        self._end = _End(len(whole) - 1, whole[-1]["hash"], rows[-1] + b"\n", at, len(content))
        return LogRead(whole, torn)

    def tail(self, since: int) -> list[Line]:
        """The lines after one, read from the end and checked among themselves; in any doubt the file is read whole."""
        known = self._end
        if known is not None and since >= known.n:
            return []
        if known is not None and since >= 0:
            with self.path.open("rb") as file:
                rows = _last_rows(file, known.at, known.n - since)
            lines = [line for line in read_lines(row[:-1] for row in rows)[0] if line is not None]
            before = [None, *(line["hash"] for line in lines)]
            linked = (not link_problem(n, *pair) for n, pair in enumerate(zip(lines, before, strict=False), since + 1))
            if len(lines) == known.n - since and before[-1] == known.hash and all(linked):
                return lines
        return self.read().lines[since + 1 :]

    def ends(self) -> tuple[Line, Line] | None:
        """The header and the last line, what lies between unread; None if the file must be read whole."""
        with self.path.open("rb") as file:
            first = file.readline()
            size = file.seek(0, os.SEEK_END)
            row = b"".join(_last_rows(file, size, 1))
        head = read_head(self.path)
        lines, faults = read_lines([first.rstrip(b"\n"), row.rstrip(b"\n")])
        header, last = lines
        if faults or header is None or last is None or head is None or not row.endswith(b"\n"):
            return None
        if link_problem(0, header, NO_LINE) or link_problem(head.n, last, None) or head.hash != last["hash"]:
            return None
        self._end = _End(last["n"], last["hash"], row, size, size)
        return header, last

    def append(self, line: Line) -> None:
        """Write the line durably; raises LogMoved if it does not follow the last, PackedLog, OSError if it cannot."""
        if self._end is None:
            self.read()
        known = self._end
        if known is None or line.get("prev") != known.hash:
            raise LogMoved(self.path, line.get("n", -1))
        row = _row(self.path, line, known.n + 1, known.hash)
        with self._locked() as fd:
            if not self._ends_as_known(fd, known):
                self._end = None
                os.lseek(fd, 0, os.SEEK_SET)
                packed_up = os.read(fd, len(_PACKED)) == _PACKED
                raise PackedLog(self.path) if packed_up else LogMoved(self.path, line["n"])
            self._write(fd, row, known)
        at = known.at + len(row)
        self._end = _End(line["n"], line["hash"], row, at, at)
        self._note_head(line)

    def _ends_as_known(self, fd: int, known: _End) -> bool:
        if os.fstat(fd).st_size != known.size:
            return False
        os.lseek(fd, known.at - len(known.row), os.SEEK_SET)
        return os.read(fd, len(known.row)) == known.row

    def _write(self, fd: int, row: bytes, known: _End) -> None:
        os.ftruncate(fd, known.at)  # a torn tail never happened
        os.lseek(fd, known.at, os.SEEK_SET)
        try:
            if os.write(fd, row) != len(row):
                raise OSError(errno.ENOSPC, f"the disk took only a part of line {known.n + 1}")
            os.fsync(fd)
        except OSError:
            self._end = None
            os.ftruncate(fd, known.at)
            raise

    def _note_head(self, line: Line) -> None:
        # The line is there, and that decides: a head that lags is allowed, and the next append mends it.
        with contextlib.suppress(OSError):
            write_head(self.path, line)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        fd = os.open(self.path, os.O_RDWR)
        try:
            hold(fd)
            yield fd
        finally:
            os.close(fd)


def _last_rows(file: BinaryIO, at: int, number: int) -> list[bytes]:
    """The last rows that end there, with their newlines, found from the end."""
    tail = b""
    while at > 0 and tail.count(b"\n", 0, -1) < number:
        step = min(max(65536, len(tail)), at)
        at = file.seek(at - step)
        tail = file.read(step) + tail
    return tail.splitlines(keepends=True)[-number:]


def linked(path: Path, rows: Iterable[bytes], n: int = 0, before: str | None = NO_LINE) -> list[Line]:
    """Lines that follow each other, the n-th first, after the one of that hash if it is known. Raises DamagedLog."""
    lines, faults = read_lines(rows)
    whole: list[Line] = []
    for number, line in enumerate(lines, n):
        problem = faults[0].what if line is None else link_problem(number, line, before)
        if line is None or problem is not None:
            raise DamagedLog(path, number, problem or "")
        before = line["hash"]
        whole.append(line)
    return whole


def as_written(lines: Iterable[Line]) -> bytes:
    """Lines as their file has them."""
    return b"".join(canonical(line) + b"\n" for line in lines)


def packed(lines: Iterable[Line]) -> bytes:
    """The same as it goes into a letter: a sixth, and read by whatever reads a log."""
    return gzip.compress(as_written(lines), mtime=0)


def content_of(path: Path) -> bytes:
    """What a log's file holds; as it comes in a letter it is packed. Raises DamagedLog."""
    content = path.read_bytes()
    if not content.startswith(_PACKED):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, OSError, zlib.error):
        raise DamagedLog(path, 0, "what is packed in it does not come out whole") from None


def split_rows(content: bytes) -> tuple[list[bytes], TornTail | None]:
    """The rows of a log file without newlines, and the torn one at its end if there is one."""
    *rows, tail = content.split(b"\n")
    if tail:
        return rows, TornTail(len(rows), len(tail))
    if rows:
        try:
            parse(rows[-1])
        except ValueError:
            return rows[:-1], TornTail(len(rows) - 1, len(rows[-1]) + 1)
    return rows, None


def examine(path: Path) -> tuple[list[Line | None], bytes | None, list[Fault]]:
    """The lines of a log file, None where one cannot be read, the secret beside it, and what is wrong with the form."""
    noted = _noted(path)
    rows, torn = split_rows(content_of(path))
    lines, faults = read_lines(rows)
    secret = None
    try:
        secret = read_secret(path)
    except ValueError:
        faults.append(Fault(0, "the secret beside the log is not a hexadecimal number"))
    if torn is not None:
        faults.append(Fault(torn.line, "it was not written whole, and so never happened"))
    return lines, secret, [*faults, *_head_faults(noted, rows)]


def _noted(path: Path) -> Head | ValueError | None:
    """The head beside the log, or why it cannot be read."""
    try:
        return read_head(path)
    except ValueError as unreadable:
        return unreadable


def _head_faults(head: Head | ValueError | None, rows: list[bytes]) -> list[Fault]:
    """Whether the line last noted in the head is gone or another; a head that lags behind is no fault."""
    if isinstance(head, ValueError):
        return [Fault(len(rows), f"its head cannot be read ({head})")]
    if head is None:
        return []
    if not 0 <= head.n < len(rows):
        return [Fault(head.n, "it was written once and is gone")]
    lines, _ = read_lines([rows[head.n]])
    same = lines[0] is not None and lines[0]["hash"] == head.hash
    return [] if same else [Fault(head.n, "it is not the line that was written last")]


def _row(path: Path, line: Line, n: int, before: str) -> bytes:
    problem = shape_problem(line) or link_problem(n, line, before)
    if problem is not None:
        raise ValueError(f"line {n} cannot be written to {path.name}: {problem}")
    return canonical(line) + b"\n"
