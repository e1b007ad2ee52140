"""A house in one file: packed while it is at work, and checked before the file gets its name."""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from gzip import BadGzipFile
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

from sqlmodel import select

from pbem.house.crash_points import BACKUP_NAMED, BACKUP_WRITTEN, reached
from pbem.house.in_files import LOG, MADE_AGAIN
from pbem.house.moving import FILE, CannotMove, export, whole
from pbem.house.owner_only import private_folder
from pbem.house.settings import Settings, settings_file
from pbem.store import Database, GameRow
from pbem.store.schema import newest

MANIFEST, SETTINGS = "manifest.json", "fieldpost.toml"
BESIDE = "mail", "post", "archive"  # what else a home may hold, file by file

Progress = Callable[[int, int], None]
Contents = dict[str, tuple[Path | bytes, int | None]]  # by its name in the archive: where it is, and how much of it


class BadArchive(Exception):
    """A file is no backup, or not all of one."""

    def __init__(self, place: Path, why: str) -> None:
        super().__init__(f"{place} is not a backup that can be used: {why}; nothing was changed, take another one")


def back_up(database: Database, settings: Settings, place: Path, now: datetime, progress: Progress) -> tuple[Path, int]:
    """Everything of a house as it is at one moment; the service may go on. Gives the file, and how many are in it."""
    if place.is_dir():
        place /= f"fieldpost-{now:%Y%m%d-%H%M%S}.tar.gz"
    elif not (place.name.endswith(".tar.gz") and place.parent.is_dir()):
        raise CannotMove(f"{place} is no folder: name one that is there, or a file in it that ends in .tar.gz")
    if place.exists():
        raise CannotMove(f"{place} is there already: name a file that is not, or a folder")
    part = place.with_name(f"{place.name}.part")
    try:
        with TemporaryDirectory(prefix=".backup-", dir=place.parent) as beside:
            room = Path(beside) / "house"
            if database.engine.dialect.name == "sqlite":
                found = _as_it_lies(database, settings.home, room)
            else:  # from one snapshot of the rows, as a house on files
                with whole(database, settings.home) as house:
                    export(house, room)
                found = _files_in(room, room)
            if settings_file().exists():
                found[SETTINGS] = settings_file(), None
            _pack(part, found, now, progress)
        reached(BACKUP_WRITTEN)
        number = len(read_archive(part)["files"])
        part.rename(place)
    finally:
        part.unlink(missing_ok=True)
    reached(BACKUP_NAMED)
    return place, number


def _as_it_lies(database: Database, home: Path, room: Path) -> Contents:
    """As a stop at this moment would leave it: whoever opens it first puts what was decided into the files."""
    copy = private_folder(room) / FILE
    with closing(sqlite3.connect(str(database.engine.url.database))) as source:
        with database.begin() as session:
            session.exec(select(GameRow.id)).first()  # from here on nobody decides anything,
            source.execute("BEGIN")
            source.execute("SELECT id FROM game").fetchone()  # and whatever comes later, this is what is copied
            games = [path for path in sorted((home / "games").glob("*/*")) if _is_kept(path)]
            found: Contents = {str(path.relative_to(home)): _now(path) for path in games}
        with closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    found[FILE] = copy, None
    for name in BESIDE:
        found |= _files_in(home / name, home)
    return found


def _files_in(folder: Path, home: Path) -> Contents:
    return {str(path.relative_to(home)): (path, None) for path in sorted(folder.rglob("*")) if _is_kept(path)}


def _now(path: Path) -> tuple[Path | bytes, int | None]:
    """A log only grows, so that its size is enough to know; all else is written anew each time."""
    return (path, path.stat().st_size) if path.name == LOG else (path.read_bytes(), None)


def _is_kept(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".new", ".part") and not path.name.startswith(MADE_AGAIN[1:])


class _Summed:
    """A file that is read once, and the digest of what was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.sum = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        some = self._file.read(size)
        self.sum.update(some)
        return some


def _pack(part: Path, found: Contents, now: datetime, progress: Progress) -> None:
    files: dict[str, list[Any]] = {}
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as pack:

            def put(name: str, content: IO[bytes], size: int) -> None:
                entry, summed = tarfile.TarInfo(name), _Summed(content)
                entry.size, entry.mtime, entry.mode = size, int(now.timestamp()), 0o600
                pack.addfile(entry, cast(IO[bytes], summed))
                files[name] = [size, summed.sum.hexdigest()]

            for number, (name, (where, size)) in enumerate(found.items(), 1):
                if isinstance(where, bytes):
                    put(name, io.BytesIO(where), len(where))
                else:
                    with suppress(FileNotFoundError), where.open("rb") as content:  # a mail's term has ended just now
                        put(name, content, os.fstat(content.fileno()).st_size if size is None else size)
                progress(number, len(found))
            manifest = {"schema": newest(), "made": now.isoformat(timespec="seconds"), "files": dict(files)}
            told = json.dumps(manifest, indent=1, sort_keys=True).encode()
            put(MANIFEST, io.BytesIO(told), len(told))
        file.flush()
        os.fsync(file.fileno())


def read_archive(place: Path, into: Path | None = None) -> dict[str, Any]:
    """The manifest of an archive, everything in it held against that; laid out in a folder, if one is named.

    Raises BadArchive.
    """
    found: dict[str, list[Any]] = {}
    manifest: dict[str, Any] = {}
    try:
        with tarfile.open(place, "r:gz") as pack:
            for name, content in _files(pack):
                if name == MANIFEST:
                    manifest = json.loads(content.read())
                    continue
                summed = _Summed(content)
                if into is not None:
                    private_folder((into / name).parent)
                where = into / name if into is not None else os.devnull
                with open(where, "wb", opener=lambda path, how: os.open(path, how, 0o600)) as file:
                    shutil.copyfileobj(summed, file)
                found[name] = [content.tell(), summed.sum.hexdigest()]
        listed = manifest["files"]
    except (tarfile.TarError, EOFError, zlib.error, ValueError, KeyError, TypeError, BadGzipFile) as problem:
        raise BadArchive(place, f"it is damaged or not whole ({problem})") from None
    wrong = sorted(name for name in listed.keys() | found.keys() if listed.get(name) != found.get(name))
    if wrong or FILE not in found:
        raise BadArchive(place, f"{', '.join(wrong[:3]) or FILE} is not what was packed")
    return manifest


def packed_in(place: Path, name: str) -> bytes | None:
    """One file of an archive that is whole; None if it is not in it. Raises BadArchive."""
    read_archive(place)
    with tarfile.open(place, "r:gz") as pack:
        return next((content.read() for found, content in _files(pack) if found == name), None)


def _files(pack: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    """Raises ValueError for what does not belong into an archive."""
    for entry in pack:
        name = PurePosixPath(entry.name)
        content = pack.extractfile(entry) if entry.isreg() else None
        if content is None or name.is_absolute() or ".." in name.parts:
            raise ValueError(f"{entry.name!r} does not belong into one")
        yield str(name), content
