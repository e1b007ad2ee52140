"""One fold: a reader's own log leads to what the truth lets him see, line by line, in Python and on the page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from engine import facts as f
from engine.bots import RandomLegal, play
from engine.canonical import canonical
from engine.game import Game
from engine.log import Item, Line, LogFile, export, items, seal_header, seal_line
from engine.log.chain import revealed
from engine.log.lines import audience_of
from engine.position import Position, apply
from engine.view import view
from pbem.replay.page import FOLDER
from pbem.tale.entries import EVERYTHING, ONLOOKER, entries
from tests.engine.toy import toy
from tests.pbem.replay.browser import Screen, shown
from tests.stored import LOGS, THOROUGH

CAMPAIGNS = LOGS if THOROUGH else []  # elsewhere those of the bots below
FULL = f.Pooled(pool="full cup", items=("a", "b") * 90)
SCRIPTS = ("inflate.js", "sha256.js", "log.js", "position.js")
# What every step changes, by section and key; what is gone is null.
FOLD = """(given) => {
  const { texts, steps, reader, sides } = JSON.parse(given);
  const course = new Course(itemsBy(steps, texts), reader, sides), position = newPosition(), before = {};
  return JSON.stringify(steps.map((_, number) => {
    course.advance(position, number);
    const changed = [];
    for (const [name, section] of Object.entries(position)) {
      const known = before[name] = before[name] || {};
      for (const key of new Set([...Object.keys(known), ...Object.keys(section)])) {
        if (known[key] === section[key]) continue;  // marks and pools are replaced, never written into
        changed.push([name, key, key in section ? section[key] : null]);
        known[key] = section[key];
      }
    }
    return changed;
  }));
}"""


@dataclass
class Played:
    """A log, and what each reader has of it: the lines that are in force and how many items of each."""

    game: Game
    lines: list[Line]
    secret: bytes
    texts: dict[str, list[bytes]] = field(default_factory=dict)
    steps: dict[str, list[list[tuple[int, int, int]]]] = field(default_factory=dict)
    facts: dict[str, list[list[f.Fact]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        in_force = sorted({entry.line for entry in entries(self.lines, EVERYTHING)})
        for reader in self.readers:
            copy = self.lines if reader == EVERYTHING else export(self.lines, reader or None, self.secret)
            told = {line: len(list(own)) for line, own in groupby(entries(self.lines, reader), lambda e: e.line)}
            self.texts[reader] = [canonical(line) for line in copy]
            self.steps[reader] = [[(n, 0, told.get(n, 0))] for n in in_force]
            self.facts[reader] = [
                [item.fact for item in items(copy[n])[: told.get(n, 0)] if item.kind == "fact"] for n in in_force
            ]

    @property
    def readers(self) -> tuple[str, ...]:
        return (EVERYTHING, ONLOOKER, *self.game.setting.chairs)


def folded(played: Played) -> Iterator[Mapping[str, Mapping[str, Any]]]:
    """Every reader's position after each line; a side's is what the truth lets it see. The onlooker's stands alone."""
    truth = Position(played.game.setting)
    own = {reader: Position(played.game.setting, reader) for reader in played.readers}
    for n, happened in enumerate(played.facts[EVERYTHING]):
        for fact in happened:
            apply(truth, fact)
        for reader, position in own.items():
            for fact in played.facts[reader][n]:
                apply(position, fact)
            if reader != ONLOOKER:
                wanted = truth if reader == EVERYTHING else view(truth, reader)
                assert position.sections() == wanted.sections(), (n, reader)
                assert position.noted == wanted.noted, (n, reader)
        yield {reader: position.sections() for reader, position in own.items()}


def check_page(screen: Screen, played: Played) -> None:
    """The page's fold of every reader's log, compared line by line."""
    sides = {unit.id: unit.side for unit in played.game.setting.roster}
    changes: dict[str, list[list[tuple[str, str, Any]]]] = {}
    for reader in played.readers:
        texts = [text.decode() for text in played.texts[reader]]
        given = {"texts": texts, "steps": played.steps[reader], "reader": reader, "sides": sides}
        changes[reader] = json.loads(screen.page.evaluate(FOLD, json.dumps(given)))
    page: dict[str, dict[str, dict[str, Any]]] = {reader: {} for reader in played.readers}
    for n, known in enumerate(folded(played)):
        for reader, sections in known.items():
            for name, key, value in changes[reader][n]:
                section = page[reader].setdefault(name, {})
                if value is None:
                    section.pop(key, None)
                else:
                    section[key] = value
            for name, section in sections.items():
                wanted = json.loads(json.dumps(section)) if name in ("pools", "end") else section
                assert page[reader].get(name, {}) == wanted, (n, reader, name)


# Logs to fold.


@cache
def by_bots(name: str, turned: tuple[str, ...]) -> Played:
    game = games.find_game(name, "", dict.fromkeys(turned, True))
    bots = {side: RandomLegal(number) for number, side in enumerate(game.setting.chairs)}
    campaign = play(game, bots, seed=5, turns=2).campaign
    return Played(game, campaign.lines(), campaign.secret)


def stored(path: Path) -> Played:
    lines = LogFile(path).read().lines
    secret = revealed(lines)
    assert secret is not None
    return Played(games.find_game(lines[0]["game"], lines[0]["scenario"], lines[0]["options"]), lines, secret)


