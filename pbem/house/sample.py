"""The settings file as `pbem init` writes it: every setting with a comment."""

import json
import re
from pathlib import Path


def with_authentication(text: str, policy: str, host: str) -> str:
    """The settings file's text, with who is believed about a sender; comments stay."""
    for name, value in (("authentication", policy), ("trusted_host", host)):
        text = re.sub(rf'(?m)^{name} = "[^"\n]*"', lambda _, n=name, v=value: f"{n} = {json.dumps(v)}", text)  # type: ignore[misc]
    return text


def sample_settings(home: Path, address: str, moderator: str, imap: str, smtp: str, user: str) -> str:
    """The text of the file; what is not said stands there as an example, a server as a comment."""
    text = Path(__file__).with_name("fieldpost.toml").read_text(encoding="utf-8")
    said = {
        "home": str(home),
        "address": address or "fieldpost@localhost.example",
        "moderator": moderator or "moderator@localhost.example",
        "imap": imap or "imap.club.example",
        "smtp": smtp or "smtp.club.example",
        "user": user or address or "post@club.example",
    }
    for name, value in said.items():
        text = text.replace(f'"{{{name}}}"', json.dumps(value, ensure_ascii=False))  # TOML reads JSON's strings
    return text.replace("{m}", "" if imap else "# ").replace("{r}", "" if smtp else "# ")
