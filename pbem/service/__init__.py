"""The service at work: every mail to its desk, bots, the clock, onlookers, and the daemon that runs it all."""

from pbem.service.service import Service

__all__ = ["Service"]
