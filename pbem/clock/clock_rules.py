"""A game's rules for its clock, as its settings have them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any, Literal

WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(r"(\d+)\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)", re.I)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAILY = re.compile(r"daily at (\d{1,2}):(\d{2})", re.I)

Span = timedelta | time | None  # so long, or until that time of day; None: no deadline
_KINDS = {
    "reply": "For a question that comes up in between",
    "window": "A hidden question stays open, however soon you answer it",
}
USUAL: Mapping[str, Any] = {
    "deadline": {}, "grace": "0h", "reminders": ["24h", "6h"], "weekdays_off": [], "extensions": 3, "absence_days": 14,
    "on_deadline": "default", "no_show": 3, "on_no_show": "tell",
}  # fmt: skip
_EITHER = {"on_deadline": ("default", "hold"), "on_no_show": ("tell", "pause")}
A_DAY = timedelta(hours=24)  # for a hidden question, where the game's settings name no other time


class BadClock(ValueError):
    """A clock setting that cannot be read: which, what it says, how it is written."""

    def __init__(self, name: str, value: Any, wanted: str) -> None:
        super().__init__(f"{name} cannot be {value!r}; write {wanted}")
        self.name, self.value, self.wanted = name, value, wanted


@dataclass(frozen=True)
class ClockRules:
    """How long a side has for what, and what happens when it is over."""

    spans: Mapping[str, Span]
    default: Span
    days_off: frozenset[int]
    grace: timedelta
    reminders: tuple[timedelta, ...]
    extensions: int
    absence_days: int
    on_deadline: Literal["default", "hold"]
    no_show: int  # so many deadlines running left to the clock are the moderator's business; 0: never
    on_no_show: Literal["tell", "pause"]

    def span(self, *kinds: str) -> Span:
        """The first kind that has a time of its own counts."""
        return next((self.spans[kind] for kind in kinds if kind in self.spans), self.default)

    @property
    def window(self) -> Span:
        """How long a hidden question stays open, however soon it is answered."""
        return self.spans.get("window") or A_DAY

    def in_words(self) -> list[str]:
        """The clock as a player is told of it."""
        if self.default is None and not self.spans:
            return ["There is no deadline."]
        told = [f"You have {_said(self.default)} for your orders."]
        told += [f"{_KINDS.get(kind, f'For {kind}')}: {_said(length)}." for kind, length in self.spans.items()]
        if self.days_off:
            told.append(f"Days that do not count: {', '.join(WEEK[day] for day in sorted(self.days_off))}.")
        after = "the moderator decides" if self.on_deadline == "hold" else "the clock answers for you"
        grace = f"after {_said(self.grace)} of grace " if self.grace else ""
        told.append(f"Then {grace}{after}. `wait` begins your time anew, {self.extensions} times in a game;")
        told[-1] += f" `absent until DATE` keeps deadlines away for at most {self.absence_days} days."
        if self.no_show and self.on_no_show == "pause" and self.on_deadline == "default":
            left = counted(self.no_show, "deadline")
            told.append(f"The game is paused when a side has left {left} running to the clock.")
        return told


def _said(length: Span) -> str:
    if length is None:
        return "no deadline"
    if isinstance(length, time):
        return f"until {length:%H:%M} of your day"
    hours, minutes = divmod(round(length.total_seconds()) // 60, 60)
    return counted(hours, "hour") if not minutes else counted(hours * 60 + minutes, "minute")


def length_in_words(length: timedelta) -> str:
    """A length of time as one says it: in minutes, hours or days, whichever tells enough."""
    minutes = max(1, round(length.total_seconds() / 60))
    if minutes < 90:
        return counted(minutes, "minute")
    hours = round(minutes / 60)
    return counted(hours, "hour") if hours < 72 else counted(round(hours / 24), "day")


def counted(number: int, unit: str) -> str:
    """So many of something."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def read_rules(settings: Mapping[str, Any]) -> ClockRules:
    """The clock of a game. Raises BadClock."""
    said = {name: settings.get(name, usual) for name, usual in USUAL.items()}
    deadline = {"default": said["deadline"]} if isinstance(said["deadline"], str) else said["deadline"]
    if not isinstance(deadline, Mapping):
        raise BadClock("deadline", deadline, '{"default": "48h"}')
    spans = {kind: _deadline(f"deadline.{kind}", value) for kind, value in deadline.items()}
    for name, (one, other) in _EITHER.items():
        if said[name] not in (one, other):
            raise BadClock(name, said[name], f'"{one}" or "{other}"')
    reminders = [span("reminders", value) for value in _listed("reminders", said["reminders"])]
    return ClockRules(
        default=spans.pop("default", None),
        spans=spans,
        days_off=frozenset(_weekday(day) for day in _listed("weekdays_off", said["weekdays_off"])),
        grace=span("grace", said["grace"]),
        reminders=tuple(sorted(reminders, reverse=True)),
        extensions=_number("extensions", said["extensions"]),
        absence_days=_number("absence_days", said["absence_days"]),
        on_deadline=said["on_deadline"],
        no_show=_number("no_show", said["no_show"]),
        on_no_show=said["on_no_show"],
    )


def span(name: str, value: Any) -> timedelta:
    """A length of time: 48h, 3d, 90m, 1w. Raises BadClock."""
    match = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        raise BadClock(name, value, "a number with m, h, d or w, like 48h")
    return timedelta(**{_UNITS[match[2][0].casefold()]: int(match[1])})


def _deadline(name: str, value: Any) -> Span:
    if value is None or value == "none":
        return None
    daily = _DAILY.fullmatch(value.strip()) if isinstance(value, str) else None
    if daily is None:
        try:
            return span(name, value)
        except BadClock:
            raise BadClock(name, value, "a time like 48h, or: daily at 21:00") from None
    if not (int(daily[1]) < 24 and int(daily[2]) < 60):
        raise BadClock(name, value, "a time of day from 00:00 to 23:59")
    return time(int(daily[1]), int(daily[2]))


def _weekday(day: Any) -> int:
    short = str(day).casefold()[:3]
    if short not in WEEK:
        raise BadClock("weekdays_off", day, f"some of {', '.join(WEEK)}")
    return WEEK.index(short)


def _listed(name: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise BadClock(name, value, "a list")
    if name == "weekdays_off" and len(set(value)) > 6:
        raise BadClock(name, value, "at most six days")
    return value


def _number(name: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise BadClock(name, value, "a number")
    return value
