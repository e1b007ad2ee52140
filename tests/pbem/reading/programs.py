"""Mail programs, as far as their replies differ: how each quotes a letter, in every language, wherever one types.

A reply is made of the lines over the quotation, the letter with what was typed into it, and the lines below. `Program`
turns that into a mail; none of them is copied from anywhere.
"""

from __future__ import annotations

import html
import textwrap
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from tests.pbem.reading.museum import MUSEUM

ADDRESS = "post+k7q2m4@field.example"
SENDER = f"Fieldpost <{ADDRESS}>"

LANGUAGES: dict[str, dict[str, Any]] = tomllib.loads((MUSEUM / "languages.toml").read_text(encoding="utf-8"))
SUBJECT = "[ford] The proving ground of the ford"


@dataclass(frozen=True)
class Reply:
    """What somebody typed, and where."""

    above: Sequence[str] = ()
    quoted: Sequence[str] = ()  # the letter with what was typed into it
    below: Sequence[str] = ()
    language: str = "en"

    def introduction(self) -> str:
        return str(LANGUAGES[self.language]["wrote"]).format(who=SENDER)

    def header(self) -> list[str]:
        labels = LANGUAGES[self.language]["header"]
        values = (SENDER, "5. 1. 2026 21:14", "Anna <anna@mill.example>", SUBJECT)
        return [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]


def mail_of(plain: str = "", markup: str = "", flowed: bool = False) -> bytes:
    """A reply as it comes in."""
    mail = EmailMessage()
    mail["From"] = "Anna <anna@mill.example>"
    mail["To"] = SENDER
    mail["Subject"] = f"Re: {SUBJECT}"
    mail["In-Reply-To"] = "<letter@field.example>"
    if plain or not markup:
        mail.set_content(plain + "\n", cte="base64", params={"format": "flowed"} if flowed else None)
    if markup and plain:
        mail.add_alternative(markup, subtype="html", cte="base64")
    elif markup:
        mail.set_content(markup, subtype="html", cte="base64")
    return mail.as_bytes()


def wrapped(lines: Sequence[str], width: int, mark: str = "", rest: str | None = None) -> list[str]:
    """Lines hard-wrapped, with a mark before each, and perhaps another before what was wrapped."""
    found: list[str] = []
    rest = mark if rest is None else rest
    for line in lines:
        pieces = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
        for n, piece in enumerate(pieces or [""]):
            found.append(f"{mark if not n else rest}{piece}".rstrip())
    return found


def _blocks(*blocks: Sequence[str]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _divs(lines: Sequence[str]) -> str:
    return "".join(f"<div>{html.escape(line).replace('  ', '&nbsp; ') or '<br>'}</div>" for line in lines)


def gmail(reply: Reply) -> bytes:
    """Both twins; the plain one wrapped, with marks."""
    plain = _blocks(reply.above, wrapped([reply.introduction()], 78), wrapped(reply.quoted, 76, "> "), reply.below)
    quote = f'<blockquote class="gmail_quote" style="border-left:1px solid">{_divs(reply.quoted)}</blockquote>'
    attribution = f'<div dir="ltr" class="gmail_attr">{html.escape(reply.introduction())}<br></div>'
    markup = f'<div dir="ltr">{_divs(reply.above)}</div><br><div class="gmail_quote">{attribution}{quote}</div>'
    return mail_of(plain, f"{markup}<div>{_divs(reply.below)}</div>")


def apple(reply: Reply) -> bytes:
    """HTML alone, the quotation cited."""
    cited = f'<blockquote type="cite"><div>{html.escape(reply.introduction())}</div></blockquote>'
    cited += f'<blockquote type="cite">{_divs(reply.quoted)}</blockquote>'
    return mail_of(markup=f"<html><body>{_divs(reply.above)}<br>{cited}{_divs(reply.below)}</body></html>")


def thunderbird(reply: Reply) -> bytes:
    """Plain text that flows."""
    quoted = [f"> {line}".rstrip() for line in reply.quoted]
    return mail_of(_blocks(reply.above, [reply.introduction()], quoted, reply.below), flowed=True)


def mutt(reply: Reply) -> bytes:
    """Marks and nothing else, not even an empty line."""
    quoted = [f">{line}" for line in reply.quoted]
    return mail_of("\n".join([*reply.above, reply.introduction(), *quoted, *reply.below]))


def losing_marks(reply: Reply) -> bytes:
    """A line of the quotation that is wrapped has no mark on its rest."""
    return mail_of(_blocks(reply.above, [reply.introduction()], wrapped(reply.quoted, 72, "> ", ""), reply.below))


def wrapped_introduction(reply: Reply) -> bytes:
    """No mark at all, and an introduction over two or three lines."""
    return mail_of(_blocks(reply.above, wrapped([reply.introduction()], 34), reply.quoted, reply.below))


def outlook_plain(reply: Reply) -> bytes:
    """A header without a rule, and the letter below as it is."""
    return mail_of(_blocks(reply.above, reply.header(), reply.quoted, reply.below))


def outlook_ruled(reply: Reply) -> bytes:
    """The same under a rule, wrapped."""
    return mail_of(_blocks(reply.above, ["_" * 32, *reply.header()], wrapped(reply.quoted, 74), reply.below))


def outlook_web(reply: Reply) -> bytes:
    """HTML that says where the quotation begins, and a plain twin that does not."""
    head = "<br>".join(html.escape(line) for line in reply.header())
    markup = f'{_divs(reply.above)}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{head}</div>'
    plain = _blocks(reply.above, ["_" * 32, *reply.header()], reply.quoted)
    return mail_of(plain, f"<html><body>{markup}{_divs(reply.quoted)}</body></html>")


def forwarded(reply: Reply) -> bytes:
    """A banner over a header."""
    labels = LANGUAGES[reply.language]["header"]
    banner = [f"---------- {labels[3]} ---------", *reply.header()]
    return mail_of(_blocks(reply.above, banner, reply.quoted))


Program = Callable[[Reply], bytes]
MARKED: tuple[Program, ...] = (gmail, apple, thunderbird, mutt, losing_marks)
UNMARKED: tuple[Program, ...] = (wrapped_introduction, outlook_plain, outlook_ruled, outlook_web, forwarded)
PROGRAMS = (*MARKED, *UNMARKED)
