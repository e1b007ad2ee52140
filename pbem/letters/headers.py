"""Mail headers taken apart once: the same ones stand in letter after letter, and are asked for again and again."""

from email.headerregistry import HeaderRegistry
from email.policy import SMTP, default
from functools import cache, lru_cache

MOST_KEPT = 1_000


class _Registry(HeaderRegistry):
    __getitem__ = cache(HeaderRegistry.__getitem__)  # otherwise a class of its own is made for every header
    __call__ = lru_cache(MOST_KEPT)(HeaderRegistry.__call__)


INCOMING = default.clone(header_factory=_Registry())
OUTGOING = SMTP.clone(header_factory=INCOMING.header_factory)
