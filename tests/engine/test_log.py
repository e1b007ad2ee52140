"""The log: what was written is what is read, and anything else is found."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canonical import canonical
from engine.dice import Dice, commitment, secret_from_seed
from engine.log import (
    Back,
    Item,
    Line,
    NoWayBack,
    check_reader,
    dice_used,
    effective,
    export,
    for_reader,
    items,
    items_in_force,
    position_seal,
    seal_header,
    seal_line,
    verify_chain,
)
from engine.log.file import split_rows
from engine.log.lines import audiences, line_hash, salt

SECRET = secret_from_seed(1944)
GAME = "cherkassy-07"
SIDES = ["german", "soviet"]
NONCES = {"german": "Lysyanka", "soviet": "Zvenigorodka"}
FACT = Item("fact", {"moved": "5 Gds Tank", "to": "2708", "note": "Шпола"})
HIDDEN = Item("fact", {"drew": "Vatutin"}, "soviet")
UNKNOWN = Item("fact", {"pool": ["Konev", "Stemmermann"]}, "none")


def begin(secret: bytes = SECRET, sides: list[str] = SIDES, happened: list[Item] | None = None) -> Line:
    return seal_header(
        secret,
        game=GAME,
        scenario="pocket",
        sides=sides,
        rules="1",
        nonces=NONCES,
        position="start",
        options={"fog": True},
        happened=happened or [FACT],
    )


def follow(lines: list[Line], *happened: Item, secret: bytes = SECRET, act: str = "orders", **more: Any) -> Line:
    line = seal_line(
        secret,
        lines[0],
        lines[-1],
        by="german",
        act=act,
        rules="1",
        position=f"after {len(lines)}",
        happened=happened,
        **more,
    )
    lines.append(line)
    return line


def short_log(secret: bytes = SECRET, hidden: Item = HIDDEN) -> list[Line]:
    """Four lines: two with dice and secrets, the last one undoing half of the third."""
    cup = Dice(secret, GAME, NONCES)
    lines = [begin(secret)]
    follow(lines, FACT, Item("roll", cup.roll("combat", 6, "2708").body()), hidden, FACT, secret=secret)
    follow(lines, UNKNOWN, Item("roll", cup.draw("chits", 9).body(), "soviet"), FACT, secret=secret)
    follow(lines, act="undo", back=Back(2, 1), secret=secret)
    return lines


def told_log() -> list[Line]:
    lines = short_log()
    follow(lines, act="secret")
    return lines


def as_bytes(lines: list[Line]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def is_found(content: bytes, secret: bytes | None = SECRET) -> bool:
    rows, torn = split_rows(content)
    return torn is not None or bool(verify_chain(rows, secret))


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
    line = follow(lines, Item("fact", {"path": (1, 2), "steps": {10: "ten", 9: "nine"}}))
    assert json.loads(canonical(line)) == line
    assert not verify_chain([canonical(line) for line in lines], SECRET)


def test_the_position_is_sealed_and_can_be_checked_with_the_secret_only() -> None:
    line = short_log()[1]
    assert line["position"] == position_seal(SECRET, GAME, 1, "after 1")
    assert line["position"] != position_seal(secret_from_seed(2), GAME, 1, "after 1")
    assert line["position"] != hashlib.sha256(b"after 1").hexdigest()


# --- tampering


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


# --- what a player may have


def test_a_player_gets_his_parts_and_the_others_as_seals_only() -> None:
    lines = short_log()
    for side, sees in (("soviet", True), ("german", False), (None, False)):
        copy = export(lines, side, SECRET)
        assert check_reader(copy) == []
        assert check_reader([canonical(line) for line in copy]) == []
        assert (b"Vatutin" in as_bytes(copy)) is sees
        assert b"Stemmermann" not in as_bytes(copy)
        assert all("none" not in line["salts"] for line in copy)
        assert [line["hash"] for line in copy] == [line["hash"] for line in lines]


@pytest.mark.parametrize("side", ["none", "all", "romanian", "german+soviet", ""])
def test_nobody_reads_as_somebody_who_is_no_side(side: str) -> None:
    with pytest.raises(ValueError, match="no side"):
        for_reader(short_log()[1], side, SECRET, GAME)


def test_any_changed_byte_of_a_players_copy_is_found() -> None:
    rows = [canonical(line) for line in export(short_log(), "soviet", SECRET)]
    for n, row in enumerate(rows):
        for at in range(0, len(row), 3):
            changed = row[:at] + bytes([row[at] ^ 1]) + row[at + 1 :]
            assert check_reader([*rows[:n], changed, *rows[n + 1 :]]), (n, at)


def test_a_part_kept_from_a_player_in_one_line_is_found() -> None:
    copy = export(short_log(), "soviet", SECRET)
    onlooker = for_reader(short_log()[1], None, SECRET, GAME)
    assert check_reader([copy[0], onlooker, *copy[2:]])


def test_a_player_can_check_the_dice_he_saw_once_the_secret_is_told() -> None:
    for side in ("soviet", "german"):
        assert check_reader(export(told_log(), side, SECRET)) == []
    cup = Dice(SECRET, GAME, NONCES)
    lines = [begin()]
    face = cup.roll("combat", 6).body()
    follow(lines, Item("roll", face | {"value": face["value"] % 6 + 1}))
    follow(lines, act="secret")
    assert [fault.line for fault in check_reader(export(lines, "german", SECRET))] == [1]


def test_a_hidden_part_cannot_be_searched_for_without_its_salt() -> None:
    chits = [Item("fact", {"drew": name}, "soviet") for name in ("Vatutin", "Konev", "Zhukov")]
    copy = export(short_log(hidden=chits[1]), "german", SECRET)
    sealed = {line["seals"][audience] for line in copy for audience in ("soviet", "none")}
    sealed |= {value for line in copy for value in (line["position"], line["hash"])}
    guesses = [canonical(guess) for chit in chits for guess in (chit.body, [[2, chit.kind, chit.body]], [])]
    known = [b"", bytes.fromhex(commitment(SECRET)), *(nonce.encode() for nonce in NONCES.values())]
    known += [bytes.fromhex(value) for line in copy for value in line["salts"].values()]
    assert not sealed & {hashlib.sha256(key + guess).hexdigest() for key in known for guess in guesses}
    key = salt(SECRET, GAME, 1, "soviet")  # with the salt the same search finds it at once
    assert sealed & {hashlib.sha256(key + guess).hexdigest() for guess in guesses}


def test_the_same_hidden_thing_never_looks_the_same_twice() -> None:
    logs = [short_log(), short_log(secret_from_seed(2))]
    seals = [line["seals"][audience] for log in logs for line in log for audience in line["seals"]]
    assert len(set(seals)) == len(seals) == 32
    positions = [line["position"] for log in logs for line in log]
    assert len(set(positions)) == 8


def test_a_line_looks_alike_whatever_is_hidden_in_it() -> None:
    lines = [short_log(hidden=HIDDEN)[1], short_log(hidden=Item("fact", {"drew": "K" * 500}, "soviet"))[1]]
    shown = [for_reader(line, "german", SECRET, GAME) for line in lines]
    differing = {key for key in shown[0] if shown[0][key] != shown[1][key]}
    assert differing == {"seals", "hash"}
    assert len(canonical(shown[0])) == len(canonical(shown[1]))


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


# How much a reader was not shown is a secret too.


def test_a_readers_copy_does_not_tell_how_much_he_was_not_shown() -> None:
    copies = []
    for hidden in ([], [HIDDEN], [HIDDEN, UNKNOWN, HIDDEN]):
        lines = [begin()]
        follow(lines, FACT, *hidden, FACT)
        copies.append([(line["parts"], line["salts"]) for line in export(lines, "german", SECRET)])
    assert copies[0] == copies[1] == copies[2]


def test_the_whole_log_still_knows_the_order_in_which_things_happened() -> None:
    own = Item("fact", {"saw": "2708"}, "german")
    happened = [own, HIDDEN, FACT, HIDDEN, UNKNOWN, own, FACT, UNKNOWN]
    lines = [begin()]
    line = follow(lines, *happened)
    assert items(line) == happened
    assert verify_chain(lines, SECRET) == []
    assert items(export(lines, "german", SECRET)[1]) == [own, FACT, own, FACT]


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
