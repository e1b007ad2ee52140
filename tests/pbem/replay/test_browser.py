"""The replay page in a browser: it plays to the end, every control works, and it proves its log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.campaign import Campaign
from engine.canonical import canonical
from engine.log import Line
from engine.view import view
from pbem.replay.copies import Copy
from pbem.replay.page import FOLDER, page
from pbem.tale.entries import EVERYTHING
from tests.pbem.replay.browser import Screen, shown
from tests.pbem.replay.campaigns import copy_of, doctored, finished, longest, running, secretive, stored_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    return written(folder / "whole.html", finished(), copy_of(finished()))


@pytest.fixture
def screen(browser: Any, whole: Path) -> Iterator[Screen]:
    with shown(browser, whole) as found:
        yield found


def written(file: Path, campaign: Campaign, copy: Copy) -> Path:
    file.write_text(page(campaign.game, copy), encoding="utf-8")
    return file


def facts(position: dict[str, Any]) -> dict[str, Any]:
    """A position as the page keeps it: a reader's own, without what the others know."""
    return {key: value for key, value in json.loads(json.dumps(position)).items() if key != "views"}


def test_it_plays_to_the_end_and_stands_where_the_game_ended(screen: Screen) -> None:
    screen("replay.pause = () => 0")
    screen.click("play")
    assert screen.page.get_attribute("#play", "aria-label") == "Pause"
    screen.page.wait_for_selector("body:not(.playing)", timeout=60_000)
    assert screen.step == screen("replay.steps.length")
    assert screen("replay.position") == facts(finished().position.to_json())
    assert screen.page.get_attribute("#forward", "aria-disabled") == "true"
    assert finished().position.ended in screen.text("words")


def test_every_unit_on_the_map_stands_in_its_hex(screen: Screen) -> None:
    screen.click("last")
    position = finished().position
    spot = (
        "(id) => { const at = new DOMMatrix(getComputedStyle(replay.board.unit(id)).transform); return [at.e, at.f]; }"
    )
    for unit in position.on_map():
        x, y = screen.page.evaluate(spot, unit)
        assert screen(f"replay.board.hexAt([{x}, {y}])") == position.where[unit]
    assert screen("document.querySelectorAll('#counters .unit').length") == len(list(position.on_map()))


def test_going_back_is_going_there(screen: Screen) -> None:
    screen("replay.to(200)")
    there = screen("replay.position")
    screen.click("last")
    screen("replay.to(200)")
    assert screen("replay.position") == there
    screen.click("forward")
    screen.click("back")
    assert screen("replay.position") == there


def test_every_control_does_what_it_says(screen: Screen) -> None:
    screen.click("forward")
    assert screen.step == 2
    screen.click("back")
    assert screen.step == 1
    screen.click("battle-forward")
    first = screen.step
    assert screen("replay.step.kind") == "battle"
    screen.click("battle-forward")
    assert screen.step > first
    screen.click("battle-back")
    assert screen.step == first
    screen.page.select_option("#turn", "3")
    assert screen.text("when").startswith("Turn 3")
    phases = screen.page.eval_on_selector_all("#phase option", "all => all.map(o => o.value)")
    screen.page.select_option("#phase", phases[2])
    assert screen.step == int(phases[2]) + 1
    battles = screen.page.eval_on_selector_all("#battle option", "all => all.map(o => o.value)")
    screen.page.select_option("#battle", battles[5])
    assert screen.step == int(battles[5]) + 1
    screen.page.fill("#slider", "7")
    assert screen("replay.at") == 7
    screen.click("first")
    assert screen.step == 1
    screen.click("last")
    assert screen.step == screen("replay.steps.length")


def test_the_dull_is_skipped_when_that_is_wanted(screen: Screen) -> None:
    screen("replay.to(30)")
    screen.page.check("#skip")
    for _ in range(12):
        screen.click("forward")
        assert not screen("replay.step.dull")


def test_it_is_played_faster_and_slower(screen: Screen) -> None:
    usual = screen("replay.pause()")
    screen.press("+")
    assert screen("replay.pause()") == usual / 2
    screen.press("-")
    screen.press("-")
    assert screen("replay.pause()") == usual * 2


def test_it_goes_without_a_mouse(screen: Screen) -> None:
    screen.press("ArrowRight")
    screen.press("ArrowRight")
    assert screen.step == 3
    screen.press("ArrowLeft")
    assert screen.step == 2
    screen.press("n")
    battle = screen.step
    assert screen("replay.step.kind") == "battle"
    screen.press("n")
    screen.press("b")
    assert screen.step == battle
    screen.press("t")
    turn = screen("replay.turn(replay.step.number)")
    screen.press("p")
    screen.press("P")
    screen.press("T")
    assert screen("replay.turn(replay.step.number)") < turn
    screen.press("End")
    assert screen.step == screen("replay.steps.length")
    screen.press("Home")
    screen.press(" ")
    assert screen("replay.playing")
    screen.press(" ")
    assert not screen("replay.playing")
    screen.press("s")
    assert screen.page.is_checked("#skip")
    screen.press("v")
    assert screen("replay.reader") == finished().game.sides[0]
    screen.press("?")
    assert screen.page.is_visible("#keys")
    screen.press("Escape")
    assert not screen.page.is_visible("#keys")


