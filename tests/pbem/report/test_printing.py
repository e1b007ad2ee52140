"""Paper: the text fits its columns and stands alone, the HTML is whole, escaped, and fits a phone."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.campaign import Campaign
from pbem.report.making import make_report, moment, span_of
from pbem.report.printing import as_html, as_text
from pbem.report.report import LetterPicture, Note, Report

GOLDEN = Path(__file__).parent / "ford.txt"
VOID = {"br", "hr", "img", "input", "link", "meta"}
CLIPPED = 102_000  # what a well-known mail reader shows of a message
PHONE = 390


class Reader(HTMLParser):
    """Follows every element to its end, and keeps what was said and the attributes met."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[str] = []
        self.met: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.said.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def whole(campaign: Campaign, side: str) -> Report:
    lines = campaign.lines()
    report = make_report(span_of(lines, 1), moment(lines, campaign.game, side), deadline="Sunday, 20:00 UTC")
    picture = LetterPicture("map", "map.png", "the whole map", "The whole map", 1000)
    return replace(report, pictures=(picture,))


def test_a_small_report_reads_as_it_did(fords: Campaign) -> None:
    report = whole(fords, "blue")
    assert as_text(report).replace(report.head, "HEAD") == GOLDEN.read_text(encoding="utf-8")


def test_the_text_fits_78_columns(campaign: Campaign) -> None:
    for side in campaign.game.sides:
        long = [line for line in as_text(whole(campaign, side)).splitlines() if len(line) > 78]
        assert not long


def test_the_html_is_well_formed_and_says_what_the_text_says(campaign: Campaign) -> None:
    report = whole(campaign, campaign.game.sides[0])
    said = " ".join(" ".join(read(as_html(report)).said).split())
    for phase in report.phases:
        assert phase.title in said
        assert all(battle.title in said for battle in phase.battles)
    assert report.head in said


def test_every_picture_has_words_for_who_cannot_see_it(campaign: Campaign) -> None:
    images = [attrs for tag, attrs in read(as_html(whole(campaign, campaign.game.sides[0]))).met if tag == "img"]
    assert images
    assert all(attrs["alt"] for attrs in images)


def test_styles_stand_in_the_elements_and_dark_mode_is_kept(campaign: Campaign) -> None:
    html = as_html(whole(campaign, campaign.game.sides[0]))
    assert "prefers-color-scheme: dark" in html
    assert '<meta name="color-scheme" content="light dark">' in html
    cells = [attrs for tag, attrs in read(html).met if tag == "td" and attrs.get("class")]
    assert all("font" in (attrs.get("style") or "") for attrs in cells)


def test_nothing_is_wider_than_a_phone(campaign: Campaign) -> None:
    """Fixed widths belong to pictures alone, and these shrink with the page."""
    for tag, attrs in read(as_html(whole(campaign, campaign.game.sides[0]))).met:
        style = attrs.get("style") or ""
        if tag == "img":
            assert "width:100%" in style
            assert "height:auto" in style
            continue
        assert "width" not in attrs
        fixed = [int(px) for px in re.findall(r"(?:^|;)(?:min-)?width:(\d+)px", style)]
        assert all(px < PHONE / 2 for px in fixed)


def test_a_report_is_not_cut_off_by_the_mail_reader(campaign: Campaign) -> None:
    lines = campaign.lines()
    for last in range(1, len(lines)):
        side = lines[last]["by"]
        now = moment(lines[: last + 1], campaign.game, side)
        assert len(as_html(make_report(span_of(lines[: last + 1]), now)).encode()) < CLIPPED, last


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "{{ 7 * 7 }}", "{% for x in y %}", 'T-34" onload="x'])
def test_a_name_is_never_read_as_markup_or_template(fords: Campaign, name: str) -> None:
    report = whole(fords, "red")
    phase = replace(report.phases[0], notes=(Note(f"{name} halted."),), title=name)
    report = replace(report, phases=(phase,), title=name, draft=f"# {name}\n")
    assert name in as_text(report)
    html = as_html(report)
    assert "<script" not in html
    assert name in "".join(read(html).said)
