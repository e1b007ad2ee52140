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


@dataclass(frozen=True, order=True)
class Slip:
    """What the outside of a letter says."""

    uid: int
    when: int  # seconds since 1970
    flags: frozenset[str] = frozenset()

    @classmethod
    def read(cls, name: re.Match[str]) -> Slip:
        return cls(int(name["uid"]), int(name["when"]), frozenset(FLAGS[c] for c in name["flags"] if c in FLAGS))

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
        self.next_uid = self._reserved = self._number("uidnext") or 1
        found = map(NAME.fullmatch, (file.name for file in (path / "cur").iterdir()))
        self.slips = {slip.uid: slip for slip in sorted(Slip.read(match) for match in found if match)}

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

    def put_into(self, other: Letterbox, uid: int, *, keep: bool) -> int:
        """Puts a letter into another folder, as well or instead."""
        old = self.slips[uid]
        slip = other._slip(old.flags, old.when)
        (os.link if keep else os.rename)(self._file(old), other._file(slip))
        sync_folder(other.path / "cur")
        if not keep:
            del self.slips[uid]
        other.slips[slip.uid] = slip
        return slip.uid

    def remove(self, uid: int) -> None:
        self._file(self.slips.pop(uid)).unlink()

    def _slip(self, flags: Iterable[str], when: float) -> Slip:
        if self.next_uid >= self._reserved:
            self._reserved = self._write("uidnext", self.next_uid + RESERVED)
        uid, self.next_uid = self.next_uid, self.next_uid + 1
        return Slip(uid, int(when), frozenset(flags) & LETTERS.keys())

    def _file(self, slip: Slip) -> Path:
        return self.path / "cur" / slip.name

    def _number(self, name: str) -> int | None:
        file = self.path / name
        return int(file.read_text("ascii")) if file.exists() else None

    def _write(self, name: str, number: int) -> int:
        replace_file(self.path / name, str(number).encode("ascii"))
        return number


def _fresh_validity() -> int:
    """Never the same again for a folder that is deleted and made anew."""
    return (int(time.time()) & 0x7FFFFF) << 8 | secrets.randbelow(256)
