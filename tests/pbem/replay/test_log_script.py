"""What the page's script makes of a log: cards dealt from a pile, dice skipped after a restore, signs on hexsides."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.bots import RandomLegal, play
from engine.campaign import Campaign
from engine.canonical import canonical
from engine.dice import Dice
from engine.log import Item, Line, seal_header, seal_line
from engine.log.chain import dice_faults
from pbem.replay.page import FOLDER, page
from tests.engine.outpost import BRIDGES, outpost
from tests.pbem.replay.browser import Screen, shown
from tests.pbem.replay.campaigns import copy_of, doctored

pytestmark = pytest.mark.browser
SCRIPTS = ("inflate.js", "sha256.js", "log.js")
SECRET = b"\x07" * 32


@pytest.fixture(scope="module")
def screen(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    script = "\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    file = tmp_path_factory.mktemp("scripts") / "scripts.html"
    head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'
    file.write_text(f"{head}<script>{script}</script>", "utf-8")
    with shown(browser, file) as found:
        yield found


def faults(screen: Screen, lines: Sequence[Line]) -> list[list[Any]]:
    texts = [canonical(line).decode() for line in lines]
    found: list[list[Any]] = json.loads(screen.page.evaluate("(texts) => JSON.stringify(faultsOf(texts))", texts))
    return found


def raided() -> Campaign:
    """A whole game with a pile that is dealt to its end."""
    campaign = Campaign.new(None, outpost(), seed=3)
    play(campaign.game, {"garrison": RandomLegal(3)}, campaign=campaign)
    return campaign


def is_dealt(item: Sequence[Any]) -> bool:
    return item[1] == "roll" and "of" in item[2] and len(item[2]["of"]) > 1


def test_every_card_was_the_one_on_top_of_its_pile(screen: Screen) -> None:
    copy = copy_of(raided())
    n = next(n for n, line in enumerate(copy.lines) if any(map(is_dealt, line["parts"].get("all", ()))))

    def swapped(line: Line) -> None:
        body = next(item[2] for item in line["parts"]["all"] if is_dealt(item))
        body["value"] = body["value"] % len(body["of"]) + 1

    assert faults(screen, copy.lines) == []
    assert [n, "another card lay on top of pile dispatches"] in faults(screen, doctored(copy, n, swapped).lines)


def test_cards_dealt_behind_a_skip_lie_as_the_log_says(screen: Screen) -> None:
    campaign, bot = Campaign.new(None, outpost(), seed=3), RandomLegal(3)
    while not campaign.over:
        campaign.skip(0)
        campaign.submit(campaign.asks[0].side, [bot.answer(campaign.referee.table, campaign.asks[0])])
    assert any(map(is_dealt, [item for line in campaign.lines()[2:] for item in line["parts"]["all"]]))
    assert faults(screen, copy_of(campaign).lines) == []


def rolled(skip: Mapping[str, int], rolls: Sequence[int]) -> list[Line]:
    """A log with a roll in it, a skip, then the rolls that are counted so."""
    header = seal_header(SECRET, game="toy", scenario="ford", sides=("red", "blue"), rules="1", nonces={}, position="p")
    lines = [header]

    def follow(act: str, k: int = 0, **more: Any) -> None:
        cast = [Dice(SECRET, "toy", {}, {"dice": k - 1}).roll("dice", 6, "combat").body()] if k else []
        more["happened"] = [Item("roll", body) for body in cast]
        lines.append(seal_line(SECRET, header, lines[-1], by="red", act=act, rules="1", position="p", **more))

    follow("orders", 1)
    follow("skip", says={"skip": skip})
    for k in rolls:
        follow("orders", k)
    follow("secret")
    return lines


@pytest.mark.parametrize(
    ("skip", "rolls", "wanted"),
    [
        ({"dice": 40}, [41, 42], []),
        ({"supply": 7}, [2], []),
        ({"": 100_000}, [100_001, 100_002], []),
        ({"": 100_000}, [2], [[3, "roll 2 of dice should be roll 100001"]]),
        ({"": 176_357_880_000_000}, [176_357_880_000_001], []),
        ({"dice": 40}, [2], [[3, "roll 2 of dice should be roll 41"]]),
        ({}, [41], [[3, "roll 41 of dice should be roll 2"]]),
    ],
)
def test_dice_count_on_from_where_they_were_skipped_to(
    screen: Screen, skip: Mapping[str, int], rolls: Sequence[int], wanted: list[list[Any]]
) -> None:
    lines = rolled(skip, rolls)
    assert faults(screen, lines) == wanted
    engine = [[fault.line, fault.what.replace("'", "")] for fault in dice_faults(lines, lines[0], SECRET)]
    assert engine == wanted


def test_no_skip_leads_back(screen: Screen) -> None:
    lines = rolled({"dice": 40}, [41])
    header, back = lines[0], {"skip": {"dice": 7}}
    again = seal_line(SECRET, header, lines[3], by="red", act="skip", rules="1", position="p", says=back)
    last = seal_line(SECRET, header, again, by="red", act="secret", rules="1", position="p")
    assert faults(screen, [*lines[:4], again, last]) == [[4, "it skips to roll 7 of dice, which was rolled before"]]


def test_what_is_marked_on_a_hexside_is_drawn_across_it(browser: Any, tmp_path: Path) -> None:
    bridge = BRIDGES[0]
    campaign = Campaign.new(None, outpost(), seed=3)
    campaign.submit("garrison", f"blow {bridge}")
    assert campaign.position.marks.get(f"@{bridge}")
    file = tmp_path / "bridge.html"
    file.write_text(page(campaign.game, copy_of(campaign, "garrison")), encoding="utf-8")
    grid = campaign.game.board.grid
    (x, y), (to_x, to_y) = (grid.centre(grid.hex(place)) for place in bridge.split("/"))
    with shown(browser, file) as screen:
        screen.click("last")
        signs = screen("[...document.querySelectorAll('#held use')].map((sign) => sign.outerHTML)")
        across = [sign for sign in signs if 'href="#sb' in sign]
        marked = [subject for subject in campaign.position.marks if "/" in subject and subject.startswith("@")]
        assert len(across) == sum(len(campaign.position.marks[subject]) for subject in marked)
        pitch = screen("replay.data.pitch")
        middle = f"translate({(x + to_x) / 2 * pitch:.1f} {(y + to_y) / 2 * pitch:.1f})"
        assert sum(middle in sign for sign in across) == 1
