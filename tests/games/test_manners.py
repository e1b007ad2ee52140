"""The referee's manners in every rulebook: with fog and secrets, whichever side writes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest

import games
from engine.bots import ASK_ME, RandomLegal
from engine.campaign import Campaign
from engine.log import Item
from engine.orders.order import Order
from engine.orders.usual import Pass
from engine.referee import Referee
from engine.refusals import Unclear
from tests.patience import patience

# A scenario of each, with the options that hide most, and the turns of it that are played.
PLAYED = {
    "korsun_spi": ("proving", {}, 2),
    "korsun_vv": ("encirclement", {"fog": True}, 2),
    "manstein": ("race", {"bid": True}, 1),
}


def begun(name: str, seed: int = 4) -> Campaign:
    scenario, options, _ = PLAYED[name]
    return Campaign.new(None, games.find_game(name, scenario, options), seed=seed)


def beside(referee: Referee) -> Referee:
    """The same game at the same ask, with the same dice to come."""
    twin = referee.twin()
    twin._run.dice = deepcopy(referee._run.dice)
    return twin


def mails(name: str) -> Iterator[tuple[Campaign, Referee, list[Item]]]:
    """A short campaign of bots: as it stands after each mail, as it stood before it, and what happened."""
    campaign, bot = begun(name), RandomLegal(seed=4)
    waiting = patience("the last turn that is played", 2000)
    while not campaign.over and campaign.position.turn <= PLAYED[name][2]:
        next(waiting)
        side = next(ask.side for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        before = beside(campaign.referee)
        items = campaign.converse(side, lambda ask: bot.answer(campaign.referee.table, ask)).items
        yield campaign, before, items


def written(campaign: Campaign, items: list[Item]) -> list[Order]:
    """The lines of a mail."""
    said = [item.body for item in items if item.kind == "answer" and item.body["source"] == "hand"]
    return [campaign.game.book.load(body["order"]) for body in said]


@pytest.mark.parametrize("name", PLAYED)
def test_two_closing_lines_too_many_close_nothing_once_something_fell(name: str) -> None:
    tried: dict[str, int] = {}
    for campaign, before, items in mails(name):
        lines = written(campaign, items)
        answers = [item.body["side"] for item in items if item.kind == "answer"]
        fell = any(item.kind == "roll" for item in items) or len({*answers}) > 1
        if len(before.asks) > 1 or not lines or not fell or lines[-1].opens:  # what it opens by name it may close
            continue
        for word in {"end", "pass"} & campaign.game.book.by_verb.keys():
            close, after = campaign.game.book.by_verb[word](), beside(before)
            found = after.submit(answers[0], [*lines, close, close]).items
            # It goes no further; a line that comes back stops where another would not have been waited for.
            assert found == items[: len(found)], (after.position.stage, lines, word)
            assert word == "pass" or after.position.hash() == campaign.position.hash()
        tried[answers[0]] = tried.get(answers[0], 0) + 1
    assert tried.keys() == {*campaign.game.sides}, tried


@pytest.mark.parametrize("name", PLAYED)
def test_default_is_an_order_whatever_is_asked(name: str) -> None:
    said = set()
    for _, before, _ in mails(name):
        ask = next(ask for ask in before.asks if before.drawer.sealed(ask.key) is None)
        default = ask.default().line()
        reply = before.submit(ask.side, "default")
        assert [(line.state, line.understood) for line in reply.lines][:1] in (
            [("done", default)],
            [("sealed", default)],
        ), (ask.key, reply.lines)
        said.add(ask.name)
    assert len(said) > 2, said


@pytest.mark.parametrize("stage", ["", "sequence", "draw"])
@pytest.mark.parametrize(("name", "open_"), [("korsun_vv", "sequence"), ("manstein", "draw")])
def test_a_pass_laid_ahead_lets_pass_only_what_it_names(name: str, open_: str, stage: str) -> None:
    campaign, bot = begun(name), RandomLegal(seed=4)
    for side in campaign.game.sides:
        campaign.stand(side, ASK_ME)
    waiting = patience("a question that may be passed", 2000)
    while True:
        next(waiting)
        before = beside(campaign.referee)
        side = next(ask.side for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None)
        items = campaign.converse(side, lambda ask: bot.answer(campaign.referee.table, ask)).items
        (asked,) = campaign.asks[:1]
        if len(before.asks) == 1 and asked.side != side and any(issubclass(verb, Pass) for verb in asked.verbs):
            break
    before.drawer.standing = campaign.drawer.standing
    before.drawer.keep(asked.side, before.understand(asked.side, f"pass {stage}".strip())[0])
    reply = before.submit(side, written(campaign, items))
    assert [line.state for line in reply.drawn[asked.side]] == ["done" if stage == open_ else "refused"]
    if stage != open_:
        (line,) = reply.drawn[asked.side]
        assert f"Write `pass {open_}` to close it." in str(line.refusal)
        assert before.position.hash() == campaign.position.hash()


# The names that the book prints, towns, and orders that only one side has.

NAMED = [
    ("korsun_spi", "korsun", "german", "11th Panzer", ("15/11", "110/11", "111/11")),
    ("korsun_spi", "korsun", "soviet", "29 TC", ("TC29",)),
    ("korsun_spi", "korsun", "soviet", "5 Guards Tank Army", ("HQ-5GdTk",)),
    ("korsun_vv", "battle", "german", "11th Panzer Division", ("15/11Pz", "4/11Pz", "110/11Pz")),
    ("korsun_vv", "battle", "german", "Wiking", ("West/5SS",)),
    ("korsun_vv", "battle", "russian", "29 TC", ("29TC-1", "29TC-2", "29TC-3")),
    ("manstein", "campaign", "axis", "11th Panzer", ("11Pz",)),
    ("manstein", "campaign", "soviet", "27 Army", ("27A/1", "27A/2")),
]


@pytest.mark.parametrize(("name", "scenario", "side", "text", "units"), NAMED)
def test_a_body_is_known_by_the_name_in_the_book(
    name: str, scenario: str, side: str, text: str, units: tuple[str, ...]
) -> None:
    table = Campaign.new(None, games.find_game(name, scenario, {}), seed=1).referee.table
    order = table.game.book.read(f"move {text} to 2020", table.reading(side))
    assert order.said_of("units") == [*units]


@pytest.mark.parametrize(
    ("text", "hq"), [("5 Guards Tank Army", "5GTA"), ("XLVII Panzer Corps", "47PzK"), ("47th Panzer Corps", "47PzK")]
)
def test_an_headquarters_is_known_by_its_formation(text: str, hq: str) -> None:
    table = Campaign.new(None, games.find_game("korsun_vv", "battle", {}), seed=1).referee.table
    assert table.game.book.read(f"activate {text}", table.reading("russian")).said_of("unit") == [hq]


@pytest.mark.parametrize("name", PLAYED)
def test_a_town_stands_for_its_hex_and_a_slip_in_it_is_put_right(name: str) -> None:
    table = begun(name).referee.table
    place = next(iter(table.game.board.places.values()))
    unit, spot = next(iter(table.roster)).id, table.grid.number_of(place.hex)
    reading = table.reading(table.roster.get(unit).side)
    assert table.game.book.read(f"move {unit} to {place.name}", reading).said_of("hex") == [spot]
    slip = place.name[:-2] + place.name[-1] + place.name[-2] + "x"
    with pytest.raises(Unclear) as refusal:
        table.game.book.read(f"move {unit} to {slip}", reading)
    assert f"({spot})" in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "side", "never"),
    [
        ("korsun_spi", "german", {"activate", "unsupport"}),
        ("korsun_spi", "soviet", {"delay", "air supply"}),
        ("korsun_vv", "russian", {"alarm", "refit", "attach"}),
        ("korsun_vv", "german", {"replace"}),
        ("manstein", "soviet", {"interrupt", "negotiate", "buy", "direct"}),
        ("manstein", "axis", {"drop", "convert"}),
    ],
)
def test_no_side_is_offered_what_it_never_has(name: str, side: str, never: set[str]) -> None:
    game = begun(name).game
    had = {order.verb for order in game.book.of(side)}
    assert not had & never
    assert never <= {order.verb for order in game.book.orders}
    for campaign, _, _ in mails(name):
        offered = [verb for ask in campaign.asks if ask.side == side for verb in ask.offered]
        assert {verb.verb for verb in offered} <= had
