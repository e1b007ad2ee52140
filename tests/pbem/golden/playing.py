"""Golden mails: a script of what comes in, and every letter that goes out because of it.

A script has lines like these; what stands below a mail belongs to it, up to the next one:

    @settings {"deadline": "24h"}      of the game; also @scenario NAME, @chair german bot:random
    @fresh                             nobody has joined yet
    soviet> end                        a mail from a player; also moderator> and stranger soviet>
    clock> 25                          so many hours go by
    @whole                             from here on letters are shown to their last line
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from pbem.store import MailOut
from tests.pbem.desk.office import PEOPLE, Office, message_of, text_of

_MAIL = re.compile(r"(soviet|german|moderator|stranger soviet|clock)>\s?(.*)")
_HASH = re.compile(r"\b[0-9a-f]{64}\b|\b(?:[0-9a-f]{8}\s+){7}[0-9a-f]{8}\b")
STRANGER = "ghost@fog.example"
NAMES = {address: side for side, address in PEOPLE.items()}


def play(script: str, home: Path, stock: Path) -> str:
    """The letters that a script brings about, as text; games begun alike are taken from stock."""
    heads, mails = _read(script)
    given = dict(heads)
    office = _begun(given, dict(head.split(" ", 1) for name, head in heads if name == "chair"), home, stock)
    return "\n".join(_played(given, mails, office)) + "\n"


def _begun(given: dict[str, str], chairs: dict[str, str], home: Path, stock: Path) -> Office:
    """A game as the script wants it at its beginning."""
    wanted = json.dumps(
        [given.get(name, "") for name in ("fresh", "settings", "scenario")] + [chairs, "fresh" in given]
    )
    kept = stock / hashlib.sha256(wanted.encode()).hexdigest()[:16]
    if not kept.exists():
        office = Office(kept)
        start = office.invite if "fresh" in given else office.begin
        start(json.loads(given.get("settings", "{}")), scenario=given.get("scenario", "proving"), chairs=chairs)
        office.house.close()
        (kept / "begun.json").write_text(json.dumps([office.now.isoformat(), office.count]))
    shutil.copytree(kept, home)
    office = Office(home)
    now, office.count = json.loads((kept / "begun.json").read_text())
    office.now = datetime.fromisoformat(now)
    return office


def _played(given: dict[str, str], mails: list[tuple[str, str]], office: Office) -> Iterator[str]:
    if "invitations" in given:
        yield from _shown(office.letters(), whole=True)
    for side, text in mails:
        said = "\n".join(f"{side}> {line}".rstrip() for line in text.splitlines())
        yield f"{said}\n"
        if side == "clock":
            letters = office.wait(float(text))
        elif side == "stranger soviet":
            letters = office.mail("soviet", text, sender=STRANGER)
        else:
            letters = office.mail(side, text)
        yield from _shown(letters, whole="whole" in given)
        yield from (f"(the mail is {row.state}: {row.why})\n" for row in office.mails()[-1:] if row.state != "done")


def _read(script: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    heads: list[tuple[str, str]] = []
    mails: list[tuple[str, list[str]]] = []
    for line in script.splitlines():
        if line.startswith("#!"):
            continue
        if line.startswith("@"):
            name, _, rest = line[1:].partition(" ")
            heads.append((name, rest.strip()))
        elif match := _MAIL.fullmatch(line):
            mails.append((match[1], [match[2]]))
        elif mails:
            mails[-1][1].append(line)
    return heads, [(side, "\n".join(lines).strip("\n")) for side, lines in mails]


def _shown(letters: list[MailOut], *, whole: bool) -> Iterator[str]:
    for row in letters:
        message = message_of(row)
        files = [part.get_filename() for part in message.walk() if part.get_filename()]
        enclosed = f" (enclosed: {', '.join(map(str, files))})" if files else ""
        kind = row.key.partition("/")[0]
        yield f"=== {kind} to {NAMES.get(row.to, row.to)}: {message['Subject']}{enclosed}"
        text = _HASH.sub("<hash>", text_of(row)).rstrip()
        yield (text if whole else text.partition("\n-- \n")[0]) + "\n"
