"""Letters: what we write to people."""

from pbem.letters.envelope import SENDER, enclose, octets, one_line
from pbem.letters.letter import REPORT, Enclosure, Letter, Section
from pbem.letters.letter_printing import printed
from pbem.letters.subjects import Kind

__all__ = ["REPORT", "SENDER", "Enclosure", "Kind", "Letter", "Section", "enclose", "octets", "one_line", "printed"]
