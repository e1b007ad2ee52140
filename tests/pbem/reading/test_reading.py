"""What the reader does with texts of every kind, and that nothing a stranger sends makes it fall over."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.reading import read_mail
from pbem.reading.parts import DEEPEST, MOST_PARTS, MOST_TEXT
from pbem.reading.read import MOST_LINES
from tests.pbem.reading.museum import MAILS, known, mail, text_mail

HANGS = 20  # seconds of work: a mail that makes its reader hang takes many times that

ORDERS = ["move RD58 to 2220", "attack 2020 with GTC5, RD6", "end"]
PLAIN = "\n".join(ORDERS)


def lines(text: str, kind: str = "text/plain; charset=utf-8") -> list[str]:
    return read_mail(text_mail(text, kind), known()).lines


def test_orders_are_left_as_typed() -> None:
    read = read_mail(text_mail(PLAIN), known())
    assert (read.lines, read.notes, read.problem) == (ORDERS, [], None)


def test_reading_what_was_read_changes_nothing() -> None:
    for path in MAILS:
        once = read_mail(mail(path.read_bytes()), known()).lines
        if once:
            assert lines("\n".join(once)) == once, path.stem


def test_nothing_below_end_of_orders_is_read() -> None:
    assert lines(f"{PLAIN}\nEnd of orders.\nlose RD84\n-- \nMiles") == ORDERS


def test_a_quoted_end_of_orders_is_not_the_players() -> None:
    assert lines(f"> END OF ORDERS\n{PLAIN}") == ORDERS


def test_orders_stay_when_a_wrote_line_stands_right_below_them() -> None:
    assert lines(f'{PLAIN}\n05.01.2026, 21:14, "Fieldpost" <post@referee.example>:\n> lose RD84') == ORDERS


def test_an_order_beginning_like_a_danish_signature_stays() -> None:
    assert lines("place 88 at 1504\ntake back 72") == ["place 88 at 1504", "take back 72"]


def test_a_dash_inside_a_line_stays() -> None:
    assert lines("press hold - or do not") == ["press hold - or do not"]


def test_a_polite_end_inside_press_does_not_eat_the_orders_below() -> None:
    assert lines(f"press Well played\nRegards\nMiles\n\n{PLAIN}")[-3:] == ORDERS


def test_thanks_for_a_beginning_is_not_a_signature() -> None:
    assert lines(f"Good evening\nThanks, my orders:\n{PLAIN}")[-3:] == ORDERS


def test_plain_text_wins_over_html_that_says_something_else() -> None:
    message = EmailMessage()
    message.set_content(PLAIN)
    message.add_alternative("<p>lose RD84</p>", subtype="html")
    assert read_mail(mail(message.as_bytes()), known()).lines == ORDERS


def test_orders_that_cannot_be_seen_are_not_read() -> None:
    hidden = '<div style="display: none">lose RD84</div><div>end</div><p style="font-size:0px">lose RD31</p>'
    assert lines(hidden, "text/html") == ["end"]


@pytest.mark.parametrize("name", ["orders.txt", "Orders turn 3.TXT", "befehle.txt", "ordres_3.txt"])
def test_a_file_of_orders_is_read_in_place_of_the_text(name: str) -> None:
    message = EmailMessage()
    message.set_content("See the file.")
    message.add_attachment(PLAIN, filename=name)
    read = read_mail(mail(message.as_bytes()), known())
    assert read.lines == ORDERS
    assert read.notes == [f"your orders were taken from {name}; the text of the mail was not read as orders"]


def test_another_text_file_is_read_only_when_the_mail_says_nothing() -> None:
    for body, expected in (("", ORDERS), ("end", ["end"])):
        message = EmailMessage()
        message.set_content(body)
        message.add_attachment(PLAIN, filename="turn.txt")
        assert read_mail(mail(message.as_bytes()), known()).lines == expected


def nested(depth: int) -> EmailMessage:
    inner = EmailMessage()
    inner.set_content(PLAIN)
    for _ in range(depth):
        outer = EmailMessage()
        outer.make_mixed()
        outer.attach(inner)
        inner = outer
    return inner


def test_depth_and_number_of_parts_have_limits() -> None:
    assert read_mail(mail(nested(DEEPEST).as_bytes()), known()).lines == ORDERS
    deep = read_mail(mail(nested(DEEPEST + 1).as_bytes()), known()).problem
    assert deep
    assert deep.kind == "too deep"
    many = EmailMessage()
    many.make_mixed()
    for _ in range(MOST_PARTS):
        many.add_attachment("end", filename="orders.txt")
    problem = read_mail(mail(many.as_bytes()), known()).problem
    assert problem
    assert problem.kind == "too many parts"


@pytest.mark.parametrize(
    ("text", "kind", "problem"),
    [
        ("x " * MOST_TEXT, "text/plain", "too long"),
        ("end\n" * (MOST_LINES + 1), "text/plain", "too many lines"),
        ("<div>" * 30_000 + "end", "text/html", "too deep"),
        ("<div>" * 1_500 + "end", "text/html", "too deep"),
        ("\n" * 15_000, "text/plain", "empty"),
        ("> end\n" * 5_000, "text/plain", "quoted"),
    ],
)
def test_a_bomb_is_a_problem_and_not_a_fault(text: str, kind: str, problem: str) -> None:
    began = process_time()
    read = read_mail(text_mail(text, kind), known())
    assert read.problem
    assert read.problem.kind == problem
    assert process_time() - began < HANGS


@pytest.mark.parametrize(
    "line",
    ["On " + "a " * 200, "From: " + " " * 400, "Regards", "Thanks,", "_" * 60, "<a@" * 150, "Warning: " + "mail " * 80],
)
def test_no_line_makes_the_reader_slow(line: str) -> None:
    began = process_time()
    read_mail(text_mail(f"{line}\n\n" * (18_000 // len(line))), known())
    assert process_time() - began < HANGS


def test_a_mail_that_could_not_be_taken_apart_is_a_problem() -> None:
    broken = text_mail(PLAIN)
    broken.message = None
    problem = read_mail(broken).problem
    assert problem
    assert str(problem).startswith("The mail could not be taken apart")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.binary(max_size=400), st.sampled_from(["plain", "html", "rtf"]), st.sampled_from(["utf-8", "x", "idna", "hex"])
)
def test_any_bytes_can_be_read(data: bytes, kind: str, charset: str) -> None:
    head = f"From: a@b.example\r\nContent-Type: text/{kind}; charset={charset}\r\n\r\n"
    read = read_mail(mail(head.encode() + data), known())
    assert bool(read.problem) is not bool(read.lines)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(MAILS), st.integers(0, 5000), st.binary(min_size=1, max_size=20))
def test_a_damaged_mail_can_be_read_too(path: Path, at: int, damage: bytes) -> None:
    raw = path.read_bytes()
    read = read_mail(mail(raw[:at] + damage + raw[at + len(damage) :]), known())
    assert bool(read.problem) is not bool(read.lines)
