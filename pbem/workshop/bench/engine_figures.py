"""How fast the referee is: replaying, verifying, listing, resuming, judging orders."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from time import perf_counter, process_time

import games
from engine.asks import Ask
from engine.bots import ASK_ME, play
from engine.campaign import Campaign, replay, verify_lines
from engine.campaign.folding import opened
from engine.campaign.walking import weight
from engine.dice import ForcedDice
from engine.facts import StageBegan
from engine.game import Game
from engine.log import Item, Line, as_written, items, write_secret
from engine.orders.order import Order
from engine.referee import Referee
from pbem.workshop.bench.goals import Figures, figure
from pbem.workshop.bench.played import TRIES, Played, at_percent, best, bots_for, facts_in, ms
from pbem.workshop.demonstrating.pen import closing


def _replay(played: Played) -> Figures:
    took = best(lambda: replay(played.lines, played.game))
    return [figure("replay_facts_per_s", round(played.facts / took), facts=played.facts, lines=len(played.lines))]


def _verify(played: Played) -> Figures:
    cores = os.cpu_count() or 1
    took, alone = (best(lambda n=n: _verified(played, played.lines, n)) for n in (cores, 1))  # type: ignore[misc]
    return [
        figure("verify_facts_per_s", round(played.facts / took), facts=played.facts, cores=cores),
        figure("verify_alone_facts_per_s", round(played.facts / alone)),
        figure("verify_s", round(took, 2), lines=len(played.lines)),
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
    much, more = (sum(map(weight, lines)) for lines in (once, twice))  # of as many facts some have more answers
    ratio = long / short * 2 * much / more
    return [figure("twice_ratio", round(ratio, 2), twice=facts_in(twice), once=facts_in(once))]


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
        stages = (item.fact for item in part if item.body.get("fact") == "StageBegan")
        if began_there or any(isinstance(x, StageBegan) and x.side in game.setting.played for x in stages):
            under_way += process_time() - began
        if under_way and referee.position.side not in game.setting.played:
            spans.append(under_way)
            under_way = 0.0
    if len(spans) < 2:
        return []
    return [figure("played_p95_ms", ms(at_percent(spans, 95)), times=len(spans))]


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


def _listing(played: Played) -> Figures:
    """The longest list that anybody is given on turn 1, from a table that has worked nothing out yet."""
    cuts = [n for n in range(1, len(played.lines)) if replay(played.lines[:n], played.game).turn == 1]
    found: list[tuple[int, float, Ask]] = []
    with tempfile.TemporaryDirectory() as folder:
        for cut in cuts:
            path, times = Path(folder) / str(cut), list[float]()
            _store(played, cut, path)
            for _ in range(TRIES):
                ask = Campaign.open(path, games.find_game).asks[0]
                began = perf_counter()
                first = ask.choices()
                listed = len(first) + sum(len(ask.choices(choice)) for choice in first if choice.more)
                times.append(perf_counter() - began)
            found.append((listed, min(times), ask))
    listed, took, ask = max(found, key=lambda one: one[0])
    return [figure("legal_listing_ms", ms(took), listed=listed, ask=ask)]


def _resume(played: Played) -> Figures:
    """The last top ask stands before the last orders: after them the game is over."""
    last = max(n for n, line in enumerate(played.lines) if line.get("act") == "orders")
    figures: Figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, cut in (("resume_ms", last), ("resume_first_ms", 1)):
            path = Path(folder) / name
            _store(played, cut, path)
            took = best(lambda path=path: Campaign.open(path, games.find_game))  # type: ignore[misc]
            figures.append(figure(name, ms(took), cut=cut))
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
    return [figure("order_ms", ms(took / given), given=given, mails=len(mails))]


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
    return order if goes_on or "entry" in item.body else closing(order, _stage(item))


def _stage(item: Item) -> str:
    return str(item.body["key"].split("/")[1])


MEASURES = (_replay, _verify, _twice, played_by_rules, _listing, _resume, _orders)
