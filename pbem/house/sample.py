"""The settings file as `pbem init` writes it: every setting with a comment."""

import json
import re
from pathlib import Path

from pbem.house.settings import Login, Mailbox, Relay, Security


def with_authentication(text: str, policy: str, host: str) -> str:
    """The settings file's text, with who is believed about a sender; comments stay."""
    for name, value in (("authentication", policy), ("trusted_host", host)):
        text = re.sub(rf'(?m)^{name} = "[^"\n]*"', lambda _, n=name, v=value: f"{n} = {json.dumps(v)}", text)  # type: ignore[misc]
    return text


At = tuple[int, Security]  # a server's port, and how the way to it is kept private


def sample_settings(
    home: Path,
    address: str,
    moderator: str,
    imap: str,
    smtp: str,
    user: str,
    *,
    login: Login = "password",
    imap_at: At | None = None,
    smtp_at: At | None = None,
) -> str:
    """The text of the file; what is not said stands there as an example, a server as a comment."""
    text = Path(__file__).with_name("fieldpost.toml").read_text(encoding="utf-8")
    imap_at = imap_at or (Mailbox.model_fields["port"].default, Mailbox.model_fields["security"].default)
    smtp_at = smtp_at or (Relay.model_fields["port"].default, Relay.model_fields["security"].default)
    said = {
        "home": str(home),
        "address": address or "fieldpost@localhost.example",
        "moderator": moderator or "moderator@localhost.example",
        "imap": imap or "imap.club.example",
        "imap_security": imap_at[1],
        "smtp": smtp or "smtp.club.example",
        "smtp_security": smtp_at[1],
        "user": user or address or "post@club.example",
        "login": login,
    }
    for name, value in said.items():
        text = text.replace(f'"{{{name}}}"', json.dumps(value, ensure_ascii=False))  # TOML reads JSON's strings
    text = text.replace("{imap_port}", str(imap_at[0])).replace("{smtp_port}", str(smtp_at[0]))
    return text.replace("{m}", "" if imap else "# ").replace("{r}", "" if smtp else "# ")
