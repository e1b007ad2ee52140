"""What was recorded, fed to a referee, comes out again, and nothing else does."""

from __future__ import annotations

import pytest

from engine.dice import ForcedDice
from engine.log import Item
from engine.referee import Differs, Referee
from tests.engine.ford import ATTACK, facing


def recorded() -> tuple[Referee, list[Item]]:
    referee = facing(6, 1)
    referee.drawer.stand("blue", "when loss: retreat P1 0104")
    items: list[Item] = []
    for text in ("move T-34 0202", f"{ATTACK}; advance G1", "scout\nlook 0303", "dig G2\nface 0103", "end"):
        items += referee.submit("red", text).items
    return referee, items


def test_feeding_what_was_recorded_leads_to_the_same_position() -> None:
    played, items = recorded()
    again = facing()
    again.feed(items, strict=True)
    assert again.position.hash() == played.position.hash()
    assert [ask.key for ask in again.asks] == [ask.key for ask in played.asks]


def changed(item: Item) -> list[Item]:
    """The item with each of its words changed in turn, with a word more, and shown to someone else."""
    bodies = [{**item.body, name: _other(value)} for name, value in item.body.items() if name not in FREE]
    others = "blue" if item.audience == "all" else "all"
    return [*(Item(item.kind, body, item.audience) for body in bodies), Item(item.kind, item.body, others)]


FREE = ("k", "source")  # not the rules' business: the chain answers for them


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 7
        case str():
            return value + "x"
        case list():
            return [*value, "x"]
        case dict():
            return {**value, "hard": "x"}
    return "x"


def test_strict_feeding_finds_any_changed_item() -> None:
    _, items = recorded()
    kinds = set()
    for index, item in enumerate(items):
        for other in [*changed(item), *items[index + 1 : index + 2]]:
            if other == item:
                continue
            with pytest.raises((Differs, ValueError, KeyError)):
                facing().feed([*items[:index], other, *items[index + 1 :]], strict=True)
            kinds.add(item.kind)
    assert kinds == {"answer", "roll", "fact"}


def test_strict_feeding_finds_an_item_left_out_or_put_in_twice() -> None:
    _, items = recorded()
    for index, item in enumerate(items):
        for other in ([], [item, item]):
            with pytest.raises(Differs):
                facing().feed([*items[:index], *other, *items[index + 1 :]], strict=True)


def test_the_last_top_ask_is_found_wherever_the_game_stands() -> None:
    _, items = recorded()
    often, fed, nested = facing(), 0, 0
    for cut in [n for n, item in enumerate(items) if item.kind == "answer"]:
        often.feed(items[fed:cut])
        fed, once = cut, facing()
        once.feed(items[:cut])
        (position, tally), (same, also) = once.top, often.top  # wanted for the first time, and after every answer
        assert (position.hash(), tally) == (same.hash(), also)
        twin = Referee(once.game, position.copy(), ForcedDice([]), tally=tally)
        twin.feed(once.since)
        assert twin.position.hash() == once.position.hash()
        nested += bool(once.since)
    assert nested
