"""The settings file as `pbem init` writes it: every setting with a comment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """What is known when the file is written; the rest stands there as an example."""

    address: str = ""
    moderator: str = ""
    imap: str = ""
    smtp: str = ""
    user: str = ""


def sample_settings(home: Path, wanted: Wanted) -> str:
    """The text of the file; a server that is not named yet stays a comment."""
    text = Path(__file__).with_name("fieldpost.toml").read_text(encoding="utf-8")
    said = {
        "home": str(home),
        "address": wanted.address or "fieldpost@localhost.example",
        "moderator": wanted.moderator or "moderator@localhost.example",
        "imap": wanted.imap or "imap.club.example",
        "smtp": wanted.smtp or "smtp.club.example",
        "user": wanted.user or wanted.address or "post@club.example",
    }
    for name, value in said.items():
        text = text.replace(f'"{{{name}}}"', json.dumps(value, ensure_ascii=False))  # TOML reads JSON's strings
    return text.replace("{m}", "" if wanted.imap else "# ").replace("{r}", "" if wanted.smtp else "# ")