def test_every_control_is_reached_with_the_tab_key_and_has_a_name(screen: Screen) -> None:
    controls = "Array.from(document.querySelectorAll('button, select, input')).filter((e) => e.offsetParent)"
    wanted = set(screen(f"{controls}.map((e) => e.id)"))
    reached = set()
    for _ in range(2 * len(wanted)):
        screen.press("Tab")
        reached.add(screen("document.activeElement.id"))
    assert wanted <= reached
    named = "e.getAttribute('aria-label') || e.labels?.length || (e.tagName === 'BUTTON' && e.textContent.trim())"
    nameless = screen(f"{controls}.filter((e) => !({named})).map((e) => e.id)")
    assert nameless == []
    assert screen.page.get_attribute("#words", "aria-live") == "polite"


def test_fingers_step_zoom_and_look_closer(browser: Any, whole: Path) -> None:
    with shown(browser, whole, wide=390, high=844, has_touch=True, is_mobile=True, link="#step=40") as phone:
        swipe = """(dx) => {
          const story = document.getElementById("story");
          const at = (x) => new Touch({ identifier: 1, target: story, clientX: x, clientY: 600 });
          story.dispatchEvent(new TouchEvent("touchstart", { changedTouches: [at(200)] }));
          story.dispatchEvent(new TouchEvent("touchend", { changedTouches: [at(200 + dx)] }));
        }"""
        phone.page.evaluate(swipe, -120)
        assert phone.step == 41
        phone.page.evaluate(swipe, 120)
        assert phone.step == 40
        unit = phone("Object.keys(replay.position.where).find((id) => replay.data.hexes[replay.position.where[id]])")
        place = phone(f"replay.position.where[{json.dumps(unit)}]")
        where = """(place) => {
          const at = new DOMPoint(...replay.data.hexes[place]).matrixTransform(replay.board.root.getScreenCTM());
          return [at.x, at.y];
        }"""
        box = phone.page.evaluate(where, place)
        phone.page.touchscreen.tap(*box)
        assert phone.text("hex").startswith(f"Hex {place}")
        assert unit in phone.text("hex")
        phone.page.tap("#closer")
        assert phone("replay.board.zoomed")
        phone.page.tap("#whole")
        assert not phone("replay.board.zoomed")
        assert phone("document.documentElement.scrollWidth") <= 390


def test_the_map_is_zoomed_and_moved(screen: Screen) -> None:
    screen.press("z")
    assert screen("replay.board.zoomed")
    before = screen("replay.board.box[0]")
    screen.press("Shift+ArrowRight")
    assert screen("replay.board.box[0]") > before
    screen.page.mouse.move(400, 400)
    screen.page.mouse.wheel(0, -300)
    wide = screen("replay.board.box[2]")
    screen.press("x")
    assert screen("replay.board.box[2]") > wide
    screen.press("0")
    assert not screen("replay.board.zoomed")


def test_a_link_leads_to_a_step(browser: Any, whole: Path) -> None:
    with shown(browser, whole, link="#step=123") as screen:
        assert screen.step == 123
        screen.click("forward")
        assert screen("location.hash") == "#step=124"
        screen("location.hash = '#step=9'")
        screen.page.locator("#count", has_text="Step 9 of").wait_for()


def test_it_prints_the_turn(screen: Screen) -> None:
    screen("replay.to(200)")
    screen("window.dispatchEvent(new Event('beforeprint'))")
    screen.page.emulate_media(media="print")
    assert screen.page.is_visible("#paper")
    assert not screen.page.is_visible("#transport")
    assert screen("replay.turn(200)") == int(screen.text("paper").split()[3])
    assert screen.page.pdf().startswith(b"%PDF")


def test_the_charts_end_with_the_losses_and_the_score(screen: Screen) -> None:
    screen.click("last")
    for side, points in finished().position.points:
        assert f"{side} {points}" in screen.text("tally").partition("Points")[2]
    screen.page.click("#losses", position={"x": 40, "y": 20})
    assert screen.step < 100


@pytest.mark.parametrize("side", ["red", "blue"])
def test_each_view_of_a_finished_game_is_the_engines(browser: Any, folder: Path, side: str) -> None:
    campaign = secretive()
    with shown(browser, written(folder / "secret.html", campaign, copy_of(campaign))) as screen:
        screen.click("last")
        assert screen("replay.position") == facts(campaign.position.to_json())
        screen.page.select_option("#view", side)
        screen("replay.to(Infinity)")
        assert screen("replay.position") == facts(view(campaign.position, side).to_json())
        own = screen("replay.shown.length")
        screen.page.select_option("#view", "*")
        assert screen("replay.shown.length") >= own


LOST = """() => Array.from(document.querySelectorAll("#map use")).map((use) => use.getAttribute("href"))
  .filter((id) => !document.querySelector(id.replace("#", "[id='") + "']"))"""


