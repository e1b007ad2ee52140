"""Bytes into text, whatever the mail says its charset is; and one way to write every character of it."""

import codecs
import re
import unicodedata
from pathlib import Path

from engine.folder import read_toml

MOST_IN_A_LINE = 2_000

PROGRAMS = read_toml(Path(__file__).parent, "mail_programs.toml")
_PLAIN, _JAPANESE_MARKS = (
    str.maketrans({letter: plain for plain, letters in PROGRAMS[table].items() for letter in letters})
    for table in ("plain", "japanese")
)
_PLAIN |= {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_NEW_LINES = re.compile("\r\n|[\r\n\u000b\u000c\u0085\u2028\u2029]")


def plain_lines(text: str) -> list[str]:
    """The lines of a text in plain characters, without margins."""
    return [plain(line) for line in _NEW_LINES.split(text)]


def plain(line: str) -> str:
    """One line in plain characters. Press keeps its letters: only what spoils an order is changed."""
    line = line[:MOST_IN_A_LINE]
    if not (line.isascii() and line.isprintable()):
        line = unicodedata.normalize("NFC", line).translate(_PLAIN)
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


_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NO_CHARSET = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"}
_JIS_ESCAPE = re.compile(rb"\x1b[$(][@BJ]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{4,}")
_TWICE_ENCODED = re.compile("\u00c2[\u00a0-\u00bf]|\u00e2\u20ac|\u00c3[\u0080-\u00bf]")


def decode(data: bytes, declared: str | None) -> str:
    """The text, by the charset declared if that works out, by what the bytes look like if not; never raises."""
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return _once(data.decode(codec, "replace"))
    # Seven-bit Japanese is valid ASCII, so a mail that forgot to say so must be known by its escapes.
    for name in ("iso2022_jp_ext" if _JIS_ESCAPE.search(data) else None, _codec(declared), "utf-8"):
        text = _strict(data, name) if name else None
        if text is not None:
            return _once(text)
    return data.decode(_guess(data), "replace")


def _codec(declared: str | None) -> str | None:
    """The codec for a charset's name, if there is one that makes text of bytes."""
    name = (declared or "us-ascii").strip().strip("'\"").casefold()
    name = PROGRAMS["charsets"].get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    # Some codecs (base64, zip, punycode) are no charsets: a zip bomb could be declared as one.
    return found.name if getattr(found, "_is_text_encoding", False) and found.name not in _NO_CHARSET else None


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, ValueError):
        return None


def _guess(data: bytes) -> str:
    """The likeliest charset of bytes that are not what they were said to be."""
    japanese = _strict(data, "cp932")
    if japanese is not None and _looks_japanese(japanese):
        return "cp932"
    if _HIGH_RUN.search(data):
        # Either Cyrillic charset read as the other turns small letters into capitals.
        texts = {name: data.decode(name, "replace") for name in ("cp1251", "koi8-r")}
        return max(texts, key=lambda name: sum("\u0430" <= letter <= "\u044f" for letter in texts[name]))
    return "cp1252"


def _looks_japanese(text: str) -> bool:
    names = [unicodedata.name(letter, "") for letter in text if ord(letter) > 0x7F]
    wide = sum(name.startswith(("HIRAGANA", "KATAKANA", "CJK", "FULLWIDTH", "IDEOGRAPHIC")) for name in names)
    return wide > len(names) // 2


def _once(text: str) -> str:
    """UTF-8 that was taken for Latin and encoded again, undone."""
    if not _TWICE_ENCODED.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text
