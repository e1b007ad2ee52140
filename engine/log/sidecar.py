"""The small files beside a log: its secret, and its head."""

import contextlib
import json
import os
from dataclasses import dataclass
from errno import EEXIST
from pathlib import Path
from typing import BinaryIO

from engine.canonical import canonical
from engine.log.lines import Line


@dataclass(frozen=True, slots=True)
class Head:
    """The number and hash of the last line written."""

    n: int
    hash: str


def beside(log: Path, what: str) -> Path:
    """The path of the log's own file of that kind."""
    return log.with_name(f"{log.name}.{what}")


def write_secret(log: Path, secret: bytes) -> None:
    """Keep the secret beside the log, for its owner's eyes; raises FileExistsError rather than lose one.

    In a local game it lies with the players: it proves nothing against whoever can read this file.
    """
    place = beside(log, "secret")
    if read_secret(log) is not None:
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(place))
    replace_file(place, secret.hex().encode() + b"\n", alone=True)


def read_secret(log: Path) -> bytes | None:
    """The secret kept beside the log, if any; raises ValueError if it is not a hexadecimal number.

    One of no bytes is none: everybody would know it.
    """
    try:
        return bytes.fromhex(beside(log, "secret").read_text("ascii").strip()) or None
    except FileNotFoundError:
        return None


def write_head(log: Path, line: Line) -> None:
    """Note the last line written, so that its loss would be found."""
    replace_file(beside(log, "head"), canonical({"n": line["n"], "hash": line["hash"]}), may_lag=True)


def read_head(log: Path) -> Head | None:
    """The last line noted, or None if none was; raises ValueError if the note is not readable."""
    try:
        note = json.loads(beside(log, "head").read_bytes())
    except FileNotFoundError:
        return None
    if not isinstance(note, dict) or type(note.get("n")) is not int or type(note.get("hash")) is not str:
        raise ValueError("the head is not a number and a hash")
    return Head(note["n"], note["hash"])


def replace_file(path: Path, content: bytes, *, may_lag: bool = False, alone: bool = False) -> None:
    """Put the content there whole or not at all; if it may lag, a power cut may leave the old content there.

    In a folder that is its owner's alone it is so too, and in any other if it is to be.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open_new(new, alone=alone) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:  # what a full disk took of it must not fill it
        new.unlink(missing_ok=True)
        raise
    if not may_lag:
        sync_folder(path.parent)


def replace_cache(path: Path, content: bytes) -> None:
    """The same for what is checked when it is read and can be made again: nothing is waited for."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with open_new(new) as file:
        file.write(content)
    new.replace(path)


def open_new(path: Path, *, alone: bool = False) -> BinaryIO:
    """A file to write: in a folder that is its owner's alone it is so too, whatever the umask says."""
    if alone:
        path.unlink(missing_ok=True)  # others may have opened what was left there
    alone = alone or not path.parent.stat().st_mode & 0o077
    how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, how, 0o600 if alone else 0o666), "wb")


def sync_folder(folder: Path) -> None:
    """Make new names in the folder durable, where the system lets one open a folder."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
