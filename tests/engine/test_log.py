"""The log: what was written is what is read, and what was undone stays undone."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest

from engine.canonical import canonical
from engine.dice import Dice, secret_from_seed
from engine.facts import Fact, Moved, type_of
from engine.log import (
    Back,
    Item,
    Line,
    NoWayBack,
    dice_used,
    effective,
    export,
    for_reader,
    items,
    items_in_force,
    position_seal,
    verify_chain,
)
from engine.log.lines import audiences
from tests.engine.sealed import FACT, GAME, HIDDEN, NONCES, SECRET, UNKNOWN, begin, follow, short_log

PLAIN = {"bool", "class", "none", "int", "str", "tuple"}  # of an annotation

# --- what a line says


def test_items_come_back_in_the_order_they_happened() -> None:
    lines = [begin()]
    happened = [FACT, HIDDEN, UNKNOWN, FACT, Item("answer", {"key": "combat/1"}, "german"), HIDDEN]
    assert items(follow(lines, *happened)) == happened


def test_every_line_has_a_seal_for_everybody_even_if_nothing_is_for_him() -> None:
    for line in short_log():
        assert set(line["seals"]) == set(line["parts"]) == {"all", "german", "soviet", "none"}


def test_some_of_three_sides_may_share_what_the_third_must_not_read() -> None:
    assert set(audiences(["c", "a", "b"])) == {"all", "none", "a", "b", "c", "a+b", "a+c", "b+c"}
    lines = [begin(sides=["c", "a", "b"])]
    line = follow(lines, Item("fact", {"pact": "secret"}, "a+c"))
    assert not verify_chain(lines, SECRET)
    assert items(for_reader(line, "a", SECRET, GAME)) == items(for_reader(line, "c", SECRET, GAME)) != []
    assert items(for_reader(line, "b", SECRET, GAME)) == []


@pytest.mark.parametrize("side", ["all", "none", "moderator", "a+b", "a|b", "", "german"])
def test_a_side_cannot_have_a_name_that_means_something_else(side: str) -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        begin(sides=["german", side])


def test_an_item_for_somebody_who_does_not_play_is_refused() -> None:
    with pytest.raises(ValueError, match="romanian"):
        follow([begin()], Item("fact", {}, "romanian"))


def test_only_an_undo_goes_back() -> None:
    with pytest.raises(ValueError, match="must say where"):
        follow([begin()], act="undo")
    with pytest.raises(ValueError, match="must say where"):
        follow([begin()], act="orders", back=Back(0))


def test_what_is_sealed_is_what_will_be_read_back() -> None:
    lines = [begin()]
    moved = Moved(unit="A", path=("0101", "0102"))
    line = follow(
        lines, Item("fact", moved), act="terms", says={"terms": {"hours": (1, 2), "of": {10: "ten", 9: "nine"}}}
    )
    assert json.loads(canonical(line)) == line
    assert not verify_chain([canonical(line) for line in lines], SECRET)


@pytest.mark.parametrize("kind", type_of.values(), ids=lambda kind: str(kind.__name__))
def test_a_fact_holds_nothing_that_would_be_read_back_otherwise(kind: type[Fact]) -> None:
    """Items are sealed as they are: words, numbers, yes or no, and tuples, which are written as lists."""
    for name, field in kind.model_fields.items():
        assert set(re.findall(r"[a-z]\w*", str(field.annotation).lower())) <= PLAIN, name


def test_the_position_is_sealed_and_can_be_checked_with_the_secret_only() -> None:
    line = short_log()[1]
    assert line["position"] == position_seal(SECRET, GAME, 1, "after 1")
    assert line["position"] != position_seal(secret_from_seed(2), GAME, 1, "after 1")
    assert line["position"] != hashlib.sha256(b"after 1").hexdigest()


def test_the_whole_log_still_knows_the_order_in_which_things_happened() -> None:
    own = Item("fact", {"saw": "2708"}, "german")
    happened = [own, HIDDEN, FACT, HIDDEN, UNKNOWN, own, FACT, UNKNOWN]
    lines = [begin()]
    line = follow(lines, *happened)
    assert items(line) == happened
    assert verify_chain(lines, SECRET) == []
    assert items(export(lines, "german", SECRET)[1]) == [own, FACT, own, FACT]


# --- undo


def numbers(lines: list[Line]) -> list[tuple[int, int | None]]:
    return [(line["n"], count) for line, count in effective(lines)]


def test_an_undo_takes_back_what_came_after_and_is_itself_in_force() -> None:
    lines = [begin()]
    for _ in range(3):
        follow(lines, FACT, FACT)
    follow(lines, act="undo", back=Back(1))
    assert numbers(lines) == [(0, None), (1, None), (4, None)]
    follow(lines, FACT)
    follow(lines, HIDDEN, act="rewind", back=Back(1, 1))
    assert numbers(lines) == [(0, None), (1, 1), (6, None)]
    assert items_in_force(lines) == [(0, FACT), (1, FACT), (6, HIDDEN)]
    assert verify_chain(lines, SECRET) == []


def test_what_an_undo_took_back_stays_taken_back() -> None:
    lines = [begin()]
    follow(lines, FACT, FACT, FACT)
    follow(lines, act="undo", back=Back(1, 1))
    follow(lines, FACT)
    follow(lines, act="undo", back=Back(1))
    assert numbers(lines) == [(0, None), (1, 1), (4, None)]


@pytest.mark.parametrize("back", [Back(2), Back(3), Back(4), Back(9), Back(-1), Back(1, 2), Back(1, -1)])
def test_nothing_goes_back_to_what_is_no_longer_there(back: Back) -> None:
    lines = [begin()]
    follow(lines, FACT, FACT)
    follow(lines, FACT)
    follow(lines, act="undo", back=Back(1, 1))
    if back.line == 3:
        lines.pop()
    follow(lines, act="rewind", back=back)
    with pytest.raises(NoWayBack) as caught:
        effective(lines)
    assert (caught.value.to, caught.value.point) == (back.line, back.point)
    assert verify_chain(lines, SECRET)


def test_an_undone_roll_is_never_rolled_again() -> None:
    lines = short_log()
    assert dice_used(lines) == {"combat": 1, "chits": 1}
    cup = Dice(SECRET, GAME, NONCES, dice_used(lines))
    follow(lines, Item("roll", cup.roll("chits", 9).body(), "soviet"))
    assert items(lines[-1])[0].body["k"] == 2
    assert verify_chain(lines, SECRET) == []


def test_changed_terms_and_skipped_dice_are_lines_of_their_own() -> None:
    lines = short_log()
    follow(lines, act="terms", says={"terms": {"pace": "careful"}})
    follow(lines, act="skip", says={"skip": {"combat": 40, "supply": 2}})
    cup = Dice(SECRET, GAME, NONCES, dice_used(lines))
    assert cup.used == {"combat": 40, "chits": 1, "supply": 2}
    follow(lines, Item("roll", cup.roll("combat", 6).body()))
    assert dice_used(lines)["combat"] == 41
    assert verify_chain(lines, SECRET) == []


def test_dice_are_never_skipped_backwards() -> None:
    lines = short_log()
    follow(lines, act="skip", says={"skip": {"combat": 7}})
    follow(lines, act="skip", says={"skip": {"combat": 6}})
    assert [str(fault) for fault in verify_chain(lines, SECRET)] == [
        "line 5: it skips to roll 6 of 'combat', which was rolled before"
    ]


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("terms", {}),
        ("terms", {"skip": {"combat": 1}}),
        ("orders", {"terms": {"pace": "brisk"}}),
        ("skip", {"skip": {"combat": 0}}),
        ("skip", {"skip": {"combat": "1"}}),
        ("skip", {"skip": [1]}),
    ],
)
def test_a_line_says_what_its_act_says_and_nothing_else(act: str, says: dict[str, Any]) -> None:
    lines = short_log()
    follow(lines, act=act, says=says)
    assert [fault.line for fault in verify_chain(lines, SECRET)] == [4]
