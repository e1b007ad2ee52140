"""What stands in a letter: the ask first, the same parts in both twins, nothing that only the rules care for."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

import games
from pbem.desk.ask_boxes import QUESTION
from pbem.report.order_sheet import LINES, WIDTH
from tests.pbem.letters.conftest import Sample

PARTS = (
    "In short",
    "The fighting",
    "What led to it",
    "The map",
    "New next to you",
    "While others play",
    "Orders, ready",
)


def said(html: str) -> str:
    body = LexborHTMLParser(html).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


def test_the_ask_and_its_deadline_come_before_all_that_happened(sample: list[Sample]) -> None:
    for one in sample:
        box = one.letter.box
        assert box is not None
        text, html = " ".join(one.text.split()), said(one.html.split("</h1>")[1])
        first = " ".join(box.prompt.replace("`", "").split())[:30]
        for twin in (text.replace("`", ""), html):
            asked = twin.index(first)
            assert asked < twin.casefold().index("in short"), one
            if box.deadline:
                assert twin.casefold().index(box.deadline.casefold()) < asked, one


def test_both_twins_have_the_same_parts_in_the_same_order(sample: list[Sample]) -> None:
    for one in sample:
        places = []
        for twin in (one.text.casefold(), said(one.html.split("</h1>")[1]).casefold()):
            found = [(twin.index(part.casefold()), part) for part in PARTS if part.casefold() in twin]
            places.append([part for _, part in sorted(found) if part != "The map"])
        assert places[0] == places[1] == [part for part in PARTS if part in places[0]], one


def test_no_side_is_told_in_small_letters(sample: list[Sample]) -> None:
    for one in sample:
        sides = "|".join(games.find_game(one.book).sides)
        told = re.sub(r"^(?:key .*|#.*|.*Key: .*)$", "", one.text, flags=re.M)
        assert re.findall(rf"(?<![\w./@+:-])(?:{sides})(?![\w./@])", told) == [], one


def test_what_only_the_rules_care_for_is_in_the_attachment_alone(sample: list[Sample]) -> None:
    for one in sample:
        assert one.letter.report is not None
        whole = next(file.data.decode() for file in one.letter.enclosures if file.name == "report.txt")
        for note in one.letter.report.bookkeeping:
            assert note.text not in one.text
            assert note.text[:20] in whole
        assert "Bookkeeping" not in one.text + one.html


def test_nothing_is_told_in_the_letter_only(sample: list[Sample]) -> None:
    for one in sample:
        told, report = one.letter.dispatch, one.letter.report
        assert told is not None
        assert report is not None
        whole = next(file.data.decode() for file in one.letter.enclosures if file.name == "report.txt")
        cards = [card for cluster in told.clusters for card in cluster.cards]
        assert len(cards) == sum(len(phase.battles) for phase in report.phases) == told.fights
        for card in cards:
            assert card.title in whole
            units = {*card.battle.fought.attackers, *card.battle.fought.defenders}
            assert all(unit in whole for unit in units if unit in card.sentence)


def test_the_text_fits_its_columns_and_the_order_sheet_its_lines(sample: list[Sample]) -> None:
    for one in sample:
        sheet = one.letter.template.splitlines()
        assert len(sheet) <= LINES, one
        assert [line for line in sheet if len(line) > WIDTH + 12] == [], one
        body = one.text.replace(one.letter.template, "")
        assert [line for line in body.splitlines() if len(line) > 72 and " " in line.strip()] == [], one


def test_every_answer_with_a_button_is_a_line_that_may_be_sent(sample: list[Sample]) -> None:
    for one in sample:
        box = one.letter.box
        assert box is not None
        for button in box.answers:
            link = urlsplit(button.link)
            assert unquote(link.path) == one.letter.reply_to
            key, line = parse_qs(link.query)["body"][0].split("\r\n")[:2]
            assert key == f"key {one.letter.key} {QUESTION}"
            assert line == button.label
        assert len(box.answers) <= 6


def test_a_hash_is_told_in_groups_that_wrap(sample: list[Sample]) -> None:
    for one in sample:
        assert re.findall(r"[0-9a-f]{20,}", said(one.html)) == []
        assert one.letter.head[:8] in one.text
