"""How fast the referee is: replaying, verifying, listing, resuming, judging orders."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

import games
from engine.asks import Ask
from engine.bots import ASK_ME, play
from engine.campaign import Campaign, replay, verify_lines
from engine.campaign.folding import opened
from engine.dice import ForcedDice
from engine.facts import StageBegan
from engine.game import Game
from engine.log import Item, Line, as_written, items, write_secret
from engine.orders.order import Order
from engine.orders.usual import ClosingOrder
from engine.referee import Referee
from pbem.workshop.bench.played import TRIES, Figures, Played, best, bots_for, facts_in, ms


def _replay(played: Played) -> Figures:
    took = best(lambda: replay(played.lines, played.game))
    work = f"a finished campaign by sensible bots folded: {played.facts} facts in {len(played.lines)} lines"
    return [("replay_facts_per_s", round(played.facts / took), work)]


def _verify(played: Played) -> Figures:
    cores = os.cpu_count() or 1
    took, alone = (best(lambda n=n: _verified(played, played.lines, n)) for n in (cores, 1))  # type: ignore[misc]
    work = f"the same log through chain, seals, dice and rules: {played.facts} facts, on {cores} cores"
    whole = f"the same log of {len(played.lines)} lines from end to end"
    return [
        ("verify_facts_per_s", round(played.facts / took), work),
        ("verify_alone_facts_per_s", round(played.facts / alone), "the same on one core"),
        ("verify_s", round(took, 2), whole),
    ]


def _verified(played: Played, lines: Sequence[Line], workers: int = 1) -> None:
    faults = verify_lines(lines, played.secret, games.find_game, workers=workers).faults
    if faults:
        raise AssertionError(f"the measured log does not verify: {faults[0]}")


def _twice(played: Played) -> Figures:
    """A log of the same kind twice as long: played, taken back to its first line, and played again.

    Half a log would not do: late turns cost more a fact than early ones, however long the log is.
    """
    campaign = Campaign.new(None, played.game, seed=played.seed)
    last = replay(played.lines, played.game).turn
    play(played.game, bots_for(played.game, played.seed), campaign=campaign, turns=last - 1)
    once = campaign.lines()
    campaign.rewind(0)
    play(played.game, bots_for(played.game, played.seed), campaign=campaign, turns=last - 1)
    twice = campaign.lines()
    short, long = (best(lambda lines=lines: _verified(played, lines)) for lines in (once, twice))  # type: ignore[misc]
    ratio = long / short * 2 * facts_in(once) / facts_in(twice)
    work = f"time to verify {facts_in(twice)} facts against {facts_in(once)} of the same kind, for twice the facts"
    return [("twice_ratio", round(ratio, 2), work)]


def played_by_rules(played: Played) -> Figures:
    """What the rules do for a side that nobody sits for, until somebody else chooses his next deed."""
    game, spans, under_way = played.game, list[float](), 0.0
    if not game.setting.played:
        return []
    position, set_up = opened(game)
    referee = Referee(game, position, ForcedDice([]))
    referee.feed(items(played.lines[0])[len(set_up) :])
    for part in _answered(played.lines[1:]):
        began_there, began = referee.position.side in game.setting.played, process_time()
        referee.feed(part)
        if began_there or any(_begins(item, game.setting.played) for item in part):
            under_way += process_time() - began
        if under_way and referee.position.side not in game.setting.played:
            spans.append(under_way)
            under_way = 0.0
    if len(spans) < 2:
        return []
    work = f"processor time of the rules for a side that they play, {len(spans)} times, the slowest of twenty"
    return [("played_p95_ms", ms(quantiles(spans, n=100, method="inclusive")[94]), work)]


def _answered(lines: Sequence[Line]) -> Iterator[list[Item]]:
    """What happened, answer by answer."""
    part: list[Item] = []
    for item in (item for line in lines for item in items(line)):
        if item.kind == "answer" and part:
            yield part
            part = []
        part.append(item)
    if part:
        yield part


def _begins(item: Item, sides: Sequence[str]) -> bool:
    return item.kind == "fact" and isinstance(item.fact, StageBegan) and item.fact.side in sides


def _listing(played: Played) -> Figures:
    """The longest list that anybody is given on turn 1, from a table that has worked nothing out yet."""
    turns = {cut: replay(played.lines[:cut], played.game).turn for cut in range(1, len(played.lines))}
    times: dict[int, float] = {}
    found: dict[int, tuple[int, Ask]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for cut in (cut for cut, turn in turns.items() if turn == 1):
            path = Path(folder) / str(cut)
            _store(played, cut, path)
            for _ in range(TRIES):
                ask = Campaign.open(path, games.find_game).asks[0]
                began = perf_counter()
                listed = _list_all(ask)
                times[cut] = min(times.get(cut, float("inf")), perf_counter() - began)
                found[cut] = listed, ask
    longest = max(found, key=lambda cut: found[cut][0])
    listed, ask = found[longest]
    work = f"{listed} first steps and ways to go on for {ask.side} at {ask.key}, the longest list of turn 1"
    return [("legal_listing_ms", ms(times[longest]), work)]


def _list_all(ask: Ask) -> int:
    first = ask.choices()
    return len(first) + sum(len(ask.choices(choice)) for choice in first if choice.more)


def _resume(played: Played) -> Figures:
    """The last top ask stands before the last orders: after them the game is over."""
    last = max(n for n, line in enumerate(played.lines) if line.get("act") == "orders")
    figures: Figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, cut, where in (("resume_ms", last, "last"), ("resume_first_ms", 1, "first")):
            path = Path(folder) / where
            _store(played, cut, path)
            took = best(lambda path=path: Campaign.open(path, games.find_game))  # type: ignore[misc]
            work = f"opened from its checkpoint after {cut} lines, at its {where} top ask, rulebook loaded"
            figures.append((name, ms(took), work))
    return figures


def _store(played: Played, cut: int, path: Path) -> None:
    """The campaign as it was after its first lines, on disk with its checkpoint."""
    draft = path.with_name(f"{path.name}.draft")
    write_secret(draft, played.secret)
    draft.write_bytes(as_written(played.lines[:cut]))
    Campaign.open(draft, games.find_game).save(path)


def _orders(played: Played) -> Figures:
    """Every mail of the campaign handed in again, as text, with the same dice."""
    mails = [mail for line in played.lines if line.get("act") == "orders" for mail in _mails(played.game, line)]
    campaign = Campaign.new(None, played.game, seed=played.seed)
    for side in played.game.setting.chairs:
        campaign.stand(side, ASK_ME)  # as the bots did: what they answered stands in their mails
    began = perf_counter()
    for side, orders in mails:
        reply = campaign.submit(side, "\n".join(orders))
        if reply.refused:
            raise AssertionError(f"a recorded order is refused: {reply.refused[0].refusal}")
    took = perf_counter() - began
    given = sum(len(orders) for _, orders in mails)
    return [("order_ms", ms(took / given), f"{given} orders in {len(mails)} mails read, checked, carried out")]


def _mails(game: Game, line: Line) -> list[tuple[str, list[str]]]:
    """What each side wrote for a line: sealed answers of the others first, then the line's own mail.

    What is asked in the middle of the rules' own play is answered by a mail of its own.
    """
    said: dict[str, list[str]] = {}
    later: list[tuple[str, list[str]]] = []
    given = [item for item in items(line) if item.kind == "answer" and item.body["source"] == "hand"]
    for item, following in zip_longest(given, given[1:]):
        order, side = _written(game, item, following).line(), item.body["side"]
        if later or "entry" in item.body:
            later.append((side, [order]))
        else:
            said.setdefault(side, []).append(order)
    return [*sorted(said.items(), key=lambda mail: mail[0] == line["by"]), *later]


def _written(game: Game, item: Item, following: Item | None) -> Order:
    """The order as it can be sent with those before it: what closes a stage names it, what closes a part does not."""
    order = game.book.load(item.body["order"])
    goes_on = following is not None and _stage(item) == _stage(following)
    if isinstance(order, ClosingOrder) and not order.stage and "entry" not in item.body and not goes_on:
        return order.model_copy(update={"stage": _stage(item).rpartition(".")[2]})
    return order


def _stage(item: Item) -> str:
    return str(item.body["key"].split("/")[1])


MEASURES = (_replay, _verify, _twice, played_by_rules, _listing, _resume, _orders)
