"""Short logs of a game with secrets, sealed line by line."""

from __future__ import annotations

from typing import Any

from engine.canonical import canonical
from engine.dice import Dice, secret_from_seed
from engine.log import Back, Item, Line, seal_header, seal_line

SECRET = secret_from_seed(1944)
GAME = "cherkassy-07"
SIDES = ["german", "soviet"]
NONCES = {"german": "Lysyanka", "soviet": "Zvenigorodka"}
FACT = Item("fact", {"moved": "5 Gds Tank", "to": "2708", "note": "Шпола"})
HIDDEN = Item("fact", {"drew": "Vatutin"}, "soviet")
UNKNOWN = Item("fact", {"pool": ["Konev", "Stemmermann"]}, "none")


def begin(secret: bytes = SECRET, sides: list[str] = SIDES, happened: list[Item] | None = None) -> Line:
    return seal_header(
        secret,
        game=GAME,
        scenario="pocket",
        sides=sides,
        rules="1",
        nonces=NONCES,
        position="start",
        options={"fog": True},
        happened=happened or [FACT],
    )


def follow(lines: list[Line], *happened: Item, secret: bytes = SECRET, act: str = "orders", **more: Any) -> Line:
    line = seal_line(
        secret,
        lines[0],
        lines[-1],
        by="german",
        act=act,
        rules="1",
        position=f"after {len(lines)}",
        happened=happened,
        **more,
    )
    lines.append(line)
    return line


def short_log(secret: bytes = SECRET, hidden: Item = HIDDEN) -> list[Line]:
    """Four lines: two with dice and secrets, the last one undoing half of the third."""
    cup = Dice(secret, GAME, NONCES)
    lines = [begin(secret)]
    follow(lines, FACT, Item("roll", cup.roll("combat", 6, "2708").body()), hidden, FACT, secret=secret)
    follow(lines, UNKNOWN, Item("roll", cup.roll("chits", 9).body(), "soviet"), FACT, secret=secret)
    follow(lines, act="undo", back=Back(2, 1), secret=secret)
    return lines


def told_log() -> list[Line]:
    lines = short_log()
    follow(lines, act="secret")
    return lines


def as_bytes(lines: list[Line]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)
