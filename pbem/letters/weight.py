"""What a letter weighs, and what is left out of one that weighs too much."""

from collections.abc import Callable

MOST = 350_000  # bytes, the order board apart
BASE64 = 4 / 3 * 78 / 76
QUOTED = 1.06  # what quoted-printable adds to words


def weight(files: int, words: int) -> int:
    """Bytes of the mail, as near as need be, by the bytes of its files and of both twins."""
    return round(files * BASE64 + words * QUOTED)


def too_much(fights: list[str], whole: str, weigh: Callable[[set[str]], int]) -> set[str]:
    """Too heavy, it goes without its third battle picture, then the map, then the second picture."""
    without = set[str]()
    for name in (*fights[2:3], whole, *fights[1:2]):
        if weigh(without) <= MOST:
            break
        without.add(name)
    return without
