"""How fast it is: every rulebook on a whole campaign by sensible bots, each figure with its workload."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import games
from engine.asks import Ask
from engine.bots import Sensible, play
from engine.campaign import Campaign, replay, verify_lines
from engine.canonical import canonical
from engine.game import Game, Rulebook
from engine.log import Line, items, write_secret

Progress = Callable[[int, int], None]
TRIES = 3  # the best of so many: what else the machine does is no part of the figure


@dataclass(frozen=True)
class Played:
    """A finished campaign, and how much there is in it."""

    game: Game
    seed: int
    secret: bytes
    lines: list[Line]

    @property
    def facts(self) -> int:
        return facts_in(self.lines)


def bench(seed: int = 1944, progress: Progress | None = None) -> dict[str, dict[str, Any]]:
    """The figures of every rulebook on the shelf."""
    books = games.rulebooks()
    steps = count(1)

    def done() -> None:
        if progress is not None:
            progress(next(steps), len(books) * (len(MEASURES) + 1))

    return {name: _measured(book, seed, done) for name, book in books.items()}


def _measured(book: Rulebook, seed: int, done: Callable[[], None]) -> dict[str, Any]:
    game = book.game()
    campaign = Campaign.new(None, game, seed=seed)
    bots = {side: Sensible(seed + number) for number, side in enumerate(game.sides)}
    play(game, bots, campaign=campaign)
    done()
    played = Played(game, seed, campaign.secret, campaign.lines())
    figures: dict[str, Any] = {}
    workloads: dict[str, str] = {}
    for measure in MEASURES:
        for name, value, workload in measure(played):
            figures[name], workloads[name] = value, workload
        done()
    return {**figures, "seed": seed, "workloads": workloads}


Figures = list[tuple[str, float, str]]


def _replay(played: Played) -> Figures:
    took = best(lambda: replay(played.lines, played.game))
    work = f"a finished campaign by sensible bots folded: {played.facts} facts in {len(played.lines)} lines"
    return [("replay_facts_per_s", round(played.facts / took), work)]


def _verify(played: Played) -> Figures:
    took = best(lambda: _verified(played, played.lines))
    work = f"the same log through chain, seals, dice and rules: {played.facts} facts"
    return [("verify_facts_per_s", round(played.facts / took), work)]


def _verified(played: Played, lines: Sequence[Line]) -> None:
    faults = verify_lines(lines, played.secret, games.find_game).faults
    if faults:
        raise AssertionError(f"the measured log does not verify: {faults[0]}")


def _twice(played: Played) -> Figures:
    """Whole log against its first half, reckoned to exactly twice the facts."""
    half = next(n for n in range(1, len(played.lines) + 1) if 2 * facts_in(played.lines[:n]) >= played.facts)
    part = played.lines[:half]
    once, twice = best(lambda: _verified(played, part)), best(lambda: _verified(played, played.lines))
    ratio = twice / once * 2 * facts_in(part) / played.facts
    work = f"time to verify {played.facts} facts against the first {facts_in(part)} of them, for twice the facts"
    return [("twice_ratio", round(ratio, 2), work)]


def _listing(played: Played) -> Figures:
    """The first side to act on turn 1, set-up done."""
    cut = next(n for n in range(1, len(played.lines)) if replay(played.lines[:n], played.game).turn >= 1)
    with tempfile.TemporaryDirectory() as folder:
        ask = _stored(played, cut, Path(folder) / "opening").asks[0]
        count = _list_all(ask)
        took = best(lambda: _list_all(ask))
    work = f"{count} first steps and ways to go on for {ask.side} at {ask.key}"
    return [("legal_listing_ms", _ms(took), work)]


def _list_all(ask: Ask) -> int:
    first = ask.options("")
    return len(first) + sum(len(ask.options(option.line)) for option in first if option.more)


def _resume(played: Played) -> Figures:
    """The last top ask stands before the last orders: after them the game is over."""
    last = max(n for n, line in enumerate(played.lines) if line.get("act") == "orders")
    figures: Figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, cut, where in (("resume_ms", last, "last"), ("resume_first_ms", 1, "first")):
            path = Path(folder) / where
            _stored(played, cut, path)
            took = best(lambda path=path: Campaign.open(path, games.find_game))  # type: ignore[misc]
            figures.append((name, _ms(took), f"opened from its checkpoint after {cut} lines, at its {where} top ask"))
    return figures


def _stored(played: Played, cut: int, path: Path) -> Campaign:
    """The campaign as it was after its first lines, on disk with its checkpoint."""
    draft = path.with_name(f"{path.name}.draft")
    write_secret(draft, played.secret)
    draft.write_bytes(b"".join(canonical(line) + b"\n" for line in played.lines[:cut]))
    Campaign.open(draft, games.find_game).save(path)
    return Campaign.open(path, games.find_game)


def _orders(played: Played) -> Figures:
    """Every mail of the campaign handed in again, as text, with the same dice."""
    mails = [mail for line in played.lines if line.get("act") == "orders" for mail in _mails(played.game, line)]
    campaign = Campaign.new(None, played.game, seed=played.seed)
    began = perf_counter()
    for side, orders in mails:
        reply = campaign.submit(side, "\n".join(orders))
        if reply.refused:
            raise AssertionError(f"a recorded order is refused: {reply.refused[0].refusal}")
    took = perf_counter() - began
    given = sum(len(orders) for _, orders in mails)
    return [("order_ms", _ms(took / given), f"{given} orders in {len(mails)} mails read, checked, carried out")]


def _mails(game: Game, line: Line) -> list[tuple[str, list[str]]]:
    """What each side wrote for a line: sealed answers of the others first, then the line's own mail."""
    said: dict[str, list[str]] = {}
    for item in items(line):
        if item.kind == "answer" and item.body["source"] == "hand":
            said.setdefault(item.body["side"], []).append(game.book.load(item.body["order"]).line())
    return sorted(said.items(), key=lambda mail: mail[0] == line["by"])


MEASURES = (_replay, _verify, _twice, _listing, _resume, _orders)


def facts_in(lines: Sequence[Line]) -> int:
    """How many facts some lines hold."""
    return sum(item.kind == "fact" for line in lines for item in items(line))


def best(work: Callable[[], object]) -> float:
    """The seconds it takes at its best."""
    times = []
    for _ in range(TRIES):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