@pytest.mark.parametrize("path", longest(), ids=lambda path: path.stem)
def test_the_longest_campaign_of_every_rulebook_plays_for_every_reader(browser: Any, folder: Path, path: Path) -> None:
    game, html = stored_page(path)
    file = folder / "longest.html"
    file.write_text(html, encoding="utf-8")
    with shown(browser, file) as screen:
        for reader in (EVERYTHING, *game.setting.chairs):
            if screen("replay.reader") != reader:
                screen.page.select_option("#view", reader)
            for way in ("to(Infinity)", "byBattle(-1)", "by(-1)", "by(1)", "byTurn(-1)", "to(0)", "byBattle(1)"):
                screen(f"replay.{way}")
                assert screen.page.evaluate(LOST) == []  # every counter that is up has its face
        up = screen("document.querySelectorAll('#map defs g[id^=u]').length")
        assert up < sum(len(unit.steps) for unit in game.setting.roster)  # and the others wait


def test_a_running_game_is_shown_to_its_reader_as_he_knows_it(browser: Any, folder: Path) -> None:
    campaign = running()
    for side in campaign.game.sides:
        with shown(browser, written(folder / f"{side}.html", campaign, copy_of(campaign, side))) as screen:
            screen.click("last")
            assert screen("replay.position") == facts(view(campaign.position, side).to_json())
            assert screen.page.is_disabled("#view")
            assert verdict(screen).startswith("The log holds")


# The proof.


def verdict(screen: Screen) -> str:
    screen.click("check")
    screen.page.wait_for_selector("#verdict.good, #verdict.bad")
    return screen.text("verdict")


def test_the_log_in_the_page_holds(screen: Screen) -> None:
    said = verdict(screen)
    assert "The log holds" in said
    assert finished().head in said
    screen.page.fill("#head", finished().lines()[5]["hash"][:12])
    screen.click("find")
    assert "line 5" in screen.text("verdict")
    screen.page.fill("#head", "0" * 12)
    screen.click("find")
    assert "No line" in screen.text("verdict")


def test_the_log_that_is_saved_is_the_log(screen: Screen) -> None:
    with screen.page.expect_download() as saved:
        screen.click("save")
    assert Path(saved.value.path()).read_bytes() == b"".join(canonical(line) + b"\n" for line in finished().lines())


def moved(line: Line) -> None:
    fact = next(body for _, _, body in line["parts"]["all"] if body.get("fact") == "Moved")
    fact["spent"] = fact.get("spent", 0) + 1


def cast(line: Line) -> None:
    body = next(body for _, kind, body in line["parts"]["all"] if kind == "roll")
    body["value"] = body["value"] % body["sides"] + 1


def dated(line: Line) -> None:
    line["at"] = "1944-01-29"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (moved, "the part for all is not the one sealed"),
        (cast, "of dice was not"),
        (dated, "it is not what its hash says"),
    ],
)
def test_a_doctored_log_does_not_hold(browser: Any, folder: Path, change: Any, fault: str) -> None:
    copy = copy_of(finished())
    wanted = {moved: "Moved", cast: '"roll"', dated: "orders"}[change]
    n = next(n for n, line in enumerate(copy.lines) if n and wanted in json.dumps(line))
    file = written(folder / "doctored.html", finished(), doctored(copy, n, change))
    with shown(browser, file) as screen:
        said = verdict(screen)
        assert "The log does not hold" in said
        assert f"line {n}: " in said
        assert fault in said


def test_a_log_that_lacks_a_line_does_not_hold(browser: Any, folder: Path) -> None:
    campaign = running()
    copy = copy_of(campaign, "blue")
    file = written(
        folder / "gap.html", campaign, doctored(copy, 2, lambda line: line.update(prev=copy.lines[0]["hash"]))
    )
    with shown(browser, file) as screen:
        assert "does not follow from the line before it" in verdict(screen)


SAMPLES = [
    {"b": 1, "a": [None, True, False, -0, 12345678901234567890, 1.5, 1e-7, 1e22]},
    {"\U0001f600": 1, "\uffee": 2, "é": 3, "e": 4, "": 5},
    ['"\\/\b\f\n\r\t\x00\x1f\x7f\x80\u2028\u2029', "Черкассы, Ö, 🂡"],
    {"n": {"z": {}, "a": []}},
]


def test_the_page_writes_json_byte_for_byte_as_the_log_does(browser: Any, tmp_path: Path) -> None:
    script = "\n".join((FOLDER / name).read_text("utf-8") for name in ("inflate.js", "sha256.js", "log.js"))
    file = tmp_path / "scripts.html"
    file.write_text(
        f'<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>{script}</script>', "utf-8"
    )
    with shown(browser, file) as screen:
        for sample in SAMPLES:
            wanted = canonical(sample)
            assert screen.page.evaluate("(text) => scan(text).text", json.dumps(sample)) == wanted.decode()
            assert screen.page.evaluate("(text) => scan(text).text", wanted.decode()) == wanted.decode()
