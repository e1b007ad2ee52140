"""A log that was tampered with is found out, whatever was done to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canonical import canonical
from engine.dice import Dice, secret_from_seed
from engine.log import Item, Line, check_reader, seal_header, verify_chain
from engine.log.file import split_rows
from engine.log.lines import line_hash
from tests.engine.sealed import FACT, GAME, HIDDEN, NONCES, SECRET, SIDES, as_bytes, begin, follow, short_log, told_log


def is_found(content: bytes, secret: bytes | None = SECRET) -> bool:
    rows, torn = split_rows(content)
    return torn is not None or bool(verify_chain(rows, secret))


def test_an_untouched_log_has_no_fault() -> None:
    assert verify_chain(short_log(), SECRET) == []
    assert verify_chain([canonical(line) for line in short_log()], SECRET) == []


def test_a_log_that_tells_its_secret_needs_no_other() -> None:
    assert verify_chain(told_log()) == []


def test_a_log_that_could_not_be_checked_is_not_called_good() -> None:
    assert [fault.what for fault in verify_chain(short_log())] == [
        "the secret is not known, so seals and dice could not be checked"
    ]


@pytest.mark.parametrize("change", [lambda byte: byte ^ 1, lambda byte: ord("0") if byte != 48 else ord("9")])
def test_any_changed_byte_is_found(change: Any) -> None:
    content = as_bytes(short_log())
    for at in range(len(content)):
        assert is_found(content[:at] + bytes([change(content[at])]) + content[at + 1 :]), at


def test_any_byte_left_out_or_put_in_is_found() -> None:
    content = as_bytes(short_log())
    for at in range(0, len(content), 2):
        assert is_found(content[:at] + content[at + 1 :]), at
        assert is_found(content[:at] + b" " + content[at:]), at


def test_any_changed_byte_of_the_line_that_tells_the_secret_is_found() -> None:
    content = as_bytes(told_log())
    for at in range(content.rstrip().rindex(b"\n") + 1, len(content)):
        assert is_found(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :], None), at


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.data())
def test_lines_dropped_swapped_repeated_or_put_in_are_found(data: st.DataObject) -> None:
    rows = [canonical(line) for line in told_log()]
    strange = canonical(follow(short_log(hidden=FACT)))
    mixed = data.draw(st.lists(st.sampled_from([*rows, strange]), max_size=7))
    assert bool(verify_chain(mixed, SECRET)) == (mixed != rows[: len(mixed)] or not mixed)


def test_a_line_from_another_game_with_the_same_secret_is_found() -> None:
    lines = short_log()
    other = [seal_header(SECRET, game="x", scenario="", sides=SIDES, rules="1", nonces={}, position="")]
    follow(other, FACT)
    assert verify_chain([*lines[:1], other[1], *lines[2:]], SECRET)


def forged(line: Line, **changes: Any) -> Line:
    """The line changed by somebody who can make its hash fit again, but not its seals."""
    line = line | changes
    return line | {"hash": line_hash(line)}


def test_the_wrong_secret_is_told_from_the_right_one() -> None:
    wrong = secret_from_seed(2)
    assert [fault.what for fault in verify_chain(short_log(), wrong)] == ["the secret is not the one committed to"]
    lines = told_log()
    lines[-1] = forged(lines[-1], secret=wrong.hex())
    assert verify_chain(lines)


def test_nothing_may_follow_once_the_secret_is_out() -> None:
    lines = told_log()
    follow(lines, FACT)
    assert any("before the end" in fault.what for fault in verify_chain(lines, SECRET))


def test_verify_names_every_fault_not_the_first_only() -> None:
    lines = short_log()
    lines[1] = lines[1] | {"parts": lines[1]["parts"] | {"soviet": [[2, "fact", {}]]}}
    lines[3] = lines[3] | {"by": "soviet"}
    assert [(fault.line, fault.what) for fault in verify_chain(lines, SECRET)] == [
        (1, "the part for 'soviet' is not the one sealed"),
        (3, "it is not what its hash says"),
    ]


@pytest.mark.parametrize("change", [{"value": 0}, {"k": 3}, {"k": 1}, {"k": 0}, {"stream": "x"}, {"k": True}])
def test_a_die_that_the_secret_does_not_give_is_found(change: dict[str, Any]) -> None:
    cup = Dice(SECRET, GAME, NONCES)
    lines = [begin()]
    follow(lines, Item("roll", cup.roll("combat", 6).body()))
    follow(lines, Item("roll", cup.roll("combat", 6).body() | change))
    assert {fault.line for fault in verify_chain(lines, SECRET)} == {2}


def test_a_roll_made_and_not_logged_is_found() -> None:
    cup = Dice(SECRET, GAME, NONCES)
    lines = [begin()]
    cup.roll("combat", 6)
    follow(lines, Item("roll", cup.roll("combat", 6).body()))
    assert [str(fault) for fault in verify_chain(lines, SECRET)] == ["line 1: roll 2 of 'combat' should be roll 1"]


def test_a_line_well_sealed_under_a_wrong_number_is_found() -> None:
    lines = [begin()]
    lines.append(follow([lines[0], lines[0] | {"n": 4}], FACT))
    assert [str(fault) for fault in verify_chain(lines, SECRET)] == ["line 1: it is numbered 5"]


@pytest.mark.parametrize(
    "row", [b"", b"[]", b"7", b"{}", b'{"n":NaN}', b"[" * 100_000, b"\xff", b"1" * 5000, b'{"format":1}']
)
def test_nonsense_is_a_fault_and_not_a_crash(row: bytes) -> None:
    good = [canonical(line) for line in short_log()]
    assert verify_chain([row], SECRET)
    assert verify_chain([*good, row], SECRET)
    assert check_reader([row])


def test_a_line_with_something_more_in_it_is_found() -> None:
    lines = short_log()
    assert verify_chain([*lines[:3], lines[3] | {"salts": {}}], SECRET)
    assert verify_chain([*lines[:3], forged(lines[3], extra=1)], SECRET)


@pytest.mark.parametrize(
    "order",
    [
        [],
        ["all"],
        ["all", "soviet", "soviet"],
        ["soviet", "all", "all"],
        ["all", "all", "soviet", "none"],
        "all",
        [1, 2],
        None,
    ],
)
def test_an_order_that_is_not_that_of_the_parts_is_a_fault(order: Any) -> None:
    lines = [begin()]
    line = follow(lines, FACT, HIDDEN, FACT)
    line["parts"]["none"] = [[0, "order", {"of": order}]] if order is not None else []
    assert verify_chain(lines, SECRET) != []
    assert not any("sealed" in fault.what for fault in verify_chain(lines, SECRET))
