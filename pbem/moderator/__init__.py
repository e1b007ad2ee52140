"""The moderator: what he may do, each thing one function, for the command line and for his mail alike."""

from pbem.moderator.act import Act, CannotModerate

__all__ = ["Act", "CannotModerate"]
