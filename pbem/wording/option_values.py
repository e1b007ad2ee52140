"""The options of a scenario as people write them: NAME=VALUE, yes and no."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.folder import Switch

_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")


class NotAnOption(ValueError):
    """What was written is no option with a value."""

    def __init__(self, text: str) -> None:
        super().__init__(f"write an option as NAME=VALUE, not {text!r}")
        self.text = text


def spelled(value: object) -> str:
    """A value of an option or a setting as it is shown, and as it is written."""
    if isinstance(value, Mapping):
        return " and ".join(str(one) if kind == "default" else f"{kind}={one}" for kind, one in value.items()) or "none"
    if isinstance(value, list):
        return " and ".join(map(str, value)) or "none"
    return str(value) if not isinstance(value, bool) else _YES[0] if value else _NO[0]


def shown_options(options: Mapping[str, Any]) -> str:
    """The options of a game in words."""
    return ", ".join(f"{name} {spelled(value)}" for name, value in options.items())


def shown_terms(terms: Mapping[str, Any]) -> str:
    """The terms of a game in words."""
    return shown_options({name.replace("_", " "): value for name, value in terms.items()})


def read_options(given: Sequence[str], choices: Sequence[Switch]) -> dict[str, Any]:
    """NAME=VALUE as the scenario's own values; yes and no stand for true and false. Raises NotAnOption."""
    read: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise NotAnOption(text)
        name, value = name.strip(), value.strip()
        values = next((choice.values for choice in choices if choice.name == name), ())
        read[name] = next((known for known in values if _means(value.casefold(), known)), value)
    return read


def _means(written: str, value: object) -> bool:
    return written in (_YES if value else _NO) if isinstance(value, bool) else written == str(value).casefold()
