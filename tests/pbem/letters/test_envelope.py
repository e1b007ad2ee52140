"""The envelope: written by us letter for letter as the library would write it."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest

from pbem.letters import Enclosure, Letter, enclose, octets

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
WORDS = "Übergang über den Dnepr = 1, im Süden\n.\nFrom here on \n" + "weit " * 60
FILES = (
    Enclosure("orders.html", "text/html", b"<p>" + b"board = 1 " * 99 + b"\n.\n</p>\n"),
    Enclosure("report.txt", "text/plain", "ein Bericht, übersetzt\n".encode()),
    Enclosure("deadline.ics", "text/calendar; method=PUBLISH", b"BEGIN:VCALENDAR\r\n"),
    Enclosure("map.png", "image/png", bytes(range(256)), source="map@field.example"),
)


def a_letter(subject: str, files: tuple[Enclosure, ...]) -> Letter:
    letter = Letter("answer", "anna@mill.example", subject, game="ford", reply_to="post+1@field.example")
    letter.answers, letter.thread, letter.unsubscribe = "<m1@mill.example>", ("<m0@mill.example>",), "u@field.example"
    letter.say("Words", *WORDS.splitlines(), exact=True)
    letter.enclosures = [*files]
    return letter


@pytest.mark.parametrize("files", [(), FILES[:1], FILES])
@pytest.mark.parametrize("subject", ["status", "=?utf-8?q?odd?=", "Grüße", "two  blanks", "long " * 30, "x" * 200])
def test_a_letter_is_written_as_the_library_writes_it(subject: str, files: tuple[Enclosure, ...]) -> None:
    mail = enclose(a_letter(subject, files), id_="1" * 32, address="post@field.example", at=NOON)
    raw = octets(mail)
    assert raw == mail.as_bytes()
    read = message_from_bytes(raw, policy=policy.default)
    assert read["Subject"] == " ".join(str(mail["Subject"]).split())
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    body = read.get_body(("plain",))
    assert body is not None
    assert "Übergang über den Dnepr = 1, im Süden" in body.get_content()
    found = {part.get_filename(): part.get_payload(decode=True) for part in read.walk() if part.get_filename()}
    assert {name: bytes(data).replace(b"\r\n", b"\n") for name, data in found.items()} == {  # type: ignore[arg-type]
        file.name: file.data.replace(b"\r\n", b"\n") for file in files
    }
