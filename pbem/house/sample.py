"""The settings file as `pbem init` writes it: every setting with a comment."""

import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from pbem.house.settings import Mailbox, Relay


def with_authentication(text: str, policy: str, host: str) -> str:
    """The settings file's text, with who is believed about a sender; comments stay."""
    for name, value in (("authentication", policy), ("trusted_host", host)):
        text = re.sub(rf'(?m)^{name} = "[^"\n]*"', lambda _, n=name, v=value: f"{n} = {json.dumps(v)}", text)  # type: ignore[misc]
    return text


def sample_settings(home: Path, said: Mapping[str, object]) -> str:
    """The text of the file; what is not said stands there as an example, a server as a comment.

    `imap_at` and `smtp_at` are a server's port, and how the way to it is kept private.
    """
    kinds = {"imap_at": Mailbox.model_fields, "smtp_at": Relay.model_fields}
    usual = {name: (fields["port"].default, fields["security"].default) for name, fields in kinds.items()}
    sample = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    sample.filters["quoted"] = partial(json.dumps, ensure_ascii=False)  # TOML reads JSON's strings
    text = Path(__file__).with_name("fieldpost.toml").read_text(encoding="utf-8")
    return sample.from_string(text).render({"home": str(home), "login": "password", **usual, **said})
