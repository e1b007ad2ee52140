"""Every mail of the museum gives the order lines that stand beside it, and says what it left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.reading import read_mail
from tests.pbem.reading.museum import MAILS, known, mail

PROGRAMS = ["gmail", "gmail_android", "outlook_desktop", "outlook_web", "apple_mail", "iphone"]
PROGRAMS += ["thunderbird", "yahoo", "gmx", "proton", "k9", "mutt"]
ADDRESS = re.compile(rb"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")


def beside(path: Path, suffix: str) -> list[str]:
    sidecar = path.with_suffix(suffix)
    return sidecar.read_text(encoding="utf-8").splitlines() if sidecar.exists() else []


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
def test_the_orders_come_out_of_the_mail(path: Path) -> None:
    read = read_mail(mail(path.read_bytes()), known())
    assert read.lines == beside(path, ".orders")
    assert [*read.notes, *([f"problem: {read.problem}"] if read.problem else [])] == beside(path, ".notes")
    assert bool(read.problem) is not bool(read.lines)


def test_the_museum_is_large_and_complete() -> None:
    assert len(MAILS) >= 120
    assert all(path.with_suffix(".orders").exists() for path in MAILS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_has_its_room(program: str) -> None:
    languages = {path.stem[-2:] for path in MAILS if path.stem.startswith(program)}
    assert len(languages) >= 3
    assert languages <= {"en", "de", "fr", "ru", "ja"}


def test_the_forms_that_were_misread_are_there_in_many_languages() -> None:
    for trait in ("introduction_over_two_lines_template_taken", "header_without_a_rule_and_politeness"):
        assert len([path for path in MAILS if path.stem.startswith(trait)]) >= 24


def test_no_mail_holds_a_real_address() -> None:
    for path in MAILS:
        raw = path.read_bytes().replace(b"=\r\n", b"")  # quoted-printable breaks addresses in two
        assert all(host.endswith(b".example") for host in ADDRESS.findall(raw)), path.name


def test_no_two_mails_are_the_same() -> None:
    assert len({path.read_bytes() for path in MAILS}) == len(MAILS)
