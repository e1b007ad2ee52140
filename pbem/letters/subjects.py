"""Subjects: the one place that makes them. The kind of a letter stands first, its game last."""

from typing import Literal

from pbem.wording.naming import WORDS, short

Kind = Literal[
    "move", "question", "done", "refused", "kept", "checked", "answer", "report", "reminder", "deadline", "press",
    "invitation", "welcome", "over", "looking on", "notice", "ruling", "moderator", "moderated", "turned away",
    "trouble", "set aside", "undelivered",
]  # fmt: skip

OPENINGS = WORDS["openings"]
ORDERS = "orders"  # the subject of a mail that a button or the order board begins
MOST = 90  # letters between the kind and the game


def sentence(kind: Kind, about: str, *, by: str = "", writer: str = "") -> str:
    """What a letter is and is about: the title over it, and its subject but for the game."""
    opening = f"{OPENINGS[kind]} {short(writer, 24)}" if writer else OPENINGS[kind]
    until = f", by {by}" if by else ""
    return f"{opening}: {short(about, MOST - len(until))}{until}"


def subject_line(kind: Kind, about: str, game: str, *, by: str = "", writer: str = "") -> str:
    """The subject; a telephone shows some 35 letters of it, so the game's tag stands last."""
    tag = f" [{game}]" if game else ""
    return sentence(kind, about, by=by, writer=writer) + tag


def sender_name(game: str) -> str:
    """The name that an inbox shows beside the subject: the game's."""
    words = " ".join(game.replace("-", " ").replace("_", " ").split())
    return f"{words[:1].upper()}{words[1:]} (Fieldpost)" if words else "Fieldpost"
