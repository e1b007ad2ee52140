"""What a line must look like before its hashes are worth checking."""

from collections import Counter
from typing import Any

from engine.log.lines import ALL, FORMAT, MOST_SIDES, NOBODY, ORDER, Line

KINDS = ("answer", "roll", "fact")
# What a line of an act says besides its items: where it goes back to, the secret, what has changed.
CARRIES: dict[str, dict[str, type]] = {
    "undo": {"back": dict},
    "rewind": {"back": dict},
    "secret": {"secret": str},
    "terms": {"terms": dict},
    "skip": {"skip": dict},
}
ACTS = ("orders", "correct", "deadline", "window", *CARRIES)

EVERY_LINE: dict[str, type] = {
    "n": int,
    "at": str,
    "rules": str,
    "parts": dict,
    "seals": dict,
    "position": str,
    "prev": str,
    "hash": str,
}
HEADER: dict[str, type] = EVERY_LINE | {
    "format": int,
    "game": str,
    "scenario": str,
    "options": dict,
    "sides": list,
    "chairs": list,
    "units": dict,
    "commit": str,
    "nonces": dict,
}
LINE: dict[str, type] = EVERY_LINE | {"by": str, "act": str, "cause": str}


def shape_problem(line: Line, *, reader: bool = False) -> str | None:
    """What is wrong with the line's form, or None; a reader's copy has salts and fewer parts."""
    wanted = _wanted(line) | ({"salts": dict} if reader else {})
    for key in sorted(wanted.keys() ^ line.keys()):
        return f"it has no {key!r}" if key in wanted else f"it has a strange {key!r}"
    for key, kind in wanted.items():
        if type(line[key]) is not kind:
            return f"{key!r} is not of the right kind"
    return _values_problem(line) or _parts_problem(line, reader)


def _wanted(line: Line) -> dict[str, type]:
    return HEADER if "format" in line else LINE | CARRIES.get(str(line.get("act")), {})


def _values_problem(line: Line) -> str | None:
    if "format" in line:
        if line["format"] != FORMAT:
            return f"it is written in format {line['format']}, and this program reads format {FORMAT}"
        if len(line["sides"]) > MOST_SIDES:
            return "it has too many sides"
        lists = [line["sides"], line["chairs"], [*line["nonces"].values()], *line["units"].values()]
        if not all(type(names) is list and _are_names(names) for names in lists):
            return "its sides, chairs, units or nonces are not names"
        return None
    if line["act"] not in ACTS:
        return f"it does something unknown: {line['act']!r}"
    if "back" in line and not _is_back(line["back"]):
        return "it does not say where it goes back to"
    if "secret" in line and not _is_hex(line["secret"]):
        return "its secret is not a hexadecimal number"
    if not all(type(k) is int and k > 0 for k in line.get("skip", {}).values()):
        return "it does not say how far dice are skipped"
    return None


def _parts_problem(line: Line, reader: bool) -> str | None:
    parts, seals = line["parts"], line["seals"]
    if not all(type(seal) is str for seal in seals.values()):
        return "a seal is not text"
    if ALL not in parts or not parts.keys() <= seals.keys():
        return "its parts are not those that it seals"
    if reader:
        if line["salts"].keys() != parts.keys() or not all(_is_hex(salt) for salt in line["salts"].values()):
            return "its salts are not those of its parts"
    elif parts.keys() != seals.keys():
        return "its parts are not those that it seals"
    for part in parts.values():
        if type(part) is not list or not all(_is_item(entry) for entry in part):
            return "a part is not a list of items"
    return _order_problem(parts)


def _order_problem(parts: dict[str, Any]) -> str | None:
    """Whether the items count up, and nobody's part says how those of all parts go together."""
    places = {audience: [entry[0] for entry in part] for audience, part in parts.items()}
    public = len(places[ALL])
    if places[ALL] != list(range(public)):
        return "its items do not count up from 0"
    if any(own != sorted(own) or own[-1:] > [public] for own in places.values()):
        return "the items of a part are out of order"
    orders = [(a, i) for a, part in parts.items() for i, entry in enumerate(part) if entry[1] == ORDER]
    if NOBODY not in parts:
        return "the order of its items is not sealed" if orders else None
    hidden = sum(len(part) for part in parts.values()) - public
    if orders != ([(NOBODY, 0)] if hidden else []):
        return "the order of its items is not where it belongs"
    if hidden:
        body = parts[NOBODY][0][2]
        owed = Counter({a: len(part) - (a == NOBODY) for a, part in parts.items()})
        if body.keys() != {"of"} or type(body["of"]) is not list or not _are_names(body["of"]):
            return "the order of its items cannot be read"
        if Counter(body["of"]) != +owed:
            return "the order of its items is not that of its parts"
        if _places(body["of"]) != {a: own[a == NOBODY :] for a, own in places.items() if own[a == NOBODY :]}:
            return "its items do not stand where their order says"
    return None


def _places(order: list[str]) -> dict[str, list[int]]:
    """For each audience, how many items for all came before each of its own."""
    places: dict[str, list[int]] = {}
    public = 0
    for audience in order:
        places.setdefault(audience, []).append(public)
        public += audience == ALL
    return places


def _are_names(names: list[Any]) -> bool:
    return all(type(name) is str for name in names)


def _is_item(entry: Any) -> bool:
    return (
        type(entry) is list
        and len(entry) == 3
        and type(entry[0]) is int
        and entry[0] >= 0
        and entry[1] in (*KINDS, ORDER)
        and type(entry[2]) is dict
    )


def _is_back(back: dict[str, Any]) -> bool:
    return (
        back.keys() == {"line", "point"}
        and type(back["line"]) is int
        and (back["point"] is None or type(back["point"]) is int)
    )


def _is_hex(text: Any) -> bool:
    try:
        return type(text) is str and bytes.fromhex(text).hex() == text
    except ValueError:
        return False
