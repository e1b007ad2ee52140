"""The order board in a browser: what it writes, how it is used with a finger, by keyboard, on a small screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import games
from engine.refusals import passes
from pbem.order_board.board_page import board_page
from pbem.order_board.order_tables import OrderTables
from pbem.wording.rulings import chance_words
from tests.patience import patience
from tests.pbem.order_board.moments import ADDRESS, At, lines_of, moments
from tests.pbem.replay.browser import Screen, shown

pytestmark = pytest.mark.browser
BOOKS = sorted(games.titles())
# Every line that the page's own tables vouch for, written by the page's own script.
EVERY_LINE = """() => {
  const { orders } = orderBoard, found = orders.whole.map((entry) => orders.line(entry.verb, entry.given));
  for (const { verb, given, field, places } of orders.begun) {
    for (const place of places) found.push(orders.line(verb, { ...given, [field]: place }));
  }
  for (const entry of orders.gather) {
    const all = [...entry.values.keys()], together = all.slice(0, entry.known < 0 ? undefined : entry.known);
    const sets = typeof entry.table === "object"
      ? Object.keys(entry.table).map((chosen) => (chosen ? chosen.split(".").map(Number) : []))
      : [...(entry.table ? [[]] : []), ...all.map((n) => [n]), ...(together.length > 1 ? [together] : [])];
    for (const chosen of sets) found.push(orders.said(entry, chosen));
  }
  return found;
}"""
MOVERS = """[...orderBoard.orders.stacks.keys()].find((place) =>
  orderBoard.orders.begun.some((e) => e.onMap && orderBoard.orders.where[e.units[0]] === place)) || "" """
FIGHTS = """orderBoard.orders.gather.filter((e) =>
  typeof e.table === "object" && Object.values(e.table).some((result) => result !== null))
  .map((e) => [e.hexes[0], e.values, Object.keys(e.table), e.word])"""
FULLEST = """[...orderBoard.orders.targets.get("{}")].filter((e) => e.values).map((e) =>
  orderBoard.orders.said(e, e.fullest.split(".").map(Number)))[0]"""
TAPPED = """(place) => {
  const at = new DOMPoint(...orderBoard.data.hexes[place]).matrixTransform(orderBoard.board.root.getScreenCTM());
  return [at.x, at.y];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("boards")


def written(folder: Path, at: At, **more: Any) -> Path:
    file = folder / "orders.html"
    file.write_text(board_page(at.occasion(), **more), encoding="ascii")
    return file


def sheet(screen: Screen) -> list[str]:
    return list(screen("orderBoard.sheet.lines.map((line) => line.text)"))


def tap(screen: Screen, place: str) -> None:
    screen.page.evaluate("(place) => orderBoard.board.follow([place])", place)
    screen.page.mouse.click(*screen.page.evaluate(TAPPED, place))


def body(screen: Screen, name: str) -> str:
    """What the mail of a link says."""
    link = urlsplit(screen.page.get_attribute(f"#{name}", "href"))
    assert unquote(link.path) == ADDRESS
    return parse_qs(link.query)["body"][0].replace("\r\n", "\n")


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_writes_the_lines_that_the_referee_reads(browser: Any, folder: Path, book: str) -> None:
    for at in moments(book).values():
        with shown(browser, written(folder, at)) as screen:
            assert sorted(screen(EVERY_LINE)) == sorted(lines_of(OrderTables(at.table, at.ask)))


@pytest.mark.parametrize("book", BOOKS)
def test_a_stack_is_tapped_a_place_is_tapped_and_a_line_is_there(browser: Any, folder: Path, book: str) -> None:
    at = moments(book)["movement"]
    with shown(browser, written(folder, at)) as screen:
        place = screen(MOVERS)
        if place:
            tap(screen, place)
        else:  # everybody is still to come: from the list
            screen.page.select_option("#who", index=1)
        goal = screen("orderBoard.cards.choice.places.find((p) => !orderBoard.orders.at(p).length)")
        assert screen("document.querySelectorAll('#lit .open').length") == screen(
            "orderBoard.cards.choice.places.length"
        )
        tap(screen, goal)
        (line,) = sheet(screen)
        assert line.endswith(goal)
        order = at.game.book.read(line, at.table.reading(at.ask.side))
        assert passes(at.ask.check, order)
        assert screen.page.input_value("#text") == f"key {at.ask.key}\n{line}\n"
        assert line in screen.text("said")
        assert screen("document.querySelectorAll('.unit.ghost').length") == len(
            screen("orderBoard.sheet.lines[0].units")
        )
        screen.press("Control+z")
        assert sheet(screen) == []
        assert screen("document.querySelectorAll('.unit.ghost').length") == 0


@pytest.mark.parametrize("book", BOOKS)
def test_odds_shown_for_ticked_attackers_are_the_forecast(browser: Any, folder: Path, book: str) -> None:
    at = moments(book)["combat"]
    with shown(browser, written(folder, at)) as screen:
        rows = screen(FIGHTS)
        place, values, sets, word = max(rows, key=lambda row: len(row[2]))
        screen.page.select_option("#who", f"target {place}")
        if screen.page.locator("#card > .group button", has_text=word).count():
            screen.page.locator("#card > .group button").get_by_text(word, exact=True).click()
        for chosen in sets[:: max(1, len(sets) // 4)]:
            wanted = {values[int(n)] for n in chosen.split(".")}
            for chip in screen.page.query_selector_all(".target .chip"):
                if chip.query_selector("input").is_checked() != (chip.inner_text() in wanted):
                    chip.click()
            line = screen.page.inner_text(".target .strong")
            told = at.game.forecast(at.table, at.ask.side, at.game.book.read(line, at.table.reading(at.ask.side)))
            assert screen.page.inner_text(".odds b") == told.column
            bars = screen("[...document.querySelectorAll('.bars > span')].map((one) => one.textContent)")
            assert list(zip(bars[::3], bars[2::3], strict=True)) == [(n, chance_words(c)) for n, c in told.chances]
        best = at.game.book.read(screen(FULLEST.format(place)), at.table.reading(at.ask.side))
        tags = screen("[...document.querySelectorAll('.tag')].map((one) => one.textContent)")
        assert at.game.forecast(at.table, at.ask.side, best).column in tags
        screen.page.click(".target .strong")
        assert sheet(screen) == [line]
        assert told.column in screen.text("lines")


@pytest.mark.parametrize("book", BOOKS)
def test_orders_are_given_by_keyboard_alone(browser: Any, folder: Path, book: str) -> None:
    at = moments(book)["movement"]
    with shown(browser, written(folder, at)) as screen:
        reach(screen, "who")
        screen.press("ArrowDown")
        screen.press("ArrowDown")
        waiting = patience("somebody who can be sent somewhere", 100)
        while screen("!document.getElementById('where')"):
            next(waiting)
            screen.press("ArrowDown")
        reach(screen, "where")
        screen.press("ArrowDown")
        screen.press("Tab")
        screen.press("Enter")
        assert len(sheet(screen)) == 1
        assert screen("document.activeElement !== document.body")
        reach(screen, "hand")
        screen.page.keyboard.type("press Hello")
        screen.press("Enter")
        assert sheet(screen)[1] == "press Hello"
        screen.press("Tab")
        screen.press("Escape")
        assert screen("orderBoard.cards.choice.place === undefined")
        screen.press("Control+z")
        assert len(sheet(screen)) == 1


def reach(screen: Screen, name: str) -> None:
    """Goes on by the tab key until a field has the focus."""
    for _ in range(120):
        screen.press("Tab")
        if screen("document.activeElement.id") == name:
            return
    raise AssertionError(f"the tab key does not lead to {name}")


@pytest.mark.parametrize("book", BOOKS)
def test_on_the_smallest_phone_nothing_overflows_and_everything_can_be_hit(
    browser: Any, folder: Path, book: str
) -> None:
    for kind, at in moments(book).items():
        scheme = "dark" if kind == "combat" else "light"
        with shown(browser, written(folder, at), wide=320, high=640, color_scheme=scheme) as screen:
            for n in range(min(4, screen("document.querySelectorAll('#who option').length"))):
                screen.page.select_option("#who", index=n)
                screen("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                assert screen("document.documentElement.scrollWidth") <= 320
                low = "getBoundingClientRect().height < 43.5"
                controls = "[...document.querySelectorAll('button, select, input[type=text], .button, .chip, summary')]"
                assert screen(f"{controls}.filter((e) => e.offsetParent && e.{low}).map((e) => e.outerHTML)") == []
                named = "e.getAttribute('aria-label') || e.labels.length"
                assert (
                    screen(
                        f"[...document.querySelectorAll('select, input, textarea')].filter((e) => !({named})).length"
                    )
                    == 0
                )


def test_without_its_script_a_board_says_so_in_one_sentence(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["movement"]
    with shown(browser, written(folder, at), java_script_enabled=False) as screen:
        assert screen.page.inner_text("body").startswith("This page needs its script")
        assert screen.page.inner_text("body").count(".") == 1


def test_it_is_copied_and_undone_and_each_line_has_its_cross(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["movement"]
    allowed = ["clipboard-read", "clipboard-write"]
    with shown(browser, written(folder, at), permissions=allowed) as screen:
        for line in ("first line", "second line"):
            screen.page.fill("#hand", line)
            screen.click("add")
        screen.click("copy")
        screen.page.locator("#said", has_text="Copied").wait_for()
        assert screen("navigator.clipboard.readText()") == f"key {at.ask.key}\nfirst line\nsecond line\n"
        screen.page.click("#lines li:first-child button")
        assert sheet(screen) == ["second line"]
        screen.click("undo")
        assert sheet(screen) == []
        assert screen.page.is_disabled("#undo")


def test_a_mail_too_long_for_a_link_is_copied_and_opened_without_a_body(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["movement"]
    with shown(browser, written(folder, at), permissions=["clipboard-read", "clipboard-write"]) as screen:
        screen.page.fill("#hand", "a line")
        screen.click("add")
        assert body(screen, "mail") == f"key {at.ask.key}\na line\n"
        assert body(screen, "check") == f"check\nkey {at.ask.key}\na line\n"
        screen("for (let n = 0; n < 60; n++) orderBoard.sheet.add({ text: `line number ${n} of many`, units: [] })")
        assert "body" not in screen.page.get_attribute("#check", "href")
        screen("document.getElementById('check').addEventListener('click', (event) => event.preventDefault())")
        screen.page.click("#check")
        screen.page.locator("#said", has_text="too long").wait_for()
        assert screen("navigator.clipboard.readText()").startswith(f"check\nkey {at.ask.key}\na line\n")


def test_standing_orders_are_a_tap_each(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["movement"]
    with shown(browser, written(folder, at)) as screen:
        screen.page.click("#standing summary")
        screen.page.click("#questions button >> nth=0")
        (line,) = sheet(screen)
        assert line.startswith("when ")


def test_a_plain_board_works_like_a_packed_one(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["combat"]
    with shown(browser, written(folder, at, packed=False)) as screen:
        assert sorted(screen(EVERY_LINE)) == sorted(lines_of(OrderTables(at.table, at.ask)))
        assert screen("document.querySelectorAll('#counters .unit').length") == len(list(at.table.position.on_map()))
        assert screen("document.documentElement.scrollHeight") <= 800


def test_a_board_without_an_address_is_copied_from(browser: Any, folder: Path) -> None:
    at = moments(BOOKS[0])["movement"]
    file = folder / "linked.html"
    file.write_text(board_page(at.occasion(reply="", linked=True)), encoding="ascii")
    with shown(browser, file) as screen:
        assert not screen.page.is_visible("#mail")
        assert "answer our letter" in screen.text("how")
        assert json.loads(json.dumps(screen("orderBoard.data.reply"))) == ""
