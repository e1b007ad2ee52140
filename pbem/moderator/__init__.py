"""The moderator: what he may do, each thing one function, for the command line and for his mail alike."""

from pbem.moderator.act import Act
from pbem.moderator.cannot_moderate import CannotModerate

__all__ = ["Act", "CannotModerate"]
