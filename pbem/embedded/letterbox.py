"""A mail folder on disk: a Maildir whose file names hold each letter's UID, time and flags."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.log.sidecar import replace_file, sync_folder
from pbem.house.owner_only import private_folder

# Maildir's letters for the flags, and our own small ones for the keywords that we keep.
LETTERS = {
    "\\Draft": "D",
    "\\Flagged": "F",
    "\\Answered": "R",
    "\\Seen": "S",
    "\\Deleted": "T",
    "FieldpostDone": "a",
    "$Forwarded": "b",
    "$MDNSent": "c",
    "$Junk": "d",
    "$NotJunk": "e",
}
FLAGS = {letter: flag for flag, letter in LETTERS.items()}
NAME = re.compile(r"(?P<when>\d+)\.U(?P<uid>\d+)\.fieldpost:2,(?P<flags>[A-Za-z]*)")
RESERVED = 1_000  # UIDs taken at a time: after a restart some are skipped, none is given twice


@dataclass(frozen=True)
class Slip:
    """What the outside of a letter says."""

    uid: int
    when: int  # seconds since 1970
    flags: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.when}.U{self.uid}.fieldpost:2,{''.join(sorted(LETTERS[flag] for flag in self.flags))}"


class Letterbox:
    """One folder of one owner. What it says is done is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for sub in ("tmp", "new", "cur"):
            private_folder(path / sub)
        self.validity = self._number("uidvalidity") or self._write("uidvalidity", _fresh_validity())
        self._next = self._reserved = self._number("uidnext") or 1
        self.slips: dict[int, Slip] = {slip.uid: slip for slip in self._found()}

    @property
    def next_uid(self) -> int:
        return self._next

    def deliver(self, raw: bytes, flags: Iterable[str] = (), when: float | None = None) -> int:
        """Puts a letter in, byte for byte; it is durable when its UID is given back."""
        slip = self._slip(flags, time.time() if when is None else when)
        replace_file(self._file(slip), raw)
        self.slips[slip.uid] = slip
        return slip.uid

    def read(self, uid: int) -> bytes:
        return self._file(self.slips[uid]).read_bytes()

    def mark(self, uid: int, flags: Iterable[str]) -> None:
        slip = replace(self.slips[uid], flags=frozenset(flags) & LETTERS.keys())
        self._file(self.slips[uid]).rename(self._file(slip))
        self.slips[uid] = slip

    def copy(self, uid: int, other: Letterbox) -> int:
        old = self.slips[uid]
        slip = other._slip(old.flags, old.when)
        os.link(self._file(old), other._file(slip))
        sync_folder(other.path / "cur")
        other.slips[slip.uid] = slip
        return slip.uid

    def move(self, uid: int, other: Letterbox) -> int:
        old = self.slips[uid]
        slip = other._slip(old.flags, old.when)
        self._file(old).rename(other._file(slip))
        sync_folder(other.path / "cur")
        del self.slips[uid]
        other.slips[slip.uid] = slip
        return slip.uid

    def remove(self, uid: int) -> None:
        self._file(self.slips.pop(uid)).unlink()

    def _slip(self, flags: Iterable[str], when: float) -> Slip:
        if self._next >= self._reserved:
            self._reserved = self._write("uidnext", self._next + RESERVED)
        uid, self._next = self._next, self._next + 1
        return Slip(uid, int(when), frozenset(flags) & LETTERS.keys())

    def _file(self, slip: Slip) -> Path:
        return self.path / "cur" / slip.name

    def _found(self) -> list[Slip]:
        matches = filter(None, (NAME.fullmatch(file.name) for file in (self.path / "cur").iterdir()))
        slips = [
            Slip(int(match["uid"]), int(match["when"]), frozenset(FLAGS[c] for c in match["flags"] if c in FLAGS))
            for match in matches
        ]
        return sorted(slips, key=lambda slip: slip.uid)

    def _number(self, name: str) -> int | None:
        file = self.path / name
        return int(file.read_text("ascii")) if file.exists() else None

    def _write(self, name: str, number: int) -> int:
        replace_file(self.path / name, str(number).encode("ascii"))
        return number


def _fresh_validity() -> int:
    """Never the same again for a folder that is deleted and made anew."""
    return (int(time.time()) & 0x7FFFFF) << 8 | secrets.randbelow(256)
