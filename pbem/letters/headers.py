"""Mail headers taken apart once: the same ones stand in letter after letter, and are asked for again and again."""

from email.headerregistry import BaseHeader, HeaderRegistry, UniqueUnstructuredHeader
from email.policy import SMTP, Policy, default
from functools import cache, lru_cache

MOST_KEPT = 1_000


class _Registry(HeaderRegistry):
    __getitem__ = cache(HeaderRegistry.__getitem__)  # otherwise a class of its own is made for every header
    __call__ = lru_cache(MOST_KEPT)(HeaderRegistry.__call__)


class _OnOneLine(UniqueUnstructuredHeader, BaseHeader):  # type: ignore[misc]  # as the registry itself joins them
    """A header that must not be wrapped or encoded: an address in it would open nothing."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_REGISTRY = _Registry()
_REGISTRY.map_to_type("list-unsubscribe", _OnOneLine)
INCOMING = default.clone(header_factory=_REGISTRY)
OUTGOING = SMTP.clone(header_factory=INCOMING.header_factory)