def samples() -> list[tuple[str, tuple[str, ...]]]:
    """Every rulebook as it is, and with all that can be turned on: fog is one of them."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for name, title in games.titles().items():
        switches = [switch for switch in title.scenarios[0].choices if tuple(switch.values) == (False, True)]
        found += [(name, ()), (name, tuple(switch.name for switch in switches))]
    return found


def anything(seed: int) -> Played:
    """A log of facts of every kind that nobody's rules brought about."""
    game, dice, secret = toy(), Random(seed), bytes([seed]) * 32
    position = Position(game.setting)
    header = seal_header(
        secret, game="toy", scenario="ford", sides=game.sides, rules="1", nonces={}, position=position.hash(),
        happened=[Item("fact", fact) for fact in (*game.opening(game), FULL)],
    )  # fmt: skip
    lines = [header]
    for _ in range(60):
        happened = [Item("fact", fact, "all" if fact.only is None else audience_of(fact.only, game.sides))
                    for fact in chances(game, dice)]  # fmt: skip
        lines.append(seal_line(secret, header, lines[-1], by="red", act="orders", rules="1",
                               position=position.hash(), happened=happened))  # fmt: skip
    return Played(game, lines, secret)


def chances(game: Game, dice: Random) -> Iterator[f.Fact]:
    """Facts of one line, whether they make sense or not."""
    units, marks, places = [unit.id for unit in game.setting.roster], ("dug", "moved", "low"), ("0101", "0202", "box")
    for _ in range(dice.randint(1, 6)):
        unit, mark, place, side = dice.choice(units), dice.choice(marks), dice.choice(places), dice.choice(game.sides)
        only = dice.choice((None, None, (side,)))
        subject = dice.choice((unit, "@0203", "@0203/0303", "game", side))
        yield dice.choice([
            f.StageBegan(stage="move", turn=dice.randint(1, 9), side=side),
            f.Placed(unit=unit, at=place, lost=dice.choice((None, 0, 1)), only=only),
            f.Moved(unit=unit, path=("0101", place), only=only),
            f.StepLost(unit=unit, steps=dice.randint(1, 2), only=only),
            f.StepGained(unit=unit, steps=dice.randint(1, 2), only=only),
            f.Eliminated(unit=unit, at=place, only=only),
            f.Turned(unit=unit, into=units[units.index(unit) - 1], at=place, only=only),
            f.Marked(subject=subject, mark=mark, value=dice.choice((1, None, 3, "mud")), only=only),
            f.Noted(subject=subject, mark=mark, value=dice.choice((1, 2, None)), only=only),
            f.Wiped(marks=(mark, "low"), side=dice.choice(("", side)), only=only),
            f.Counted(track=mark, value=dice.randint(0, 3), only=only),
            f.TookHex(hex="0202", side=side, only=only),
            f.Pooled(pool=f"cup {side}", items=("a", "b", "b"), only=only),
            f.Drew(pool="cup of nobody", item="a", only=only),
            f.Drew(pool="full cup", item="a"),
            f.Sighted(unit=unit, by=side, at=place, lost=dice.choice((0, 1, None)), marks=((mark, 2),), only=(side,)),
            f.LostSight(unit=unit, by=side, kept=dice.choice((True, False)), only=(side,)),
            f.Doubted(unit=unit, by=side, only=(side,)),
            f.SeatTaken(seat=side, side=side, only=only),
            f.Fought(kind="attack", attackers=(unit,), defenders=(), targets=(place,), column="1-1",
                     decided=(("die", "4"),), result="-", only=only),
            f.GameEnded(result="a draw", points=((side, 3),), only=only),
        ])  # fmt: skip


def test_every_kind_of_fact_leads_every_reader_where_the_truth_lets_him_see() -> None:
    kinds = set()
    for seed in range(12):
        played = anything(seed)
        kinds |= {type(fact) for told in played.facts[EVERYTHING] for fact in told}
        assert len([*folded(played)]) == 61
    assert {kind for kind in f.type_of.values() if kind.changes_position} <= kinds


@pytest.mark.parametrize(("name", "turned"), samples(), ids=str)
def test_a_readers_log_leads_to_what_he_may_see(name: str, turned: tuple[str, ...]) -> None:
    played = by_bots(name, turned)
    assert len([*folded(played)]) > 10


# On the page.


@pytest.fixture(scope="module")
def screen(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """The page's scripts without the page: it folds a whole campaign in a moment."""
    script = "\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    file = tmp_path_factory.mktemp("fold") / "scripts.html"
    head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'
    file.write_text(f"{head}<script>{script}</script>", "utf-8")
    with shown(browser, file) as found:
        yield found


@pytest.mark.browser
def test_the_page_folds_every_kind_of_fact_as_the_engine_does(screen: Screen) -> None:
    for seed in range(12):
        check_page(screen, anything(seed))


@pytest.mark.browser
@pytest.mark.parametrize(("name", "turned"), samples(), ids=str)
def test_the_page_folds_every_readers_log_as_the_engine_does(
    screen: Screen, name: str, turned: tuple[str, ...]
) -> None:
    check_page(screen, by_bots(name, turned))


@pytest.mark.browser
@pytest.mark.parametrize("path", CAMPAIGNS, ids=lambda path: path.stem)
def test_every_stored_campaign_is_folded_alike_for_every_reader(screen: Screen, path: Path) -> None:
    check_page(screen, stored(path))
