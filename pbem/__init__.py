"""The post office: a mail from the inbox to the desk, its answer to the outbox, and what is kept and shown of both."""

from pathlib import Path

_INSIDE = Path(__file__).parent / "templates"  # of an installed package; a copy of the source has them beside this one
TEMPLATES = _INSIDE if _INSIDE.is_dir() else Path(__file__).parents[1] / "templates"
