"""Every rulebook's ledger says where each of its cases is done, and it is there."""

import re

import pytest

import games
from engine.game import Rulebook
from engine.ledger import load_ledger

BOOKS = [pytest.param(book, id=name) for name, book in games.rulebooks().items()]


@pytest.mark.parametrize("book", BOOKS)
def test_every_counted_case_says_where_it_is_done(book: Rulebook) -> None:
    ledger = load_ledger(book.folder / "rules.toml")
    assert not [case.id for case in ledger.counted if not case.done]


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_case_names_as_its_place_is_there(book: Rulebook) -> None:
    missing = []
    for case in load_ledger(book.folder / "rules.toml"):
        for place in case.done:
            file, _, names = place.partition(":")
            path = book.folder / file.strip()
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            for name in filter(None, re.split(r"[,\s]+", names)):
                if not re.search(rf"(?<!\w){re.escape(name.split('.')[0].strip('[]'))}", text):
                    missing.append(f"{case.id}: {place}")
            if not text:
                missing.append(f"{case.id}: {place}")
    assert not missing
