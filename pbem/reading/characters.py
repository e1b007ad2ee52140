"""One way to write every character: typographic, full-width and invisible ones made plain."""

import re
import unicodedata

MOST_IN_A_LINE = 2_000

_PLAIN = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\uff07\u2039\u203a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f\uff02", '"'),
    **{chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},
    "\u2044": "/",
    "\u00bd": "1/2",
    "\u00bc": "1/4",
    "\u00be": "3/4",
    "\u2026": "...",
    "\t": " ",
    "\ufffc": "",  # where an inline picture stood
}
_TABLE = str.maketrans(_PLAIN)
_JAPANESE_MARKS = str.maketrans({"\u3001": ", ", "\u3002": ".", "\u30fb": " ", "\u30fc": "-", "\uff70": "-"})
_NEW_LINES = re.compile("\r\n|[\r\n\u000b\u000c\u0085\u2028\u2029]")


def plain_lines(text: str) -> list[str]:
    """The lines of a text in plain characters, without margins."""
    return [plain(line) for line in _NEW_LINES.split(text)]


def plain(line: str) -> str:
    """One line in plain characters. Press keeps its letters: only what spoils an order is changed."""
    line = line[:MOST_IN_A_LINE]
    if not (line.isascii() and line.isprintable()):
        line = unicodedata.normalize("NFC", line).translate(_TABLE)
        line = "".join(_seen(letter) for letter in line)
        if not any(unicodedata.category(letter) == "Lo" for letter in line):
            # No Japanese word in it: then its commas were meant as commas.
            line = line.translate(_JAPANESE_MARKS)
    return re.sub(r" {2,}", " ", line).strip()


def _seen(letter: str) -> str:
    """A space for any kind of space; nothing for what cannot be seen (zero-width, soft hyphen, bidi, control)."""
    if letter < "\x7f" and letter >= " ":
        return letter
    category = unicodedata.category(letter)
    if category == "Zs":
        return " "
    hidden = category in {"Cf", "Cc", "Co", "Cs", "Cn"} or "\ufe00" <= letter <= "\ufe0f" or letter == "\u034f"
    return "" if hidden else letter
