"""Order lines out of any mail: what the player wrote, without quotes, signatures and what the machines added."""

from pbem.reading.known import Answered, Known
from pbem.reading.parts import Problem
from pbem.reading.read import Read, read_mail

__all__ = ["Answered", "Known", "Problem", "Read", "read_mail"]
