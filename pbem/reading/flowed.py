"""Format=flowed (RFC 3676): soft line breaks taken out, so that a long order is one line again."""

import re

_QUOTED = re.compile(r">*")


def unflow(text: str, *, delsp: bool = False) -> str:
    """Lines as they were typed; quoted ones keep one `>`. A signature mark never flows."""
    lines: list[str] = []
    flowing: int | None = None  # the quote depth of a line still waiting for its rest
    for raw in text.splitlines():
        depth = len(_QUOTED.match(raw)[0])  # type: ignore[index]  # it matches anything
        line = raw[depth:]
        if line.startswith(" "):  # a space was stuffed in
            line = line[1:]
        mark = line == "-- "
        soft = line.endswith(" ") and not mark
        if soft and delsp:
            line = line[:-1]
        if flowing == depth and not mark:
            lines[-1] += line
        else:
            lines.append(("> " if depth else "") + line)
        flowing = depth if soft else None
    return "\n".join(lines)
