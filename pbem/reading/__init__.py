"""Order lines out of any mail: what the player wrote, without quotes, signatures and what the machines added."""

from pbem.reading.problem import Problem
from pbem.reading.read import Read, read_mail

__all__ = ["Problem", "Read", "read_mail"]
