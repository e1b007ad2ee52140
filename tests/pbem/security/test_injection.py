"""What people write is words: never a header, never markup, never a template, never a path."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.house import House
from tests.pbem.security.office import ANNA, BRUNO, Office, html_of, text_of

NASTY = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "{{ 7 * 7 }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "${7*7} #{7*7} <%= 7*7 %>",
    "]]><!--",
    '" style="position:fixed" x="',
    "javascript:alert(1)",
    "</style></head><body onload=alert(1)>",
]
PATHS = [
    "../../etc/passwd",
    "..%2f..%2fetc",
    "/etc/passwd",
    "mill/../ford",
    "mill\x00",
    "mill ",
    "",
    ".",
    "..",
    "MILL",
    "~root",
]


def headers(mail: EmailMessage) -> set[str]:
    return {name.lower() for name in mail.keys()}  # noqa: SIM118


@pytest.mark.parametrize("said", NASTY)
def test_press_reaches_the_opponent_as_words(office: Office, said: str) -> None:
    answers = office.mail(ANNA, office.seat("mill", "soviet"), f"press {said}")
    got = [mail for mail in answers if str(mail["To"]) == BRUNO]
    assert len(got) == 1
    html = html_of(got[0])
    _harmless(html)
    flat = "".join(text_of(got[0]).split())
    assert "".join(said.split()) in flat or "49" not in flat


@pytest.mark.parametrize("said", NASTY)
def test_a_name_is_a_name(office: Office, said: str) -> None:
    office.mail(ANNA, office.seat("mill", "soviet"), f"join as {said}")
    letters = office.mail(ANNA, office.seat("mill", "soviet"), "press hello")
    assert len(letters) == 2
    for letter in letters:
        _harmless(html_of(letter))
        assert "49" not in str(letter["Subject"])


@pytest.mark.parametrize("said", NASTY)
def test_an_order_that_is_none_comes_back_harmless(office: Office, said: str) -> None:
    head = office.head("mill")
    (answer,) = office.mail(ANNA, office.seat("mill", "soviet"), said, subject=said)
    assert office.head("mill") == head
    _harmless(html_of(answer))


def _harmless(html: str) -> None:
    """No mark-up of the writer's own, and nothing computed."""
    page = LexborHTMLParser(html)
    assert not page.css("script, iframe, object, embed, form, link, base")
    for node in page.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on"), (name, value)
            assert "position:fixed" not in (value or "").replace(" ", "")
            assert not (value or "").startswith(("javascript:", "x"))
    assert "<class" not in html
    assert "&lt;class" not in html


@pytest.mark.parametrize(
    "subject",
    [
        "=?utf-8?q?orders=0D=0ABcc:_mallory=40elsewhere.example?=",
        "=?utf-8?b?b3JkZXJzDQpCY2M6IG1hbGxvcnlAZWxzZXdoZXJlLmV4YW1wbGU=?=",
        "orders\r\n Bcc: mallory@elsewhere.example",
        "=?utf-8?q?orders=0D=0A=0D=0A<b>body</b>?=",
    ],
)
def test_a_subject_never_becomes_a_header(office: Office, subject: str) -> None:
    raw = (
        f"From: {ANNA}\r\nTo: {office.seat('mill', 'soviet')}\r\nSubject: {subject}\r\n"
        "Message-ID: <inject@players.example>\r\n\r\npress hello\r\n"
    )
    for letter in office.raw(raw.encode()):
        assert "bcc" not in headers(letter)
        assert letter.get_all("To") in ([ANNA], [BRUNO])
        assert "\n" not in str(letter["Subject"])


@pytest.mark.parametrize("name", ["Message-ID", "References", "In-Reply-To"])
def test_a_thread_header_never_becomes_another(office: Office, name: str) -> None:
    fold = "<a@players.example>\r\n\tBcc: mallory@elsewhere.example"
    own = "" if name == "Message-ID" else "Message-ID: <x@players.example>\r\n"
    raw = f"From: {ANNA}\r\nTo: {office.seat('mill', 'soviet')}\r\nSubject: s\r\n{own}{name}: {fold}\r\n\r\nstatus\r\n"
    letters = office.raw(raw.encode())
    assert letters
    for letter in letters:
        assert "bcc" not in headers(letter)


def test_a_senders_display_name_never_becomes_a_recipient(office: Office) -> None:
    raw = (
        f"From: =?utf-8?q?Anna=0D=0ABcc=3A_mallory=40elsewhere=2Eexample?= <{ANNA}>\r\n"
        f"To: {office.seat('mill', 'soviet')}\r\nSubject: s\r\nMessage-ID: <y@players.example>\r\n\r\nstatus\r\n"
    )
    for letter in office.raw(raw.encode()):
        assert letter.get_all("To") == [ANNA]
        assert "bcc" not in headers(letter)


@pytest.mark.parametrize("name", PATHS)
def test_a_games_name_is_never_a_path(office: Office, name: str) -> None:
    house: House = office.house
    with pytest.raises(ValueError, match="not a game's name"):
        house.folder(name)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "....//", "%2e%2e%2f"])
def test_a_path_in_a_mail_opens_no_file(office: Office, name: str) -> None:
    before = {path for path in office.home.parent.rglob("*") if "mail" not in path.parts}
    head = office.head("mill")
    for words in (f"resend {name}", f"log {name}", f"map {name}", f"help {name}", f"help rule {name}", f"undo {name}"):
        letters = office.mail(ANNA, office.seat("mill", "soviet"), words, subject=f"[{name}] orders")
        assert len(letters) == 1
        assert b"root:" not in letters[0].as_bytes()
    assert office.head("mill") == head
    after = {path for path in office.home.parent.rglob("*") if "mail" not in path.parts}
    assert {path.suffix for path in after - before} <= {".sqlite-wal", ".sqlite-shm", ".sqlite-journal"}


def test_a_tag_that_is_a_path_opens_no_chair(office: Office) -> None:
    local, _, host = office.settings.address.partition("@")
    for tag in ("../mill", "mill/../ford", "%00", "' OR 1=1 --"):
        raw = (
            f'From: {ANNA}\r\nTo: "{local}+{tag}"@{host}\r\nSubject: s\r\n'
            f"Message-ID: <{len(tag)}@players.example>\r\n\r\nend\r\n"
        )
        head = office.head("mill")
        office.raw(raw.encode())
        assert office.head("mill") == head
        assert office.row().state in ("done", "silent", "shunted")
