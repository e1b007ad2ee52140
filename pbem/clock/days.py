"""The day that somebody means: `until Sunday`, `24.12.2026`, `24 December`, `for two weeks`."""

import re
from calendar import day_name, month_name
from collections.abc import Sequence
from datetime import date, timedelta

_COUNTED = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30}
_BEFORE = re.compile(r"^(?:until|till|til|through|to|up to|on|for|the|and|including)\s+", re.I)
_SPAN = re.compile(r"(?P<many>\d{1,3}|[a-z]+)?\s*(?P<unit>day|week|fortnight|month|d|w)s?", re.I)
_DATES = [
    re.compile(form, re.I)
    for form in (
        r"(?P<y>\d{4})[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})",
        r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.?\s?(?P<y>\d{4}|\d{2})?",  # with dots the day always comes first
        r"(?P<d>\d{1,2})[/-](?P<m>\d{1,2})(?:[/-](?P<y>\d{4}|\d{2}))?",
        r"(?P<m>\d{1,2})[/-](?P<d>\d{1,2})(?:[/-](?P<y>\d{4}|\d{2}))?",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?(?:\s+of)?\s+(?P<m>[a-z]{3,9})\.?,?(?:\s+(?P<y>\d{4}))?",
        r"(?P<m>[a-z]{3,9})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(?P<y>\d{4}))?",
    )
]
_NTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)", re.I)


class UnclearDay(ValueError):
    """No day can be made of what was said, or more than one."""

    def __init__(self, said: str, meant: Sequence[date] = ()) -> None:
        super().__init__(said, meant)
        self.said, self.meant = said, tuple(meant)

    def __str__(self) -> str:
        if not self.meant:
            return f"No day can be made of `{self.said}`."
        days = " or ".join(f"{in_words(day)} ({day.isoformat()})" for day in self.meant)
        return f"`{self.said}` may mean {days}."


def in_words(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}"


def day_meant(said: str, today: date) -> date:
    """The day that somebody means on his own calendar; without a year, the next there is. Raises UnclearDay."""
    text = " ".join(said.casefold().strip(" .!,`'\"").split())
    while (shorter := _BEFORE.sub("", text)) != text:
        text = shorter
    span = _span(text)
    if span is not None:
        return today + timedelta(days=span)
    week_day, text = _week_day(text)
    next_, text = text.startswith("next "), text.removeprefix("next ").removeprefix("this ")
    if week_day is None:
        week_day, text = _week_day(text)
    if week_day is not None and not text:
        coming = today + timedelta(days=(week_day - today.weekday() - 1) % 7 + 1)
        if next_:
            raise UnclearDay(said, (coming, coming + timedelta(days=7)))
        return coming
    meant = [] if next_ else [day for day in _dates(text, today) if week_day in (None, day.weekday())]
    if len(meant) != 1:
        raise UnclearDay(said, meant)
    return meant[0]


def _span(text: str) -> int | None:
    if text in ("today", "tomorrow"):
        return int(text == "tomorrow")
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    many, unit = match["many"] or "a", next(unit for unit in _UNITS if unit.startswith(match["unit"]))
    if many.isdecimal():
        return int(many) * _UNITS[unit]
    many = {"an": "a", "one": "a"}.get(many, many)
    return _COUNTED.index(many) * _UNITS[unit] if many in _COUNTED else None


def _week_day(text: str) -> tuple[int | None, str]:
    """A day of the week at the beginning, and the rest."""
    word, _, rest = text.partition(" ")
    bare = word.rstrip(",.")
    found = [n for n, name in enumerate(day_name) if len(bare) >= 2 and name.casefold().startswith(bare)]
    return (found[0], rest.strip(" ,")) if len(found) == 1 else (None, text)


def _dates(text: str, today: date) -> list[date]:
    """Every day that a date may mean."""
    if match := _NTH.fullmatch(text):
        months = [(today.year + (today.month + n - 1) // 12, (today.month + n - 1) % 12 + 1) for n in range(3)]
        days = _real([(year, month, int(match[1])) for year, month in months], today)
        return [day for day in days if day > today][:1]
    said = [match for form in _DATES if (match := form.fullmatch(text))]
    return _real([(_year(one["y"]), month, int(one["d"])) for one in said for month in _months(one["m"])], today)


def _months(word: str) -> list[int]:
    named = [n for n, name in enumerate(month_name) if name and name.casefold().startswith(word)]
    return [int(word)] if word.isdecimal() else named


def _year(said: str | None) -> int:
    """The year that was said; 0 if none was."""
    return 0 if not said else int(said) + (2000 if len(said) == 2 else 0)


def _real(days: Sequence[tuple[int, ...]], today: date) -> list[date]:
    """Those that are on the calendar, each once; without a year, the next there is."""
    found: list[date] = []
    for year, month, day in days:
        try:
            meant = date(year or today.year, month, day)
            found.append(meant.replace(year=today.year + 1) if not year and meant < today else meant)
        except ValueError:
            continue
    return list(dict.fromkeys(found))
