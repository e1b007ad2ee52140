"""Bytes into text, whatever the mail says its charset is."""

import codecs
import re
import unicodedata

# What a name means in practice: the supersets that the mail programs really write.
_MEANT = {
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "cp-1251": "cp1251",
    "unicode-1-1-utf-7": "utf-7",
}
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_JIS_ESCAPE = re.compile(rb"\x1b[$(][@BJ]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{4,}")
_TWICE_ENCODED = re.compile("\u00c2[\u00a0-\u00bf]|\u00e2\u20ac|\u00c3[\u0080-\u00bf]")


def decode(data: bytes, declared: str | None) -> str:
    """The text, by the charset declared if that works out, by what the bytes look like if not; never raises."""
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _once(data.decode(name, "replace"))
    named = _codec(declared)
    # Seven-bit Japanese is valid ASCII, so a mail that forgot to say so must be known by its escapes.
    order = ["iso2022_jp_ext"] if _JIS_ESCAPE.search(data) else []
    order += [named] if named else []
    order += ["utf-8"]
    for name in order:
        text = _strict(data, name)
        if text is not None:
            return _once(text)
    return data.decode(_guess(data), "replace")


def _codec(declared: str | None) -> str | None:
    """The codec for a charset's name, if there is one that makes text of bytes."""
    name = (declared or "us-ascii").strip().strip("'\"").casefold()
    name = _MEANT.get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    # Some codecs (base64, zip, punycode) are no charsets: a zip bomb could be declared as one.
    return found.name if getattr(found, "_is_text_encoding", False) and found.name not in _NO_CHARSET else None


_NO_CHARSET = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"}


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
        return max(("cp1251", "koi8-r"), key=lambda name: _small_letters(data.decode(name, "replace")))
    return "cp1252"


def _looks_japanese(text: str) -> bool:
    names = [unicodedata.name(letter, "") for letter in text if ord(letter) > 0x7F]
    wide = sum(name.startswith(("HIRAGANA", "KATAKANA", "CJK", "FULLWIDTH", "IDEOGRAPHIC")) for name in names)
    return wide > len(names) // 2


def _small_letters(text: str) -> int:
    return sum("\u0430" <= letter <= "\u044f" for letter in text)


def _once(text: str) -> str:
    """UTF-8 that was taken for Latin and encoded again, undone."""
    if not _TWICE_ENCODED.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text
