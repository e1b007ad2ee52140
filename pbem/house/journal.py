"""The daemon's journal: one line an event on stderr, without a secret in it."""

import logging
import re
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from sqlalchemy import make_url

from pbem.house.settings import Settings

Event = MutableMapping[str, Any]
_TOKEN = re.compile(r"\+[0-9a-z._=-]{8,}@", re.I)  # whoever holds one speaks for a chair
HIDDEN = "***"


def keep_journal(settings: Settings, *, json: bool = False) -> None:
    """From now on events go to stderr, for people or as JSON."""
    people = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,  # never with local variables: they hold passwords
            without_secrets(settings),
            structlog.processors.JSONRenderer() if json else people,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *names: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def without_secrets(settings: Settings) -> Callable[[Any, str, Event], Event]:
    """A processor that blots out passwords and tokens wherever they stand."""
    kept = [box.password.get_secret_value() for box in (settings.mailbox, settings.relay) if box is not None]
    kept.append((make_url(settings.database).password or "") if settings.database else "")
    passwords = [password for password in kept if password]

    def blot(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        for password in passwords:
            value = value.replace(password, HIDDEN)
        return _TOKEN.sub(f"+{HIDDEN}@", value)

    def processor(_logger: Any, _name: str, event: Event) -> Event:
        return {key: blot(value) for key, value in event.items()}

    return processor
