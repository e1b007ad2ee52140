"""What a player may have of the log: his own parts, proof of the rest, and nothing to guess from."""

from __future__ import annotations

import hashlib

import pytest

from engine.canonical import canonical
from engine.dice import Dice, commitment, secret_from_seed
from engine.log import Item, check_reader, export, for_reader
from engine.log.lines import salt
from tests.engine.sealed import (
    FACT,
    GAME,
    HIDDEN,
    NONCES,
    SECRET,
    UNKNOWN,
    as_bytes,
    begin,
    follow,
    short_log,
    told_log,
)


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


def test_a_readers_copy_does_not_tell_how_much_he_was_not_shown() -> None:
    copies = []
    for hidden in ([], [HIDDEN], [HIDDEN, UNKNOWN, HIDDEN]):
        lines = [begin()]
        follow(lines, FACT, *hidden, FACT)
        copies.append([(line["parts"], line["salts"]) for line in export(lines, "german", SECRET)])
    assert copies[0] == copies[1] == copies[2]
